"""What README.md, docs/guide/comparing.md and the commands' help show must run."""

from __future__ import annotations

import gzip
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fuzzytruth.cli.compare import EXAMPLE as COMPARE_EXAMPLE
from fuzzytruth.cli.evaluate import EXAMPLE
from fuzzytruth.cli.image_text import EXAMPLE as IMAGE_TEXT_EXAMPLE

HOME = Path(__file__).parent.parent
README = (HOME / "README.md").read_text(encoding="utf-8")
COMPARING = (HOME / "docs" / "guide" / "comparing.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples name."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n")
    (tmp_path / "votes.csv").write_text("query,item,subject,grade\nq1,d1,ann,1\nq1,d1,bob,0\n")
    (tmp_path / "lists.csv").write_text(
        "query,subject,item,grade\nq1,ann,d1,1.0\nq1,ann,d7,0.5\nq2,ann,d3,1.0\n"
    )
    (tmp_path / "tree.txt").write_text("all\n  people\n  scenery\n")
    (tmp_path / "labels.csv").write_text("subject,item,category\ns,i1,people\ns,i2,people\n")
    (tmp_path / "like.run").write_text("i1 Q0 i2 1 1.0 like\ni2 Q0 i1 1 1.0 like\n")
    rows = "q1 Q0 d1 1 2.5 {0}\nq1 Q0 d2 2 1.5 {0}\nq2 Q0 d3 1 1.0 {0}\n"
    for name in ("a", "b"):
        (tmp_path / f"{name}.run").write_text(rows.format(name))
    (tmp_path / "runs" / "c.run.gz").write_bytes(gzip.compress(rows.format("c").encode()))
    (tmp_path / "scores.csv").write_text(
        "system,query,topic,value\na,q1,t,1\na,q2,u,0\nb,q1,t,0\nb,q2,u,0\n"
    )
    write_matrices(tmp_path)
    write_tables(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_tables(folder: Path) -> None:
    """Tables with columns of their own, labels of a classifier, and logs of two models."""
    tables = {
        "export.csv": "topic_no,item,who,grade\nq1,d1,ann,1\nq1,d1,bob,na\nq2,d3,bob,1\n",
        "panel.csv": "query,item,subject,grade\n"
        + "".join(
            f"q{1 + j % 4},d{j},{who},{(j * (k + 2) + k) % 3}\n"
            for j in range(1, 25)
            for k, who in enumerate(["ann", "bob", "gpt", "llama"])
        ),
        "wide.csv": "query,item,ann,bob\nq1,d1,1,0\nq2,d3,1,1\n",
        "a.csv": "query,item,cosine\nq1,d1,0.9\nq1,d2,0.8\nq2,d3,0.7\n",
        "classes.csv": "item,category\ni1,people\ni2,scenery\n",
        "means.csv": "topic,bm25,dense\n1,0.5,0.6\n2,0.1,0.3\n3,0.4,0.3\n",
        "old.jsonl": '{"doc_id": 0, "resps": [], "acc": 1}\n{"doc_id": 1, "resps": [], "acc": 0}\n',
        "new.jsonl": '{"doc_id": 0, "resps": [], "acc": 1}\n{"doc_id": 1, "resps": [], "acc": 1}\n',
    }
    for name, text in tables.items():
        (folder / name).write_text(text)


def write_matrices(folder: Path) -> None:
    """Distances between three models, and similarities of two images and ten texts."""
    (folder / "test.cla").write_text("PSB 1\n1 3\n\ndog 0 3\nm1\nm2\nm3\n")
    near = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    np.save(folder / "d2.npy", near)
    np.savetxt(folder / "shd.txt", near)
    np.save(folder / "sim.npy", -near[:2])
    (folder / "queries.txt").write_text("q1\nq2\n")
    (folder / "items.txt").write_text("d1\nd2\nd3\n")
    similar = np.repeat(np.eye(12), 5, axis=1) + np.arange(12)[:, None] / 9
    for name in ("clip", "vse"):
        np.save(folder / f"{name}.npy", similar)
    np.savetxt(folder / "clip.csv", similar, delimiter=",")
    (folder / "images.txt").write_text("\n".join(str(j // 5) for j in range(60)))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_python_blocks_run(folder: Path) -> None:
    # In a process of its own, for they register a measure.
    done = run("-c", blocks("python"))
    assert done.returncode == 0, done.stderr
    assert (folder / "scores.parquet").exists()


def test_comparing_runs_and_says_what_it_shows() -> None:
    show = "\nprint(result.to_frame().loc[5, 'p_adjusted'])"
    done = run("-W", "ignore", "-c", blocks("python", COMPARING) + show)
    assert done.returncode == 0, done.stderr
    shown = " ".join(line.removeprefix("# ") for line in COMPARING.splitlines())
    first = next(line for line in done.stdout.splitlines() if "adjusted p = 0.0098)" in line)
    assert "is significantly better than" in first
    assert first in shown
    assert done.stdout.splitlines()[-1] == "0.0098"


COMMANDS = [line.removeprefix("$ ") for line in blocks("console").splitlines()]
COMMANDS += [
    line.strip()
    for line in (EXAMPLE + COMPARE_EXAMPLE + IMAGE_TEXT_EXAMPLE).splitlines()
    if line.startswith("  fuzzytruth")
]


def test_commands_were_found() -> None:
    assert len(COMMANDS) >= 8
    assert all(command.startswith("fuzzytruth ") for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(folder: Path, command: str) -> None:
    words = shlex.split(command)
    before = contents(folder)
    done = run("-m", *words)
    assert done.returncode == 0, done.stderr
    changed = [path for path, text in contents(folder).items() if before.get(path) != text]
    assert done.stdout.strip() or changed
    if "-o" in words:
        assert folder / words[words.index("-o") + 1] in changed

"""Every example in the help of a command runs as printed."""

from __future__ import annotations

import re
import shlex
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer
from support.example_files import write_example_files

from fuzzytruth.cli.app import main
from fuzzytruth.cli.commands import app

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
#: votes for categories of a small taxonomy
VOTES = "".join(
    f"{who},{item},{name}\n"
    for item, names in {"fig1": ["crowd", "people"], "fig2": ["city", "scenery"]}.items()
    for who, name in zip(("ann", "bob"), names, strict=True)
)
TREE = "all\n  people\n    crowd\n  scenery\n    city\n"


def examples(command: str) -> list[str]:
    """The commands in an epilog, each on one line."""
    joined = re.sub(r" *\\\n *", " ", COMMANDS[command].epilog or "")
    return re.findall(r"^  (fuzzytruth .*)$", joined, re.MULTILINE)


EXAMPLES = [(name, example) for name in COMMANDS for example in examples(name)]


def panel(people: list[str], seed: int, n_items: int = 24) -> str:
    """Grades from 0 to 3 of items by several people, who often agree."""
    rng = np.random.default_rng(seed)
    base = np.random.default_rng(0).integers(0, 4, n_items)
    rows = [
        f"q{1 + j % 4},d{j},{who},{grade if rng.random() < 0.7 else rng.integers(0, 4)}"
        for who in people
        for j, grade in enumerate(base)
    ]
    return "query,item,subject,grade\n" + "\n".join(rows) + "\n"


def of_categories(text: str) -> str:
    """The same panel with a category in place of each grade."""
    names = ("people", "crowd", "scenery", "city")
    rows = [line.split(",") for line in text.splitlines()[1:]]
    lines = [f"{who},{item},{names[int(grade)]}" for _, item, who, grade in rows]
    return "subject,item,category\n" + "\n".join(lines) + "\n"


def lists(seed: int) -> str:
    """A run of six items for each of four queries of `panel`."""
    rng = np.random.default_rng(seed)
    items = [(q, j) for q in range(4) for j in range(24) if j % 4 == q]
    return "".join(f"q{q + 1} Q0 d{j} 1 {rng.random():.4f} x\n" for q, j in items)


def write_files_of(command: str, example: str, folder: Path) -> None:
    """Write the example files, and what this command means by their names."""
    write_example_files(folder)
    if command == "membership":
        (folder / "tree.txt").write_text(TREE)
        renamed = " --columns " in example
        heading = "who,item,kind" if renamed else "subject,item,category"
        (folder / "votes.csv").write_text(f"{heading}\n{VOTES}")
        pd.read_csv(StringIO(f"subject,item,category\n{VOTES}")).to_parquet(folder / "yes.parquet")
        asked = [(s, i, c) for s in ("ann", "bob") for i in ("fig1", "fig2") for c in TREE.split()]
        frame = pd.DataFrame(asked, columns=["subject", "item", "category"])
        frame.to_parquet(folder / "asked.parquet")
        edges = "all,people\nall,scenery\npeople,crowd\nscenery,city\n"
        (folder / "edges.csv").write_text(f"parent,child\n{edges}")
    if command == "agreement":
        (folder / "qrels.csv").write_text(panel(["ann", "bob"], 1))
        (folder / "labels.csv").write_text(f"subject,item,category\n{VOTES}")
        (folder / "tree.txt").write_text(TREE)
    if command in ("gate", "plan", "annotate-next", "analyse"):
        for seed, name in enumerate(("a", "b", "old", "new", "main", "branch", "bm25", "dense")):
            (folder / f"{name}.run").write_text(lists(seed))
        for name in ("bm25", "dense"):
            (folder / "runs" / f"{name}.run").write_text((folder / f"{name}.run").read_text())
        (folder / "votes.csv").write_text(panel(["ann", "bob", "eve"], 2))
        qrels = pd.read_csv(folder / "votes.csv").query("subject == 'ann'")
        lines = (f"{row.query} 0 {row.item} {row.grade}" for row in qrels.itertuples())
        (folder / "qrels.txt").write_text("\n".join(lines) + "\n")
        (folder / "scores.csv").write_text(table_of_scores(["a", "bm25", "dense"]))
    if command == "displacement":
        (folder / "readers.csv").write_text((folder / "lists.csv").read_text())
        (folder / "runs" / "d.run").write_text((folder / "a.run").read_text())
    if command == "judges":
        people, models = panel(["ann", "bob", "eve"], 3, 60), panel(["gpt", "llama"], 4, 60)
        if "--taxonomy" in example:
            (folder / "tree.txt").write_text(TREE)
            people, models = (of_categories(text) for text in (people, models))
        (folder / "people.csv").write_text(people)
        (folder / "models.csv").write_text(models)
        heading, *rows = models.splitlines()
        for judge in ("gpt", "llama"):
            own = [row for row in rows if judge in row.split(",")]
            (folder / f"{judge}.csv").write_text("\n".join([heading, *own, ""]))
    if command == "convert":
        (folder / "runs.csv").write_text("system,query,item,score\na,q1,d1,1\nb,q1,d1,2\n")
        (folder / "export.csv").write_text("topic_no,item,grade\nq1,d1,yes\nq1,d2,na\n")


def table_of_scores(systems: list[str]) -> str:
    rng = np.random.default_rng(5)
    rows = [
        f"{name},q{j},t{j % 5},{rng.random() / 2 + k / 8:.3f}"
        for k, name in enumerate(systems)
        for j in range(20)
    ]
    return "system,query,topic,value\n" + "\n".join(rows) + "\n"


def test_every_command_has_an_example_of_its_own() -> None:
    for name in COMMANDS:
        assert any(f"fuzzytruth {name}" in example for example in examples(name)), name
        assert COMMANDS[name].epilog.startswith("\b\nExamples"), name


def test_most_commands_have_one_on_a_shipped_sample() -> None:
    without = {name for name in COMMANDS if not any("demo" in x for x in examples(name))}
    assert without == {"image-text", "measures", "membership"}


def ended(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(command)[1:])
    shown = capsys.readouterr()
    return stop.value.code or 0, shown.out, shown.err


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[text for _, text in EXAMPLES])
def test_examples_run(
    name: str,
    example: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files_of(name, example, tmp_path)
    for made in examples(name):  # the sample that it is about
        folder = made.split()[-1]
        if "demo --" in made and f" {folder}/" in example:
            assert ended(made, capsys)[0] == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    status, out, err = ended(example, capsys)
    assert status in ((0, 3) if " gate " in example else (0,)), err
    changed = {
        str(path.relative_to(tmp_path))
        for path in tmp_path.rglob("*")
        if path.is_file() and before.get(path) != path.read_bytes()
    }
    assert out.strip() or changed
    words = shlex.split(example)
    for flag in ("-o", "--save", "--figure"):
        if flag in words:
            assert words[words.index(flag) + 1] in changed
    if not ({"--format", "--json"} & {*words} or words[1] in ("measures", "gate")):
        assert max(map(len, out.splitlines()), default=0) <= 80

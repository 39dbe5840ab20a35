"""Disks that are full, folders that are read-only, several writers at once, and long names."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and users of POSIX")
pytest.importorskip("resource")

#: every writer, under a limit of the size of files, which stands for a full disk
FULL = """
import resource, sys, warnings
from pathlib import Path
import numpy as np
import fuzzytruth as ft
import pandas as pd
warnings.simplefilter("ignore")

ids = [f"d{number:06}" for number in np.random.default_rng(1).permutation(1000)]
frame = pd.DataFrame({"query": ["q1", "q2"] * 500, "item": ids, "grade": 1.0})
truth = ft.Judgments.from_frame(frame)
runs = ft.Runs.from_frame(frame.rename(columns={"grade": "score"}).assign(system="a"))
names = [f"s{number}" for number in range(500)]
first = pd.DataFrame({"query": "q1", "item": ids[0], "score": 1.0, "system": names})
scores = ft.evaluate(truth, ft.Runs.from_frame(first), "P@1")
tree = ft.Taxonomy.from_children({"all": ids})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
for name, write in {
    **{f"j.{e}": truth.write for e in ("csv", "tsv", "json", "jsonl", "parquet", "txt", "csv.gz")},
    **{f"r.{e}": runs.write for e in ("csv", "jsonl", "parquet", "run", "run.gz")},
    **{f"t.{e}": tree.write for e in ("csv", "json", "txt")},
    "s.parquet": scores.save,
}.items():
    Path(name).write_text("old")
    try:
        write(name)
        print(name, "was written")
    except ft.errors.DataError as error:
        print(error)
"""


def test_a_full_disk_is_named_by_every_writer(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL], cwd=tmp_path, capture_output=True)
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 16
    assert sorted(lines) == sorted(f"{name}: cannot be written (File too large)" for name in names)
    assert {path.read_text() for path in tmp_path.iterdir()} == {"old"}


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A read-only folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "old.csv").write_text("old")
        folder.chmod(0o555)
        monkeypatch.chdir(folder)
        yield folder
        folder.chmod(0o755)


@contextmanager
def unprivileged() -> Iterator[None]:
    """A user whom permissions bind; libraries must have been imported before."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_read_only_folder(read_only: Path, tmp_path: Path) -> None:
    truth = ft.Judgments.from_dict({"q1": {"d1": 1}})
    for name in ("new.csv", "old.csv", "new.parquet"):
        truth.write(tmp_path / name)
        match = rf"^{name}: cannot be written \(Permission denied"
        with unprivileged(), pytest.raises(ft.errors.DataError, match=match):
            truth.write(name)
    assert [path.name for path in read_only.iterdir()] == ["old.csv"]
    assert (read_only / "old.csv").read_text() == "old"


WRITER = """
import sys
from pathlib import Path
from fuzzytruth.io.writing import write_whole
for _ in range(40):
    write_whole(Path("o.bin"), lambda file: file.write(sys.argv[1].encode() * 100_000))
"""


def test_three_writers_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "o.bin"
    path.write_bytes(b"0" * 100_000)
    calls = [[sys.executable, "-c", WRITER, letter] for letter in "abc"]
    children = [subprocess.Popen(call, cwd=tmp_path) for call in calls]
    seen = set()
    while any(child.poll() is None for child in children):
        content = path.read_bytes()
        assert len(content) == 100_000
        assert len(set(content)) == 1
        seen.add(content[0])
    assert [child.returncode for child in children] == [0] * 3
    assert path.read_bytes()[:1].decode() in "abc"
    assert len(seen) > 1
    assert list(tmp_path.iterdir()) == [path]

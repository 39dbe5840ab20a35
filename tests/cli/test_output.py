"""Files that the command writes."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft


def test_output_by_ending_and_saved_scores(run, folder: Path) -> None:
    common = ("evaluate", "qrels.txt", "a.run", "-m", "AP")
    starts = {"o.csv": "system,", "o.json": "[", "o.tex": "\\begin", "o.txt": "system "}
    for name, start in starts.items():
        status, out, _ = run(*common, "-o", name)
        assert (status, out) == (0, "")
        assert (folder / name).read_text().startswith(start)
    run(*common, "-o", "o.csv.gz", "--format", "csv")
    assert gzip.decompress((folder / "o.csv.gz").read_bytes()).startswith(b"system,")
    run(*common, "--save", "s.parquet")
    saved = ft.Scores.load("s.parquet").values
    assert np.array_equal(saved, ft.evaluate("qrels.txt", "a.run", "AP").values)


def test_a_failed_output_leaves_what_was_there(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "o.csv").write_text("old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    status, _, err = run("evaluate", "qrels.txt", "a.run", "-o", "o.csv")
    assert (status, err) == (1, "error: o.csv: cannot be written (disk full)\n")
    assert (folder / "o.csv").read_text() == "old"
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]

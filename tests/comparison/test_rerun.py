"""What it takes to compute a report again."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.analysed import runs, truth
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.comparison_report import checksums, rerun_section
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.show.answer import Table
from fuzzytruth.show.page import Code


def tables(scores: ft.Scores, comparison: ft.Comparison | None) -> dict[str, dict[str, str]]:
    parts = rerun_section(scores, comparison).parts
    return {
        part.title: dict(zip(*(one.cells for one in part.columns), strict=True))
        for part in parts
        if isinstance(part, Table)
    }


def test_settings_and_checksums() -> None:
    scores = ft.evaluate(truth(), runs(), ["AP"], worlds="independent", n_worlds=20, rng=3)
    comparison = ft.compare(scores, "good", over="query", n_resamples=99, rng=5, level=0.9)
    found = tables(scores, comparison)
    settings = found["Settings"]
    assert settings["fuzzytruth"] == ft.__version__
    assert (settings["level"], settings["resamples"]) == ("0.9", "99")
    assert (settings["worlds"], settings["n_worlds"]) == ("independent", "20")
    assert settings["baseline"] == "good"
    assert settings["seed of the worlds"] == " ".join(map(str, scores.provenance.seed))
    assert settings["seed of the resamples"] == " ".join(
        map(str, ft.stats.Resampling(99, rng=5).entropy)
    )
    wanted = {f"run of {name}": checksum for name, checksum in scores.provenance.runs}
    assert found["Data"] == {"ground truth": scores.provenance.truth, **wanted}


def test_scores_from_elsewhere_have_no_checksums() -> None:
    assert set(tables(scores_of([[0.1, 0.2]]), None)) == {"Settings"}


def test_files(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert checksums([tmp_path / "empty.csv"]) == [("empty.csv", empty)]
    assert checksums(str(tmp_path / "*.csv")) == [("empty.csv", empty)]
    with pytest.raises(OptionError, match="path=3: must be the path of a file"):
        checksums(3)
    with pytest.raises(DataError, match=r"none\.csv: cannot be read \(No such file"):
        checksums([tmp_path / "none.csv"])
    section = rerun_section(scores_of([[0.1]]), None, "make it", [("empty.csv", empty)])
    assert section.parts[0] == Code("make it", "Command")
    assert any(isinstance(p, Table) and p.columns[1].cells == (empty,) for p in section.parts)

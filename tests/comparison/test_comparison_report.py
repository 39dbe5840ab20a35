"""`Comparison.report`."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.comparison_report import comparison_page
from fuzzytruth.show.answer import Table

VALUES = np.random.default_rng(8).normal(0.5, 0.1, (3, 4, 9)) + np.array([0, 0, 0.2])[:, None, None]


@pytest.fixture(scope="module")
def result() -> ft.Comparison:
    return ft.compare(scores_of(VALUES), n_resamples=199)


def test_what_print_says_is_on_the_page(result: ft.Comparison, tmp_path: Path) -> None:
    html = result.report(tmp_path / "r.html").read_text(encoding="utf-8")
    text = unescape(re.sub(r"<[^>]*>", " ", html))
    printed = result._answer()
    assert printed.title in text
    for number in re.findall(r"\d+\.\d+", printed.text(200)):
        assert number in text
    first = printed.parts[0].lines
    assert len(first) == 3
    assert all(line in text for line in first)


def test_the_same_comparison_gives_the_same_bytes(result: ft.Comparison, tmp_path: Path) -> None:
    again = ft.compare(scores_of(VALUES), n_resamples=199)
    one, two = (r.report(tmp_path / f"{j}.html") for j, r in enumerate((result, again)))
    assert one.read_bytes() == two.read_bytes()
    assert str(tmp_path) not in one.read_text(encoding="utf-8")


def test_sections_and_title(result: ft.Comparison) -> None:
    page = comparison_page(result, "Mine")
    assert (page.title, page.summary) == ("Mine", result._answer().title)
    names = [section.name for section in page.sections if section.parts]
    wanted = ["verdicts", "differences", "systems", "pairs", "queries", "subjects"]
    assert names == [*wanted, "methods", "rerun"]


def test_means_tiers_and_ranks(result: ft.Comparison) -> None:
    section = comparison_page(result, None).sections[2]
    means, ranks = (part for part in section.parts if isinstance(part, Table))
    cells = {one.heading: one.cells for one in means.columns}
    assert [*map(float, cells["m"])] == pytest.approx(
        result.means["m"][list(cells["system"])].tolist(), abs=5.1e-5
    )
    assert cells["beats"] == tuple(result.superscripts()["m"][list(cells["system"])])
    assert cells["system"][0] == "sys2"
    tiers = result.tiers()
    assert ranks.columns[1].cells == tuple(map(str, tiers["tier"]))
    assert ranks.columns[2].cells[0] == "1"


def test_no_ranks_against_a_baseline() -> None:
    result = ft.compare(scores_of(VALUES), "sys0", n_resamples=99)
    tables = [p for p in comparison_page(result, None).sections[2].parts if isinstance(p, Table)]
    assert [table.title for table in tables] == ["Means"]


def test_only_the_measures_compared() -> None:
    rows = scores_of(VALUES).to_frame()
    import pandas as pd

    both = pd.concat([rows.assign(measure="AP"), rows.assign(measure="RR")])
    scores = ft.Scores.from_frame(both, higher_is_better=True)
    page = comparison_page(ft.compare(scores, measures="RR", n_resamples=99), None)
    captions = [p.title for s in page.sections for p in s.parts if isinstance(p, Table)]
    assert "RR of each query" in captions
    assert "AP of each query" not in captions


def test_what_verdicts_mean(result: ft.Comparison) -> None:
    said = " ".join(result.conditions.meaning())
    assert "other queries of the same kind, judged by the same subjects (adjusted p ≤ 0.05)" in said
    assert said.startswith("Subjects are those, people or models,")
    alone = ft.compare(scores_of(VALUES[:, 0]), level=0.9, n_resamples=99)
    (line,) = alone.conditions.meaning()
    assert line.endswith(
        "the direction of the mean difference is expected to be the same for other queries of the "
        "same kind (adjusted p ≤ 0.1); for a single one it may differ."
    )
    both = ft.compare(scores_of(VALUES), over=("query", "subject"), n_resamples=99)
    assert result.conditions.meaning(both.conditions)[-1] == (
        "Significant over queries and subjects: the same for other queries judged by other "
        "subjects."
    )
    assert "other queries judged by other subjects" in both.conditions.meaning()[-1]

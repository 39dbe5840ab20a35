"""Comparisons as text."""

from __future__ import annotations

import numpy as np
import pytest
from support.read_tables import printed_tables
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.cli.tables import MOST_DIFFERENCES, printed_comparison

RNG = np.random.default_rng(7)


def compared(n_systems: int, **options: object) -> ft.Comparison:
    """Each system better than the one before by a tenth, on twelve queries."""
    noise = RNG.normal(0, 0.05, (n_systems, 12))
    return ft.compare(scores_of(0.1 * np.arange(n_systems)[:, None] + noise), **options)


def test_verdicts_come_first_then_tables_then_assumptions() -> None:
    result = compared(3)
    text = printed_comparison(result).text(80)
    first = text.split("\n\n")[1].replace("\n  ", " ").split("\n")
    assert len(first) == len(result.table) == 3
    for line, row in zip(first, result.table.itertuples(), strict=True):
        assert line == (
            f"{row.system_b} is significantly better than {row.system_a} on m over queries"
        )
    differences, means = printed_tables(text)
    assert [row["system"] for row in differences] == ["sys1", "sys2", "sys2"]
    assert [row["m"].split()[1:] for row in means] == [["ab"], ["a"], []]
    order = [text.index(part) for part in (first[0], "95 % interval", "letters:", "Estimated:")]
    assert order == sorted(order)
    assert " ".join(text.split()).endswith(" ".join(result.assumptions.split()))


def test_of_many_differences_the_largest_are_shown() -> None:
    result = compared(7)
    assert len(result.table) > MOST_DIFFERENCES
    text = printed_comparison(result).text(80)
    significant = int(result.table["significant"].sum())
    assert f"m: {significant} of 21 differences significant over queries" in text
    assert "among the best (no system is significantly better): sys6" in text
    assert "The 8 largest of 21 differences by m" in text
    assert text.endswith(
        "All 21 differences: --format csv, or -o FILE.csv; as a picture: --figure FILE."
    )
    rows = printed_tables(text)[0]
    largest = sorted(shown_pairs(result), key=lambda row: -row.difference)[:8]
    for row, expected in zip(rows, largest, strict=True):
        assert (row["system"], row["minus"]) == (expected.system_a, expected.system_b)
        assert float(row["difference"].rstrip("*")) == pytest.approx(expected.difference, abs=5e-5)


@pytest.mark.parametrize("baseline", [None, "sys3"])
def test_as_many_lines_whatever_the_number_of_systems(baseline: str | None) -> None:
    values = np.arange(63)[:, None, None] / 100 + RNG.normal(0, 0.05, (63, 2, 12))
    text = printed_comparison(ft.compare(scores_of(values), baseline, n_resamples=99)).text(80)
    assert text.count("\n") < 55
    assert "Means of 12 of 63 systems by m, the best first" in text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_too_wide_and_no_number_broken(width: int) -> None:
    result = compared(4, baseline="sys0")
    text = printed_comparison(result).text(width)
    assert max(map(len, text.split("\n"))) <= width
    for row in result.table.itertuples():
        assert f"{row.difference:+.4f}{'*' * row.significant}" in text
        assert f"[{row.lower:+.4f}, {row.upper:+.4f}]" in text
    assert ("d_z" in text) == (width >= 80)


def test_options_are_named_as_typed() -> None:
    values = RNG.normal(0.5, 0.1, (2, 3, 12))
    text = printed_comparison(ft.compare(scores_of(values))).text(80)
    assert "see --over query,subject" in text
    assert "over=" not in text


def test_subjects_alone_are_counted_where_they_are_many() -> None:
    values = RNG.normal(0, 0.05, (4, 6, 12)) + np.arange(4)[:, None, None]
    result = ft.compare(scores_of(values))  # 36 differences of six subjects
    *_, by_subject = printed_tables(printed_comparison(result).text(80))
    assert list(by_subject[0]) == ["subject", "measure", "significant", "differences"]
    assert [row["significant"] for row in by_subject] == ["6"] * 6
    few = ft.compare(scores_of(values[:, :2]))
    *_, by_subject = printed_tables(printed_comparison(few).text(80))
    assert [row["subject"] for row in by_subject] == ["s0"] * 6 + ["s1"] * 6


def test_counts_of_many_subjects_are_cut() -> None:
    values = RNG.normal(0, 0.05, (4, 25, 12)) + np.arange(4)[:, None, None]
    text = printed_comparison(ft.compare(scores_of(values))).text(80)
    assert "over queries; the first 20 of 25 rows:" in " ".join(text.split())
    assert len(printed_tables(text)[-1]) == 20

"""Verdicts where no difference could be significant, for subjects or queries are too few."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.verdicts import cannot_tell, count_line, few_units
from fuzzytruth.errors import DegenerateWarning
from tests.support.conditions import CONDITIONS

BOTH = ("query", "subject")
WHY = "with such a spread, no possible difference would be significant"


def by_few(n_subjects: int, n_systems: int = 2, measure: str = "P@10") -> ft.Scores:
    """Whose differences vary with the subjects."""
    rng = np.random.default_rng(3)
    values = rng.normal(0.5, 0.1, (n_systems, n_subjects, 50))
    values += rng.normal(0, 0.2, (n_systems, n_subjects, 1))
    return replace(scores_of(np.clip(values, 0, 1)), measures=(measure,))


def flat(text: Any) -> str:
    return re.sub(r"\s+", " ", str(text))


def test_two_subjects() -> None:
    result = ft.compare(by_few(2), over=BOTH)
    row = result.table.iloc[0]
    assert row["difference"] - row["lower"] > 1
    (line,) = result.verdicts()
    said = "2 subjects cannot tell whether sys0 and sys1 differ on P@10 over queries and "
    assert line.startswith(f"{said}subjects (difference ")
    assert f"; {WHY})" in line
    assert said in flat(result)


def test_a_measure_of_unknown_range() -> None:
    """Its largest difference is not that of the values seen, and nothing is said of it."""
    (line,) = ft.compare(by_few(2, measure="mine"), over=BOTH).verdicts()
    assert line.startswith("no difference between sys0 and sys1 is shown on mine")
    assert "such values can have" not in line
    with pytest.warns(DegenerateWarning):
        (line,) = ft.compare(by_few(1, measure="mine"), over=BOTH).verdicts()
    assert line.startswith("1 subject cannot tell whether sys0 and sys1 differ on mine")


def test_of_a_pair_that_does_not_differ_over_queries() -> None:
    values = np.random.default_rng(3).normal(0.5, 0.02, (2, 2, 50))
    values[0] += np.array([0.4, -0.4])[:, None]
    text = flat(ft.analyse(replace(scores_of(values), measures=("P@10",)), n_resamples=199))
    assert "no difference between sys0 and sys1 is shown on P@10 over queries" in text
    assert "over queries and subjects, 2 subjects cannot tell" in text


def test_counts_are_no_zeros() -> None:
    result = ft.compare(by_few(2, 8), over=BOTH)
    said = (
        "P@10: over queries and subjects, 2 subjects cannot tell: 28 of 28 differences could not "
        "be significant with such a spread"
    )
    assert said in flat(result)
    text = flat(ft.analyse(by_few(2, 8), n_resamples=199))
    assert said in text
    assert "of 28 differences significant over queries" in text


def test_beside_a_difference_over_queries() -> None:
    values = np.random.default_rng(3).normal(0.3, 0.05, (2, 2, 50))
    values[0] += np.array([0.1, 0.5])[:, None]
    (line,) = ft.compare(replace(scores_of(values), measures=("P@10",))).verdicts()
    assert line.startswith("sys0 is significantly better than sys1 on P@10 over queries (")
    assert line.endswith("; over queries and subjects, 2 subjects cannot tell")


def test_one_sided() -> None:
    (line,) = ft.compare(by_few(2), over=BOTH, alternative="greater", level=0.99).verdicts()
    assert line.startswith(
        "2 subjects cannot tell whether sys0 has a greater P@10 than sys1 over queries and subjects"
    )


def test_enough_subjects_can() -> None:
    (line,) = ft.compare(by_few(12), over=BOTH).verdicts()
    assert line.startswith("no difference between sys0 and sys1 is shown on P@10 over queries and")


def row(**of: Any) -> pd.DataFrame:
    given = {"measure": "AP", "difference": 0.1, "lower": -1.0, "upper": 1.2, "std_error": 0.1}
    given |= {"significant": False, "n_queries": 50, "n_subjects": 2}
    return pd.DataFrame([given | of])


def test_the_rule() -> None:
    on = replace(CONDITIONS, spans=(1.0,), over=BOTH)
    assert cannot_tell(row(), on)
    assert not cannot_tell(row(lower=-0.9), on)  # a difference of 1 would be significant
    assert not cannot_tell(row(), replace(on, spans=(2.0,)))
    assert not cannot_tell(row(), replace(on, spans=()))  # of unknown range
    assert cannot_tell(row(upper=np.inf), replace(on, alternative="greater"))
    endless = {"lower": -np.inf, "upper": np.inf}
    assert cannot_tell(row(**endless, std_error=np.nan), on)  # a single subject
    assert not cannot_tell(row(**endless), on)  # of too few resamples
    assert not cannot_tell(row(difference=np.nan, lower=np.nan, upper=np.nan), on)


def test_the_fewest_are_named() -> None:
    on = replace(CONDITIONS, over=BOTH)
    assert few_units(on, 50, 2) == "2 subjects"
    assert few_units(on, 3, 3) == "3 queries and 3 subjects"
    assert few_units(replace(on, over=("query",)), 2, 9) == "2 queries"
    clusters = replace(on, over=("query",), groups="clusters", n_groups=3)
    assert few_units(clusters, 50, 0) == "3 clusters"
    resampled = replace(on, worlds="population", n_resampled=4)
    assert few_units(resampled, 50, 0, ("query", "world")) == "4 subjects"


def test_some_of_the_differences() -> None:
    on = replace(CONDITIONS, spans=(1.0,), over=BOTH)
    table = pd.concat([row(), row(lower=0.05, upper=0.15, significant=True), row(n_subjects=3)])
    assert count_line(table.reset_index(drop=True), on) == (
        "AP: 1 of 3 differences significant over queries and subjects; for 2, 3 subjects cannot "
        "tell"
    )
    none = pd.concat([row(), row(lower=-0.1, upper=0.3), row(lower=-0.1, upper=0.3)])
    assert count_line(none.reset_index(drop=True), on) == (
        "AP: 0 of 3 differences significant over queries and subjects; for 1, 2 subjects cannot "
        "tell"
    )
    assert count_line(none[:2].reset_index(drop=True), replace(on, over=("query",))).startswith(
        "AP: 0 of 2"
    )
    most = pd.concat([row(), row(), row(lower=-0.1, upper=0.3)])
    assert count_line(most.reset_index(drop=True), on) == (
        "AP: over queries and subjects, 2 subjects cannot tell: 2 of 3 differences could not be "
        "significant with such a spread"
    )


def test_scales() -> None:
    """The range of a measure, where it is known."""

    def span(measure: str, *values: float) -> float:
        scores = replace(scores_of(np.array([values, values[::-1]])), measures=(measure,))
        return ft.compare(scores, n_resamples=99).conditions.spans[0]

    assert span("P@5", 0.2, 0.3, 0.7) == 1
    assert span("P@5", 20, 30, 70) == np.inf  # in per cent
    assert span("mine", 0.2, 0.3, 0.7) == np.inf
    assert span("DCG@5", 0.2, 0.3, 0.7) == np.inf

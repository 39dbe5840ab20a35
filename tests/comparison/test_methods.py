"""The paragraph on methods, and its references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.comparison_report import software_line

VALUES = np.random.default_rng(8).normal(0.5, 0.1, (3, 4, 9))


def methods(values: Any = VALUES, **options: Any) -> tuple[str, list[str]]:
    conditions = ft.compare(scores_of(values), n_resamples=99, **options).conditions
    return " ".join(filter(None, conditions.methods)), sorted(conditions.references)


def first_words(works: list[str]) -> list[str]:
    return [work.split(",")[0] for work in works]


def test_over_queries() -> None:
    text, works = methods()
    assert text.startswith("3 systems were compared on 9 queries and 4 subjects by m.")
    assert "(Santini)" in text
    assert "simultaneous 95 % intervals, queries being random and subjects fixed" in text
    assert "at most 0.05, by moderated bootstrap max-t over 3 comparisons (99 resamples)" in text
    assert "(Westfall & Young, 1993; Smyth, 2004)" in text
    assert first_words(works) == ["Santini", "Smyth", "Westfall"]


def test_over_both() -> None:
    text, works = methods(over=("query", "subject"))
    assert "queries and subjects being random" in text
    assert "(Weerahandi, 1993)" in text
    assert first_words(works) == ["Santini", "Weerahandi"]


def test_two_baselines() -> None:
    text, _ = methods(VALUES[:, 0], baseline=["sys0", "sys1"])
    assert "For each other system and each of the baselines sys0 and sys1 the mean" in text


def test_against_a_baseline_without_subjects() -> None:
    text, works = methods(VALUES[:, 0], baseline="sys1", level=0.9, correction="holm")
    assert "For each other system and the baseline sys1 the mean difference" in text
    assert "at most 0.1, by t test, adjusted by Holm over 2 comparisons." in text
    assert "ground truth" not in text
    assert works == []


def test_complete_null() -> None:
    text, works = methods(VALUES[:, 0], null="complete")
    assert "(Carterette, 2012)" in text
    assert first_words(works) == ["Carterette"]


def test_independent_worlds_are_no_sample() -> None:
    truth = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 1}}
    votes = ft.Judgments.from_columns(
        ["q"] * 4 + ["r"] * 4, [*"aabb"] * 2, [1, 0, 0, 1, 1, 1, 0, 1], subject=["s", "t"] * 4
    )
    runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b", "a"] for q in truth}}
    scores = ft.evaluate(votes, runs, ["P@1"], worlds="independent", n_worlds=50, rng=0)
    conditions = ft.compare(scores, over="world", n_resamples=99).conditions
    text = " ".join(conditions.methods)
    assert "The ground truth of each item was drawn from its votes" in text
    assert "which are no sample of people" in text
    assert "with the interval that holds 95 % of the worlds, worlds being drawn" in text
    assert "by share of 50 worlds, a single comparison" in text
    assert "significant" not in text


def test_missing_values_are_mentioned() -> None:
    values = VALUES[:, 0].copy()
    values[0, 0] = np.nan
    with pytest.warns(ft.FuzzytruthWarning):
        conditions = ft.compare(scores_of(values), n_resamples=99).conditions
    assert "Systems lack values that others have" in " ".join(conditions.methods)


def test_versions() -> None:
    line = software_line()
    assert f"fuzzytruth {ft.__version__}" in line
    assert f"numpy {np.__version__}" in line

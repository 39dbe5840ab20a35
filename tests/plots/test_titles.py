"""Titles of results' figures: what is compared, on how many queries and subjects."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import title_of

import fuzzytruth as ft

RNG = np.random.default_rng(0)
AXES = {"system": list("xyz"), "query": range(9), "subject": ["ann", "bob", "cy", "di"]}
FRAME = pd.MultiIndex.from_product(AXES.values(), names=AXES).to_frame(index=False)
FRAME["value"] = RNG.normal(0.5, 0.1, len(FRAME)) + 0.2 * (FRAME["system"] == "x")


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingCellWarning")
def test_pairs_and_means_on_different_queries(plt: Any) -> None:
    lost = (FRAME["system"] == "z") & FRAME["query"].isin([1, 2, 3])
    scores = ft.Scores.from_frame(FRAME[~lost])
    result = ft.compare(scores, n_resamples=99)
    assert result.table["n_queries"].tolist() == [9, 6, 6]
    for kind in ("forest", "matrix", "tiers"):
        title = title_of(result.plot(kind=kind))  # type: ignore[arg-type]
        assert "over queries (6 to 9 queries and 4 subjects)" in title
    assert "means of 3 systems on 6 queries that all have, and tiers" in title
    assert "means of 3 systems over 6 to 9 queries and 4 subjects" in title_of(scores.plot())
    ranks = ft.rank_stability(scores, n_resamples=99)
    assert "(6 queries and 4 subjects)" in title_of(ranks.plot())


def test_single_subjects_without_adjustment(plt: Any) -> None:
    result = ft.compare(ft.Scores.from_frame(FRAME), correction="none").by_subject()
    assert "; significant: p ≤ 0.05, not adjusted for 3 comparisons" in title_of(result.plot())
    adjusted = ft.compare(ft.Scores.from_frame(FRAME), n_resamples=99).by_subject()
    assert "not adjusted" not in title_of(adjusted.plot())


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")
def test_too_few_worlds(plt: Any) -> None:
    axes = {"query": ["q"], "item": ["d", "e", "f"], "subject": ["ann", "bob", "cy"]}
    votes = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    votes["grade"] = [0, 1, 1, 1, 0, 0, 1, 0, 1]
    runs = {"x": {"q": [*"def"]}, "y": {"q": [*"fed"]}, "z": {"q": [*"edf"]}}
    truth = ft.Judgments.from_frame(votes)
    scores = ft.evaluate(truth, runs, "P@2", worlds="independent", n_worlds=100, rng=0)
    words = "100 worlds are too few for 3 simultaneous intervals: n_worlds=119 or more gives finite"
    result = ft.compare(scores, over="world")
    for kind in ("forest", "matrix", "tiers"):
        title = title_of(result.plot(kind=kind))  # type: ignore[arg-type]
        assert words in title
        assert "share of 100 worlds, adjusted by Bonferroni over 3 comparisons" in title
    assert "Bars: what holds 95 % of the worlds, all differences together;" in title_of(
        result.plot(kind="forest")
    )
    assert words in title_of(ft.rank_stability(scores, over="world").plot())

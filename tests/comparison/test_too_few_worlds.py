"""The number of worlds that finite intervals take is the least with which they are finite."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning

SYSTEMS = {
    f"s{j}": {q: [f"d{d}" for d in np.random.default_rng(j).permutation(6)] for q in ("q", "r")}
    for j in range(4)
}


def scores(n_worlds: int) -> ft.Scores:
    rng = np.random.default_rng(0)
    axes = {"query": ["q", "r"], "item": [f"d{d}" for d in range(6)], "subject": [*"abc"]}
    votes = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    votes["grade"] = rng.integers(0, 2, len(votes))
    truth = ft.Judgments.from_frame(votes)
    measures = ["P@2", "P@3"]
    return ft.evaluate(truth, SYSTEMS, measures, worlds="independent", n_worlds=n_worlds, rng=0)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("correction", [None, "none"])
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")
def test_one_world_fewer_is_too_few(alternative: Any, across: bool, correction: str | None) -> None:
    def compared(n_worlds: int) -> ft.Comparison:
        return ft.compare(
            scores(n_worlds),
            over="world",
            alternative=alternative,
            across_measures=across,
            correction=correction,
        )

    given = compared(10)
    needed = given.conditions.worlds_needed(given.table)
    if correction is None:  # Bonferroni: alpha of each of 6, or 12, tests on 1 or 2 sides
        tests = 12 if across else 6
        assert needed == tests * (40 if alternative == "two-sided" else 20) - 1
    few, enough = compared(needed - 1), compared(needed)
    end = "upper" if alternative == "less" else "lower"
    assert np.isinf(few.table[end]).all()
    assert np.isfinite(enough.table[end]).all()
    assert f"n_worlds={needed:,} or more" in few.conditions.too_few_worlds(few.table)
    assert enough.conditions.too_few_worlds(enough.table) == ""


def test_the_warning_and_the_text_say_so() -> None:
    given = scores(100)
    with pytest.warns(DegenerateWarning, match="for 6 comparisons .* n_worlds=239 or more"):
        result = ft.compare(given, over="world")
    words = "100 worlds are too few for 6 simultaneous intervals: n_worlds=239 or more gives finite"
    assert words in " ".join(str(result).split())
    with pytest.warns(DegenerateWarning):
        ranks = ft.rank_stability(given, over="world")
    assert words in " ".join(str(ranks).split())


def test_other_comparisons_need_no_worlds() -> None:
    result = ft.compare(scores(10), over="query")
    assert result.conditions.too_few_worlds(result.table) == ""

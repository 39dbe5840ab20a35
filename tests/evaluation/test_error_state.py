"""The error state of NumPy that a user's program sets does not reach into evaluation."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.variants import VARIANTS

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
MEASURES = [name for name in VARIANTS if not re.search(r"collection=", name)]


def long_lists(n_items: int = 1500) -> tuple[pd.DataFrame, Any]:
    """Products of so many probabilities, and so deep discounts, are too small for a float."""
    rng = np.random.default_rng(0)
    items = [f"d{i}" for i in range(n_items)]
    rows = [("q", i, s, int(rng.integers(-1, 4))) for i in items for s in "abc"]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    some = rng.permutation(n_items).tolist()
    return votes, {"x": {"q": {items[i]: -float(p) for p, i in enumerate(some)}}}


@pytest.mark.parametrize("worlds", ["independent", "population", "subject"])
def test_every_measure_of_very_long_lists(worlds: str) -> None:
    votes, runs = long_lists()
    options: dict[str, Any] = {"worlds": worlds, "n_worlds": 8, "rng": 0}
    want = ft.evaluate(votes, runs, MEASURES, **options)
    with np.errstate(all="raise"):
        found = ft.evaluate(votes, runs, MEASURES, **options)
        pd.testing.assert_frame_equal(found.to_frame(), want.to_frame())


def test_distributions_of_very_many_items() -> None:
    p = np.linspace(1e-9, 1 - 1e-9, 3000)
    with np.errstate(all="raise"):
        assert abs(ft.poisson_binomial(p).mean() - p.sum()) < 1e-6
        assert abs(ft.precision_distribution(p[:900]).mean() - p[:900].mean()) < 1e-9
        assert 0 < ft.recall_distribution(retrieved=p[:300], rest=p[300:900]).mean() < 1
        assert 0 < ft.f_distribution(retrieved=p[:300], rest=p[300:900]).mean() < 1


def test_by_example_and_tiny_scores() -> None:
    tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    items = [f"i{n}" for n in range(1200)]
    rng = np.random.default_rng(1)
    rows = [(s, i, str(rng.choice(["cat", "dog"]))) for i in items for s in "ab"]
    votes = ft.Assignments.from_frame(
        pd.DataFrame(rows, columns=["subject", "item", "category"]), taxonomy=tax
    )
    runs = {"x": {i: {j: 1e-300 * n for n, j in enumerate(items)} for i in items[:3]}}
    with np.errstate(all="raise"):
        scores = ft.evaluate(votes.by_example(items[:3]), runs, ["AP", "nDCG@10", "R@5"], rng=0)
    assert (scores.values > 0).all()

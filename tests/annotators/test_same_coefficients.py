"""A coefficient has one value, whichever verb computes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

import fuzzytruth as ft

RNG = np.random.default_rng(1)
N, GRADES = 120, 4
TRUE = RNG.integers(0, GRADES, N)
ANN, BOB = (np.where(RNG.random(N) < p, RNG.integers(0, GRADES, N), TRUE) for p in (0.3, 0.4))


def judged(name: str, grade: Any) -> pd.DataFrame:
    query = np.repeat(np.arange(12), 10)
    return pd.DataFrame({"query": query, "item": np.arange(N), "subject": name, "grade": grade})


BOTH = pd.concat([judged("ann", ANN), judged("bob", BOB)])


def of_pair(coefficient: str, metric: str, **more: Any) -> float:
    options: dict[str, Any] = {"coefficient": coefficient, "metric": metric, **more}
    return float(ft.pairwise_agreement(BOTH, **options).pairs["value"][0])


@pytest.mark.parametrize("metric", ["nominal", "linear", "interval", "ordinal"])
def test_cohens_kappa(metric: Any) -> None:
    table = np.zeros((GRADES, GRADES))
    np.add.at(table, (ANN, BOB), 1)
    gap = np.abs(np.subtract.outer(np.arange(GRADES), np.arange(GRADES)))
    weights = {
        "nominal": (gap > 0) * 1.0,
        "linear": gap,
        "interval": gap**2,
        "ordinal": gap * (gap + 1) / 2,  # Gwet 2014, §3.5
    }[metric]
    expected = cohens_kappa(table, weights=weights, return_results=False)
    found = ft.agreement(BOTH, coefficient="cohen", metric=metric)
    assert found.value == pytest.approx(expected, rel=1e-12)
    assert of_pair("kappa", metric) == pytest.approx(expected, rel=1e-12)
    assert found.by_pair().pairs["value"][0] == pytest.approx(expected, rel=1e-12)
    column = {"nominal": "kappa", "interval": "weighted_kappa"}.get(metric)
    if column is not None:
        judges = ft.judge_agreement(judged("ann", ANN), judged("bob", BOB)).judges
        assert judges[column][0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", ["nominal", "linear", "interval", "ordinal"])
def test_krippendorffs_alpha(metric: Any) -> None:
    found = ft.agreement(BOTH, metric=metric, over="query")
    assert of_pair("alpha", metric) == pytest.approx(found.value, rel=1e-12)
    pairs = ft.pairwise_agreement(BOTH, coefficient="alpha", metric=metric, over="query").pairs
    # a jackknife, and its linear approximation
    assert pairs["lower"][0] == pytest.approx(found.lower, abs=0.005)
    assert pairs["upper"][0] == pytest.approx(found.upper, abs=0.005)


def test_pairs_of_some_who_did_not_give_the_highest_grade() -> None:
    votes = pd.concat([BOTH, judged("cat", np.full(N, GRADES))])
    found = ft.agreement(votes, metric="interval", subjects=["ann", "bob"]).by_pair()
    assert found.pairs["value"].tolist() == [pytest.approx(of_pair("alpha", "interval"))]

"""Maximum and mean of F over ranks, rank by rank."""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query

from fuzzytruth.measures.counts import largest_f, mean_f

LISTS = [([1, 0, 1, 0, 0, 1], [1]), ([0, 0, 1], []), ([], [1]), ([0, None, 1, 1], [0, 1])]


def f_values(ranked, missed, beta: float, cutoff: int | None) -> list[float]:
    relevant = sum(g == 1 for g in [*ranked, *missed])
    hits = np.cumsum([g == 1 for g in ranked])[:cutoff]
    weight = beta**2
    return [(1 + weight) * h / (weight * relevant + i) for i, h in enumerate(hits, start=1)]


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("cutoff", [None, 1, 3, 20])
def test_rank_by_rank(beta: float, cutoff: int | None) -> None:
    batch = batch_of(*(query(*both) for both in LISTS))
    values = [f_values(*both, beta, cutoff) for both in LISTS]
    expected = [max(v, default=0.0) for v in values]
    np.testing.assert_allclose(largest_f(batch, 1, beta, cutoff)[0], expected, atol=1e-14)
    expected = [np.mean(v) if v else 0.0 for v in values]
    np.testing.assert_allclose(mean_f(batch, 1, beta, cutoff)[0], expected, atol=1e-13)


def test_tied_items_have_the_mean_over_orders() -> None:
    result = mean_f(batch_of(query([1, 0, 0], ties=[3])), 1, 1.0, 2)
    each = [f_values(order, [], 1.0, 2) for order in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
    assert result.item() == pytest.approx(np.mean(each))

"""Closed forms over the orders of ties, against all orders."""

import itertools

import numpy as np
import pytest
from support.building import batch_of, query

from fuzzytruth.measures import ties

#: two queries; the first has tied groups of 1, 3 and 2 items, one of them unjudged
QUERIES = (
    query([0.0, 1.0, None, 1.0, 0.0, 1.0], ties=[1, 3, 2]),
    query([1.0, 0.0, 0.0, 0.0], ties=[4]),
)
BATCH = batch_of(*QUERIES)


def orders(j: int) -> list[list[bool]]:
    """Relevance at each rank, in every order of the tied items."""
    ranked = [g is not None and g[0] >= 1 for g in QUERIES[j].ranked]
    ends = np.cumsum(QUERIES[j].groups).tolist()
    parts = [ranked[e - n : e] for e, n in zip(ends, QUERIES[j].groups, strict=True)]
    mixed = itertools.product(*(itertools.permutations(part) for part in parts))
    return [list(itertools.chain(*order)) for order in mixed]


@pytest.mark.parametrize("cutoff", [None, 1, 2, 3, 5, 9])
def test_expectations_are_means_over_orders(cutoff: int | None) -> None:
    relevant = BATCH.relevant(1)
    none = ties.chance_of_none(BATCH, relevant, cutoff)
    precisions = ties.expected_precision_sum(BATCH, relevant, cutoff)
    reciprocal = ties.expected_reciprocal_rank(BATCH, relevant, cutoff)
    for j in range(2):
        hits = [[r for r, x in enumerate(o[:cutoff], start=1) if x] for o in orders(j)]
        assert none[0, j] == pytest.approx(np.mean([not h for h in hits]))
        sums = [sum(n / r for n, r in enumerate(h, start=1)) for h in hits]
        assert precisions[0, j] == pytest.approx(np.mean(sums))
        assert reciprocal[0, j] == pytest.approx(np.mean([1 / h[0] if h else 0 for h in hits]))

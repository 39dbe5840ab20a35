"""Measures of gain by hand; definitions: `test_brute_force`, values: `test_trec_eval`."""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query

from fuzzytruth.measures import G, Rndcg, binG, ndcg_rel, parse_measure

LIST = query([2, None, 1, 0], [1])  # ideal: 2, 1, 1
SECOND, FOURTH = 1 / np.log2(3), 1 / np.log2(5)


def value(measure) -> float:
    return measure.score(batch_of(LIST)).item()


def test_rndcg() -> None:
    """After the 2 (rank 1), and after the last 1 (rank 3); the list is too short for its end."""
    at_3 = (2 + 0.5) / (2 + SECOND + 0.5)
    assert value(Rndcg()) == pytest.approx((1 + at_3) / 2)


def test_rndcg_at_the_end_of_a_longer_list() -> None:
    batch = batch_of(query([0, 0, 0, 1]))
    assert Rndcg().score(batch).item() == pytest.approx((0 + FOURTH) / 2)


def test_ndcg_rel() -> None:
    at_3 = (2 + 0.5) / (2 + SECOND + 0.5)
    assert value(ndcg_rel()) == pytest.approx((1 + at_3 + at_3) / 3)


def test_normalised_gain() -> None:
    """Costs 2, 3, 4, 5 and gains 2, 2, 3, 3 up to each rank."""
    assert value(G()) == pytest.approx((2 / np.log2(2) + 1 / np.log2(3)) / 4)
    assert value(binG()) == pytest.approx((1 + SECOND) / 3)


def test_gains_of_equal_size_are_one_level() -> None:
    assert value(Rndcg(gains={1: 2, 2: 2})) == pytest.approx(
        value(parse_measure("Rndcg(gains={1:1,2:1})"))
    )

"""Poisson-binomial probabilities against 60 decimal digits."""

import itertools

import numpy as np
import pytest
from support.poisson_binomial import SKEWS, in_decimals

from fuzzytruth.core.lists.poisson_binomial import (
    one_more,
    pmf,
    pmf_columns,
    pmf_window,
    trimmed,
    weighted_counts,
)


@pytest.mark.parametrize(
    ("n", "skew"),
    [*((n, "uniform") for n in (0, 1, 2, 3, 7, 31, 32, 33, 95)), *((400, s) for s in SKEWS)],
)
def test_relative_accuracy_in_the_tails(n: int, skew: str) -> None:
    p = SKEWS[skew](np.random.default_rng(7), n)
    exact = in_decimals(p)
    seen = exact > 1e-290
    for result in (pmf(p), pmf_columns(p[:, None])[:, 0]):
        np.testing.assert_allclose(result[seen], exact[seen], rtol=1e-12, atol=0)
        np.testing.assert_array_less(result[~seen], 1e-289)
        assert result.sum() == pytest.approx(1, abs=1e-12)


def test_a_window_keeps_improbable_events() -> None:
    first, window = pmf_window(np.full(3000, 1e-200))
    assert (first, window[1]) == (0, pytest.approx(3e-197, rel=1e-12))
    start, chances = trimmed(0, np.array([1.0, 1e-40, 1e-80, 1e-120]))
    assert (start, chances.tolist()) == (0, [1.0, 1e-40])
    start, chances = trimmed(5, np.array([1e-36, 0.5, 0.5, 1e-34]))
    assert (start, chances.tolist()) == (6, [0.5, 0.5, 1e-34])


def test_weighted_counts_of_every_world() -> None:
    rng = np.random.default_rng(2)
    p, weight = rng.random(7), rng.choice([-0.5, 0.25, 1.0, 0.0], 7)
    p[2] = 0.0
    worlds = np.array(list(itertools.product((0, 1), repeat=7)))
    chance = np.where(worlds > 0, p, 1 - p).prod(axis=1)
    values, chances = weighted_counts(weight, p)
    assert (np.diff(values) > 0).all()
    for value, share in zip(values, chances, strict=True):
        expected = chance[np.isclose(worlds @ weight, value)].sum()
        assert share == pytest.approx(expected, rel=1e-13)
    assert chances.sum() == pytest.approx(1, rel=1e-14)
    assert weighted_counts(weight, p, most=4) is None
    assert [one.tolist() for one in weighted_counts(np.zeros(3), np.full(3, 0.5))] == [[0], [1]]


def test_weights_that_differ_by_rounding_are_one_value() -> None:
    values, chances = weighted_counts(np.array([0.1, 0.2, 0.3]), np.full(3, 0.5))
    assert len(values) == 7  # 0.1 + 0.2 and 0.3
    assert chances.tolist() == [0.125, 0.125, 0.125, 0.25, 0.125, 0.125, 0.125]


def test_one_more_event() -> None:
    p = np.random.default_rng(1).random((4, 3))
    np.testing.assert_array_equal(one_more(pmf_columns(p[:3]), p[3]), pmf_columns(p))


def test_chances_that_vanish_are_no_error_where_underflow_is_one() -> None:
    with np.errstate(all="raise"):
        assert pmf_columns(np.full((40, 1), 1e-30))[:2, 0].tolist() == [1, pytest.approx(4e-29)]

"""Poisson-binomial probabilities against 60 decimal digits."""

import numpy as np
import pytest
from support.poisson_binomial import SKEWS, in_decimals

from fuzzytruth.core.lists.poisson_binomial import one_more, pmf, pmf_columns, pmf_window, trimmed


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


def test_one_more_event() -> None:
    p = np.random.default_rng(1).random((4, 3))
    np.testing.assert_array_equal(one_more(pmf_columns(p[:3]), p[3]), pmf_columns(p))


def test_chances_that_vanish_are_no_error_where_underflow_is_one() -> None:
    with np.errstate(all="raise"):
        assert pmf_columns(np.full((40, 1), 1e-30))[:2, 0].tolist() == [1, pytest.approx(4e-29)]

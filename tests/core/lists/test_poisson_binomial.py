"""Poisson-binomial probabilities against 60 decimal digits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
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


@pytest.mark.parametrize("n", [1, 5, 40, 100])
def test_sure_events_only_shift(n: int) -> None:
    p = np.random.default_rng(n).integers(0, 2, n).astype(float)
    expected = np.zeros(n + 1)
    expected[int(p.sum())] = 1
    assert pmf(p).tolist() == expected.tolist()
    assert pmf_columns(np.tile(p[:, None], (1, 17)))[:, 3].tolist() == expected.tolist()


def test_no_events_no_lists_and_probabilities_next_to_0_and_1() -> None:
    assert pmf_columns(np.empty((0, 3))).tolist() == [[1, 1, 1]]
    assert pmf_columns(np.empty((4, 0))).shape == (5, 0)
    assert pmf_window(np.empty(0))[1].tolist() == [1]
    tiny, small, below_one = 5e-324, 1e-310, np.nextafter(1, 0)
    assert pmf(np.array([tiny])).tolist() == [1, tiny]
    assert pmf(np.array([small, 1.0])).tolist() == [0, 1, small]
    assert pmf(np.array([below_one])).tolist() == [1 - below_one, below_one]
    assert pmf(np.array([tiny] * 50))[:2].tolist() == [1, 50 * tiny]


@settings(max_examples=60)
@given(
    arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 20)), elements=st.floats(0, 1)),
    st.integers(0, 30),
)
def test_company_and_impossible_events_do_not_change_the_bits(p: np.ndarray, more: int) -> None:
    together = pmf_columns(np.concatenate((p, np.zeros((more, p.shape[1])))))
    np.testing.assert_array_equal(pmf_columns(p, most=3), pmf_columns(p)[:4])
    for column in range(p.shape[1]):
        alone = pmf_columns(p[:, [column]])[:, 0]
        assert together[: len(alone), column].tolist() == alone.tolist()
        assert not together[len(alone) :, column].any()
        np.testing.assert_allclose(alone, pmf(p[:, column]), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("skew", SKEWS)
def test_a_window_is_the_pmf_without_what_is_negligible(skew: str) -> None:
    p = SKEWS[skew](np.random.default_rng(2), 3000)
    first, window = pmf_window(p)
    whole = pmf(p)
    inside = whole[first : first + len(window)]
    seen = inside >= 1e-20 * whole.max()
    np.testing.assert_allclose(window[seen], inside[seen], rtol=1e-12)
    assert whole.sum() - inside.sum() == pytest.approx(0, abs=1e-15)
    assert window.sum() == pytest.approx(1, abs=1e-12)
    assert len(window) < 1300


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

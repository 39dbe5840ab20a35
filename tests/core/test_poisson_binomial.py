"""The Poisson-binomial pmf against enumeration, exact fractions and 60-digit decimals."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fuzzytruth.core.poisson_binomial import pmf, pmf_each, prefix_pmfs


def enumerated(p: list[float]) -> list[float]:
    """Sum over all 2^n outcomes, in fractions."""
    exact = [Fraction(x) for x in p]
    out = [Fraction()] * (len(p) + 1)
    for outcome in product((0, 1), repeat=len(p)):
        out[sum(outcome)] += prod(
            (x if hit else 1 - x for x, hit in zip(exact, outcome, strict=True)),
            start=Fraction(1),
        )
    return [float(x) for x in out]


def in_decimals(p: np.ndarray) -> np.ndarray:
    """Event by event with 60 digits and no underflow; below 1e-320 it is not a float any more."""
    with localcontext() as context:
        context.prec, context.Emin = 60, -999_999
        out = np.array([Decimal(1)] + [Decimal(0)] * len(p))
        for i, x in enumerate(Decimal(v) for v in p.tolist()):
            happens = out[: i + 1] * x
            out[: i + 1] *= 1 - x
            out[1 : i + 2] += happens
        return out.astype(float)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 11])
def test_enumeration(n: int) -> None:
    p = np.random.default_rng(n).random(n)
    np.testing.assert_allclose(pmf(p), enumerated(p.tolist()), rtol=1e-14, atol=0)


SKEWS = {
    "uniform": lambda rng, n: rng.random(n),
    "rare": lambda rng, n: rng.random(n) * 1e-4,
    "nearly sure": lambda rng, n: 1 - rng.random(n) * 1e-4,
    "votes of five": lambda rng, n: rng.integers(0, 6, n) / 5,
    "both ends": lambda rng, n: rng.beta(0.05, 0.05, n),
    "decaying": lambda rng, n: 1 / np.arange(1.0, n + 1),
}


@pytest.mark.parametrize("skew", SKEWS)
@pytest.mark.parametrize("n", [31, 32, 33, 95, 1000])
def test_relative_accuracy_in_the_tails(skew: str, n: int) -> None:
    p = SKEWS[skew](np.random.default_rng(7), n)
    exact = in_decimals(p)
    seen = exact > 1e-290
    for found in (pmf(p), pmf_each(p[None])[0], pmf_each(np.tile(p, (20, 1)))[19]):
        np.testing.assert_allclose(found[seen], exact[seen], rtol=1e-12, atol=0)
        np.testing.assert_array_less(found[~seen], 1e-289)
        assert found.sum() == pytest.approx(1, abs=1e-12)


def test_prefixes_keep_it_too() -> None:
    p = SKEWS["both ends"](np.random.default_rng(3), 300)
    found = prefix_pmfs(p[None])[0]
    for i in (0, 1, 40, 299):
        exact = in_decimals(p[: i + 1])
        seen = exact > 1e-290
        np.testing.assert_allclose(found[i, : i + 2][seen], exact[seen], rtol=1e-12, atol=0)
        assert not found[i, i + 2 :].any()


def test_binomial() -> None:
    exact = [comb(200, k) * Fraction(1, 4) ** k * Fraction(3, 4) ** (200 - k) for k in range(201)]
    np.testing.assert_allclose(pmf(np.full(200, 0.25)), [float(x) for x in exact], rtol=1e-13)


@pytest.mark.parametrize("n", [1, 5, 40, 100])
def test_sure_events_only_shift(n: int) -> None:
    rng = np.random.default_rng(n)
    p = rng.integers(0, 2, n).astype(float)
    expected = np.zeros(n + 1)
    expected[int(p.sum())] = 1
    assert pmf(p).tolist() == expected.tolist()
    assert prefix_pmfs(p[None])[0, -1].tolist() == expected.tolist()
    assert pmf_each(np.tile(p, (17, 1)))[3].tolist() == expected.tolist()


def test_no_events_and_no_lists() -> None:
    assert pmf(np.empty(0)).tolist() == [1]
    assert pmf_each(np.empty((3, 0))).tolist() == [[1]] * 3
    assert pmf_each(np.empty((20, 0))).tolist() == [[1]] * 20
    assert pmf_each(np.empty((0, 4))).shape == (0, 5)
    assert prefix_pmfs(np.empty((3, 0))).shape == (3, 0, 1)
    assert prefix_pmfs(np.empty((0, 4))).shape == (0, 4, 5)


def test_probabilities_next_to_0_and_1() -> None:
    tiny, small = 5e-324, 1e-310
    assert pmf(np.array([tiny])).tolist() == [1, tiny]
    assert pmf(np.array([small, 1.0])).tolist() == [0, 1, small]
    below_one = np.nextafter(1, 0)
    assert pmf(np.array([below_one])).tolist() == [1 - below_one, below_one]
    assert pmf(np.array([tiny] * 50))[:2].tolist() == [1, 50 * tiny]


@given(
    arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 40)), elements=st.floats(0, 1)),
)
def test_the_three_agree(p: np.ndarray) -> None:
    each = pmf_each(p)
    prefixes = prefix_pmfs(p)
    np.testing.assert_allclose(each, [pmf(row) for row in p], rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(each, prefixes[:, -1], rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(prefixes.sum(axis=2), 1, rtol=1e-12)
    mean = (prefixes * np.arange(p.shape[1] + 1)).sum(axis=2)
    np.testing.assert_allclose(mean, p.cumsum(axis=1), rtol=1e-11, atol=1e-300)


def test_the_order_of_events_does_not_matter() -> None:
    p = np.random.default_rng(5).random(150)
    np.testing.assert_allclose(pmf(p), pmf(p[::-1]), rtol=1e-12, atol=1e-300)

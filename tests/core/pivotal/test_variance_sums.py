"""Distributions of sums of variances, against drawn χ²."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core.pivotal import Variances, excess, excess_of_both, scaled

RNG = np.random.default_rng(0)
DRAWS = 1_000_000


def p_drawn(variance: np.ndarray, size: float) -> float:
    with np.errstate(divide="ignore"):
        return float(2 * stats.norm.sf(size / np.sqrt(variance)).mean())


def test_sums_of_parts() -> None:
    """Rows of different scales, one part being 0 with some probability."""
    whole, gaps = np.array([40.0, 4e-12]), np.array([[9.0, 9e-13], [30.0, 3e-12]])
    gap, factor = excess(gaps, (4.0, 76.0)), np.array([0.01, 0.01])
    parts = scaled(0.05 * whole, 19.0).plus(gap.times(factor), 256)
    mixtures = parts.mixtures()
    assert parts.weight.sum(axis=1) == pytest.approx([1, 1], abs=1e-9)
    drawn = 0.05 * 40 / RNG.chisquare(19, DRAWS)
    drawn_gap = 9 / RNG.chisquare(4, DRAWS) - 30 / RNG.chisquare(76, DRAWS)
    drawn += 0.01 * np.maximum(drawn_gap, 0)
    for size in (0.2, 0.6, 1.2):
        found = mixtures.two_sided(np.array([size, size * 1e-6 * np.sqrt(0.1)]))
        assert found[0] == pytest.approx(p_drawn(drawn, size), rel=0.01)
    both = mixtures.quantile(0.05)
    assert p_drawn(drawn, both[0]) == pytest.approx(0.05, abs=0.001)


def test_excess_of_both_interactions() -> None:
    squares, df = np.array([[12.0], [30.0], [14.0], [190.0]]), (3.0, 27.0, 9.0, 81.0)
    found = excess_of_both(squares, df).times(np.array([0.02]))
    g, h, k, rest = (ss / RNG.chisquare(d, DRAWS) for ss, d in zip(squares[:, 0], df, strict=True))
    both = np.maximum(h, rest) + np.maximum(k, rest) - rest
    drawn = 0.02 * np.maximum(g - both, 0)
    assert found.weight[found.value == 0].sum() == pytest.approx((drawn == 0).mean(), abs=0.02)
    mixtures = scaled(np.array([0.02]), 20.0).plus(found, 256).mixtures()
    drawn += 0.02 / RNG.chisquare(20, DRAWS)
    assert mixtures.two_sided(np.array([0.3]))[0] == pytest.approx(p_drawn(drawn, 0.3), rel=0.01)


def test_rows_without_variance() -> None:
    none = Variances.zero(2)
    assert none.plus(none).value.tolist() == [[0.0], [0.0]]
    assert none.mixtures().two_sided(np.array([0.0, 1.0])).tolist() == [0.0, 0.0]
    one = scaled(np.array([3.0, 5.0]), 4.0)
    np.testing.assert_array_equal(one.plus(none).value, one.value)
    assert one.take(np.array([1])).value[0, 0] == one.value[1, 0]
    nobody = excess_of_both(np.zeros((4, 0)), (1.0, 2.0, 3.0, 4.0))
    assert nobody.value.shape[0] == 0

import numpy as np
import pytest

from fuzzytruth.stats.bootstrap_max_t import canonical_order

RNG = np.random.default_rng(0)
VALUES = np.round(RNG.normal(0.2, 1, (12, 4)), 1)


def ordered(values: np.ndarray) -> np.ndarray:
    return values[canonical_order(values, np.nanmean(values, axis=0))]


@pytest.mark.parametrize("seed", range(5))
def test_units_and_columns_may_come_in_any_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units, columns = rng.permutation(12), rng.permutation(4)
    np.testing.assert_array_equal(ordered(VALUES[units]), ordered(VALUES))
    both = ordered(VALUES[units][:, columns])
    np.testing.assert_array_equal(both, ordered(VALUES)[:, columns])


def test_signs_and_units_do_not_matter() -> None:
    expected = ordered(VALUES)
    np.testing.assert_array_equal(-ordered(-VALUES), expected)
    signs = np.array([1.0, -1.0, 1.0, -1.0])
    np.testing.assert_array_equal(ordered(VALUES * signs) * signs, expected)
    for factor in (1e-150, 7.0, 1e150):
        order = canonical_order(VALUES * factor, VALUES.mean(axis=0))
        np.testing.assert_array_equal(VALUES[order], expected)


def test_missing_values_and_constant_columns() -> None:
    values = VALUES.copy()
    values[3, 1], values[:, 2] = np.nan, 0.0
    order = RNG.permutation(12)
    np.testing.assert_array_equal(ordered(values[order]), ordered(values))

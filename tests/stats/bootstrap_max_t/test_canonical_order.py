import numpy as np

from fuzzytruth.stats.bootstrap_max_t import canonical_order

RNG = np.random.default_rng(0)
VALUES = np.round(RNG.normal(0.2, 1, (12, 4)), 1)


def ordered(values: np.ndarray) -> np.ndarray:
    return values[canonical_order(values, np.nanmean(values, axis=0))]


def test_units_and_columns_may_come_in_any_order() -> None:
    holes = VALUES.copy()
    holes[3, 1], holes[:, 2] = np.nan, 0.0
    for values in (VALUES, holes):
        units, columns = RNG.permutation(12), RNG.permutation(4)
        np.testing.assert_array_equal(ordered(values[units]), ordered(values))
        both = ordered(values[units][:, columns])
        np.testing.assert_array_equal(both, ordered(values)[:, columns])


def test_signs_and_units_of_measurement_do_not_matter() -> None:
    expected = ordered(VALUES)
    signs = np.array([1.0, -1.0, 1.0, -1.0])
    for sign in (-1, signs):
        np.testing.assert_array_equal(ordered(VALUES * sign) * sign, expected)
    for factor in (1e-150, 7.0, 1e150):
        order = canonical_order(VALUES * factor, VALUES.mean(axis=0))
        np.testing.assert_array_equal(VALUES[order], expected)

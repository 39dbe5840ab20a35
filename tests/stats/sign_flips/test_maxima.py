"""Studentised maxima against studentising each flipped sample anew."""

import numpy as np
import pytest

from fuzzytruth.core.clusters import samples
from fuzzytruth.stats.sign_flips import all_signs, maxima, units


def largest_t(differences: np.ndarray, signs: np.ndarray) -> list[float]:
    """Largest |t| over contrasts, one sign a query, differences about their means."""
    out = []
    for row in signs:
        most = 0.0
        for column in differences.T:
            kept = ~np.isnan(column)
            if not kept.any():
                continue
            flipped = (column[kept] - column[kept].mean()) * row[kept]
            error = flipped.std(ddof=1) / np.sqrt(len(flipped)) if len(flipped) > 1 else 0.0
            most = max(most, abs(flipped.mean()) / error if error > 0 else 0.0)
        out.append(most)
    return out


@pytest.mark.parametrize(("missing", "columns"), [(False, 1), (True, 2), (True, 99)])
def test_every_sign_by_brute_force(missing: bool, columns: int) -> None:
    differences = np.random.default_rng(4).standard_t(3, size=(7, 5)) + 0.5
    if missing:
        differences[[0, 3, 3], [1, 2, 4]] = np.nan
    signs = all_signs(7)
    of = samples(differences)
    result = maxima(units(of), of.n, signs, columns)
    np.testing.assert_allclose(result, largest_t(differences, signs), rtol=1e-9, atol=1e-12)


def test_batches_are_done_each_on_its_own() -> None:
    differences = np.random.default_rng(6).normal(size=(3, 8, 4))
    signs = all_signs(8)[::3]
    of = samples(differences)
    together = maxima(units(of), of.n, signs, 2)
    assert together.shape == (3, len(signs))
    for one, row in zip(differences, together, strict=True):
        assert row == pytest.approx(largest_t(one, signs))

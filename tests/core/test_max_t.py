"""Studentised maxima by a loop."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.max_t import maxima, units
from fuzzytruth.core.samples import samples


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("columns", [1, 2, 10])
def test_maxima_by_a_loop(missing: bool, columns: int) -> None:
    rng = np.random.default_rng(0)
    differences = rng.normal(size=(9, 4))
    if missing:
        differences[[0, 3, 3], [1, 2, 1]] = np.nan
    signs = rng.choice([-1.0, 1.0], size=(6, 9))
    moments = samples(differences)
    found = maxima(units(moments), moments.n, signs, columns)
    for flip, largest in zip(signs, found, strict=True):
        t = []
        for column in differences.T:
            known = ~np.isnan(column)
            z = (column[known] - column[known].mean()) * flip[known]
            t.append(abs(z.mean()) / (z.std(ddof=1) / np.sqrt(len(z))))
        assert largest == pytest.approx(max(t), rel=1e-9)


def test_a_flip_without_spread_is_infinite() -> None:
    moments = samples(np.array([[1.0], [-1.0]]))
    found = maxima(units(moments), moments.n, np.array([[1.0, -1.0], [1.0, 1.0]]), 1)
    assert found.tolist() == [np.inf, 0.0]

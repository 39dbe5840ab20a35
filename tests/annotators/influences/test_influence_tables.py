"""Leave-one-out means against means of the cells that remain."""

import numpy as np
import pytest

from fuzzytruth.annotators.influences.influence_tables import leave_one_out
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import nan_mean


@pytest.mark.parametrize(
    ("share", "n_units", "holes"), [(1.0, 7, 0.0), (0.6, 3, 0.2), (0.15, 7, 0.2), (0.15, 3, 0.0)]
)
def test_against_the_cells_that_remain(share, n_units, holes):
    rng = np.random.default_rng(3)
    cells = Cells.of_mask(rng.random((12, 7)) < share).compressed()
    values = rng.normal(size=(2, 3, len(cells)))
    values[rng.random(values.shape) < holes] = np.nan
    unit = (cells.subject_codes * n_units // 7).astype(np.int64)
    found = leave_one_out(values, cells, unit, n_units)
    np.testing.assert_allclose(found.mean, nan_mean(cells.mean_by_query(values), -1), rtol=1e-12)
    for u in range(n_units):
        stays = unit != u
        rest = cells.select(stays)
        expected = nan_mean(rest.mean_by_query(values[..., stays]), -1)
        np.testing.assert_allclose(found.without[..., u], expected, rtol=1e-12)
        assert found.n_cells[u] == (~stays).sum()
        assert found.n_lost[u] == ((cells.sizes > 0) & (rest.sizes == 0)).sum()

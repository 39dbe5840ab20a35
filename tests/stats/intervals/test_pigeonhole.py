"""Means of resampled queries and subjects, by a loop."""

import numpy as np
import pytest

from fuzzytruth.core import cells as module
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import counts, drawn_units
from fuzzytruth.stats import intervals as pigeonhole
from fuzzytruth.stats.intervals import pigeonhole_means


@pytest.mark.parametrize(("dense", "share"), [(True, 0.4), (False, 0.4), (True, 1.0)])
def test_by_a_loop(dense: bool, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DENSE", 0.0 if dense else 2.0)
    rng = np.random.default_rng(0)
    exists = rng.random((6, 4)) < share
    cells = Cells.of_mask(exists)
    table = np.where(exists, rng.normal(size=(2, 6, 4)), np.nan)
    table[0, 1] = np.nan
    first, second = np.random.SeedSequence(1).spawn(2)
    queries, subjects = drawn_units(first, 30, 6), drawn_units(second, 30, 4)
    result = pigeonhole_means(cells.of_dense(table), cells, counts(queries), counts(subjects))
    for number, (q, s) in enumerate(zip(queries, subjects, strict=True)):
        for row in range(2):
            lines = table[row][q][:, s]
            means = [np.nanmean(line) for line in lines if not np.isnan(line).all()]
            expected = np.mean(means) if means else np.nan
            np.testing.assert_allclose(result[row, number], expected, rtol=1e-12)


@pytest.mark.parametrize("same", [True, False])
def test_batches_of_tables_do_not_matter(same: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    cells = Cells.of_mask(rng.random((6, 4)) < 0.8)
    values = rng.normal(size=(5, len(cells)))
    values[:, 2] = np.nan
    if not same:
        values[rng.random(values.shape) < 0.2] = np.nan
    times = rng.multinomial(6, np.full(6, 1 / 6), 30), rng.multinomial(4, np.full(4, 1 / 4), 30)
    counted = tuple(each.astype(float) for each in times)
    together = pigeonhole_means(values, cells, *counted)
    alone = [pigeonhole_means(row[None], cells, *counted)[0] for row in values]
    np.testing.assert_array_equal(together, alone)
    for block in (2 * 30 * 6, 1):
        monkeypatch.setattr(pigeonhole, "_BLOCK", block)
        np.testing.assert_array_equal(pigeonhole_means(values, cells, *counted), together)

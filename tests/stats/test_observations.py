"""Values of systems, and their means over subjects and over queries, against plain loops."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats import observations as contrasts_module
from fuzzytruth.stats.observations import (
    Contrasts,
    Observations,
    QueryGroups,
    WorldMeans,
    all_pairs,
    each_system,
)


def table(seed: int, *, own: bool, missing: bool) -> np.ndarray:
    """Three systems on five queries by four subjects; `own`: each lacks cells of its own."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(3, 5, 4))
    if missing:
        values[:, rng.random((5, 4)) < 0.3] = np.nan
    if own:
        values[rng.random(values.shape) < 0.2] = np.nan
    return values


def observed(values: np.ndarray) -> Observations:
    cells = Cells.of_mask(~np.isnan(values).all(axis=0))
    return Observations(cells.of_dense(values), cells)


def mean(values: np.ndarray, axis: int) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        out: np.ndarray = np.nanmean(values, axis=axis)
    return out


def of_table(values: np.ndarray, contrasts: Contrasts) -> np.ndarray:
    """Values of contrasts of a dense table."""
    if contrasts.second is None:
        return values[contrasts.first]
    out: np.ndarray = values[contrasts.first] - values[contrasts.second]
    return out


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("batch", [2**22, 25])
@pytest.mark.parametrize("contrasts", [each_system(3), all_pairs(3)], ids=["systems", "pairs"])
def test_means_are_over_the_cells_that_both_have(
    monkeypatch: pytest.MonkeyPatch, contrasts: Contrasts, batch: int, missing: bool, own: bool
) -> None:
    monkeypatch.setattr(contrasts_module, "_NUMBERS", batch)
    for seed in range(4):
        values = table(seed, own=own, missing=missing)
        data = observed(values)
        assert data.same_cells != own
        differences = of_table(values, contrasts)
        np.testing.assert_allclose(data.by_query(contrasts), mean(differences, 2), atol=1e-12)
        np.testing.assert_allclose(data.by_subject(contrasts), mean(differences, 1), atol=1e-12)
        np.testing.assert_allclose(data.of(contrasts), data.cells.of_dense(differences), atol=1e-12)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("contrasts", [each_system(3), all_pairs(3)], ids=["systems", "pairs"])
def test_subjects_means_weigh_strata_the_same(contrasts: Contrasts, own: bool) -> None:
    code = np.array([0, 1, 0, 0, 2])
    for seed in range(6):
        values = table(seed, own=own, missing=seed > 0)
        data = replace(observed(values), groups=QueryGroups("strata", code, 3))
        differences = of_table(values, contrasts)  # (rows, queries, subjects)
        each = np.full(differences.shape[::2], np.nan)
        for row, subject in np.ndindex(each.shape):
            one = differences[row, :, subject]
            means = [one[(code == s) & ~np.isnan(one)] for s in range(3)]
            means = [part.mean() for part in means if len(part)]
            each[row, subject] = np.mean(means) if means else np.nan
        np.testing.assert_allclose(data.by_subject(contrasts), each, atol=1e-12)
        clustered = replace(data, groups=QueryGroups("clusters", code, 3))
        expected = mean(differences, 1)  # clusters do not change the estimand
        np.testing.assert_allclose(clustered.by_subject(contrasts), expected, atol=1e-12)


def test_without_subjects_a_query_has_its_value() -> None:
    values = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 7.0]])
    data = Observations(values, Cells.of_queries(3))
    assert not data.has_subjects
    assert not data.same_cells
    np.testing.assert_array_equal(data.by_query(each_system(2)), values)
    np.testing.assert_array_equal(data.by_query(all_pairs(2)), [[-3, np.nan, -4]])


def test_subjects() -> None:
    data = observed(table(0, own=False, missing=False))
    assert data.has_subjects
    assert not data.nested


def test_contrasts_of_world_means() -> None:
    means = np.array([[1.0, 2.0], [4.0, 8.0], [0.5, 0.5]])
    worlds = WorldMeans(Lazy.of(means), np.full(3, 1 / 3), 1.0, resampled=False)
    assert worlds.of(each_system(2), scale=np.ones(2)).tolist() == means.T.tolist()
    assert worlds.of(all_pairs(2), scale=np.ones(2)).tolist() == [[-1, -4, 0]]

"""Contrasts of systems, means over subjects and over queries, draws, groups: by plain loops."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import clustered_means, stratified_means
from fuzzytruth.stats import observations as module
from fuzzytruth.stats.observations import (
    Contrasts,
    Observations,
    QueryGroups,
    against,
    all_pairs,
    each_system,
    least_draws,
    missing_patterns,
    one_sided_share,
    quantile_interval,
    two_sided_share,
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
        return np.asarray(np.nanmean(values, axis=axis))


def of_table(values: np.ndarray, contrasts: Contrasts) -> np.ndarray:
    """Values of contrasts of a dense table."""
    first = values[contrasts.first]
    return np.asarray(first if contrasts.second is None else first - values[contrasts.second])


@pytest.mark.parametrize(
    ("own", "missing", "batch"),
    [(False, False, 2**22), (False, True, 25), (True, False, 25), (True, True, 2**22)],
)
@pytest.mark.parametrize("contrasts", [each_system(3), all_pairs(3)], ids=["systems", "pairs"])
def test_means_are_over_the_cells_that_both_have(monkeypatch, contrasts, batch, missing, own):
    """And weigh strata the same; clusters do not change the estimand."""
    monkeypatch.setattr(module, "_NUMBERS", batch)
    code = np.array([0, 1, 0, 0, 2])
    for seed in range(4):
        values = table(seed, own=own, missing=missing)
        data = observed(values)
        assert data.same_cells != own
        differences = of_table(values, contrasts)  # (rows, queries, subjects)
        by_subject = mean(differences, 1)
        np.testing.assert_allclose(data.by_query(contrasts), mean(differences, 2), atol=1e-12)
        np.testing.assert_allclose(data.by_subject(contrasts), by_subject, atol=1e-12)
        np.testing.assert_allclose(data.of(contrasts), data.cells.of_dense(differences), atol=1e-12)
        clustered = replace(data, groups=QueryGroups("clusters", code, 3))
        np.testing.assert_allclose(clustered.by_subject(contrasts), by_subject, atol=1e-12)
        strata = replace(data, groups=QueryGroups("strata", code, 3))
        of_strata = np.stack([mean(differences[:, code == s], 1) for s in range(3)])
        expected = mean(of_strata, 0)
        np.testing.assert_allclose(strata.by_subject(contrasts), expected, atol=1e-12)


def test_which_systems_and_rounding_errors() -> None:
    values, scale = np.array([[1.0, 2.0], [4.0, np.nan], [9.0, 5.0]]), np.full(3, 9.0)
    for contrasts, expected in (
        (each_system(3), values),
        (all_pairs(3), [[-3, np.nan], [-8, -3], [-5, np.nan]]),
        (against([1], 3), [[-3, np.nan], [5, np.nan]]),
    ):
        np.testing.assert_array_equal(contrasts.of(values, scale=scale), expected)
        assert len(contrasts) == len(expected)
    pairs = against([3, 1], 4)
    assert pairs.second is not None
    assert list(zip(pairs.first, pairs.second, strict=True)) == [(0, 3), (2, 3), (0, 1), (2, 1)]
    values, scale = np.array([[0.1 + 0.2], [0.3], [0.3 + 1e-9]]), np.array([0.3, 0.3, 1e6])
    assert all_pairs(3).of(values, scale=scale).ravel().tolist() == [0.0, 0.0, 0.0]
    assert all_pairs(3).of(values, scale=np.full(3, 0.3))[1, 0] != 0
    assert all_pairs(3).largest(scale).tolist() == [0.3, 1e6, 1e6]
    assert each_system(3).largest(scale).tolist() == scale.tolist()


def test_patterns_partition_the_rows() -> None:
    for seed in range(4):
        present = np.random.default_rng(seed).random((12, 4)) < 0.5
        seen = []
        for pattern, rows in missing_patterns(present):
            assert pattern.any()
            assert (present[rows] == pattern).all()
            seen += rows.tolist()
        assert sorted(seen) == np.flatnonzero(present.any(axis=1)).tolist()
    for mask, n in ((np.ones((3, 2)), 1), (np.zeros((3, 2)), 0), (np.zeros((0, 2)), 0)):
        assert len(list(missing_patterns(mask.astype(bool)))) == n


CODE = np.array([0, 1, 1, 0, 2, 2])
GROUPED = np.array([[1.0, 2.0, 4.0, 6.0, 9.0, 8.0], [1.0, 2.0, np.nan, 6.0, np.nan, np.nan]])


def test_groups_of_queries() -> None:
    clusters, strata = (
        QueryGroups("clusters", CODE, 3, ("a", "b", "c")),
        QueryGroups("strata", CODE, 3),
    )
    assert clusters.sizes.tolist() == [2, 2, 2]
    some = clusters.select(np.array([True, False, False, True, True, False]))
    found = (some.kind, some.code.tolist(), some.n, some.names)
    assert found == ("clusters", [0, 0, 1], 2, ("a", "c"))
    assert strata.select(CODE == 1).names == ()
    assert clusters.mean(GROUPED) == pytest.approx([5, 3])
    assert strata.mean(GROUPED) == pytest.approx([5, 2.75])
    np.testing.assert_array_equal(clusters.estimate(GROUPED), clustered_means(GROUPED, CODE, 3))
    np.testing.assert_array_equal(strata.estimate(GROUPED), stratified_means(GROUPED, CODE, 3))
    assert clusters.method == "t over clusters of queries"
    assert strata.method == "t over strata of queries"
    assert strata.singles(GROUPED).tolist() == [[False] * 3, [False, True, False]]


def test_shares_of_draws() -> None:
    draws = np.arange(-2.0, 97.0)[None]  # 99 draws: two below 0, one at 0
    assert (one_sided_share(draws).item(), one_sided_share(-draws).item()) == (0.04, 0.98)
    assert (two_sided_share(draws).item(), two_sided_share(np.zeros((1, 5))).item()) == (0.08, 1)
    assert [end.item() for end in quantile_interval(draws + 3, 0.9)] == [5.0, 95.0]
    for level in (0.5, 0.9, 0.95, 0.99, 0.999):
        assert np.isinf(quantile_interval(np.zeros((1, least_draws(level) - 1)), level)).all()
        assert np.isfinite(quantile_interval(np.zeros((1, least_draws(level))), level)).all()


@pytest.mark.parametrize("level", [0.5, 0.9, 0.92, 0.95, 0.99])
def test_intervals_exclude_zero_where_the_share_is_small(level: float) -> None:
    draws = np.random.default_rng(1).normal(np.linspace(-3, 3, 50)[:, None], 1, (50, 199))
    lower, upper = quantile_interval(draws, level)
    excluded = (lower > 0) | (upper < 0)
    np.testing.assert_array_equal(excluded, two_sided_share(draws) <= 1 - level + 1e-12)

"""Estimates with standard errors, for each choice of what is random, beside SciPy's and by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import subject_resamples
from fuzzytruth.core.crossed import crossed_layout, pseudo_values, variance_components
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.laws import DrawnLaw, StudentLaw
from fuzzytruth.stats.observations import (
    Observations,
    QueryGroups,
    WorldMeans,
    all_pairs,
    each_system,
)
from fuzzytruth.stats.world_estimates import (
    QueryWorldParts,
    can_cross,
    estimate,
    query_world_parts,
)

BOTH = ("query", "subject")
WORLDS = ("query", "world")
SYSTEMS, PAIRS = each_system(3), all_pairs(3)


def crossed(seed: int = 0, *, nested: bool = False) -> tuple[np.ndarray, Observations]:
    """Three systems on eight queries by five subjects."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(3, 8, 1)) + rng.normal(size=(3, 1, 5)) + rng.normal(size=(3, 8, 5))
    return values, Observations(values.reshape(3, -1), Cells.complete(8, 5), nested=nested)


@pytest.mark.parametrize("axis", ["query", "subject"])
def test_over_one_axis_it_is_students_t_of_means(axis: Any) -> None:
    values, data = crossed()
    means = values.mean(axis=2 if axis == "query" else 1)
    for contrasts, rows in ((SYSTEMS, means), (PAIRS, means[PAIRS.first] - means[PAIRS.second])):
        result = estimate(data, contrasts, (axis,))
        expected = scipy_stats.ttest_1samp(rows, 0, axis=1)
        np.testing.assert_allclose(result.p_value(), expected.pvalue)
        np.testing.assert_allclose(result.interval(0.9), [*expected.confidence_interval(0.9)])
        assert result.method == f"t over {'queries' if axis == 'query' else 'subjects'}"
        counts = (result.n_queries.tolist(), result.n_subjects.tolist(), result.df.tolist())
        assert counts == ([8] * 3, [5] * 3, [7 if axis == "query" else 4] * 3)


def test_over_both_is_the_analysis_of_variance() -> None:
    """Cornfield & Tukey's expected mean squares, and Satterthwaite's degrees of freedom."""
    values, data = crossed(3)
    result = estimate(data, SYSTEMS, BOTH)
    n_q, n_s = 8, 5
    for row, table in enumerate(values):
        grand, by_q, by_s = table.mean(), table.mean(axis=1), table.mean(axis=0)
        ms_q = n_s * ((by_q - grand) ** 2).sum() / (n_q - 1)
        ms_s = n_q * ((by_s - grand) ** 2).sum() / (n_s - 1)
        rest = table - by_q[:, None] - by_s + grand
        ms_e = (rest**2).sum() / ((n_q - 1) * (n_s - 1))
        assert min(ms_q, ms_s) > ms_e  # no component is negative
        variance = (ms_q + ms_s - ms_e) / (n_q * n_s)
        df = (n_q * n_s * variance) ** 2 / (ms_q**2 / (n_q - 1) + ms_s**2 / (n_s - 1))
        found = (result.value[row], result.std_error[row] ** 2, result.df[row])
        assert found == pytest.approx((grand, variance, df))


def test_missing_cells_take_components_over_subjects() -> None:
    """A query without any value leaves a complete table; with a cell less, there are components."""
    values, data = crossed()
    lacking = data.values.copy()
    lacking[:, 5:10] = np.nan  # the second query
    result = estimate(Observations(lacking, data.cells), SYSTEMS, ("subject",))
    assert result.method == "t over subjects"
    kept = np.delete(values, 1, axis=1).mean(axis=1)
    np.testing.assert_allclose(result.std_error, scipy_stats.sem(kept, axis=1))
    lacking[:, 10] = np.nan
    result = estimate(Observations(lacking, data.cells), SYSTEMS, ("subject",))
    assert result.method == "components, subjects random"
    table = np.delete(lacking.reshape(3, 8, 5), 1, axis=1)
    np.testing.assert_allclose(result.value, np.nanmean(table, axis=2).mean(axis=1))
    assert (result.std_error > 0).all()


def test_nested_subjects() -> None:
    """Strata where queries are fixed; else they come with their query."""
    values, data = crossed(2, nested=True)
    result = estimate(data, SYSTEMS, ("subject",))
    assert result.method == "strata, subjects within queries"
    each = values.var(axis=2, ddof=1) / 5
    np.testing.assert_allclose(result.value, values.mean(axis=(1, 2)))
    np.testing.assert_allclose(result.std_error, np.sqrt(each.sum(axis=1)) / 8)
    df = each.sum(axis=1) ** 2 / (each**2 / 4).sum(axis=1)  # Welch and Satterthwaite
    np.testing.assert_allclose(result.df, df)
    assert result.n_subjects.tolist() == [40] * 3  # another person in another query
    for over in (("query",), BOTH):
        result = estimate(data, SYSTEMS, over)
        assert result.method == "t over queries, subjects clustered by query"
        np.testing.assert_allclose(result.std_error, scipy_stats.sem(values.mean(axis=2), axis=1))
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=6), rng.normal(1, 3, size=9)
    cells, _ = Cells.from_pairs(np.repeat([0, 1], [6, 9]), np.r_[np.arange(6), np.arange(9)])
    two = Observations(np.concatenate((first, -second))[None], cells, nested=True)
    result = estimate(two, each_system(1), ("subject",))
    expected = scipy_stats.ttest_ind(first, second, equal_var=False)
    found = (result.p_value()[0], result.df[0])
    assert found == pytest.approx((expected.pvalue, expected.df))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1)])
def test_a_single_unit_says_nothing_whatever_is_random(shape, missing):
    """Of constant values, and of equal systems, too."""
    values = np.full((3, *shape), 0.6)
    values[1] = 0.2
    if missing and shape != (1, 1):
        values[:, 0, 0] = values[0, -1, -1] = np.nan
    cells = Cells.of_mask(~np.isnan(values).all(axis=0))
    observed = Observations(cells.of_dense(values), cells)
    single = [axis for axis, n in zip(BOTH, shape, strict=True) if n == 1]
    for over in (*((axis,) for axis in single), BOTH):
        for contrasts in (SYSTEMS, PAIRS):
            result = estimate(observed, contrasts, over)  # type: ignore[arg-type]
            assert np.isnan(result.std_error).all()
            lower, upper = result.interval(0.95)
            assert (np.isneginf(lower) & np.isposinf(upper)).all()
            assert result.p_value().tolist() == [1, 1, 1]


# Clusters of queries, subjects being random, too.


def in_clusters(observed: Observations, code: np.ndarray) -> Observations:
    return replace(observed, groups=QueryGroups("clusters", code, int(code.max()) + 1))


def with_holes(observed: Observations) -> Observations:
    """A quarter of the values missing, others in each system, and the first query of all."""
    missing = np.random.default_rng(7).random(observed.values.shape) < 0.25
    missing[:, :5] = True
    return replace(observed, values=np.where(missing, np.nan, observed.values))


def laws(result: Any) -> np.ndarray:
    lower, upper = result.interval(0.95)
    return np.array([result.value, result.std_error, result.df, lower, upper, result.p_value()])


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("contrasts", [SYSTEMS, PAIRS])
def test_clusters_of_one_query_are_queries(holes: bool, contrasts: Any) -> None:
    observed = with_holes(crossed()[1]) if holes else crossed()[1]
    one_each = estimate(in_clusters(observed, np.arange(8)[::-1]), contrasts, BOTH)
    plain = estimate(observed, contrasts, BOTH)
    np.testing.assert_allclose(laws(one_each), laws(plain), rtol=1e-12, atol=1e-12)
    assert one_each.method == "generalised pivotal, clusters × subjects"
    assert one_each.n_units.tolist() == plain.n_queries.tolist() == [8 - holes] * 3


@pytest.mark.parametrize("holes", [False, True])
def test_clusters_by_any_order_unit_or_sign(holes: bool) -> None:
    values, observed = crossed(5)
    code = np.array([0, 0, 0, 1, 1, 2, 3, 3])
    if holes:
        observed = with_holes(observed)
        values = observed.values.reshape(values.shape)
    found = estimate(in_clusters(observed, code), PAIRS, BOTH)
    assert found.n_units.tolist() == [4] * 3
    rng = np.random.default_rng(6)
    q, s, names = rng.permutation(8), rng.permutation(5), rng.permutation(4)
    shuffled = replace(observed, values=values[:, q][:, :, s].reshape(3, -1))
    other = estimate(in_clusters(shuffled, names[code[q]]), PAIRS, BOTH)
    np.testing.assert_allclose(laws(other), laws(found), rtol=1e-9)
    smaller = replace(observed, values=-1e-6 * observed.values)
    other = estimate(in_clusters(smaller, code), PAIRS, BOTH)
    np.testing.assert_allclose(other.p_value(), found.p_value(), rtol=1e-9)
    np.testing.assert_allclose(other.interval(0.9)[0], -1e-6 * found.interval(0.9)[1], rtol=1e-9)


def test_one_cluster_or_one_subject() -> None:
    """Nothing is known over both; of one subject, over clusters, there is the jackknife's t."""
    values, observed = crossed()
    whole = estimate(in_clusters(observed, np.zeros(8, dtype=int)), PAIRS, BOTH)
    cells, code = Cells.complete(8, 1), np.arange(8) // 2
    alone = in_clusters(Observations(values[:, :, 0], cells), code)
    for unknown in (whole, estimate(alone, PAIRS, BOTH)):
        assert np.isnan(unknown.std_error).all()
        assert unknown.p_value().tolist() == [1, 1, 1]
    over_clusters = estimate(alone, PAIRS, ("query",))
    gaps = values[PAIRS.first, :, 0] - values[PAIRS.second, :, 0]
    table = pseudo_values(gaps, cells, code, 4)[..., 0]
    np.testing.assert_allclose(over_clusters.std_error, scipy_stats.sem(table, axis=1))
    assert over_clusters.df.tolist() == [3] * 3


def test_equal_differences_in_clusters() -> None:
    """They have no spread; the sign is that of the fewer clusters or subjects."""
    values = np.stack([np.full((8, 5), 0.7), np.full((8, 5), 0.4), np.full((8, 5), 0.4)])
    observed = Observations(values.reshape(3, -1), Cells.complete(8, 5))
    result = estimate(in_clusters(observed, np.arange(8) // 2), PAIRS, BOTH)
    assert result.std_error.tolist() == [0, 0, 0]
    assert result.p_value().tolist() == [2**-3, 2**-3, 1]


# Worlds.


def over_worlds(*, resampled: bool, inflation: float = 1.0) -> tuple[np.ndarray, Observations]:
    rng = np.random.default_rng(0)
    values, means = rng.normal(size=(3, 8)), rng.normal(size=(200, 3))
    worlds = WorldMeans(Lazy.of(means), np.full(200, 1 / 200), inflation, resampled)
    return means, Observations(values, Cells.of_queries(8), worlds=worlds)


def test_one_world_is_the_score_or_the_subjects_are_resampled() -> None:
    means, data = over_worlds(resampled=False)
    result = estimate(data, PAIRS, ("world",))
    assert isinstance(result.law, DrawnLaw)
    np.testing.assert_allclose(result.law.draws[0], means[:, 0] - means[:, 1])
    np.testing.assert_allclose(result.std_error, result.law.draws.std(axis=1))
    means, data = over_worlds(resampled=True, inflation=5 / 4)
    result = estimate(data, SYSTEMS, ("world",))
    assert isinstance(result.law, StudentLaw)
    np.testing.assert_allclose(result.df, 4)  # five subjects
    np.testing.assert_allclose(result.std_error**2, means.var(axis=0) * 5 / 4)


def of_subjects(table: np.ndarray) -> Observations:
    """Means of all resamples of the subjects of (systems, queries, subjects)."""
    n = table.shape[-1]
    weight, counts, drawn = subject_resamples(n, 10_000, np.random.SeedSequence(0))
    assert not drawn
    worlds = table @ counts.T / n  # (systems, queries, worlds)
    gaps = np.where(np.eye(len(table))[:, :, None, None] > 0, worlds, worlds[:, None] - worlds)
    centred = gaps - (gaps @ weight)[..., None]
    within = np.nansum(centred**2 @ weight, axis=-1) * n / (n - 1)
    mean = np.nanmean(worlds, axis=1)
    means = WorldMeans(Lazy.of(mean.T), weight, n / (n - 1), True, Lazy.of(within))
    return Observations(table.mean(axis=-1), Cells.of_queries(table.shape[1]), worlds=means)


@pytest.mark.parametrize(
    ("queries", "subjects", "effects"),
    [
        *((2, 2, (1, 1, 1)), (8, 5, (0, 1, 1)), (8, 5, (1, 0, 1))),
        *((30, 3, (0, 0, 1)), (30, 3, (1, 1, 0))),
    ],
)
@pytest.mark.parametrize("contrasts", [SYSTEMS, PAIRS])
def test_parts_of_linear_values_are_the_analysis_of_variance(contrasts, queries, subjects, effects):
    rng = np.random.default_rng([queries, subjects])
    q, s, e = effects
    table = q * rng.normal(size=(3, queries, 1)) + s * rng.normal(size=(3, 1, subjects))
    table = table + e * rng.normal(size=(3, queries, subjects))
    parts = query_world_parts(of_subjects(table), contrasts)
    cells = Cells.complete(queries, subjects)
    y = contrasts.of(table.reshape(3, -1), scale=np.ones(3))
    components = variance_components(y, crossed_layout(cells))
    n, rest = queries * subjects, components.residual
    for found, expected in (
        (parts.mean, components.mean),
        (parts.variance, components.variance),
        (parts.both_part, rest / n),
        (parts.queries_part, (rest + subjects * components.query) / n),
        (parts.worlds_part, (rest + queries * components.subject) / n),
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)
    assert (parts.n_subjects, parts.n_queries.tolist()) == (subjects, [queries] * len(contrasts))
    result = estimate(of_subjects(table), contrasts, WORLDS)
    np.testing.assert_allclose(result.df, components.df, rtol=1e-11)
    both = estimate(Observations(table.reshape(3, -1), cells), contrasts, BOTH)
    np.testing.assert_allclose(result.interval(0.9), both.interval(0.9), rtol=1e-3)


def test_without_variance() -> None:
    table = np.random.default_rng(0).normal(size=(2, 6, 4))
    table[1] = table[0]
    assert query_world_parts(of_subjects(table), all_pairs(2)).variance.tolist() == [0]
    zero = np.zeros(2)  # the degrees of freedom are the fewer
    parts = QueryWorldParts(zero, zero, zero, zero, np.array([9, 3]), 5)
    assert (parts.variance.tolist(), parts.df.tolist()) == ([0, 0], [4, 2])


def test_systems_with_other_queries_have_intervals_of_their_own() -> None:
    table = np.random.default_rng(1).normal(size=(3, 8, 5))
    table[0, 1:], table[1, :3] = np.nan, np.nan  # 1, 5 and 8 queries; one says nothing
    together = estimate(of_subjects(table), SYSTEMS, WORLDS)
    assert np.isnan(together.std_error).tolist() == [True, False, False]
    ends = np.transpose(together.interval(0.9))
    assert ends[0].tolist() == [-np.inf, np.inf]
    for system, start in ((1, 3), (2, 0)):
        alone = estimate(of_subjects(table[[system], start:]), each_system(1), WORLDS)
        np.testing.assert_allclose(ends[system], np.ravel(alone.interval(0.9)), rtol=1e-9)


def test_pairs_that_are_not_known() -> None:
    _, data = over_worlds(resampled=True, inflation=5 / 4)
    assert not can_cross(data, PAIRS)
    within = np.eye(3)
    within[0, 2] = within[2, 0] = np.nan
    assert data.worlds is not None
    known = replace(data, worlds=replace(data.worlds, lazy_within=Lazy.of(within)))
    assert (can_cross(known, SYSTEMS), can_cross(known, PAIRS)) == (True, False)
    assert np.isfinite(query_world_parts(known, SYSTEMS).variance).all()
    with pytest.raises(ft.errors.OptionError, match="not known for 1 of 3 comparisons"):
        query_world_parts(known, PAIRS)
    assert not can_cross(over_worlds(resampled=False)[1], SYSTEMS)
    nested = replace(data, nested=True)  # subjects come with their query
    assert can_cross(nested, PAIRS)
    both, query = (estimate(nested, PAIRS, over) for over in (WORLDS, ("query",)))
    np.testing.assert_array_equal(both.std_error, query.std_error)
    np.testing.assert_array_equal(both.df, query.df)

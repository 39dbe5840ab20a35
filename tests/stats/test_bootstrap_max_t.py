"""Moderated bootstrap max-t, family by family, against the algorithm written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import digamma, polygamma

from fuzzytruth._typing import Floats
from fuzzytruth.core.clusters import counts, drawn_units, samples
from fuzzytruth.stats.bootstrap_max_t import Block, Simultaneous, bootstrap_max_t, canonical_order
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.observations import QueryGroups
from fuzzytruth.stats.settings import Alternative, Purpose, Resampling

USING = Resampling(499, rng=7)


def block_of(differences: Floats, groups: QueryGroups | None = None) -> Block:
    moments = samples(differences)
    if groups is None:
        value, error, df = moments.mean, moments.std_error, np.maximum(moments.n - 1.0, 0.0)
        n = moments.n
    else:
        value, error, df = groups.estimate(differences.T)
        n = groups.units(differences.T)
    fit = student_fit(value, error, df, pairs=True)
    return Block(differences, fit.value, fit.std_error, n, fit.law)


def run(differences: Floats, **settings: Any) -> Simultaneous:
    groups = settings.get("groups")
    block = block_of(differences, groups)
    using = settings.pop("using", USING)
    return bootstrap_max_t([block], using, **{"level": 0.95, **settings})[0]


def pairs_of(values: Floats) -> Floats:
    first, second = np.triu_indices(values.shape[1], 1)
    return values[:, first] - values[:, second]


def in_order(differences: Floats) -> Floats:
    """Queries as the weights take them."""
    mean = np.nanmean(differences, axis=0)
    return differences[canonical_order(differences - mean, mean)]


def prior(variance: Floats, n: int) -> float:
    """Smyth's d₀ by bisection on the trigamma function, at most n - 1."""
    log = np.log(variance) - digamma((n - 1) / 2) + np.log((n - 1) / 2)
    excess = log.var(ddof=1) - polygamma(1, (n - 1) / 2)
    if excess <= 1e-4:
        return n - 1.0
    low, high = 1e-9, 1e9
    for _ in range(300):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if polygamma(1, middle) > excess else (low, middle)
    return float(min(2 * low, n - 1))


def written_out(
    differences: Floats, alternative: Alternative, level: float
) -> tuple[Floats, Floats]:
    """Half-widths and adjusted p of complete differences, resample by resample."""
    differences = in_order(differences)
    n, pairs = differences.shape
    mean, variance = differences.mean(axis=0), differences.var(axis=0, ddof=1)
    d0 = prior(variance, n) if pairs > 2 else 0.0

    def steady(now: Floats) -> Floats:
        pool = np.exp(np.log(np.maximum(now, 0.1 * variance)).mean())
        return np.asarray((d0 * np.minimum(pool, 10 * variance) + (n - 1) * now) / (d0 + n - 1))

    def towards(t: Floats) -> Floats:
        return {"two-sided": np.abs(t), "greater": t, "less": -t}[alternative]

    weights = USING.run(Purpose.QUERIES, lambda seed, size: counts(drawn_units(seed, size, n)))
    maxima = []
    for weight in np.concatenate(weights):
        drawn = np.repeat(differences, weight.astype(int), axis=0)
        error = np.sqrt(steady(drawn.var(axis=0, ddof=1)) / n)
        maxima.append(max(towards((drawn.mean(axis=0) - mean) / error).max(), 0.0))
    ordered = np.sort(maxima)[::-1]
    error = np.sqrt(steady(variance) / n)
    k = int((1 - level) * 500 + 1e-9)
    two = 1 if alternative == "two-sided" else 2
    t_half = stats.t.ppf(1 - (1 - level) / (3 - two), n - 1) * np.sqrt(variance / n)
    raw = stats.t.sf(towards(mean / np.sqrt(variance / n)), n - 1) * (3 - two)
    reached = (ordered[:, None] >= towards(mean / error) * (1 - 1e-12)).sum(axis=0)
    return np.maximum(ordered[k - 1] * error, t_half), np.maximum((1 + reached) / 500, raw)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("systems", [3, 5])
@pytest.mark.parametrize("kind", ["normal", "coarse", "noisy"])
def test_complete_families(alternative: Alternative, systems: int, kind: str) -> None:
    rng = np.random.default_rng(systems)
    values = rng.normal(size=(12, systems)) + np.linspace(0, 1.5, systems)
    if kind == "coarse":
        values = np.round(values * 2) / 10
    if kind == "noisy":
        values[:, 0] *= 10
    differences = pairs_of(values)
    result = run(differences, alternative=alternative)
    half, p = written_out(differences, alternative, 0.95)
    mean = differences.mean(axis=0)
    np.testing.assert_allclose(result.p_adjusted, p, atol=1e-12)
    if alternative != "less":
        np.testing.assert_allclose(mean - result.lower, half, rtol=1e-9)
    if alternative != "greater":
        np.testing.assert_allclose(result.upper - mean, half, rtol=1e-9)
    if alternative == "greater":
        assert np.isposinf(result.upper).all()


def test_identical_pairs_leave_the_family() -> None:
    values = np.random.default_rng(1).normal(size=(15, 4))
    twice = np.concatenate([values, values[:, :1]], axis=1)
    one, two = run(pairs_of(values)), run(pairs_of(twice))
    first, second = np.triu_indices(5, 1)
    same = int(np.flatnonzero((first == 0) & (second == 4))[0])
    assert (two.lower[same], two.upper[same], two.p_adjusted[same]) == (0.0, 0.0, 1.0)
    assert np.isfinite(one.critical)
    alone = run(np.delete(pairs_of(twice), same, axis=1))
    np.testing.assert_allclose(np.delete(two.p_adjusted, same), alone.p_adjusted)


def test_a_single_comparison_is_students_t() -> None:
    differences = np.random.default_rng(2).normal(0.4, 1, (9, 1))
    with_zero = np.concatenate([differences, np.zeros((9, 1))], axis=1)
    for given in (differences, with_zero):
        result = run(given)
        expected = stats.ttest_1samp(differences[:, 0], 0)
        assert result.p_adjusted[0] == pytest.approx(expected.pvalue, rel=1e-9)
        interval = expected.confidence_interval(0.95)
        assert result.lower[0] == pytest.approx(interval.low, rel=1e-9)


def test_constant_differences_borrow_the_spread_of_others() -> None:
    rng = np.random.default_rng(3)
    differences = np.concatenate([rng.normal(size=(12, 5)), np.full((12, 1), 0.5)], axis=1)
    result = run(differences)
    assert result.d0 > 0
    assert np.isfinite(result.upper[5] - result.lower[5])
    assert result.upper[5] > 0.5 > result.lower[5]
    assert result.p_adjusted[5] >= 2.0**-11


def test_pairs_of_few_queries_have_their_own_t() -> None:
    rng = np.random.default_rng(4)
    differences = rng.normal(0.3, 1, (20, 6))
    differences[4:, 5] = np.nan
    result = run(differences)
    t = stats.ttest_1samp(differences[:4, 5], 0)
    assert result.p_adjusted[5] == pytest.approx(min(6 * t.pvalue, 1.0))
    assert result.upper[5] == pytest.approx(t.confidence_interval(1 - 0.05 / 6).high)
    # The rest shares 5/6 of the error.
    rest = run(differences[:, :5], level=1 - 0.05 * 5 / 6)
    np.testing.assert_allclose(result.upper[:5], rest.upper)
    raw = stats.ttest_1samp(differences[:, :5], 0).pvalue
    np.testing.assert_allclose(
        result.p_adjusted[:5], np.maximum(np.minimum(rest.p_adjusted * 6 / 5, 1), raw)
    )


def test_missing_queries_by_hand() -> None:
    rng = np.random.default_rng(5)
    differences = rng.normal(0.2, 1, (14, 2))
    differences[[0, 3, 9], 1] = np.nan
    result = run(differences)
    differences = in_order(differences)
    mean, n = np.nanmean(differences, axis=0), np.array([14, 11])
    weights = USING.run(Purpose.QUERIES, lambda seed, size: counts(drawn_units(seed, size, 14)))
    maxima = []
    for weight in np.concatenate(weights):
        drawn = np.repeat(differences, weight.astype(int), axis=0)
        t = []
        for pair in range(2):
            own = drawn[~np.isnan(drawn[:, pair]), pair]
            error = own.std(ddof=1) / np.sqrt(len(own))
            t.append(abs(own.mean() - mean[pair]) / error)
        maxima.append(max(t))
    critical = np.sort(maxima)[::-1][24]
    error = np.nanstd(differences, axis=0, ddof=1) / np.sqrt(n)
    np.testing.assert_allclose(result.upper - mean, critical * error, rtol=1e-9)


def test_pairs_that_few_queries_tell_have_their_own_t() -> None:
    """Of an ablation that differs on three queries, many resamples have no spread."""
    rng = np.random.default_rng(12)
    good = rng.normal(0.6, 0.5, 25)
    ablation = np.zeros(25)
    ablation[[0, 2, 7]] = 1, -1, 1
    two = run(np.stack((good, ablation), axis=1))
    t = stats.ttest_1samp(np.stack((good, ablation), axis=1), 0)
    np.testing.assert_allclose(two.p_adjusted, np.minimum(2 * t.pvalue, 1))
    moderated = np.stack((good, rng.normal(0.2, 1, 25), rng.normal(0, 1, 25), ablation), axis=1)
    assert run(moderated).d0 > 0
    assert np.isfinite(run(moderated).critical)


def test_one_pair_left_for_the_maximum_has_its_own_t() -> None:
    differences = np.random.default_rng(13).normal(0.3, 1, (20, 2))
    differences[3:, 1] = np.nan
    t = stats.ttest_1samp(differences[:, 0], 0)
    assert run(differences).p_adjusted[0] == pytest.approx(min(2 * t.pvalue, 1.0))


def test_a_constant_pair_is_unknown_where_resamples_are_infinitely_far() -> None:
    """With d₀ = 0 its p counts the infinite maxima, and so does its interval."""
    rng = np.random.default_rng(14)
    differences = np.stack((np.full(6, 0.1), rng.integers(0, 2, 6) * 0.3), axis=1)
    differences = np.concatenate([differences, rng.normal(size=(6, 1))], axis=1)
    result = run(np.delete(differences, 1, axis=1), level=0.9)
    excluded = (result.lower > 0) | (result.upper < 0)
    np.testing.assert_array_equal(excluded, result.p_adjusted <= 0.1)


@pytest.mark.parametrize(("resamples", "half"), [(499, 0.0), (9, np.inf)])
def test_a_pair_that_varies_between_strata_only_has_no_error(resamples: int, half: float) -> None:
    """Its interval is a point, if the resamples are enough for the level."""
    code = np.repeat([0, 1], 6)
    varying = np.random.default_rng(17).normal(0, 1, 12)
    differences = np.stack((np.where(code == 0, 0.1, 0.3), varying), axis=1)
    groups = QueryGroups("strata", code, 2)
    block, using = block_of(differences, groups), Resampling(resamples)
    result = bootstrap_max_t([block], using, level=0.95, groups=groups)[0]
    assert result.d0 == 0
    ends = result.lower[0], result.upper[0]
    assert ends == pytest.approx((0.2 - half, 0.2 + half), rel=1e-12)
    assert (result.p_adjusted[0] <= 0.05) == (half == 0)


def test_strata_that_a_pair_lacks_cost_it_no_degrees_of_freedom() -> None:
    """Its variance counts as if its own strata were all."""
    rng = np.random.default_rng(15)
    code = np.repeat(np.arange(6), 6)
    differences = rng.normal(0, 1, (36, 6))
    differences[12:, 5] = np.nan
    differences[[0, 1, 2, 6, 7, 8], 5] = np.nan
    groups = QueryGroups("strata", code, 6)
    result = run(differences, groups=groups)
    block = block_of(differences, groups)
    half = (result.upper - result.lower)[5] / 2
    steady = half / result.critical
    # 4 degrees of freedom of its own beside d₀, not 0
    own = block.std_error[5] ** 2 * block.n[5]
    variances = block.std_error**2 * block.n
    pool = np.exp(np.log(variances).mean())
    expected = (result.d0 * min(pool, 10 * own) + 4 * own) / (result.d0 + 4)
    t_half = stats.t.ppf(0.975, block.law.df[5]) * block.std_error[5]  # type: ignore[attr-defined]
    assert half == pytest.approx(max(result.critical * np.sqrt(expected / block.n[5]), t_half))
    assert steady > 0


@pytest.mark.parametrize("kind", ["plain", "clusters", "strata"])
def test_the_order_of_queries_and_pairs_does_not_matter(kind: str) -> None:
    rng = np.random.default_rng(16)
    differences = pairs_of(np.round(rng.normal(0.3, 1, (18, 4)), 1))
    differences[rng.random(differences.shape) < 0.1] = np.nan
    queries, pairs = rng.permutation(18), rng.permutation(6)
    code = np.arange(18) // 3
    one = other = None
    if kind != "plain":
        one = QueryGroups(kind, code, 6)  # type: ignore[arg-type]
        renamed = rng.permutation(6)[code]
        other = QueryGroups(kind, renamed[queries], 6)  # type: ignore[arg-type]
    signs = rng.choice([-1.0, 1.0], 6)
    expected = run(differences, groups=one)
    result = run(differences[queries][:, pairs] * signs, groups=other)
    np.testing.assert_allclose(result.p_adjusted, expected.p_adjusted[pairs], atol=1e-12)
    width = expected.upper - expected.lower
    np.testing.assert_allclose(result.upper - result.lower, width[pairs], rtol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "clusters", "strata"])
def test_the_order_does_not_matter_where_scores_are_coarse(kind: str) -> None:
    few = Resampling(n_resamples=99)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        scores = rng.choice([0.0, 0.5, 1.0], (12, 4))
        differences = scores[:, :1] - scores[:, 1:] if seed % 2 else pairs_of(scores)
        if seed % 3 == 0 and kind != "strata":
            differences[rng.random(differences.shape) < 0.1] = np.nan
        n = differences.shape[1]
        queries, pairs, signs = rng.permutation(12), rng.permutation(n), rng.choice([-1.0, 1.0], n)
        code = np.arange(12) // 2
        one = other = None
        if kind != "plain":
            one = QueryGroups(kind, code, 6)  # type: ignore[arg-type]
            other = QueryGroups(kind, rng.permutation(6)[code][queries], 6)  # type: ignore[arg-type]
        expected = run(differences, using=few, groups=one)
        result = run(differences[queries][:, pairs] * signs, using=few, groups=other)
        np.testing.assert_allclose(result.p_adjusted, expected.p_adjusted[pairs], atol=1e-12)
        width = expected.upper - expected.lower
        np.testing.assert_allclose(result.upper - result.lower, width[pairs], rtol=1e-9)


def test_clusters_of_one_query_are_queries() -> None:
    differences = pairs_of(np.random.default_rng(6).normal(size=(16, 4)))
    groups = QueryGroups("clusters", np.arange(16), 16)
    plain, clustered = run(differences), run(differences, groups=groups)
    np.testing.assert_allclose(clustered.upper, plain.upper, rtol=1e-9)
    np.testing.assert_allclose(clustered.p_adjusted, plain.p_adjusted)


def test_equal_clusters_are_their_means() -> None:
    rng = np.random.default_rng(7)
    differences = pairs_of(rng.normal(size=(30, 3)))
    groups = QueryGroups("clusters", np.repeat(np.arange(10), 3), 10)
    means = differences.reshape(10, 3, -1).mean(axis=1)
    np.testing.assert_allclose(run(differences, groups=groups).upper, run(means).upper, rtol=1e-9)


def test_one_stratum_is_no_stratum() -> None:
    differences = pairs_of(np.random.default_rng(8).normal(size=(12, 3)))
    groups = QueryGroups("strata", np.zeros(12, dtype=np.int64), 1)
    plain, strata = run(differences), run(differences, groups=groups)
    # Other random numbers, the same law.
    np.testing.assert_allclose(strata.upper - strata.lower, plain.upper - plain.lower, rtol=0.15)


def test_measures_in_one_family_share_the_maximum() -> None:
    rng = np.random.default_rng(9)
    one, other = pairs_of(rng.normal(size=(20, 4))), pairs_of(rng.normal(size=(20, 4)))
    both = bootstrap_max_t([block_of(one), block_of(other)], USING, level=0.95)
    alone = run(one), run(other)
    for joint, single in zip(both, alone, strict=True):
        assert joint.d0 == single.d0
        assert joint.critical >= max(each.critical for each in alone)
        assert (joint.p_adjusted >= single.p_adjusted - 1e-12).all()
    assert both[0].critical == both[1].critical


def test_too_few_resamples_have_infinite_intervals() -> None:
    differences = pairs_of(np.random.default_rng(10).normal(size=(10, 3)))
    result = bootstrap_max_t([block_of(differences)], Resampling(9), level=0.95)[0]
    assert np.isposinf(result.upper).all()
    assert (result.p_adjusted > 0.05).all()


def test_memory_and_workers_do_not_matter() -> None:
    differences = pairs_of(np.random.default_rng(11).normal(size=(20, 5)))
    block = block_of(differences)
    results = [
        bootstrap_max_t([block], Resampling(3000, rng=1, n_jobs=jobs, memory=memory), level=0.95)[0]
        for jobs, memory in ((1, 64), (3, 1))
    ]
    np.testing.assert_array_equal(results[0].upper, results[1].upper)


@pytest.mark.parametrize("seed", range(6))
def test_p_and_intervals_agree(seed: int) -> None:
    """Also with missing values, constant and identical pairs, clusters and strata."""
    rng = np.random.default_rng([12, seed])
    for _ in range(25):
        n, systems = int(rng.integers(2, 18)), int(rng.integers(2, 6))
        values = rng.normal(size=(n, systems)) + rng.normal(size=systems)
        if rng.random() < 0.5:
            values = np.round(values, 1)
        if rng.random() < 0.3:
            values[:, -1] = values[:, 0] + rng.choice([0.0, 0.5])
        differences = pairs_of(values)
        if rng.random() < 0.4:
            differences[rng.random(differences.shape) < 0.3] = np.nan
        groups = None
        if rng.random() < 0.4:
            code = np.unique(rng.integers(0, n, n), return_inverse=True)[1]
            groups = QueryGroups("clusters", code, int(code.max()) + 1)
        alternative = rng.choice(["two-sided", "greater", "less"])
        level = float(rng.choice([0.8, 0.95]))
        block = block_of(differences, groups)
        result = bootstrap_max_t(
            [block], Resampling(99), level=level, alternative=alternative, groups=groups
        )[0]
        excluded = (result.lower > 0) | (result.upper < 0)
        significant = result.p_adjusted <= (1 - level) * (1 + 1e-12)
        np.testing.assert_array_equal(excluded, significant)
        raw = block.law.p_value(block.value, alternative)
        assert (result.p_adjusted >= raw)[~np.isnan(raw)].all()

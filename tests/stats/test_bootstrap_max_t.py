"""Moderated bootstrap max-t against the algorithm written out; t tests over clusters and strata."""

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import digamma, polygamma
from support.query_groups import jackknife, mean_of_strata

import fuzzytruth as ft
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
    live = variance > 0
    d0 = prior(variance[live], n) if live.sum() > 2 else 0.0
    apart = [n - Counter(np.round(d, 9)).most_common(1)[0][1] for d in differences.T]
    quiet = np.array([a < min(max(5, n / 4), 12.5) for a in apart])
    most = np.where(quiet, np.inf, 10 * variance)

    def steady(now: Floats) -> Floats:
        pool = np.exp(np.log(np.maximum(now, 0.1 * variance)[live]).mean())
        return np.asarray((d0 * np.minimum(pool, most) + (n - 1) * now) / (d0 + n - 1))

    def towards(t: Floats) -> Floats:
        return {"two-sided": np.abs(t), "greater": t, "less": -t}[alternative]

    weights = USING.run(Purpose.QUERIES, lambda seed, size: counts(drawn_units(seed, size, n)))
    maxima = []
    for weight in np.concatenate(weights):
        drawn = np.repeat(differences, weight.astype(int), axis=0)
        error = np.sqrt(steady(drawn.var(axis=0, ddof=1)) / n)
        shift = np.where(live, drawn.mean(axis=0) - mean, 0.0)
        maxima.append(max(towards(shift / error).max(), 0.0))
    ordered = np.sort(maxima)[::-1]
    error = np.sqrt(steady(variance) / n)
    k = int((1 - level) * 500 + 1e-9)
    two = 1 if alternative == "two-sided" else 2
    t_half = stats.t.ppf(1 - (1 - level) / (3 - two), n - 1) * np.sqrt(variance / n)
    raw = np.ones(pairs)
    t = mean[live] / np.sqrt(variance[live] / n)
    raw[live] = stats.t.sf(towards(t), n - 1) * (3 - two)
    raw[~live & (mean != 0)] = 2.0 ** (1 - n)
    reached = (ordered[:, None] >= towards(mean / error) * (1 - 1e-12)).sum(axis=0)
    return np.maximum(ordered[k - 1] * error, t_half), np.maximum((1 + reached) / 500, raw)


@pytest.mark.parametrize(
    ("alternative", "systems", "kind"),
    [
        *(("two-sided", 5, "near copies"), ("less", 5, "near copies"), ("two-sided", 6, "copies")),
        *(("two-sided", 3, "normal"), ("two-sided", 5, "coarse"), ("two-sided", 5, "noisy")),
        *(("greater", 5, "normal"), ("less", 3, "coarse"), ("less", 5, "noisy")),
    ],
)
def test_complete_families(alternative: Alternative, systems: int, kind: str) -> None:
    rng = np.random.default_rng(systems)
    values = rng.normal(size=(40 if "copies" in kind else 12, systems))
    values += np.linspace(0, 1.5, systems)
    if "copies" in kind:  # on 3 of 40 queries apart, on 9 with two differences, or on none
        values[:, 1] = values[:, 0] + 0.5
        values[:3, 1] += 0.3
        values[:, 2] = np.where(np.arange(40) < 31, values[:, 0], values[:, 0] - [0.1, 0.2] * 20)
        if kind == "copies":
            values[:, 3] = values[:, 0]
    if kind == "coarse":
        values = np.round(values * 2) / 10
    if kind == "noisy":
        values[:, 0] *= 10
    differences = pairs_of(values)
    result = run(differences, alternative=alternative)
    half, p = written_out(differences, alternative, 0.95)
    mean = differences.mean(axis=0)
    np.testing.assert_allclose(result.p_adjusted, p, atol=1e-12)
    lower = -np.inf if alternative == "less" else mean - half
    upper = np.inf if alternative == "greater" else mean + half
    np.testing.assert_allclose(result.lower, np.broadcast_to(lower, mean.shape), rtol=1e-9)
    np.testing.assert_allclose(result.upper, np.broadcast_to(upper, mean.shape), rtol=1e-9)


def test_pairs_that_differ_on_few_queries_borrow() -> None:
    """Fewer than 5 of 16 queries, or than a quarter of 40, or than 13 of 80."""
    for n, most in ((16, 4), (40, 9), (80, 12)):
        rng = np.random.default_rng(n)
        values = rng.normal(size=(n, 4))
        near = values[:, :1] + 0.25 + np.where(np.arange(n) < most, 0.1, 0.0)[:, None]
        farther = values[:, :1] + np.where(np.arange(n) <= most, -0.1, 0.0)[:, None]
        result = run(pairs_of(np.concatenate([values, near, farther], axis=1)))
        first, second = np.triu_indices(6, 1)
        pair = {
            (a, b): j for j, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True))
        }
        assert result.n_apart[[pair[0, 4], pair[0, 5]]].tolist() == [most, most + 1]
        assert result.borrowed.sum() == 1
        assert result.borrowed[pair[0, 4]]
        width = (result.upper - result.lower)[pair[0, 4]]
        assert width > 2 * (result.upper - result.lower)[pair[0, 5]]


def test_clusters_apart_are_counted() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(24, 4))
    values[:, 1] = values[:, 0] + 0.5
    values[[0, 1, 2, 8], 1] += [0.1, 0.2, 0.1, 0.3]  # clusters 0 and 2
    values[[12, 13], 1] += [0.1, -0.1]  # cancel within cluster 3
    groups = QueryGroups("clusters", np.arange(24) // 4, 6)
    result = run(pairs_of(values), groups=groups)
    assert result.n_apart.tolist() == [2, 6, 6, 6, 6, 6]
    assert result.borrowed.tolist() == [True, *[False] * 5]
    strata = run(pairs_of(values), groups=QueryGroups("strata", np.arange(24) // 12, 2))
    assert strata.n_apart[0] == 6
    assert not strata.borrowed.any()  # six of 24 are a quarter


def test_identical_pairs() -> None:
    """They change nobody else's result, and borrow the others' variance where three vary."""
    values = np.random.default_rng(1).normal(size=(15, 4))
    differences = pairs_of(np.concatenate([values, values[:, :1]], axis=1))
    same = int(np.flatnonzero((differences == 0).all(axis=0))[0])
    both, alone = run(differences), run(np.delete(differences, same, axis=1))
    variance = np.delete(differences.var(axis=0, ddof=1), same)
    d0, pool = prior(variance, 15), np.exp(np.log(variance).mean())
    half = both.critical * np.sqrt(d0 * pool / (d0 + 14) / 15)
    assert both.borrowed[same]
    assert both.std_error[same] == pytest.approx(half / both.critical, rel=1e-9)
    assert (both.upper[same], both.lower[same]) == pytest.approx((half, -half), rel=1e-9)
    assert both.p_adjusted[same] == 1.0
    np.testing.assert_allclose(np.delete(both.p_adjusted, same), alone.p_adjusted)
    np.testing.assert_allclose(np.delete(both.upper, same), alone.upper)
    two = run(pairs_of(values[:, [0, 0, 1]]))  # two pairs vary: nothing to borrow
    assert (two.lower[0], two.upper[0], two.p_adjusted[0]) == (0.0, 0.0, 1.0)
    assert not two.borrowed.any()
    single = np.random.default_rng(2).normal(0.4, 1, (9, 1))
    expected = stats.ttest_1samp(single[:, 0], 0)
    for given in (single, np.concatenate([single, np.zeros((9, 1))], axis=1)):
        result = run(given)  # a single comparison is Student's t
        assert result.p_adjusted[0] == pytest.approx(expected.pvalue, rel=1e-9)
        low = expected.confidence_interval(0.95).low
        assert result.lower[0] == pytest.approx(low, rel=1e-9)


def test_constant_differences_borrow_the_spread_of_others() -> None:
    rng = np.random.default_rng(3)
    differences = np.concatenate([rng.normal(size=(12, 5)), np.full((12, 1), 0.5)], axis=1)
    result = run(differences)
    assert result.d0 > 0
    assert np.isfinite(result.upper[5] - result.lower[5])
    assert result.upper[5] > 0.5 > result.lower[5]
    assert result.p_adjusted[5] >= 2.0**-11


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
    good, ablation = rng.normal(0.6, 0.5, 25), np.zeros(25)
    ablation[[0, 2, 7]] = 1, -1, 1
    two = np.stack((good, ablation), axis=1)
    p = np.minimum(2 * stats.ttest_1samp(two, 0).pvalue, 1)
    np.testing.assert_allclose(run(two).p_adjusted, p)
    moderated = run(np.stack((good, *rng.normal(0.2, 1, (2, 25)), ablation), axis=1))
    assert moderated.d0 > 0
    assert np.isfinite(moderated.critical)
    two[3:, 1] = np.nan  # one pair is left for the maximum
    assert run(two).p_adjusted[0] == pytest.approx(p[0])
    # With d₀ = 0 a constant pair's p counts the infinite maxima, and so does its interval.
    result = run(np.stack((np.full(6, 0.1), rng.normal(size=6)), axis=1), level=0.9)
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


@pytest.mark.parametrize("seed", range(3))
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


# On arrays, as users call it.

X = np.random.default_rng(0).normal(0.3, 1, (30, 3))
X[4:7, 1] = np.nan
NAMES = np.random.default_rng(1).permutation(np.repeat(list("abcde"), [4, 9, 5, 5, 7]))
TESTS: dict[str, Any] = {
    "clusters": (ft.stats.cluster_t, jackknife),
    "strata": (ft.stats.stratified_t, mean_of_strata),
}


@pytest.mark.parametrize("kind", TESTS)
def test_t_over_groups_by_a_loop(kind: str) -> None:
    test, by_loop = TESTS[kind]
    outcome = test(X, NAMES, level=0.9)
    assert outcome.n.tolist() == [30, 27, 30]
    for row in range(3):
        mean, error, df = by_loop(X[:, row], NAMES)
        t, half = mean / error, stats.t.ppf(0.95, df) * error
        p = 2 * stats.t.sf(abs(t), df)
        found = [outcome.estimate, outcome.statistic, outcome.p, outcome.lower, outcome.upper]
        expected = [mean, t, p, mean - half, mean + half]
        assert [number[row] for number in found] == pytest.approx(expected, rel=1e-12)
    single = test(X[:, 1], list(NAMES), level=0.9)
    assert (single.p, single.lower) == (outcome.p[1], outcome.lower[1])
    assert (single.level, single.exact) == (0.9, True)
    order = np.random.default_rng(1).permutation(30)
    np.testing.assert_allclose(test(-1e-150 * X[order], NAMES[order]).p, outcome.p, rtol=1e-11)
    one, other = ft.stats.cluster_t(X, range(30)), ft.stats.paired_t(X)
    for name in ("estimate", "statistic", "p", "lower", "upper"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-13)


def test_degenerate_groups() -> None:
    alone = ft.stats.cluster_t([0.1, 0.3], ["x", "x"])
    assert (alone.p, alone.lower, alone.upper) == (1, -np.inf, np.inf)
    none = ft.stats.cluster_t([np.nan, np.nan], [1, 2])
    assert np.isnan([none.estimate, none.statistic, none.p, none.lower]).all()
    assert none.n == 0
    same = ft.stats.stratified_t([0.0] * 4, [1, 1, 2, 2])
    assert (same.p, same.lower, same.upper) == (1, 0, 0)
    lost = np.array([[1, 1], [2, 2], [3, 3], [4, np.nan]])
    for values, labels, name in (([1, 2, 3], ["a", "a", "b"], "b"), (lost, [5, 5, 7, 7], "7")):
        message = rf"^strata: stratum '{name}' is a stratum of one: nothing is known of"
        with pytest.raises(ft.errors.DataError, match=message):
            ft.stats.stratified_t(values, labels)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["a", "b"], r"clusters of shape \(2,\): must be one label for each of 3 queries"),
        ("abc", r"clusters of shape \(\)"),
        (["a", None, "b"], "must be text or numbers, none of them missing"),
        ([1.0, float("nan"), 2.0], "none of them missing"),
        (["a", float("nan"), "b"], "none of them missing"),
    ],
)
def test_labels_that_do_not_fit(labels: Any, words: str) -> None:
    with pytest.raises(ft.errors.DataError, match=words):
        ft.stats.cluster_t([0.1, 0.2, 0.3], labels)


D = np.random.default_rng(0).normal([0.0, 0.3, 0.9], 1, (20, 3))


def test_moderated_max_t() -> None:
    result = ft.stats.moderated_max_t(D, USING)
    np.testing.assert_allclose(result.estimate, D.mean(axis=0))
    np.testing.assert_allclose(result.std_error, stats.sem(D))
    np.testing.assert_allclose(result.p, stats.ttest_1samp(D, 0).pvalue)
    found = run(D)
    for name in ("lower", "upper", "p_adjusted"):
        np.testing.assert_allclose(getattr(result, name), getattr(found, name))
    assert (result.n.tolist(), result.critical, result.d0) == ([20] * 3, found.critical, found.d0)
    for factor in (0.1, 1e-100, 1e100):
        other = ft.stats.moderated_max_t(D * factor, USING)
        np.testing.assert_allclose(other.upper / factor, result.upper, rtol=1e-9)
        np.testing.assert_array_equal(other.p_adjusted, result.p_adjusted)
    labels = [f"t{q // 2}" for q in range(20)]
    result = ft.stats.moderated_max_t(D, USING, clusters=labels)
    np.testing.assert_allclose(result.p, ft.stats.cluster_t(D, labels).p)
    means = D.reshape(10, 2, 3).mean(axis=1)
    np.testing.assert_allclose(result.upper, ft.stats.moderated_max_t(means, USING).upper)


def test_it_is_what_compare_does() -> None:
    values = np.random.default_rng(1).normal(size=(3, 12))
    system, query = (axis.ravel() for axis in np.indices(values.shape))
    frame = pd.DataFrame({"system": system, "query": query, "value": values.ravel()})
    table = ft.compare(ft.Scores.from_frame(frame), n_resamples=499, rng=7).table
    result = ft.stats.moderated_max_t(pairs_of(values.T), USING)
    np.testing.assert_allclose(table["lower"], result.lower)
    np.testing.assert_allclose(table["p_adjusted"], result.p_adjusted)


@pytest.mark.parametrize(
    ("differences", "options", "error", "words"),
    [
        (D[0], {}, ft.errors.DataError, r"shape \(3,\): must be \(queries, contrasts\)"),
        (D, {"alternative": "up"}, ft.errors.OptionError, "alternative='up'"),
        (D, {"clusters": ["a"]}, ft.errors.DataError, "must be one label for each of 20 queries"),
    ],
)
def test_mistakes(differences: Any, options: dict[str, Any], error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        ft.stats.moderated_max_t(differences, USING, **options)


def test_equal_units_are_told_apart_by_their_single_values() -> None:
    """Coarse scores: many units are equal in size and side."""
    rng = np.random.default_rng(3)
    values = rng.integers(-1, 2, (60, 4)).astype(float)
    towards, rows = values.mean(axis=0), rng.permutation(60)
    expected = values[canonical_order(values, towards)]
    np.testing.assert_array_equal(values[rows][canonical_order(values[rows], towards)], expected)
    columns, sign = [2, 0, 3, 1], np.array([1, -3, 5, -1])
    other = (values * sign)[rows][:, columns]
    order = canonical_order(other, (towards * sign)[columns])
    np.testing.assert_array_equal(values[rows][order], expected)

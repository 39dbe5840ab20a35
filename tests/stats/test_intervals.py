"""Intervals by t, by variance components and by bootstrap, beside SciPy's and brute loops."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import drawn_units
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.agreement import score_ends, wilson
from fuzzytruth.stats.effects import named_statistic
from fuzzytruth.stats.intervals import WILSON, bootstrap, bootstrap_means, intervals
from fuzzytruth.stats.observations import (
    Contrasts,
    Observations,
    QueryGroups,
    WorldMeans,
    all_pairs,
    each_system,
)
from fuzzytruth.stats.settings import Purpose, Resampling

USING = Resampling(200, rng=4)
BOTH = ("query", "subject")
VALUES = np.random.default_rng(0).beta(0.7, 2, size=(2, 6, 4))
DATA = Observations(VALUES.reshape(2, -1), Cells.complete(6, 4))
NESTED = Observations(DATA.values, DATA.cells, nested=True)
SYSTEMS = each_system(2)


def found(
    data: Observations, contrasts: Contrasts, over: Any = ("query",), **given: Any
) -> dict[str, Any]:
    return intervals(data, contrasts, over, **{"level": 0.9, "using": USING, **given})


def test_t_is_the_default() -> None:
    result = found(DATA, all_pairs(2))
    columns = ["lower", "upper", "std_error", "df", "n_queries", "n_subjects", "method"]
    assert list(result) == ["mean", *columns]
    gap = VALUES[0].mean(axis=1) - VALUES[1].mean(axis=1)
    expected = scipy_stats.ttest_1samp(gap, 0).confidence_interval(0.9)
    assert result["mean"] == pytest.approx([gap.mean()])
    assert [result["lower"][0], result["upper"][0]] == pytest.approx([*expected])
    assert result["method"] == "t over queries"
    medians = found(DATA, SYSTEMS, statistic="median")
    assert list(medians) == ["median", *columns]
    np.testing.assert_allclose(medians["median"], np.median(VALUES.mean(axis=2), axis=1))
    assert medians["method"] == "percentile bootstrap over queries"


@pytest.mark.parametrize(
    ("method", "over"),
    [
        *(
            ("percentile", "query"),
            ("basic", "subject"),
            ("bca", "query"),
            ("studentized", "subject"),
        )
    ],
)
def test_bootstrap_of_per_unit_means(method: Any, over: str) -> None:
    result = found(DATA, SYSTEMS, (over,), method=method)
    purpose = Purpose.QUERIES if over == "query" else Purpose.SUBJECTS
    means = VALUES.mean(axis=2 if over == "query" else 1)
    given: Any = {"level": 0.9, "resampling": USING, "purpose": purpose}
    expected = bootstrap(means, named_statistic("mean")[1], method=method, **given)
    np.testing.assert_allclose(result["lower"], expected.lower, atol=1e-12)
    np.testing.assert_allclose(result["upper"], expected.upper, atol=1e-12)
    assert np.isnan(result["df"]).all()
    assert result["method"].startswith(f"{method} bootstrap over")


def test_pigeonhole_by_a_loop() -> None:
    result = found(DATA, SYSTEMS, BOTH, level=0.95, method="pigeonhole")
    seed = np.random.SeedSequence(USING.entropy, spawn_key=(int(Purpose.SUBJECTS), 0))
    first, second = seed.spawn(2)
    drawn = zip(drawn_units(first, 200, 6), drawn_units(second, 200, 4), strict=True)
    means = np.array([VALUES[:, q][:, :, s].mean(axis=(1, 2)) for q, s in drawn])
    std_error = means.std(axis=0) * np.sqrt(4 / 3)  # four subjects, the smaller factor
    np.testing.assert_allclose(result["std_error"], std_error)
    half = scipy_stats.t.ppf(0.975, 3) * std_error
    np.testing.assert_allclose(result["upper"], VALUES.mean(axis=(1, 2)) + half)
    assert result["df"].tolist() == [3, 3]
    assert result["method"] == "pigeonhole bootstrap, t"
    code = np.array([0, 1, 1, 0, 2, 2])  # fewer clusters than subjects, drawn whole
    clusters = replace(DATA, groups=QueryGroups("clusters", code, 3))
    grouped = found(clusters, SYSTEMS, BOTH, level=0.95, method="pigeonhole")
    drawn = zip(drawn_units(first, 200, 3), drawn_units(second, 200, 4), strict=True)
    by_cluster = [
        VALUES[:, np.concatenate([np.flatnonzero(code == c) for c in q])][:, :, s].mean(axis=(1, 2))
        for q, s in drawn
    ]
    np.testing.assert_allclose(grouped["std_error"], np.std(by_cluster, axis=0) * np.sqrt(3 / 2))
    assert grouped["df"].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("data", "over", "options", "message"),
    [
        (DATA, ("query",), {"method": "pigeonhole"}, "is for over=.'query', 'subject'., crossed"),
        (DATA, ("query",), {"method": "t", "statistic": "median"}, "not for statistic='median'"),
        (DATA, BOTH, {"method": "bca"}, "use method='auto' or 'pigeonhole'"),
        (DATA, BOTH, {"statistic": "median"}, "one at a time"),
        (DATA, ("query",), {"method": "wilson", "statistic": "median"}, "mean of each system"),
        (DATA, ("subject",), {"method": "wilson"}, "mean of each system"),
        (NESTED, ("subject",), {"method": "bca"}, "crossed subjects, one at a time"),
        (NESTED, BOTH, {"method": "pigeonhole"}, "crossed"),
    ],
)
def test_methods_that_do_not_go_together(data, over, options, message):
    with pytest.raises(ft.errors.OptionError, match=message):
        found(data, SYSTEMS, over, **options)
    with pytest.raises(ft.errors.OptionError, match="for differences, subjects"):
        found(data, all_pairs(2), method="wilson")


def test_shares_of_queries_are_wilsons_and_means_are_cut() -> None:
    values = np.stack([np.ones(10), np.arange(10) < 9, np.append(np.ones(9), 0.5), np.zeros(10)])
    observed = Observations(values.astype(float), Cells.of_queries(10))
    inside: Any = {"level": 0.95, "bounds": (0.0, 1.0)}
    out = found(observed, each_system(4), **inside)
    lower, upper = wilson([10, 9, 0], 10)
    rows = [0, 1, 3]
    np.testing.assert_allclose(out["lower"][rows], lower, atol=1e-12)
    np.testing.assert_allclose(out["upper"][rows], upper, atol=1e-12)
    assert out["method"].tolist() == [WILSON, WILSON, "t over queries", WILSON]
    shares = Observations(observed.values[rows], observed.cells)
    asked = found(shares, each_system(3), level=0.95, method="wilson")
    np.testing.assert_allclose([asked["lower"], asked["upper"]], [lower, upper], atol=1e-12)
    plain = found(observed, each_system(4), level=0.95)
    assert plain["upper"][2] > 1 == out["upper"][2]
    assert out["lower"][2] == plain["lower"][2]
    np.testing.assert_array_equal(out["std_error"], plain["std_error"])
    by_t = found(observed, each_system(4), method="t", **inside)
    assert (by_t["lower"][0], by_t["upper"][1]) == (1, 1)
    assert found(observed, each_system(4), of_queries=False, **inside)["lower"][0] == 1
    # five captions of each of eight images, which agree: eight clusters are worth eight queries
    order = np.random.default_rng(0).permutation(40)
    table = np.stack([np.ones(40), order // 5 > 0]).astype(float)
    groups = QueryGroups("clusters", order // 5, 8)
    clustered = Observations(table, Cells.of_queries(40), groups=groups)
    out = found(clustered, SYSTEMS, **inside)
    deff = (1 / 64) / (1 / 8 * 7 / 8 / 39)  # but for n / (n - 1)
    for row, (share, n) in enumerate([(1.0, 8.0), (7 / 8, 40 / deff)]):
        ends = score_ends(np.array([share]), np.array([n]), scipy_stats.t.ppf(0.975, 7))
        assert (out["lower"][row], out["upper"][row]) == pytest.approx((ends[0][0], ends[1][0]))
    strata = Observations(table, Cells.of_queries(40), groups=QueryGroups("strata", order // 20, 2))
    assert found(strata, SYSTEMS, **inside)["lower"][0] == 1  # weigh queries unequally


@pytest.mark.parametrize(("n", "ends"), [(4, (-np.inf, np.inf)), (6, (0.25, 0.25))])
def test_constant_differences_are_known_as_far_as_their_signs_tell(n: int, ends: Any) -> None:
    data = Observations(np.tile(np.array([[0.5], [0.25]]), n), Cells.of_queries(n))
    table = found(data, all_pairs(2), level=0.95, method="bca")
    assert (table["lower"][0], table["upper"][0]) == ends


# The bootstrap of rows of values.

X = np.random.default_rng(0).beta(0.6, 1.5, size=(3, 40))


def drawn_by(method: Any, values: np.ndarray = X, n: int = 200, **given: Any) -> Any:
    settings: Any = {"statistic": np.mean, "level": 0.9, "resampling": Resampling(n), **given}
    return bootstrap(values, settings.pop("statistic"), method=method, **settings)


def seed_of(n: int, key: int = 1, rng: int = 0) -> np.random.SeedSequence:
    return np.random.SeedSequence(Resampling(n, rng=rng).entropy, spawn_key=(key, 0))


@pytest.mark.parametrize(
    ("statistic", "method"),
    [(np.mean, "percentile"), (np.median, "basic"), (np.std, "bca"), (np.mean, "bca")],
)
def test_bootstrap_intervals_are_scipys_of_the_same_resamples(statistic: Any, method: str) -> None:
    result = drawn_by(method, n=2000, statistic=statistic)
    brute = [[statistic(x[chosen]) for chosen in drawn_units(seed_of(100), 100, 40)] for x in X]
    again = drawn_by(method, n=100, statistic=statistic)
    np.testing.assert_allclose(again.distribution, brute, rtol=1e-12)
    name = {"bca": "BCa"}.get(method, method)
    for row, x in enumerate(X):
        drawn = scipy_stats._resampling.BootstrapResult(
            None, result.distribution[row], float(result.std_error[row])
        )
        expected = scipy_stats.bootstrap(
            (x,),
            statistic,
            n_resamples=0,
            bootstrap_result=drawn,
            confidence_level=0.9,
            method=name,
        ).confidence_interval
        assert (result.lower[row], result.upper[row]) == pytest.approx(tuple(expected), rel=1e-9)


def test_studentised_by_a_loop() -> None:
    x, se = X[0], scipy_stats.sem(X[0])
    again = [x[chosen] for chosen in drawn_units(seed_of(999), 999, 40)]
    t = sorted((some.mean() - x.mean()) / scipy_stats.sem(some) for some in again)
    result = drawn_by("studentized", n=999)
    expected = (x.mean() - t[949] * se, x.mean() - t[49] * se)
    assert (result.lower[0], result.upper[0]) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["mean", "median"])
def test_bca_of_few_units_does_not_hang_on_rounding(name: str) -> None:
    """Adding a constant to all values moves the interval by it."""
    rng, statistic = np.random.default_rng(0), named_statistic(name)[1]
    for _ in range(30):
        values = np.round(rng.integers(0, 6, (1, rng.integers(3, 6))) / 10, 1)
        ends = []
        for shift in (0.0, 0.1, 0.3, 0.7):
            result = drawn_by("bca", values + shift, n=500, statistic=statistic)
            ends.append((result.lower[0] - shift, result.upper[0] - shift))
        np.testing.assert_allclose(ends, [ends[0]] * 4, rtol=0, atol=1e-12)


def test_clusters_and_strata() -> None:
    code = np.repeat(np.arange(8), 5)
    for kind in ("clusters", "strata"):
        groups = QueryGroups(kind, code, 8)  # type: ignore[arg-type]
        for method in ("percentile", "basic"):
            result = drawn_by(method, n=300, groups=groups)
            low, high = np.quantile(result.distribution, [0.05, 0.95], axis=1)
            lower = low if method == "percentile" else 2 * result.value - high
            np.testing.assert_allclose(result.lower, lower, rtol=1e-12)
            np.testing.assert_allclose(result.value, X.mean(axis=1), rtol=1e-14)
            np.testing.assert_allclose(result.std_error, result.distribution.std(axis=1))
        for method in ("bca", "studentized"):
            words = f"method='{method}': over {kind} of queries, use 'p"
            with pytest.raises(ft.errors.OptionError, match=words):
                drawn_by(method, groups=groups)
        with pytest.raises(
            ft.errors.OptionError, match="statistic: over clusters or strata only the"
        ):
            drawn_by("basic", statistic=np.median, groups=groups)
    values = np.array([[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]])
    alone = drawn_by("basic", values, groups=QueryGroups("clusters", np.zeros(3, dtype=int), 1))
    assert (alone.lower.tolist(), alone.upper.tolist()) == ([-np.inf] * 2, [np.inf] * 2)
    assert np.isnan(alone.std_error).all()
    each = drawn_by("basic", values, groups=QueryGroups("clusters", np.arange(3), 3))
    assert (each.lower[0], each.upper[0], each.std_error[0]) == (each.value[0], each.value[0], 0)


# Resampled means by a loop.

FEW = Resampling(40, rng=1)
CODE = np.array([0, 0, 1, 1, 1, 2, 2])


def means_of(data: Observations, over: Any = ("query",)) -> np.ndarray:
    means, weight = bootstrap_means(data, over, FEW)
    np.testing.assert_allclose(weight, 1 / 40)
    return means


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
def test_queries_and_subjects() -> None:
    rng = np.random.default_rng(0)
    exists = rng.random((7, 3)) < 0.7
    cells = Cells.of_mask(exists)
    dense = np.where(exists, rng.normal(size=(2, 7, 3)), np.nan)
    data = Observations(cells.of_dense(dense), cells)
    nested = Observations(data.values, cells, nested=True)
    by_query = np.nanmean(dense, axis=2)
    units = drawn_units(seed_of(40, rng=1), 40, 7)
    expected = [np.nanmean(by_query[:, chosen], axis=1) for chosen in units]
    for over in (("query",), BOTH):  # nested subjects come with their query
        np.testing.assert_allclose(means_of(nested, over), expected, rtol=1e-12)
    first, second = seed_of(40, 2, rng=1).spawn(2)
    drawn = [*zip(drawn_units(first, 40, 7), drawn_units(second, 40, 3), strict=True)]
    for over in (("subject",), BOTH):
        some = [dense[:, :, s] if over != BOTH else dense[:, q][:, :, s] for q, s in drawn]
        expected = [np.nanmean(np.nanmean(one, axis=2), axis=1) for one in some]
        np.testing.assert_allclose(means_of(data, over), expected, rtol=1e-12)


def test_worlds_are_taken_as_they_are() -> None:
    worlds = WorldMeans(Lazy.of(np.ones((3, 2))), np.array([0.2, 0.3, 0.5]), 1.0, resampled=False)
    observed = Observations(np.ones((2, 1)), Cells.of_queries(1), worlds=worlds)
    means, weight = bootstrap_means(observed, ("world",), FEW)
    assert (means is worlds.means, weight is worlds.weight) == (True, True)
    with pytest.raises(ft.errors.OptionError, match="over queries and worlds"):
        bootstrap_means(observed, ("query", "world"), FEW)


def test_clusters_are_drawn_whole_and_strata_within() -> None:
    values = np.random.default_rng(6).normal(size=(2, 7))
    values[1, 5:] = np.nan  # left out of that system's mean over strata
    values[0, 2] = np.nan
    cells = Cells.of_queries(7)
    means = means_of(Observations(values, cells, groups=QueryGroups("clusters", CODE, 3)))
    for draw, clusters in enumerate(drawn_units(seed_of(40, rng=1), 40, 3)):
        queries = np.concatenate([np.flatnonzero(np.equal(CODE, c)) for c in clusters])
        some = values[:, queries]
        shares = np.nansum(some, axis=1) / np.isfinite(some).sum(axis=1).clip(1)
        kept = np.isfinite(some).any(axis=1)
        np.testing.assert_allclose(means[draw][kept], shares[kept], rtol=1e-12)
    means = means_of(Observations(values, cells, groups=QueryGroups("strata", CODE, 3)))
    parts = [values[:, np.equal(CODE, h)] for h in range(3)]
    seeds = seed_of(40, rng=1).spawn(3)
    drawn = [drawn_units(seed, 40, part.shape[1]) for seed, part in zip(seeds, parts, strict=True)]
    for draw in range(40):
        each = []
        for part, units in zip(parts, drawn, strict=True):
            some = part[:, units[draw]]
            n = np.isfinite(some).sum(axis=1)
            each.append(np.where(n > 0, np.nansum(some, axis=1) / n.clip(1), np.nan))
        expected = [np.mean([m[0] for m in each]), np.mean([m[1] for m in each[:2]])]
        np.testing.assert_allclose(means[draw], expected, rtol=1e-12)
    assert np.isfinite(means[:, 1]).all()
    alone = Observations(values, cells, groups=QueryGroups("clusters", np.arange(7), 7))
    np.testing.assert_array_equal(means_of(alone), means_of(Observations(values, cells)))

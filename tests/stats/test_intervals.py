"""Intervals by t, by variance components and by bootstrap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import drawn_units
from fuzzytruth.stats.agreement import score_ends, wilson
from fuzzytruth.stats.effects import named_statistic
from fuzzytruth.stats.intervals import WILSON, bootstrap, intervals
from fuzzytruth.stats.observations import Observations, QueryGroups, all_pairs, each_system
from fuzzytruth.stats.settings import Purpose, Resampling

USING = Resampling(200, rng=4)
COLUMNS = ["lower", "upper", "std_error", "df", "n_queries", "n_subjects", "method"]
VALUES = np.random.default_rng(0).beta(0.7, 2, size=(2, 6, 4))
DATA = Observations(VALUES.reshape(2, -1), Cells.complete(6, 4))


def test_t_is_the_default() -> None:
    result = intervals(DATA, all_pairs(2), ("query",), level=0.9, using=USING)
    assert list(result) == ["mean", *COLUMNS]
    gap = VALUES[0].mean(axis=1) - VALUES[1].mean(axis=1)
    expected = scipy_stats.ttest_1samp(gap, 0).confidence_interval(0.9)
    assert result["mean"] == pytest.approx([gap.mean()])
    assert [result["lower"][0], result["upper"][0]] == pytest.approx([expected.low, expected.high])
    assert result["method"] == "t over queries"


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentized"])
@pytest.mark.parametrize(("over", "axis"), [("query", 2), ("subject", 1)])
def test_bootstrap_of_per_unit_means(method, over, axis: int) -> None:
    options = {"level": 0.8, "method": method, "using": USING}
    result = intervals(DATA, each_system(2), (over,), **options)
    _, function = named_statistic("mean")
    purpose = {"query": Purpose.QUERIES, "subject": Purpose.SUBJECTS}[over]
    expected = bootstrap(
        VALUES.mean(axis=axis),
        function,
        method=method,
        level=0.8,
        resampling=USING,
        purpose=purpose,
    )
    np.testing.assert_allclose(result["lower"], expected.lower, atol=1e-12)
    np.testing.assert_allclose(result["upper"], expected.upper, atol=1e-12)
    assert np.isnan(result["df"]).all()
    assert result["method"].startswith(f"{method} bootstrap over")


def test_other_statistics_have_a_percentile_interval() -> None:
    result = intervals(DATA, each_system(2), ("query",), level=0.9, statistic="median", using=USING)
    assert list(result) == ["median", *COLUMNS]
    np.testing.assert_allclose(result["median"], np.median(VALUES.mean(axis=2), axis=1))
    assert result["method"] == "percentile bootstrap over queries"


def test_rows_with_missing_values_are_bootstrapped_by_themselves() -> None:
    """A system that lacks two queries has the interval that its other queries give."""
    values = np.random.default_rng(1).normal(size=(3, 9))
    values[1, [2, 5]] = np.nan
    data = Observations(values, Cells.of_queries(9))
    options = {"level": 0.9, "method": "percentile", "using": USING}
    result = intervals(data, each_system(3), ("query",), **options)
    kept = Observations(np.delete(values[1:2], [2, 5], axis=1), Cells.of_queries(7))
    alone = intervals(kept, each_system(1), ("query",), **options)
    for name in ("mean", "lower", "upper", "std_error"):
        assert result[name][1] == alone[name][0]
    assert result["n_queries"].tolist() == [9, 7, 9]


def test_pigeonhole_by_a_loop() -> None:
    options = {"level": 0.95, "method": "pigeonhole", "using": USING}
    result = intervals(DATA, each_system(2), ("query", "subject"), **options)
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


def test_memory_and_workers_change_nothing() -> None:
    for method in ("pigeonhole", "percentile"):
        over = ("query", "subject") if method == "pigeonhole" else ("query",)
        tables = [
            intervals(
                DATA,
                each_system(2),
                over,
                level=0.9,
                method=method,
                using=Resampling(3000, rng=1, n_jobs=jobs, memory=memory),
            )
            for jobs, memory in ((1, 64), (2, 1))
        ]
        for name in ("lower", "upper", "std_error"):
            np.testing.assert_array_equal(tables[0][name], tables[1][name])


@pytest.mark.parametrize(
    ("over", "options", "message"),
    [
        (("query",), {"method": "pigeonhole"}, "is for over=.'query', 'subject'., crossed"),
        (("query",), {"method": "t", "statistic": "median"}, "not for statistic='median'"),
        (("query", "subject"), {"method": "bca"}, "use method='auto' or 'pigeonhole'"),
        (("query", "subject"), {"statistic": "median"}, "one at a time"),
        (("query",), {"method": "wilson", "statistic": "median"}, "mean of each system"),
        (("subject",), {"method": "wilson"}, "mean of each system"),
    ],
)
def test_methods_that_do_not_go_together(over, options, message: str) -> None:
    with pytest.raises(ft.OptionError, match=message):
        intervals(DATA, each_system(2), over, level=0.9, using=USING, **options)


def test_nested_subjects_are_not_resampled() -> None:
    nested = Observations(DATA.values, DATA.cells, nested=True)
    options = {"level": 0.9, "using": USING}
    with pytest.raises(ft.OptionError, match="crossed subjects, one at a time"):
        intervals(nested, each_system(2), ("subject",), method="bca", **options)
    with pytest.raises(ft.OptionError, match="crossed"):
        intervals(nested, each_system(2), ("query", "subject"), method="pigeonhole", **options)


def test_wilson_is_not_for_differences() -> None:
    with pytest.raises(ft.OptionError, match="for differences, subjects"):
        intervals(DATA, all_pairs(2), ("query",), level=0.9, using=USING, method="wilson")


def test_shares_of_queries_are_wilsons_and_means_are_cut() -> None:
    rng = np.random.default_rng(0)
    values = np.stack([np.ones(10), np.arange(10) < 9, np.append(np.ones(9), 0.5), np.zeros(10)])
    observed = Observations(values.astype(float), Cells.of_queries(10))

    def found(**given: Any) -> dict[str, Any]:
        settings = {"level": 0.95, "using": Resampling(), "bounds": (0.0, 1.0)} | given
        return intervals(observed, each_system(4), ("query",), **settings)

    out = found()
    lower, upper = wilson([10, 9, 0], 10)
    rows = [0, 1, 3]
    np.testing.assert_allclose(out["lower"][rows], lower, atol=1e-12)
    np.testing.assert_allclose(out["upper"][rows], upper, atol=1e-12)
    assert out["method"].tolist() == [WILSON, WILSON, "t over queries", WILSON]
    plain = found(bounds=(-np.inf, np.inf))
    assert plain["upper"][2] > 1 == out["upper"][2]
    assert out["lower"][2] == plain["lower"][2]
    np.testing.assert_array_equal(out["std_error"], plain["std_error"])
    by_t = found(method="t")
    assert (by_t["lower"][0], by_t["upper"][1]) == (1, 1)
    assert found(of_queries=False)["lower"][0] == 1
    order = rng.permutation(40)  # five captions of each of eight images
    code = np.arange(40)[order] // 5
    table = np.stack([np.ones(40), (np.arange(40) // 5 > 0)[order]])
    groups = QueryGroups("clusters", code, 8)
    clustered = Observations(table.astype(float), Cells.of_queries(40), groups=groups)
    out = intervals(
        clustered, each_system(2), ("query",), level=0.95, using=Resampling(), bounds=(0.0, 1.0)
    )
    t = scipy_stats.t.ppf(0.975, 7)
    # all of an image's captions agree: eight clusters are worth eight queries, but for n / (n - 1)
    deff = (1 / 64) / (1 / 8 * 7 / 8 / 39)
    for row, (share, n) in enumerate([(1.0, 8.0), (7 / 8, 40 / deff)]):
        ends = score_ends(np.array([share]), np.array([n]), t)
        assert (out["lower"][row], out["upper"][row]) == pytest.approx((ends[0][0], ends[1][0]))


@pytest.mark.parametrize(("n", "ends"), [(4, (-np.inf, np.inf)), (6, (0.25, 0.25))])
def test_constant_differences_are_known_as_far_as_their_signs_tell(n: int, ends) -> None:
    values = np.tile(np.array([[0.5], [0.25]]), n)
    data = Observations(values, Cells.of_queries(n))
    table = intervals(data, all_pairs(2), ("query",), level=0.95, method="bca", using=USING)
    assert (table["lower"][0], table["upper"][0]) == ends


def test_strata_have_no_wilson_intervals() -> None:
    """They weigh queries unequally, and Wilson's counts them."""
    truth = {f"q{q:02}": {"a": 1} for q in range(32)}
    scores = ft.evaluate(truth, {"s": {q: {"a": 1.0} for q in truth}}, "P@1")
    strata = {q: "few" if q >= "q30" else "many" for q in truth}
    row = scores.summary(strata=strata, full=True).iloc[0]
    assert (row["lower"], row["upper"]) == (1.0, 1.0)
    plain = scores.summary(full=True).iloc[0]
    assert 0.88 < plain["lower"] < 0.9
    assert np.isnan(plain["df"])

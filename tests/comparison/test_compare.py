"""`compare` and `difference_intervals`: their numbers agree, degenerate data, mistakes."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.compared import INDEPENDENT, POPULATION
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.compare import warn_of_missing
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning

RNG = np.random.default_rng(0)
QUALITY = np.array([0.0, 0.0, 0.3, 0.9])
VALUES = RNG.normal(QUALITY[:, None], 0.6, (4, 30)) + RNG.normal(size=30)
SUBJECTS = VALUES[:, None, :] + RNG.normal(0, 0.5, (4, 5, 30)) + RNG.normal(0, 0.3, (4, 5, 1))
BOTH = ("query", "subject")
OVER: tuple[Any, ...] = ("query", "subject", BOTH)
ignore_warnings = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def two_measures() -> ft.Scores:
    errors = -np.random.default_rng(1).normal(QUALITY[:, None], 0.8, (4, 30))
    return ft.Scores(
        systems=("a", "b", "c", "d"),
        queries=tuple(f"q{j}" for j in range(30)),
        measures=("AP", "E@32"),
        values=np.stack((VALUES, errors), axis=1),
        cells=Cells.of_queries(30),
        higher_is_better=(True, False),
    )


def scores_of_rows(rows: list[tuple[Any, ...]]) -> ft.Scores:
    names = ["system", "query", *["subject"] * (len(rows[0]) == 4), "value"]
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=names))


def table_of(values: Any, **options: Any) -> pd.DataFrame:
    return ft.compare(scores_of(values), **{"n_resamples": 199, **options}).table


def random_values(rng: np.random.Generator, *, subjects: bool) -> np.ndarray:
    """Values with ties, identical systems, constant differences and missing cells at times."""
    k, s, n = int(rng.integers(2, 5)), int(rng.integers(1, 5)), int(rng.integers(1, 16))
    shape = (k, s, n) if subjects else (k, n)
    values = rng.normal(size=shape) * rng.choice([0.01, 1.0])
    values += rng.normal(size=(k, *[1] * (len(shape) - 1)))
    if subjects:
        values += rng.normal(size=(k, s, 1)) * rng.choice([0.0, 0.5])
    if rng.random() < 0.4:
        values = np.round(values, 1)
    if rng.random() < 0.15:
        values[-1] = values[0] + rng.choice([0.0, 0.3])
    if rng.random() < 0.3:
        values[rng.random(shape) < 0.25] = np.nan
    return values * rng.choice([1.0, 1e-200], p=[0.9, 0.1])


def random_options(rng: np.random.Generator, values: np.ndarray) -> dict[str, Any]:
    """Options that go together."""
    over = OVER[rng.integers(3)] if values.ndim == 3 else "query"
    given: dict[str, Any] = {"over": over, "level": float(rng.choice([0.7, 0.9, 0.95, 0.99]))}
    choices = [None, "bonferroni", "sidak", "holm", "none"]
    correction = rng.choice([*choices, *["max-t", "sign-flips"] * (over == "query")])
    two_sided = correction == "sign-flips"
    sides = ["two-sided", *["greater", "less"] * (not two_sided)]
    given |= {"correction": correction, "alternative": str(rng.choice(sides))}
    if rng.random() < 0.3:
        given["baseline"] = "sys0"
    if over != "subject" and not two_sided and rng.random() < 0.3:
        given["clusters"] = {f"q{q}": f"t{q // 2}" for q in range(values.shape[-1])}
    return given


@ignore_warnings
@pytest.mark.parametrize("seed", range(4))
def test_intervals_exclude_0_exactly_where_p_says_so(seed: int) -> None:
    """Also beside them, and whatever NumPy is to do about overflows."""
    rng = np.random.default_rng([20, seed])
    seen = 0
    for _ in range(25):
        values = random_values(rng, subjects=bool(rng.random() < 0.5))
        given = random_options(rng, values)
        try:
            with np.errstate(all="raise"):
                result = ft.compare(scores_of(values), n_resamples=99, **given)
                tables = (result.table, result.beside)
        except (ft.errors.DataError, ft.errors.OptionError):
            continue
        alpha = (1 - given["level"]) * (1 + 1e-12)
        for table in tables:
            if table is None:
                continue
            excluded = (table["lower"] > 0) | (table["upper"] < 0)
            raw = table is result.table and result.conditions.interval == "unadjusted"
            p, known = table["p" if raw else "p_adjusted"], table["difference"].notna()
            assert (excluded[known] == (p[known] <= alpha)).all(), (given, table.T)
            assert (table["significant"] == (table["p_adjusted"] <= alpha)).all()
            assert (table["p_adjusted"][known] >= table["p"][known] * (1 - 1e-12)).all(), given
            inside = table["difference"].between(table["lower"], table["upper"])
            assert inside[known].all()
            numbers = table[["p", "p_adjusted", "lower", "upper"]]
            assert numbers[known].notna().all(axis=None)
        seen += len(result.table)
    assert seen >= 60


@ignore_warnings
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"over": "subject", "correction": "holm"},
        {"over": BOTH},
        {"correction": "sign-flips"},
        {"alternative": "greater", "correction": "bonferroni"},
    ],
)
def test_units_origin_order_and_names_do_not_matter(options: dict[str, Any]) -> None:
    numbers = ["difference", "lower", "upper", "std_error", "p", "p_adjusted", "wins", "ties"]
    for seed in range(2):
        rng = np.random.default_rng([21, seed])
        values = np.round(rng.normal(0.5, 0.3, (4, 3, 12)), 1)
        if seed:
            values[:, rng.random((3, 12)) < 0.2] = np.nan
        one = table_of(values, n_resamples=99, **options)
        of_pair = one.set_index(["system_a", "system_b"])
        others = [(values * unit, unit) for unit in (1 / 3, 1e-100, 1e100)]
        flips = options.get("correction") == "sign-flips"
        queries = np.arange(12) if flips else rng.permutation(12)
        others += [(values + 7.7, 1.0), (values[:, [2, 0, 1]][..., queries], 1.0)]
        for other, unit in others:
            table = table_of(other, n_resamples=99, **options)[numbers]
            table[numbers[:4]] /= unit
            pd.testing.assert_frame_equal(table, one[numbers], rtol=1e-8, atol=1e-12)
        if "alternative" in options:
            continue
        order = [2, 0, 3, 1]
        for row in table_of(values[order], n_resamples=99, **options).itertuples():
            a, b = (f"sys{order[int(name[-1])]}" for name in (row.system_a, row.system_b))
            sign = 1 if (a, b) in of_pair.index else -1
            same = of_pair.loc[(a, b) if sign == 1 else (b, a)]
            assert row.difference == pytest.approx(sign * same["difference"], abs=1e-12)
            ends = sorted((sign * row.lower, sign * row.upper))
            assert ends == pytest.approx([same["lower"], same["upper"]])
            assert row.p_adjusted == pytest.approx(same["p_adjusted"])
            assert row.wins == same["wins" if sign == 1 else "losses"]


def test_rounding_makes_no_winner() -> None:
    """Differences +.1, +.2, -.3 by three subjects, and a third system that lacks a cell."""
    values = np.full((3, 3, 6), 0.5)
    values[0] += np.array([0.1, 0.2, -0.3])[:, None]
    values[2, 1, 4] = np.nan
    for over in OVER:
        with pytest.warns(MissingCellWarning):
            row = table_of(values, over=over).iloc[0]
        assert (row["difference"], row["p_adjusted"], row["significant"]) == (0.0, 1.0, False)
        assert (row["wins"], row["ties"], row["losses"], row["d_z"]) == (0, 6, 0, 0)


def test_columns_by_hand() -> None:
    row = table_of(VALUES).iloc[0]
    d = VALUES[0] - VALUES[1]
    assert row["difference"] == pytest.approx(d.mean())
    assert row["mean_a"] == pytest.approx(VALUES[0].mean())
    assert row["p"] == pytest.approx(scipy_stats.ttest_rel(VALUES[0], VALUES[1]).pvalue)
    assert row["d_z"] == pytest.approx(d.mean() / d.std(ddof=1))
    assert (row["wins"], row["losses"], row["ties"]) == ((d > 0).sum(), (d < 0).sum(), 0)
    assert row["p_improvement"] == (d > 0).mean()
    assert row["n_queries"] == 30


def test_one_comparison_is_the_paired_t_test() -> None:
    (row,) = table_of(VALUES[[0, 3]], n_resamples=9999).itertuples()
    expected = scipy_stats.ttest_rel(VALUES[0], VALUES[3])
    assert row.p_adjusted == row.p == pytest.approx(expected.pvalue)
    assert (row.lower, row.upper) == pytest.approx(tuple(expected.confidence_interval()))
    assert row.p_permutation == ft.tests.sign_flip(scores_of(VALUES[[0, 3]]), "sys0", "sys1").p
    single = ft.compare(scores_of(VALUES[[0, 3]]))
    flips = ft.compare(scores_of(VALUES[[0, 3]]), correction="max-t")
    assert [one.conditions.interval for one in (single, flips)] == ["single", "simultaneous"]


def test_complete_null() -> None:
    table = table_of(VALUES, null="complete")
    outside = (table["lower"] > 0) | (table["upper"] < 0)
    assert (outside == table["significant"]).all()
    width = table["upper"] - table["lower"]
    assert width.to_numpy() == pytest.approx(np.full(6, width[0]))
    incomplete = VALUES.copy()
    incomplete[0, 0] = np.nan
    with (
        pytest.warns(MissingCellWarning),
        pytest.raises(ft.errors.DataError, match="1 value of m missing"),
    ):
        table_of(incomplete, null="complete")


@pytest.mark.parametrize("correction", ["holm", "fdr_tsbky", "none"])
def test_corrections_by_name_within_and_across_measures(correction: str) -> None:
    apart = ft.compare(two_measures(), correction=correction)
    together = ft.compare(two_measures(), correction=correction, across_measures=True)
    p = apart.table["p"].to_numpy()
    if correction != "none":
        expected = np.concatenate([ft.stats.adjust(half, correction) for half in (p[:6], p[6:])])
        np.testing.assert_allclose(apart.table["p_adjusted"], expected)
        p = ft.stats.adjust(p, correction)
    np.testing.assert_allclose(together.table["p_adjusted"], p)
    assert apart.conditions.interval == "unadjusted"
    assert (apart.conditions.tests, together.conditions.tests) == (6, 12)


def test_lower_is_better_and_measures_have_many_spellings() -> None:
    result = ft.compare(two_measures(), measures=["E@32"])
    row = result.table.iloc[2]  # a against d, which has the lower and so better values
    assert row["difference"] > 0
    assert row["losses"] > row["wins"]
    assert row["p_improvement"] < 0.5
    assert "a" in result.superscripts().loc["d", "E@32"]
    start = "d is significantly better than a on E@32 over queries (difference -"
    assert result.verdicts()[2].startswith(start)
    assert result.verdicts()[2].endswith("; lower is better)")
    found = ft.compare(two_measures(), measures=iter(["E@32", "map", "AP"]))
    assert found.table["measure"].unique().tolist() == ["E@32", "AP"]


def test_missing_values_are_left_out_pair_by_pair() -> None:
    values = VALUES.copy()
    values[0, 2:5] = np.nan
    words = "3 values are missing .*the first: system 'sys0', query 'q2'"
    with pytest.warns(MissingCellWarning, match=words):
        table = table_of(values)
    assert table["n_queries"].tolist() == [27, 27, 27, 30, 30, 30]
    kept = np.delete(VALUES, [2, 3, 4], axis=1)
    assert table["p"][0] == pytest.approx(scipy_stats.ttest_rel(kept[0], kept[1]).pvalue)
    np.testing.assert_allclose(table["mean_a"] - table["mean_b"], table["difference"])
    cells = SUBJECTS.copy()
    cells[1, 2, 4] = np.nan
    with pytest.warns(MissingCellWarning, match="^1 value is missing where another system has one"):
        table = table_of(cells, over=BOTH)
    np.testing.assert_allclose(table["mean_a"] - table["mean_b"], table["difference"])
    assert table["std_error"].notna().all()
    warn_of_missing([np.array([[np.nan, 1.0], [np.nan, 2.0]])])  # nobody has it: not missing


def test_identical_systems() -> None:
    same = scores_of([VALUES[0], VALUES[0], VALUES[3]])
    for correction in (None, "holm", "bonferroni"):
        result = ft.compare(same, correction=correction)
        row = result.table.iloc[0]
        assert row[["difference", "lower", "upper", "d_z"]].tolist() == [0.0] * 4
        assert row[["p", "p_permutation", "p_adjusted", "p_improvement"]].tolist() == [1, 1, 1, 0.5]
        assert result.verdicts()[0] == (
            "sys0 and sys1 have the same m on all 30 queries; with 95 % confidence they differ on "
            "fewer than 10 % of such queries"
        )
    assert table_of([VALUES[0]] * 2)["p_adjusted"][0] == 1
    row = table_of([SUBJECTS[0], SUBJECTS[0]], over=BOTH).iloc[0]
    assert row[["difference", "lower", "upper", "p", "p_adjusted"]].tolist() == [0, 0, 0, 1, 1]


def test_degenerate_data_have_named_warnings() -> None:
    with pytest.warns(DegenerateWarning, match="1 of 1 comparison .*has the same difference every"):
        table = table_of([np.full(8, 0.5), np.full(8, 0.2)])
    assert table[["lower", "upper"]].iloc[0].tolist() == pytest.approx([0.3, 0.3])
    assert np.isposinf(table["d_z"][0])
    with pytest.warns(DegenerateWarning, match="3 of 3 comparisons over queries rest on a single"):
        table = table_of([[0.5], [0.2], [0.1]])
    assert table["p_adjusted"].tolist() == [1, 1, 1]
    assert np.isinf(table[["lower", "upper"]]).all(axis=None)
    few = VALUES[:, :4]
    words = r"4 queries and 199 resamples are too few .*; correction='bonferroni' gives t intervals"
    with pytest.warns(DegenerateWarning, match=words):
        table = table_of(few, correction="sign-flips")
    assert not table["significant"].any()
    assert table_of(few)["upper"].equals(table_of(few, correction="bonferroni")["upper"])
    values = VALUES.copy()
    values[0] = np.nan
    with (
        pytest.warns(MissingCellWarning),
        pytest.warns(DegenerateWarning, match="have no value in common"),
    ):
        result = ft.compare(scores_of(values), correction="holm")
    assert result.table["p_adjusted"].isna().tolist() == [True] * 3 + [False] * 3
    assert "have no value of m in common" in result.verdicts()[0]
    with pytest.warns(DegenerateWarning):
        table = table_of(SUBJECTS[:, :1], over=BOTH)
    assert (table["p_adjusted"] == 1).all()


def test_posterior() -> None:
    result = ft.compare(two_measures(), bayesian=True, rope={"AP": 0.1, "E@32": 0.2}).table
    names = ["posterior_better", "posterior_rope", "posterior_worse"]
    np.testing.assert_allclose(result[names].sum(axis=1), 1)
    row = result.iloc[0]
    t = scipy_stats.t(29, loc=row["difference"], scale=row["std_error"])
    assert row["posterior_rope"] == pytest.approx(t.cdf(0.1) - t.cdf(-0.1))
    assert result["posterior_worse"][8] > 0.9  # a against d on E@32, lower is better
    assert (table_of(VALUES, bayesian=True)["posterior_rope"] == 0).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"baseline": "x"}, "baseline='x'"),
        ({"baseline": []}, "baseline: name at least one system"),
        ({"baseline": 3}, "baseline=3: must be the name of a system, or several"),
        ({"baseline": list("abcd")}, "all systems are baselines"),
        ({"baseline": two_measures()}, r"baseline=.*join both first: compare\(concat\("),
        ({"correction": "tukey"}, "'tukey'"),
        ({"measures": "zzz"}, "measure 'zzz'"),
        ({"measures": []}, "name at least one"),
        ({"measures": 3}, "measures=3: must be names of measures"),
        ({"null": "none"}, "null='none'"),
        ({"null": "complete", "correction": "holm"}, "complete"),
        ({"over": "subject"}, "worlds='subject'"),
        ({"across_measures": 1}, "across_measures=1"),
        ({"level": 2}, "level=2"),
        ({"progress": 3}, "progress=3: must be a function"),
        ({"rope": 0.1}, "bayesian=True"),
        ({"bayesian": True, "rope": -1}, "negative"),
        ({"bayesian": True, "rope": np.nan}, "finite"),
        ({"bayesian": True, "rope": {"AP": 0.1}}, "must have one number for each of AP, E@32"),
        ({"bayesian": True, "rope": {"x": 1, "AP": 1}}, "each of"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        ft.compare(two_measures(), **options)


@pytest.mark.parametrize("given", [3, "scores.parquet", pd.DataFrame({"system": ["a"]}), None])
def test_something_else_than_scores_is_named(given: Any) -> None:
    for function in (ft.compare, ft.rank_stability, ft.tests.difference_intervals):
        with pytest.raises(ft.errors.OptionError, match="scores: give Scores, as evaluate,"):
            function(given)
    for function in (ft.tests.paired_t, ft.tests.sign_flip, ft.tests.wilcoxon):
        with pytest.raises(ft.errors.OptionError, match="scores: give Scores"):
            function(given, "a", "b")
    with pytest.raises(ft.errors.OptionError, match="must be a list of Scores"):
        ft.concat(given)


def test_under_worlds() -> None:
    scores = INDEPENDENT.select(systems=["r0", "r3"])
    result = ft.compare(scores)
    better = ft.tests.superiority(scores, "r0", "r3").better
    assert result.table["share_worlds"][0] == pytest.approx(better)
    assert "of the worlds" in result.verdicts()[0]
    assert result.beside["over"].tolist() == ["queries", "worlds"]
    worlds = ft.compare(scores, over="world").table.iloc[0]
    assert worlds["significant"] == ((worlds["lower"] > 0) | (worlds["upper"] < 0))
    population = POPULATION.select(systems=["r1", "r2"])
    for over in ("world", ("query", "world")):
        row = ft.compare(population, over=over).table.iloc[0]
        assert row["lower"] < row["difference"] < row["upper"]
    beside = ft.compare(population).beside
    assert beside["over"].tolist() == ["queries", "worlds", "queries and worlds"]


def test_a_pair_with_few_common_queries_does_not_drown_the_others() -> None:
    rng = np.random.default_rng(1)
    rows = [(x, q, rng.normal(i, 0.3)) for i, x in enumerate("abc") for q in range(50)]
    scores = scores_of_rows(rows + [("d", q, 0.5 + 0.1 * q) for q in range(2)])
    with pytest.warns(MissingCellWarning):
        table = ft.compare(scores).table.set_index(["system_a", "system_b"])
    assert table.loc[("a", "b"), "p_adjusted"] == pytest.approx(2e-4)  # half the error is d's
    assert np.isfinite(table.loc[("a", "b"), "upper"])
    t = ft.tests.paired_t(scores, "a", "d", level=1 - 0.05 / 6)
    assert table.loc[("a", "d"), "upper"] == pytest.approx(t.upper)
    assert table.loc[("a", "d"), "p_adjusted"] == pytest.approx(min(6 * t.p, 1.0))
    with (
        pytest.warns(MissingCellWarning),
        pytest.warns(DegenerateWarning, match="3 of 6 comparisons rest on fewer than 6 common"),
    ):
        flips = ft.compare(scores, correction="sign-flips").table
    assert np.isposinf(flips["upper"][2])


def test_difference_intervals_by_any_method() -> None:
    x = np.random.default_rng(0).beta(0.6, 1.5, size=(3, 40))
    result = ft.tests.difference_intervals(scores_of(x), full=True)
    assert result[["system_a", "system_b"]].iloc[2].tolist() == ["sys1", "sys2"]
    ends = scipy_stats.ttest_rel(x[1], x[2]).confidence_interval()
    assert result.loc[2, ["lower", "upper"]].tolist() == pytest.approx([*ends])
    options: dict[str, Any] = {"statistic": "median", "method": "percentile"}
    medians = ft.tests.difference_intervals(scores_of(x), baseline="sys0", **options)
    expected = [np.median(x[1] - x[0]), np.median(x[2] - x[0])]
    assert medians["median"].tolist() == pytest.approx(expected)
    assert (medians["lower"] <= medians["median"]).all()
    with pytest.raises(
        ft.errors.DataError, match=r"^difference_intervals: .* a single system, 'sys0'"
    ):
        ft.tests.difference_intervals(scores_of(x[:1]))
    with pytest.raises(ft.errors.DataError, match=r"^compare: .* a single system"):
        ft.compare(scores_of(x[:1]))
    both = ft.tests.difference_intervals(scores_of(SUBJECTS), over=BOTH, full=True)
    assert both["method"].unique().tolist() == ["generalised pivotal, queries × subjects"]


def test_clusters_and_subjects() -> None:
    """Clusters of one query are queries, moderated or not; larger ones are less certain."""
    rng = np.random.default_rng(8)
    shift = rng.normal(0, 0.3, (4, 1, 12)).repeat(2, axis=-1) + rng.normal(0, 0.2, (4, 5, 1))
    scores = scores_of(shift + rng.normal(0, 0.3, (4, 5, 24)))
    each, pairs = ({f"q{q}": f"t{q // size}" for q in range(24)} for size in (1, 2))
    plain = ft.compare(scores, over=BOTH)
    one = ft.compare(scores, over=BOTH, clusters=each)
    columns = ["difference", "lower", "upper", "std_error", "p", "p_adjusted", "min_detectable"]
    np.testing.assert_allclose(one.table[columns], plain.table[columns], rtol=1e-12, atol=1e-12)
    two = ft.compare(scores, over=BOTH, clusters=pairs)
    np.testing.assert_allclose(two.table["difference"], plain.table["difference"])
    assert (two.table["std_error"] > plain.table["std_error"]).mean() > 0.5
    assert two.conditions.random == "clusters of queries and subjects"
    assert two.conditions.units() == "24 queries in 12 clusters and 5 subjects"
    summary = scores.summary(over=BOTH, clusters=pairs, full=True)
    assert set(summary["method"]) == {"generalised pivotal, clusters × subjects"}
    beside = ft.compare(scores, clusters=pairs, n_resamples=99).beside
    axes = ["clusters of queries", "subjects", "clusters of queries and subjects"]
    assert beside["over"].unique().tolist() == axes
    pd.testing.assert_series_equal(
        beside.loc[beside["over"] == axes[2], "p_adjusted"].reset_index(drop=True),
        two.table["p_adjusted"],
    )
    values = rng.normal(size=(2, 5, 24))
    values[:, rng.random((5, 24)) < 0.2] = np.nan
    (row,) = ft.compare(scores_of(values), over=BOTH, clusters=pairs).table.itertuples()
    same = ft.tests.equivalence(
        scores_of(values), "sys0", "sys1", margin=0.1, over=BOTH, clusters=pairs, level=0.975
    )
    assert (same.lower, same.upper) == pytest.approx((row.lower, row.upper))

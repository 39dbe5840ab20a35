"""Means with intervals, beside SciPy's, brute loops and by hand."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from support.query_groups import jackknife, mean_of_strata
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.clusters import drawn_units
from fuzzytruth.errors import ClusterWarning, DegenerateWarning
from fuzzytruth.evaluation.scores.summary import check_strata, observations_of, query_groups
from fuzzytruth.stats.observations import all_pairs, each_system
from fuzzytruth.stats.settings import Resampling

X = np.random.default_rng(0).beta(0.6, 1.5, size=(3, 40))


def test_t_interval_is_scipys() -> None:
    result = scores_of(X).summary(level=0.9, full=True)
    for row, x in zip(result.itertuples(), X, strict=True):
        expected = scipy_stats.ttest_1samp(x, 0).confidence_interval(0.9)
        assert (row.mean, row.df) == (pytest.approx(x.mean()), 39)
        assert (row.lower, row.upper) == pytest.approx(tuple(expected))
        assert row.std_error == pytest.approx(scipy_stats.sem(x))


def crossed(queries: int = 12, subjects: int = 4, missing: float = 0.0) -> np.ndarray:
    """Three systems: (systems, subjects, queries)."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=(3, 1, queries)) + rng.normal(size=(3, subjects, 1))
    y = y + rng.normal(size=(3, subjects, queries)) * 0.5
    y[:, rng.random((subjects, queries)) < missing] = np.nan
    return y


def test_over_both_is_the_crossed_formula() -> None:
    y = crossed()
    result = scores_of(y).summary(over=("subject", "query"), full=True)
    s, q = 4, 12
    for row, table in zip(result.itertuples(), y, strict=True):
        m = table.mean()
        ms_q = s * ((table.mean(axis=0) - m) ** 2).sum() / (q - 1)
        ms_s = q * ((table.mean(axis=1) - m) ** 2).sum() / (s - 1)
        rest = table - table.mean(axis=0) - table.mean(axis=1)[:, None] + m
        ms_e = (rest**2).sum() / ((q - 1) * (s - 1))
        v = (max(ms_q, ms_e) + max(ms_s, ms_e) - ms_e) / (q * s)
        df = (q * s * v) ** 2 / (ms_q**2 / (q - 1) + ms_s**2 / (s - 1))
        rng = np.random.default_rng(0)
        theta = [
            m_square * d / rng.chisquare(d, 200_000)
            for m_square, d in ((ms_q, q - 1), (ms_s, s - 1), (ms_e, (q - 1) * (s - 1)))
        ]
        drawn = np.maximum(theta[0], theta[2]) + np.maximum(theta[1], theta[2]) - theta[2]
        half = row.upper - row.mean
        p = 2 * scipy_stats.norm.sf(half / np.sqrt(drawn / (q * s)))
        assert p.mean() == pytest.approx(0.05, abs=4 * p.std() / np.sqrt(len(p)))
        assert (row.mean, row.df) == pytest.approx((m, df))
        assert (row.lower, row.upper) == pytest.approx((m - half, m + half))


def test_pigeonhole_by_a_loop() -> None:
    y = crossed(missing=0.2)
    result = scores_of(y).summary(
        over=("query", "subject"), method="pigeonhole", n_resamples=300, full=True
    )
    seed = np.random.SeedSequence(Resampling(300).entropy, spawn_key=(2, 0))
    first, second = seed.spawn(2)
    q_units, s_units = drawn_units(first, 300, 12), drawn_units(second, 300, 4)
    means = []
    for queries, subjects in zip(q_units, s_units, strict=True):
        table = y[0][subjects][:, queries]
        per_query = [np.nanmean(c) for c in table.T if not np.isnan(c).all()]
        means.append(np.mean(per_query))
    assert result["std_error"][0] == pytest.approx(np.std(means) * np.sqrt(4 / 3))


LINEAR = ["P@2", "RBP", "DCG@3", "CG@4", "NumRelRet@3"]


@pytest.mark.parametrize(("n_queries", "n_subjects"), [(7, 2), (2, 3)])
def test_over_queries_and_worlds_is_over_queries_and_subjects(
    n_queries: int, n_subjects: int
) -> None:
    """Of measures that are linear in the votes, where all resamples are enumerated."""
    rng = np.random.default_rng([n_queries, n_subjects])
    shape = (n_queries, 6, n_subjects)
    query, item, subject = (axis.ravel() for axis in np.indices(shape))
    votes = ft.Judgments.from_columns(
        query, item, rng.integers(0, 3, query.size).astype(float), subject=subject
    )
    runs = {
        name: {str(q): {str(d): float(rng.random()) for d in range(6)} for q in range(n_queries)}
        for name in "abc"
    }
    population = ft.evaluate(votes, runs, LINEAR, worlds="population", rng=0)
    subjects = ft.evaluate(votes, runs, LINEAR, worlds="subject")
    assert not population.uncertainty.drawn
    columns = ["mean", "std_error", "df", "lower", "upper"]
    # SciPy 1.15 inverts the t distribution to 12 digits, and limits near 0 have fewer
    one = population.summary(over=("query", "world"), full=True)[columns]
    two = subjects.summary(over=("query", "subject"), full=True)[columns]
    pd.testing.assert_frame_equal(one, two, rtol=1e-10, atol=1e-12)
    columns[0] = "difference"
    one = ft.compare(population, over=("query", "world")).to_frame(full=True)[columns]
    two = ft.compare(subjects, over=("query", "subject")).to_frame(full=True)[columns]
    pd.testing.assert_frame_equal(one, two, rtol=1e-10, atol=1e-12)


def ragged(seed: int, design: str) -> ft.Scores:
    """Three systems on a random table with missing cells, some values missing by themselves."""
    rng = np.random.default_rng(seed)
    queries, subjects = rng.integers(3, 9, 2)
    exists = rng.random((queries, subjects)) < rng.uniform(0.3, 1.0)
    values = rng.normal(size=(3, subjects, queries))
    values[:, ~exists.T] = np.nan
    values[0, rng.random((subjects, queries)) < rng.choice([0.0, 0.2])] = np.nan
    return scores_of(values, design=design)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("design", ["crossed", "nested"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=12)
def test_ragged_tables_by_a_loop(design: str, seed: int) -> None:
    scores = ragged(seed, design)
    frame = scores.to_frame().dropna()
    query = frame.groupby(["system", "query"])["value"].mean()
    result = scores.summary(full=True).set_index("system")
    for system, values in query.groupby("system"):
        row = result.loc[system]
        assert row["mean"] == pytest.approx(values.mean(), abs=1e-12)
        assert row["n_queries"] == len(values)
        if len(values) > 1:
            assert row["std_error"] == pytest.approx(scipy_stats.sem(values), abs=1e-12)
    if design == "nested":
        within = frame.groupby(["system", "query"])["value"]
        variance = (
            (within.var() / within.size()).groupby("system").agg(lambda v: v.sum(skipna=False))
        )
        strata = scores.summary(over="subject", full=True).set_index("system")["std_error"]
        expected = np.sqrt(variance) / query.groupby("system").size()
        expected = expected.reindex(strata.index)
        np.testing.assert_allclose(strata[expected.notna()], expected.dropna(), atol=1e-12)


CODE = np.repeat(np.arange(11), np.arange(11) % 4 + 1)


def check_t(table: pd.DataFrame, expected: list[tuple[float, float, float]]) -> None:
    for row, (mean, error, df) in zip(table.itertuples(), expected, strict=True):
        half = scipy_stats.t.ppf(0.975, df) * error
        found = (row.mean, row.std_error, row.df, row.lower, row.upper)
        assert found == pytest.approx((mean, error, df, mean - half, mean + half), rel=1e-12)


def test_means_over_strata_are_macro_means() -> None:
    table = GROUPED.summary(strata="kind", full=True)
    kind = np.array(GROUPED.query_attributes["kind"])
    check_t(table, [mean_of_strata(values, kind) for values in GROUPED.values[:, 0]])
    groups = dict(zip(GROUPED.queries, kind, strict=True))
    np.testing.assert_allclose(table["mean"], GROUPED.mean(groups=groups)["m"], rtol=1e-14)
    pd.testing.assert_frame_equal(GROUPED.summary(strata=groups, full=True), table)


GROUPED_VALUES = np.random.default_rng(8).beta(0.6, 1.5, (3, len(CODE)))


GROUPED_VALUES[1, 3:9] = np.nan


GROUPED = scores_of(
    GROUPED_VALUES,
    query_attributes={"topic": tuple(f"t{code}" for code in CODE), "kind": tuple("ab" * 13)},
)


def test_means_over_clusters() -> None:
    table = GROUPED.summary(clusters="topic", full=True)
    check_t(table, [jackknife(values, CODE) for values in GROUPED.values[:, 0]])
    assert (table["mean"] == GROUPED.mean()["m"].to_numpy()).all()
    assert set(table["method"]) == {"t over clusters of queries"}
    drawn = GROUPED.summary(clusters="topic", method="percentile", n_resamples=4000, full=True)
    assert drawn["std_error"].to_numpy() == pytest.approx(table["std_error"], rel=0.2)


def test_degenerate_data() -> None:
    flat = scores_of(np.full((2, 6), 0.3))
    for method in ("t", "percentile", "basic", "bca", "studentized"):
        table = flat.summary(method=method, full=True)
        np.testing.assert_allclose(table[["mean", "lower", "upper"]], 0.3)
        assert table["std_error"].tolist() == [0.0, 0.0]
    for method in ("t", "bca"):
        with pytest.warns(DegenerateWarning, match="2 standard errors over queries"):
            table = scores_of([[0.3], [0.4]]).summary(method=method, full=True)
        assert table["mean"].tolist() == [0.3, 0.4]
        assert np.isneginf(table["lower"]).all()
        assert table["std_error"].isna().all()
    with pytest.warns(DegenerateWarning, match="queries and subjects"):
        table = scores_of(crossed(subjects=1)).summary(over=("query", "subject"), full=True)
    assert np.isposinf(table["upper"]).all()
    table = scores_of(np.full((2, 3, 6), 0.3)).summary(over=("query", "subject"), full=True)
    np.testing.assert_allclose(table[["lower", "upper"]], 0.3)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize(("sizes", "df"), [([2] * 5, 1), ([6] * 3, 5), ([4, 3, 6], 2)])
def test_population_intervals_have_one_degree_less_than_subjects(sizes: list[int], df: int) -> None:
    """Queries that differ in their number of subjects have subjects of their own."""
    design = "crossed" if len(set(sizes)) == 1 else "nested"
    rng = np.random.default_rng(0)
    rows = [
        (f"q{q}", f"d{j}", f"s{s}", int(rng.integers(0, 2)))
        for q, size in enumerate(sizes)
        for j in range(4)
        for s in range(size)
    ]
    truth = ft.Judgments.from_columns(
        *zip(*((q, d, g) for q, d, _, g in rows), strict=True),
        subject=[s for _, _, s, _ in rows],
        design=design,
    )
    run = {f"q{q}": {"d0": 1.0, "d1": 0.5, "d3": 0.2} for q in range(len(sizes))}
    scores = ft.evaluate(truth, {"a": run}, ["P@2"], worlds="population", n_worlds=300, rng=0)
    world, query = (scores.summary(over=over, full=True).iloc[0] for over in ("world", "query"))
    if design == "crossed":
        spread = scores.mean_distribution("a", "P@2").std() * np.sqrt((df + 1) / df)
        assert world["std_error"] == pytest.approx(spread)
    assert world["df"] == pytest.approx(df, rel=1e-12)
    half = scipy_stats.t.ppf(0.975, df) * world["std_error"]
    ends = max(world["mean"] - half, 0), min(world["mean"] + half, 1)
    assert (world["lower"], world["upper"]) == pytest.approx(ends, rel=1e-12)
    both = scores.summary(over=("query", "world"), full=True).iloc[0]
    if design == "nested":  # subjects come with their queries
        pd.testing.assert_series_equal(both, query)
        return
    parts = query["std_error"] ** 4 / (len(sizes) - 1) + world["std_error"] ** 4 / df
    assert both["df"] == pytest.approx(both["std_error"] ** 4 / parts, rel=1e-12)
    assert both["std_error"] > max(query["std_error"], world["std_error"])
    assert both["std_error"] < np.hypot(query["std_error"], world["std_error"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": 0}, "level"),
        ({"level": 95}, "level"),
        ({"level": "x"}, "level"),
        ({"n_resamples": 0}, "n_resamples"),
        ({"clusters": "topic", "method": "bca"}, "method='bca': over clusters of queries, use"),
        ({"clusters": "topic", "statistic": "median"}, "over clusters or strata only the mean"),
        ({"strata": "topic"}, "stratum 't0' is a stratum of one"),
        ({"statistic": "mode"}, "'mode'"),
        ({"statistic": lambda values, axis: values}, "must reduce"),
    ],
)
def test_refused_options(options, words: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=words):
        GROUPED.summary(**options, full=True)
    with pytest.raises(ft.errors.OptionError, match="one at a time"):
        scores_of(crossed()).summary(over=("query", "subject"), method="bca", full=True)


TABLE = np.random.default_rng(0).normal(size=(3, 6))


TOPICS = ("x", "y", "x", None, "y", "q3")


SCORES = scores_of(TABLE, query_attributes={"topic": TOPICS, "kind": ("k", "l") * 3})


def grouped(clusters: Any = None, strata: Any = None, scores: ft.Scores = SCORES) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClusterWarning)
        return query_groups(scores, clusters, strata)


@pytest.mark.parametrize(
    ("clusters", "strata", "words"),
    [
        ("topic", "kind", "clusters, strata: give one of the two; there are two levels at most"),
        (
            "topics",
            None,
            r"clusters='topics': is no attribute .*'topic', 'kind'\); name a column",
        ),
        (None, "year", "strata='year': .* to Scores.from_frame"),
        ({"q11": "x", "q1": "x"}, None, r"clusters: 'q11' is no query .*\(nearest: 'q1'"),
        (None, {"a": 1, "b": 2}, "strata: 'a', 'b' are no queries of these scores$"),
        (None, {"q1": "x"}, "strata: 5 queries have no stratum, the first is 'q0'"),
        (None, "topic", "strata: 1 query has no stratum, the first is 'q3'"),
        (["x"], None, r"clusters=\['x'\]: must be {query: cluster}, or the name of an attribute"),
        (None, 3, "strata=3: must be {query: stratum}, or the name"),
    ],
)
def test_groups_that_are_refused(clusters: Any, strata: Any, words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        query_groups(SCORES, clusters, strata)


def test_queries_alone_are_random() -> None:
    """Alone, or clusters of them together with subjects."""
    scores = scores_of(TABLE[:, None] * [[1], [2]], query_attributes={"kind": ("k", "l") * 3})
    for over in (("subject",), ("query", "world")):
        words = r"clusters: group queries, and here .* over='query' or over=\('query', 'subject'\)"
        with pytest.raises(ft.errors.OptionError, match=words):
            query_groups(scores, "kind", None, over)
    assert query_groups(scores, "kind", None, ("query", "subject")).n == 2
    words = "strata: group queries, and here queries and subjects are random: use over='query', or"
    with pytest.raises(ft.errors.OptionError, match=words):
        query_groups(scores, None, "kind", ("query", "subject"))
    nested = replace(scores, design="nested")
    assert query_groups(nested, "kind", None, ("query", "subject")).n == 2
    with pytest.raises(ft.errors.OptionError, match="here subjects are random"):
        query_groups(nested, "kind", None, ("subject",))


def test_a_stratum_of_one_is_named() -> None:
    pairs, systems = all_pairs(3), SCORES.systems
    check_strata(observations_of(SCORES, 0, grouped(strata="kind")), pairs, systems)
    check_strata(observations_of(SCORES, 0), pairs, systems)
    check_strata(observations_of(SCORES, 0, grouped("topic")), pairs, systems)
    alone = grouped(strata={f"q{q}": "one" if q == 5 else "rest" for q in range(6)})
    words = r"strata: stratum 'one' is a stratum of one \(values of 'sys0'\): nothing is known of"
    with pytest.raises(ft.errors.DataError, match=words):
        check_strata(observations_of(SCORES, 0, alone), each_system(3), systems)
    values = TABLE.copy()
    values[1, [1, 3]] = np.nan
    values[2, [1]] = np.nan
    scores = scores_of(values, query_attributes=SCORES.query_attributes)
    observed = observations_of(scores, 0, grouped(strata="kind", scores=scores))
    with pytest.raises(
        ft.errors.DataError, match=r"stratum 'l' .* \(values of 'sys0' minus 'sys1'\)"
    ):
        check_strata(observed, pairs, systems)
    values[1, 5] = np.nan  # without any value there, the stratum is left out of that pair
    scores = scores_of(values)
    check_strata(
        observations_of(scores, 0, grouped(strata={f"q{q}": q % 2 for q in range(6)})),
        pairs,
        systems,
    )

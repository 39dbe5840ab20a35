"""What runs of systems add to variances, against analyses of variance and published figures."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.optimize import brentq
from scipy.special import digamma, polygamma
from support.scores_of_runs import (
    drawn_variances,
    frame_of_runs,
    p_of,
    scores_of_runs,
    squares_of_runs,
    tables_of_runs,
)

import fuzzytruth as ft
from fuzzytruth.core.pivotal import scaled
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning
from fuzzytruth.stats.replicates import RunTables, run_table, run_tables


def tables_of(values: list[np.ndarray], fixed: list[bool] | None = None) -> RunTables:
    """Of (runs, queries, subjects) values of each system."""
    sizes = np.array([one.shape for one in values]).T
    squares = np.stack([run_table(one) for one in values], axis=1)
    return RunTables(*sizes, squares, np.array(fixed or [False] * len(values)))


def test_sums_of_squares() -> None:
    """They add up to the sum of squares within cells of queries and subjects."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=(4, 6, 3)) + rng.normal(size=(4, 1, 1)) + rng.normal(size=(4, 6, 1))
    squares = run_table(y)
    assert squares.sum() == pytest.approx(((y - y.mean(axis=0)) ** 2).sum())
    of_runs = y.mean(axis=(1, 2))
    assert squares[0] == pytest.approx(18 * ((of_runs - of_runs.mean()) ** 2).sum())
    by_query = y.mean(axis=2)
    rest = by_query - by_query.mean(axis=0) - by_query.mean(axis=1, keepdims=True) + by_query.mean()
    assert squares[1] == pytest.approx(3 * (rest**2).sum())
    assert tables_of([y]).df[:, 0].tolist() == [3, 15, 6, 30]


def test_estimates_are_unbiased() -> None:
    """Of the variance that runs add to a mean, where it is not cut at 0."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(40):
        y = [
            1.5 * rng.normal(size=(5, 1, 1))
            + 0.5 * rng.normal(size=(5, 1, 4))
            + rng.normal(size=(5, 20, 4))
            for _ in range(2)
        ]
        _, estimate, known, _ = tables_of(y).variances("separate")
        assert known.all()
        found.append(estimate.mean() / (5 * 20 * 4))
    error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) == pytest.approx(1.5**2 / 5, abs=3 * error)


def test_pooling() -> None:
    mean_squares = np.array([4.0, 6.0, 5.0, 9.0])
    counts = np.full(4, 4), np.full(4, 30), np.ones(4, np.int64)
    squares_of = np.stack([3 * mean_squares, 87 * np.ones(4), np.zeros(4), np.zeros(4)])
    tables = RunTables(*counts, squares_of, np.array([False, False, False, True]))
    squares, df, d0 = tables.shared("separate")
    assert d0 == 0
    np.testing.assert_array_equal(squares, tables.squares)
    pooled, pooled_df, _ = tables.shared("pooled")
    assert pooled[0].tolist() == pytest.approx([tables.squares[0, :3].sum()] * 4)
    assert pooled_df[0].tolist() == [9.0] * 4
    moderated, moderated_df, d0 = tables.shared("moderated")
    log = np.log(tables.squares[0, :3] / 3) - digamma(1.5) + np.log(1.5)
    assert log.var(ddof=1) < polygamma(1, 1.5)  # no more spread than chance: one variance
    assert d0 == 3
    mean = tables.squares[0, :3].sum() / 9
    assert moderated[0, :3] == pytest.approx(tables.squares[0, :3] + 3 * mean)
    assert moderated[0, 3] == tables.squares[0, 3]  # deterministic
    assert (moderated_df[0] - df[0]).tolist() == [3, 3, 3, 0]
    assert (moderated[1:] == tables.squares[1:]).all()
    assert (tables.per_run[3], tables.variances("moderated")[2][3]) == (0, True)


def test_one_run_is_unknown_unless_pooled() -> None:
    rng = np.random.default_rng(4)
    y = [rng.normal(size=(n, 20, 1)) for n in (3, 1, 4)]
    assert tables_of(y).variances("moderated")[2].tolist() == [True, False, True]
    assert tables_of(y).variances("pooled")[2].all()
    assert tables_of(y, [False, True, False]).variances("separate")[2].all()


def test_law_of_a_difference() -> None:
    """Of two systems with three runs each, by draws of all five χ²."""
    rng = np.random.default_rng(5)
    y = [
        rng.normal(size=(3, 1, 1)) * 0.3 + rng.normal(size=(1, 25, 1)) + rng.normal(size=(3, 25, 1))
        for _ in range(2)
    ]
    tables = tables_of(y)
    difference = (y[0].mean(axis=0) - y[1].mean(axis=0)).ravel()
    total = ((difference - difference.mean()) ** 2).sum()
    added = tables.variances("separate")[0]
    factor = np.array([1 / 75])
    first, second = (added.take(np.array([place])).times(factor) for place in (0, 1))
    law = scaled(np.array([total / 25]), 24.0).plus(first.plus(second), 256).mixtures()
    n = 400_000
    variance = total / rng.chisquare(24, n) / 25
    for runs, rest in tables.squares[:2].T:
        gap = runs / rng.chisquare(2, n) - rest / rng.chisquare(48, n)
        variance += np.maximum(gap, 0) / 75
    for size in (0.3, 1.0):
        expected = 2 * stats.norm.sf(size / np.sqrt(variance)).mean()
        assert law.two_sided(np.array([size]))[0] == pytest.approx(expected, rel=0.015)


# Comparisons, by draws of the variance in independent code.


def p_by_draws(
    tables: dict[str, np.ndarray], a: str, b: str, fixed: tuple[str, ...] = (), *, people: bool
) -> float:
    """Of two systems, each with its own variance."""
    rng = np.random.default_rng(9)
    means = [tables[name].mean(axis=0) for name in (a, b)]
    difference = means[0] - means[1]
    if not people and difference.ndim == 2:
        difference = difference.mean(axis=1)
    systems = []
    for name in (a, b):
        y = tables[name] if tables[name].ndim == 3 else tables[name][..., None]
        y = y if people else y.mean(axis=2, keepdims=True)
        if name not in fixed:
            systems.append((*squares_of_runs(y), 1 / y.size))
    return p_of(float(difference.mean()), drawn_variances(difference, systems, rng))


@pytest.mark.parametrize(
    ("sizes", "n_queries", "of_runs"),
    [((2, 2), 10, 0.3), ((3, 3), 25, 0.3), ((5, 5), 50, 1.0), ((10, 2), 25, 0.0), ((3, 4), 2, 0.2)],
)
def test_p_over_queries_and_runs(sizes: tuple[int, int], n_queries: int, of_runs: float) -> None:
    tables = tables_of_runs(dict(zip("ab", sizes, strict=True)), n_queries, of_runs=of_runs)
    row = ft.compare(scores_of_runs(tables)).table.iloc[0]
    assert row["difference"] == pytest.approx(tables["a"].mean() - tables["b"].mean())
    assert row["p"] == pytest.approx(p_by_draws(tables, "a", "b", people=False), rel=0.02)


def test_published_p() -> None:
    """Those that `factors.md` gives of its prototype, which drew these tables."""
    rng = np.random.default_rng(3)
    published = {(2, 10, 0.3): 0.71797, (3, 25, 0.3): 0.03219, (5, 50, 1.0): 0.47239}
    for (n_runs, n_queries, of_runs), p in published.items():
        tables = {}
        for name in "ab":
            y = rng.standard_normal(n_queries) * 0.7 + of_runs * rng.standard_normal((n_runs, 1))
            tables[name] = y + 0.3 * rng.standard_normal((n_runs, n_queries))
        squares = [squares_of_runs(y[..., None]) for y in tables.values()]
        n = 400_000  # which the prototype drew as well
        rng.chisquare(n_queries - 1, n)
        for _, df in squares:
            rng.chisquare(df[0], n), rng.chisquare(df[1], n)
        found = ft.compare(scores_of_runs(tables)).table["p"].iloc[0]
        assert found == pytest.approx(p, rel=3e-3)


def test_p_beside_a_deterministic_system() -> None:
    tables = tables_of_runs({"a": 4, "bm25": 1}, 15)
    scores = scores_of_runs(tables, deterministic="bm25")
    row = ft.compare(scores, baseline="bm25").table.iloc[0]
    expected = p_by_draws(tables, "a", "bm25", ("bm25",), people=False)
    assert row["p"] == pytest.approx(expected, rel=0.02)
    same = {"a": tables["a"], "bm25": np.repeat(tables["bm25"], 3, axis=0)}
    with pytest.warns(DegenerateWarning, match="the 3 runs of bm25 have the same scores"):
        again = ft.compare(scores_of_runs(same), baseline="bm25").table.iloc[0]
    assert again["p"] == pytest.approx(row["p"], rel=1e-12)


@pytest.mark.parametrize("sizes", [(2, 3), (5, 5)])
def test_p_over_queries_subjects_and_runs(sizes: tuple[int, int]) -> None:
    tables = tables_of_runs(dict(zip("ab", sizes, strict=True)), 12, n_subjects=4)
    scores = scores_of_runs(tables)
    found = ft.compare(scores, over=("query", "subject", "replicate")).table["p"].iloc[0]
    assert found == pytest.approx(p_by_draws(tables, "a", "b", people=True), rel=0.03)
    without = ft.compare(scores).table["p"].iloc[0]
    assert without == pytest.approx(p_by_draws(tables, "a", "b", people=False), rel=0.02)


def test_one_system_is_a_table_of_queries_and_runs() -> None:
    """Runs are to its queries what subjects are to those of a system with one run."""
    y = tables_of_runs({"a": 3, "b": 4}, 15)
    for name, table in y.items():
        rows = [(f"q{q}", f"r{r}", value) for (r, q), value in np.ndenumerate(table)]
        plain = pd.DataFrame(rows, columns=["query", "subject", "value"]).assign(system=name)
        crossed = ft.Scores.from_frame(plain).summary(over=("query", "subject"))
        # a third system's variance is not borrowed here
        found = scores_of_runs(y).select(systems=name).summary()
        for end in ("mean", "lower", "upper"):
            assert found[end].iloc[0] == pytest.approx(crossed[end].iloc[0], abs=5e-3)


def test_runs_alone_are_welch() -> None:
    tables = tables_of_runs({"a": 4, "b": 3, "c": 6})
    for variance in ("separate", "moderated"):
        found = ft.compare(scores_of_runs(tables), over="replicate", replicate_variance=variance)
        for row in found.table.itertuples():
            a, b = (tables[name].mean(axis=1) for name in (row.system_a, row.system_b))
            welch = stats.ttest_ind(a, b, equal_var=False)
            assert (row.difference, row.p) == pytest.approx(
                (a.mean() - b.mean(), welch.pvalue), rel=1e-9
            )
            assert row.df == pytest.approx(welch.df)


def test_runs_alone_pooled_are_student() -> None:
    """Both systems have one variance, whose degrees of freedom count once."""
    tables = tables_of_runs({"a": 4, "b": 3})
    found = ft.compare(scores_of_runs(tables), over="replicate", replicate_variance="pooled").table
    student = stats.ttest_ind(*(y.mean(axis=1) for y in tables.values()))
    assert found["p"].iloc[0] == pytest.approx(student.pvalue)
    assert found["df"].iloc[0] == 5
    fixed = scores_of_runs(tables_of_runs({"a": 4, "b": 1}), deterministic="b")
    one = ft.compare(fixed, over="replicate", replicate_variance="pooled").table
    means = tables_of_runs({"a": 4, "b": 1})
    alone = stats.ttest_1samp(means["a"].mean(axis=1), means["b"].mean())
    assert one["p"].iloc[0] == pytest.approx(alone.pvalue)


@pytest.mark.parametrize(("n_systems", "n_subjects"), [(2, 0), (10, 0), (3, 3)])
def test_pooled_over_queries_and_runs_is_student(n_systems: int, n_subjects: int) -> None:
    """Where runs are all that varies, the law is t on the degrees of freedom of all systems."""
    rng = np.random.default_rng(6)
    shape = (3, 20, n_subjects) if n_subjects else (3, 20)
    tables = {
        f"s{k}": rng.normal(size=(3, *(1,) * (len(shape) - 1))) + 1e-4 * rng.normal(size=shape)
        for k in range(n_systems)
    }
    over: Any = ("query", "subject", "replicate") if n_subjects else ("query", "replicate")
    scores = scores_of_runs(tables)
    table = ft.compare(scores, over=over, replicate_variance="pooled").table
    of_runs = np.array([y.reshape(3, -1).mean(axis=1) for y in tables.values()])
    error = np.sqrt(2 / 3 * of_runs.var(axis=1, ddof=1).mean())
    t = stats.t.ppf(1 - 0.025 / len(table), 2 * n_systems)
    np.testing.assert_allclose(table["upper"] - table["difference"], t * error, rtol=2e-3)


def moderated(squares: np.ndarray, df: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of squares and degrees of freedom of runs with Smyth's prior, capped."""
    log = np.log(squares / df) - digamma(df / 2) + np.log(df / 2)
    excess = log.var(ddof=1) - polygamma(1, df / 2).mean()
    if excess <= 0:
        d0, mean = np.inf, squares.sum() / df.sum()
    else:
        d0 = 2 * brentq(lambda y: polygamma(1, y) - excess, 1e-3, 1e6)
        mean = np.exp(log.mean() + digamma(d0 / 2) - np.log(d0 / 2))
    own = np.minimum(d0, df)
    return squares + own * mean, df + own


@pytest.mark.parametrize(("variance", "seed"), [("moderated", 0), ("moderated", 3), ("pooled", 0)])
def test_variance_of_several_systems(variance: str, seed: int) -> None:
    sizes = {"a": 3, "b": 2, "c": 4, "d": 5}
    tables = tables_of_runs(sizes, seed=seed)
    if seed:
        tables["d"] = tables["d"] * np.array([1, 9, -7, 3, -4])[:, None] / 5  # is unstable
    of_system = {name: squares_of_runs(y[..., None]) for name, y in tables.items()}
    squares, df = (np.array([one[k] for one in of_system.values()]) for k in (0, 1))
    if variance == "pooled":
        squares[:], df[:] = squares.sum(axis=0), df.sum(axis=0)
    else:
        several = df[:, 0] > 1  # two runs borrow nothing
        squares[several, 0], df[several, 0] = moderated(squares[several, 0], df[several, 0])
    scores = scores_of_runs(tables)
    found = ft.compare(scores, replicate_variance=variance).table.set_index(
        ["system_a", "system_b"]
    )
    rng = np.random.default_rng(8)
    for a, b in (("a", "b"), ("b", "d"), ("c", "d")):
        difference = tables[a].mean(axis=0) - tables[b].mean(axis=0)
        sides = [list(sizes).index(name) for name in (a, b)]
        parts = [(squares[k], df[k], 1 / (20 * list(sizes.values())[k])) for k in sides]
        if variance == "pooled":  # one variance, not two that are independent
            parts = [(*parts[0][:2], sum(factor for *_, factor in parts))]
        expected = p_of(float(difference.mean()), drawn_variances(difference, parts, rng))
        assert found.loc[(a, b), "p"] == pytest.approx(expected, rel=0.03)
    given = ft.compare(scores, replicate_variance=variance)
    assert ("Assumed: " in str(given)) == bool((given.table["prior_df_of_runs"] > 0).any()) or (
        variance == "pooled"
    )


def test_queries_that_a_run_lacks() -> None:
    """They leave the table of this system alone, and pairs are compared on what both have."""
    tables = tables_of_runs({"a": 3, "b": 4})
    holes = {name: y.copy() for name, y in tables.items()}
    holes["a"][1, 3] = holes["a"][2, 5] = np.nan
    with pytest.warns(MissingCellWarning, match="2 values are missing in some runs of a system"):
        scores = scores_of_runs(holes)
    kept = [q for q in range(20) if q not in (3, 5)]
    assert scores.mean()["value"].to_list() == pytest.approx(
        [tables["a"][:, kept].mean(), tables["b"].mean()]
    )
    with pytest.warns(MissingCellWarning):
        row = ft.compare(scores).table.iloc[0]
    rng = np.random.default_rng(2)
    difference = (tables["a"].mean(axis=0) - tables["b"].mean(axis=0))[kept]
    parts = [
        (*squares_of_runs(tables["a"][:, kept, None]), 1 / (3 * 18)),
        (*squares_of_runs(tables["b"][..., None]), 1 / (4 * 20)),
    ]
    expected = p_of(float(difference.mean()), drawn_variances(difference, parts, rng))
    assert row["p"] == pytest.approx(expected, rel=0.02)


def test_cells_that_are_missing() -> None:
    """Runs of such a system count as if they had no interactions, in the units of the others."""
    tables = tables_of_runs({"a": 3, "b": 3, "c": 3}, 15, of_runs=1.0, n_subjects=3)
    complete = run_tables_of(tables)
    tables["a"][:, 4, 1] = np.nan
    holes = run_tables_of(tables)
    assert (holes.n_queries.tolist(), holes.n_subjects.tolist()) == ([15] * 3, [3] * 3)
    np.testing.assert_array_equal(holes.squares[:, 1:], complete.squares[:, 1:])
    assert holes.squares[0, 0] == pytest.approx(complete.squares[0, 0], rel=0.2)
    assert holes.squares[1:, 0].tolist() == pytest.approx([0, 0, 0], abs=1e-20)
    wider, narrower = (one.variances("moderated")[1][0] for one in (holes, complete))
    assert narrower < wider < 2 * narrower


def test_runs_are_compared_on_their_common_cells() -> None:
    """Two subjects of a query who differ much: a run that one lacks does not differ from others."""
    y = np.zeros((3, 6, 2)) + np.arange(6)[:, None] + np.array([0.0, 9.0])
    tables = {"a": y.copy(), "b": y + 1}
    tables["a"][1, 0, 0] = np.nan
    with pytest.warns(MissingCellWarning):
        scores = scores_of_runs(tables)
    with pytest.warns(DegenerateWarning), pytest.warns(MissingCellWarning):
        row = ft.compare(scores, over=("query", "replicate")).table.iloc[0]
    assert (row["difference"], row["std_error"]) == (-1, 0)


def run_tables_of(tables: dict[str, np.ndarray]) -> RunTables:
    scores = scores_of_runs(tables)
    assert scores.replicates is not None
    runs = scores.replicates.of_measure(0, scores.values[:, 0], family=True)
    return run_tables(runs, scores.cells, subjects=True)


@pytest.mark.parametrize("over", [("query", "replicate"), ("query", "subject", "replicate")])
def test_order_names_signs_and_units(over: tuple[str, ...]) -> None:
    n_subjects = 3 if "subject" in over else 0
    tables = tables_of_runs({"a": 3, "b": 2, "c": 4}, 12, n_subjects=n_subjects)
    frame = frame_of_runs(tables)
    options: dict[str, Any] = {"over": over, "correction": "none"}
    found = ft.compare(scores_of_runs(tables), **options).table
    rng = np.random.default_rng(0)
    names = {"a": "z", "b": "y", "c": "x"}
    mixed = frame.iloc[rng.permutation(len(frame))].replace({"system": names})
    scores = ft.Scores.from_frame(mixed, replicates="seed")
    again = ft.compare(scores.select(systems=list("zyx")), **options).table
    other = scores.select(systems=list("xyz"))
    turned = ft.compare(other, **options).table.iloc[[2, 1, 0]].reset_index(drop=True)
    big = ft.compare(
        ft.Scores.from_frame(frame.assign(value=1e120 * frame["value"]), replicates="seed"),
        **options,
    ).table
    for name in ("p", "difference", "lower", "upper"):
        assert again[name].to_list() == pytest.approx(found[name].to_list(), rel=1e-6)
        unit = 1 if name == "p" else 1e120
        assert (big[name] / unit).to_list() == pytest.approx(found[name].to_list(), rel=1e-6)
    assert turned["p"].to_list() == pytest.approx(found["p"].to_list(), rel=1e-6)
    assert turned["lower"].to_list() == pytest.approx((-found["upper"]).to_list(), rel=1e-6)


@pytest.mark.parametrize("over", ["replicate", ("query", "replicate")])
def test_intervals_agree_with_p(over: Any) -> None:
    scores = scores_of_runs(tables_of_runs({"a": 3, "b": 3, "c": 2, "d": 4}, of_runs=0.1))
    for level in (0.5, 0.8, 0.95, 0.99):
        table = ft.compare(scores, over=over, level=level).table
        excludes = (table["lower"] > 0) | (table["upper"] < 0)
        assert (excludes == (table["p_adjusted"] <= 1 - level)).all()
        assert (table["significant"] == excludes).all()
    assert table["significant"].any() or (table["p"] > 0.01 / 6).all()


def test_identical_runs_of_both_systems() -> None:
    y = np.tile(np.arange(5.0) / 10, (3, 1))
    with pytest.warns(DegenerateWarning):
        row = ft.compare(scores_of_runs({"a": y, "b": y[:2]})).table.iloc[0]
    assert (row["difference"], row["lower"], row["upper"], row["p"]) == (0, 0, 0, 1)
    vary = y + np.array([0.1, 0.2, 0.4])[:, None]  # differences of queries are all the same
    row = ft.compare(scores_of_runs({"a": vary, "b": vary[::-1] + 1})).table.iloc[0]
    assert row["variance_from_runs"] == pytest.approx(1)
    assert row["std_error"] == pytest.approx(np.sqrt(2 * np.var([0.1, 0.2, 0.4], ddof=1) / 3))


def test_no_value_of_a_system() -> None:
    """After a selection of queries of which one system has none."""
    tables = tables_of_runs({"a": 3, "b": 3, "c": 3})
    tables["a"][:, :2] = np.nan
    scores = scores_of_runs(tables).select(queries=["q0", "q1"])
    with (
        pytest.warns(DegenerateWarning, match="2 of 3 comparisons .* no value in common"),
        pytest.warns(MissingCellWarning),
    ):
        table = ft.compare(scores).table
    assert np.isnan(table["p"]).tolist() == [True, True, False]


def test_other_systems_steady_families_alone() -> None:
    """Single intervals rest on the runs of their own systems, whatever others the scores have."""
    tables = tables_of_runs({"a": 3, "b": 3, "c": 3, "d": 3})
    tables["a"] = tables["a"] + np.array([-2.0, 0.0, 2.0])[:, None]  # is unstable
    every, two = scores_of_runs(tables), scores_of_runs({name: tables[name] for name in "ab"})
    found = [ft.gate(one, "a", "b", margin=0.1).tests[-1] for one in (every, two)]
    assert found[0].bound == pytest.approx(found[1].bound)
    tests = [ft.tests.equivalence(one, "a", "b", margin=3) for one in (every, two)]
    assert tests[0].p == pytest.approx(tests[1].p)
    means = [one.summary().set_index("system").loc["a", "lower"] for one in (every, two)]
    assert means[0] == pytest.approx(means[1])
    unadjusted = ft.compare(every, correction="none")
    family = ft.compare(every)
    assert "moderated" not in unadjusted.conditions.procedure
    assert "moderated" in family.conditions.procedure
    alone = ft.compare(two).table["p"].iloc[0]
    assert unadjusted.table["p"].iloc[0] == pytest.approx(alone)
    assert family.table["p"].iloc[0] < alone

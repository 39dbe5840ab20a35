"""Systems with several runs in every verb: what is random, and what is said of other runs."""

import html
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.compared import ONE_RUN, RUNS, RUNS_AND_SUBJECTS, compared
from support.scores_of_runs import scores_of_runs, tables_of_runs
from support.texts import flat

import fuzzytruth as ft
from fuzzytruth.comparison.exhibits import methods
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning

PLAIN = RUNS.replicates.runs  # type: ignore[union-attr]
ALL = ("query", "subject", "replicate")


def test_queries_and_runs_are_random_by_default() -> None:
    default, named = ft.compare(RUNS), ft.compare(RUNS, over=("replicate", "query"))
    assert default.conditions.over == ("query", "replicate")
    assert default.table.equals(named.table)
    assert ft.compare(RUNS, over="query").conditions.over == ("query",)
    assert RUNS.summary().equals(RUNS.summary(over=("query", "replicate")))
    assert ft.compare(PLAIN).conditions.over == ("query",)


def test_these_runs_alone_are_the_means_over_runs() -> None:
    """As if the means over runs were the scores of systems with one run each."""
    frame = RUNS.to_frame()
    means = ft.compare(ft.Scores.from_frame(frame), n_resamples=199).table
    table = ft.compare(RUNS, over="query", n_resamples=199).table
    for name in ("difference", "lower", "upper", "p_adjusted"):
        np.testing.assert_allclose(table[name], means[name], rtol=1e-9)


def test_what_is_said_of_these_runs() -> None:
    said = [text for text in map(str, compared("runs").verdicts()) if "these runs differ" in text]
    alone = compared("runs").beside
    assert alone is not None
    rows = alone[(alone["over"] == "queries") & alone["significant"]]
    assert len(said) == len(rows) - compared("runs").table["significant"].sum() == 1
    assert all("which says nothing of other runs" in text for text in said)
    over_queries = str(compared("runs, over queries"))
    assert "also significant over queries and runs" in flat(over_queries)
    assert "runs are fixed, others may differ" in flat(over_queries)


def test_beside() -> None:
    beside = ft.compare(RUNS).beside
    assert beside is not None
    assert list(dict.fromkeys(beside["over"])) == ["queries", "runs", "queries and runs"]
    beside = ft.compare(RUNS_AND_SUBJECTS).beside
    assert beside is not None
    assert list(dict.fromkeys(beside["over"])) == [
        *("queries", "subjects", "queries and subjects", "runs", "queries and runs"),
        "queries, subjects and runs",
    ]
    for (over,), rows in beside.groupby(["over"]):
        axes = {"queries": "query", "subjects": "subject", "runs": "replicate"}
        named = tuple(axes[word] for word in over.replace(" and ", ", ").split(", "))
        table = ft.compare(RUNS_AND_SUBJECTS, over=named, correction="bonferroni").table
        assert rows["p"].to_list() == pytest.approx(table["p"].to_list())


def test_shares_of_variance() -> None:
    row = ft.compare(RUNS.select(systems=["a", "b"])).table.iloc[0]
    queries = ft.compare(RUNS.select(systems=["a", "b"]), over="query").table.iloc[0]
    total = row["std_error"] ** 2
    assert row["variance_from_runs"] == pytest.approx(1 - queries["std_error"] ** 2 / total)
    words = "50 % of the variance of a typical difference comes from runs, as far as 3 runs"
    assert words in flat(compared("runs"))


def test_assumptions_are_said() -> None:
    moderated = "systems vary over their runs to a similar extent"
    assert moderated in flat(compared("runs"))
    assert moderated in flat(compared("runs").assumptions)
    assert "(Weerahandi, 1993; Smyth, 2004)" in " ".join(methods(compared("runs").conditions))
    for name in ("runs, one", "runs, over queries", "runs, alone", "runs, and subjects"):
        assert "Assumed: " not in str(compared(name))
    separate = ft.compare(RUNS, replicate_variance="separate")
    assert "moderated" not in f"{separate} {separate.assumptions}"
    assert "all systems vary equally over their runs (pooled)" in flat(compared("runs, pooled"))


def test_too_few_runs() -> None:
    """Said where most pairs cannot differ, with what helps."""
    tables = tables_of_runs(dict.fromkeys("abcd", 2), of_runs=0.5)
    few = scores_of_runs({name: 0.5 + y / 12 for name, y in tables.items()}, measure="P@3")
    few = few.with_replicates(variance="separate")
    words = "2 runs of a system cannot tell how much it varies: {}five runs or more"
    assert words.format("fewer comparisons (baseline=), ") in flat(ft.compare(few))
    assert words.format("") in flat(ft.compare(few, baseline="a"))
    pooled = ft.compare(few, replicate_variance="pooled")
    assert "cannot tell how much" not in flat(pooled)
    assert (pooled.table["upper"] < ft.compare(few).table["upper"]).all()


def test_one_run_tells_nothing_of_others() -> None:
    message = (
        r"bm25 has one run: .*with_replicates\(deterministic='bm25'\).*variance='pooled'.*"
        "over='query'"
    )
    for call in (
        lambda: ft.compare(ONE_RUN).table,
        lambda: ft.tests.difference_intervals(ONE_RUN, method="auto"),
    ):
        with warnings.catch_warnings(record=True, action="always") as given:
            row = call().iloc[0]
        assert re.search(message, str(given[0].message))
        assert (row["lower"], row["upper"]) == (-np.inf, np.inf)
    with pytest.warns(DegenerateWarning, match=message):
        assert ft.compare(ONE_RUN).table["p_adjusted"].to_list() == [1.0]
    with warnings.catch_warnings(action="ignore"):
        summary = ONE_RUN.summary()
    assert np.isinf(summary["upper"]).tolist() == [False, True]
    for options in ({"deterministic": "bm25"}, {"replicate_variance": "pooled"}, {"over": "query"}):
        assert np.isfinite(ft.compare(ONE_RUN, **options).table["upper"]).all()  # type: ignore[arg-type]


def test_only_pairs_that_are_tested_are_warned_of() -> None:
    scores = RUNS.with_replicates(deterministic=())
    options: Any = {"margin": 0.5}
    ft.tests.equivalence(scores, "a", "b", **options)
    ft.gate(scores, "a", "b", **options)
    for verb in (ft.tests.equivalence, ft.tests.non_inferiority, ft.gate):
        with pytest.warns(DegenerateWarning, match="bm25 has one run"):
            verb(scores, "a", "bm25", **options)


def test_runs_that_are_the_same() -> None:
    tables = tables_of_runs({"a": 3, "b": 3})
    tables["a"] = np.repeat(tables["a"][:1], 3, axis=0)
    scores = scores_of_runs(tables)
    with pytest.warns(DegenerateWarning, match="the 3 runs of a have the same scores.*one file"):
        table = ft.compare(scores).table
    declared = ft.compare(scores, deterministic="a").table  # no warning
    assert table["p"].to_list() == declared["p"].to_list()


# Tests with a margin.


def test_gate() -> None:
    gate = ft.gate(RUNS, "c", "a", margin=0.1)
    assert [test.over for test in gate.tests] == [("query",), ("query", "replicate")]
    assert [test.decides for test in gate.tests] == [False, True]
    text = flat(gate)
    assert "over 20 queries and 4 to 5 runs of a system (difference" in text
    assert "The tests over queries and runs decide." in text
    level = ft.tests.difference_intervals(RUNS, baseline="a", level=0.9)
    row = level[(level["system_a"] == "c")].iloc[0]
    assert gate.tests[1].bound == pytest.approx(row["lower"])
    alone = ft.gate(RUNS, "c", "a", margin=0.1, over="query")
    assert [test.over for test in alone.tests] == [("query",)]
    with_people = ft.gate(RUNS_AND_SUBJECTS, "b", "a", margin=0.5)
    assert [test.over for test in with_people.tests] == [("query",), ALL]
    assert "20 queries, 3 subjects and 5 to 6 runs of a system" in flat(with_people)


def test_gates_of_numbers_attempts_and_looks() -> None:
    number = ft.gate(RUNS, "c", 0.2, margin=0.1)
    assert "over 20 queries and 5 runs of c (" in flat(number)
    summary = RUNS.summary(level=0.9).set_index("system").loc["c"]
    assert number.tests[1].bound == pytest.approx(summary["lower"] - 0.2)
    more = ft.gate(RUNS, "c", "a", margin=0.1, attempts=4)
    assert more.tests[1].bound < ft.gate(RUNS, "c", "a", margin=0.1).tests[1].bound
    with pytest.raises(
        ft.errors.OptionError, match=r"looks=\[10, 20\].*here queries and runs are random"
    ):
        ft.gate(RUNS, "c", "a", margin=0.1, looks=[10, 20])
    looked = ft.gate(RUNS, "c", "a", margin=0.1, looks=[10, 20], over="query")
    assert looked.deciding[0].over == ("query",)
    fixed = scores_of_runs(tables_of_runs({"a": 3, "x": 1, "y": 1}), deterministic=["x", "y"])
    same = ft.gate(fixed, "y", "x", margin=0.1)
    assert same.tests[0].bound == pytest.approx(same.tests[1].bound, rel=1e-3)
    assert "1 run of each system (x, y: deterministic)" in flat(same)


def test_equivalence_and_non_inferiority() -> None:
    pair = RUNS.select(systems=["a", "c"])
    row = ft.tests.difference_intervals(pair, level=0.9).iloc[0]
    margin = abs(row["mean"]) + 3
    found = ft.tests.equivalence(pair, "a", "c", margin=margin)
    assert "over queries and runs" in flat(found)
    for name in ("lower", "upper"):
        assert getattr(found, name) == pytest.approx(row[name])
    assert (found.p <= 0.05) == (max(-row["lower"], row["upper"]) <= margin)
    one_sided = ft.tests.non_inferiority(pair, "a", "c", margin=margin)
    assert one_sided.lower == pytest.approx(row["lower"])
    alone = ft.tests.equivalence(pair, "a", "c", margin=margin, over="replicate")
    assert "over runs" in flat(alone)


def test_groups_of_queries_are_refused_with_runs() -> None:
    groups = {f"q{q}": f"t{q // 5}" for q in range(20)}
    kind: Any
    for kind in ("clusters", "strata"):
        with pytest.raises(
            ft.errors.OptionError, match=f"{kind}: group queries, and here queries and"
        ):
            ft.compare(RUNS, **{kind: groups})
        given = ft.compare(RUNS, over="query", n_resamples=99, **{kind: groups})
        assert given.beside is None
    for correction in ("max-t", "sign-flips"):
        with pytest.raises(ft.errors.OptionError, match="cannot be used over queries and runs"):
            ft.compare(RUNS, correction=correction)
    with pytest.raises(ft.errors.OptionError, match="percentile"):
        RUNS.summary(method="percentile")
    with pytest.raises(ft.errors.OptionError, match="over queries and runs"):
        RUNS.summary(statistic="median")


def test_ranks_of_resampled_runs() -> None:
    both = ft.rank_stability(RUNS, n_resamples=499)
    assert "over queries and runs (499 resamples)" in flat(both)
    runs = ft.rank_stability(RUNS, over="replicate", n_resamples=499)
    queries = ft.rank_stability(RUNS, over="query", n_resamples=499)
    one = {
        name: r.to_frame().set_index("system")
        for name, r in {"both": both, "runs": runs, "queries": queries}.items()
    }
    means = RUNS.mean()["value"]
    for table in one.values():
        np.testing.assert_allclose(table["mean"].reindex(means.index), means)
    known = RUNS.with_replicates(deterministic=RUNS.systems)
    with pytest.warns(DegenerateWarning, match="same difference everywhere"):
        fixed = ft.rank_stability(known, over="replicate", n_resamples=99)
    assert set(fixed.to_frame()["share_first"]) == {0.0, 1.0}
    people = ft.rank_stability(RUNS_AND_SUBJECTS, over=ALL, n_resamples=99)
    assert "over queries, subjects and runs" in flat(people)


def test_resampled_means() -> None:
    """Variances of means over resamples are those of runs drawn with replacement."""
    from fuzzytruth.evaluation.scores.summary import observations_of
    from fuzzytruth.stats.intervals import bootstrap_means
    from fuzzytruth.stats.settings import Resampling

    means, weight = bootstrap_means(
        observations_of(RUNS, 0), ("replicate",), Resampling(n_resamples=4000, rng=1)
    )
    assert means.shape == (4000, 4)
    assert weight.sum() == pytest.approx(1)
    for place, name in enumerate(RUNS.systems):
        of_runs = RUNS.mean(by="replicate").loc[name]["value"].to_numpy()
        expected = 0.0 if name == "bm25" else of_runs.var() / len(of_runs)
        assert means[:, place].var() == pytest.approx(expected, rel=0.1, abs=1e-20)


def test_subjects_alone_and_directions() -> None:
    result = compared("runs, and subjects")
    each = result.by_subject()
    first = ft.compare(RUNS_AND_SUBJECTS.select(subjects="s0"), over="query", n_resamples=199).table
    row = each.to_frame().iloc[0]
    assert row["difference"] == pytest.approx(first["difference"].iloc[0])
    assert len(result.directions()) == 1


def test_missing_values_in_verbs() -> None:
    tables = tables_of_runs({"a": 3, "b": 3, "c": 3})
    tables["b"][1, :4] = np.nan
    with pytest.warns(MissingCellWarning):
        scores = scores_of_runs(tables)
    with pytest.warns(MissingCellWarning, match="ranks are over the queries that all systems have"):
        ranks = ft.rank_stability(scores, n_resamples=99).to_frame().set_index("system")
    assert ranks.loc["a", "mean"] == pytest.approx(tables["a"][:, 4:].mean())
    with pytest.warns(MissingCellWarning, match="b: 4 values are missing where a has one"):
        gate = ft.gate(scores, "a", "b", margin=0.1)
    difference = (tables["a"] - tables["b"].mean(axis=0))[:, 4:].mean()
    assert gate.tests[1].difference == pytest.approx(difference)


# What is written.


def test_tables_and_report(tmp_path: Path) -> None:
    result = compared("runs")
    for text in (result.to_latex(), result.to_markdown(), RUNS.to_latex(), RUNS.to_markdown()):
        assert "3 to 5 runs of a system (bm25: deterministic)" in flat(text)
    page = result.report(tmp_path / "report.html").read_text(encoding="utf-8")
    page = html.unescape(re.sub(r"<[^>]+>", " ", page))
    for words in (
        "20 queries and 3 to 5 runs of a system (bm25: deterministic)",
        "these runs differ (over queries alone adjusted p = 0.00055), which says nothing of other",
        "to be the same for other runs of the systems on other queries of the same kind",
        "50 % of the variance of a typical difference comes from runs",
        "systems vary over their runs to a similar extent",
    ):
        assert words in flat(page), words


def test_tiers_and_ranks() -> None:
    tiers = compared("runs").tiers().set_index("system")
    assert tiers.loc["a", "rank_lower"] > 1
    assert tiers["rank_upper"].max() == 4


def test_variances_of_a_pilot() -> None:
    """Scores of systems with runs are those of their runs, each a replicate."""
    known = RUNS.replicates
    assert known is not None
    of = dict(zip(known.runs.systems, known.system_of, strict=True))
    found = ft.variance_components(RUNS)
    given = ft.variance_components(known.runs, replicate_of=of)
    assert found.to_frame().equals(given.to_frame())
    assert "replicate" in found.variances()
    plan = ft.plan(RUNS, half_width=2.0, replicates=[2, 5])
    expected = ft.plan(known.runs, half_width=2.0, replicates=[2, 5], replicate_of=of)
    assert plan.to_frame().equals(expected.to_frame())

"""Scores as labelled rows: printed, and as tables of papers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.drawn import title_of
from support.every_world import small
from support.kinds_of_scores import evaluated
from support.scores_for_tests import scores_of
from support.scores_of_runs import scores_of_runs, tables_of_runs
from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning
from fuzzytruth.evaluation.scores.score_rows import score_rows

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def by_subject(**changes: Any) -> ft.Scores:
    """Ann judged both queries, bob one."""
    truth = ft.Judgments.from_columns(
        [*"qqqqrr"],
        [*"ababab"],
        [1, 0, 0, 1, 1, 0],
        subject=["ann", "ann", "bob", "bob", "ann", "ann"],
    )
    runs = {"x": {"q": [*"ab"], "r": [*"ab"]}, "y": {"q": [*"ba"], "r": [*"ba"]}}
    return replace(ft.evaluate(truth, runs, ["RR", "P@1"], worlds="subject"), **changes)


def many() -> ft.Scores:
    runs = {f"sys{j:02}": {"q0": [*"abcd"[j % 4 :]], "q1": [*"dcba"]} for j in range(25)}
    truth = {"q0": {"b": 1}, "q1": {"a": 1}}
    return ft.evaluate(truth, runs, [f"P@{k}" for k in range(1, 10)])


def loss() -> ft.Scores:
    """Of which lower is better, with a missing value, and queries of a topic."""
    frame = pd.DataFrame(
        {"system": [*"aabb"], "query": [1, 2] * 2, "value": [1, np.nan, 30, 431.5]}
    )
    frame = frame.assign(topic="a_b")
    return ft.Scores.from_frame(frame, higher_is_better=False, measure="loss", clusters="topic")


def missing() -> ft.Scores:
    """Judgments that are missing count as not relevant."""
    votes = ft.Assignments.from_columns([*"sstt"], [*"xyxz"], ["cat"] * 4)
    runs = {name: {"x": ["y", "z"], "y": ["x", "z"]} for name in "ab"}
    options = {"worlds": "subject", "missing": "nonrelevant"}
    return ft.evaluate(votes.by_example(), runs, ["P@1"], **options)


def as_markdown(scores: ft.Scores, digits: int | None = None, **options: Any) -> str:
    rows = score_rows(scores, **options)
    return rows.to_markdown(caption=rows.caption(), digits=digits)


def as_latex(scores: ft.Scores, caption: str = "50% of a_b", **options: Any) -> str:
    return score_rows(scores, **options).to_latex(caption=caption, label="tab:x", digits=2)


FOUR = [[0.1, 0.4, 0.7, 0.9], [0.2, 0.4, 0.5, 0.7]]


GAPS = [[0.25, 0.75], [-0.5, 0.5], [np.nan, np.nan], [0.5, np.nan]]


OF_RUNS = tables_of_runs({"a": 3, "b": 2, "bm25": 1}, n_subjects=3)
PRINTED: dict[str, Callable[[], Any]] = {
    "means": lambda: scores_of(FOUR),
    "one query": lambda: scores_of([[0.25], [0.5]]),
    "loss": loss,
    "many": many,
    "missing": missing,
    **{
        kind: lambda kind=kind: evaluated(kind)
        for kind in ("subject", "pooled", "independent", "population", "bounds", "by example")
    },
    "markdown of gaps": lambda: as_markdown(scores_of(GAPS), 3),
    "markdown of loss": lambda: as_markdown(loss()),
    "markdown over worlds": lambda: as_markdown(evaluated("independent"), over="world"),
    "markdown over resamples": lambda: as_markdown(evaluated("population"), over="world"),
    "markdown over queries and subjects": lambda: as_markdown(
        by_subject(), over=("query", "subject")
    ),
    "markdown over subjects": lambda: as_markdown(by_subject(), over="subject"),
    "markdown of nested subjects": lambda: as_markdown(by_subject(design="nested")),
    "markdown of each query and subject": lambda: as_markdown(
        by_subject(), per_query=True, per_subject=True
    ),
    "markdown of bounds of each query": lambda: as_markdown(evaluated("bounds"), per_query=True),
    "markdown of bounds over queries": lambda: as_markdown(evaluated("bounds"), over="query"),
    "latex of gaps": lambda: as_latex(scores_of(GAPS)),
    "runs": lambda: scores_of_runs(OF_RUNS, deterministic="bm25"),
    "markdown of runs and subjects": lambda: as_markdown(
        scores_of_runs(OF_RUNS), over=("query", "subject", "replicate")
    ),
    "markdown of these runs": lambda: as_markdown(scores_of_runs(OF_RUNS), over="query"),
    "markdown of other runs": lambda: as_markdown(scores_of_runs(OF_RUNS), over="replicate"),
}


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")
@pytest.mark.parametrize("name", PRINTED)
def test_printed(name: str) -> None:
    made = PRINTED[name]()
    text = made._answer().text(80) if isinstance(made, ft.Scores) else made
    assert is_stored(f"scores-{name}", text)


def test_rows_of_subjects_and_queries() -> None:
    scores = by_subject()
    rows, expected = score_rows(scores, per_subject=True), scores.mean(by="subject")
    assert rows.names == ("system", "subject")
    assert (rows.lower, rows.upper, rows.brackets) == (None, None, "")
    assert list(rows.labels) == expected.index.tolist()
    assert np.array_equal(rows.values, expected.to_numpy())
    assert rows.best[:, 0].tolist() == [True, False, False, True]
    ann = rows.select("subject", "ann")
    assert (ann.names, ann.labels) == (("system",), (("x",), ("y",)))
    assert ann.best[:, 0].tolist() == [True, False]
    averaged = score_rows(scores, per_query=True)
    assert averaged.labels == (("x", "q"), ("x", "r"), ("y", "q"), ("y", "r"))
    assert averaged.values.tolist() == [[0.75, 0.5], [1, 1], [0.75, 0.5], [0.5, 0]]


def test_intervals_over_resampled_subjects_are_t_cut_where_values_end() -> None:
    for seed, n_subjects, level in ((1, 5, 0.9), (8, 2, 0.999)):
        votes, runs = small(seed, n_subjects=n_subjects)
        scores = ft.evaluate(votes, runs, ["P@3"], worlds="population", n_worlds=200, rng=0)
        rows = score_rows(scores, over="world", level=level)
        spread = scores.uncertainty
        mean = spread.weight @ spread.world_means[:, :, 0]
        variance = spread.weight @ (spread.world_means[:, :, 0] - mean) ** 2
        t = scipy_stats.t.ppf((1 + level) / 2, n_subjects - 1)
        half = t * np.sqrt(variance * n_subjects / (n_subjects - 1))
        np.testing.assert_allclose(rows.lower[:, 0], np.maximum(rows.values[:, 0] - half, 0))
        np.testing.assert_allclose(rows.upper[:, 0], np.minimum(rows.values[:, 0] + half, 1))
        degrees = "1 degree" if n_subjects == 2 else f"{n_subjects - 1} degrees"
        assert f"over resampled subjects ({degrees} of freedom)" in rows.brackets
    assert rows.lower.max() == 0


@pytest.mark.parametrize(("level", "needed"), [(0.95, 39), (0.9, 19)])
def test_few_worlds_give_infinite_intervals_and_it_is_said(level: float, needed: int) -> None:
    truth = ft.Judgments.from_columns(
        ["q"] * 9, [*"abc"] * 3, [1, 0, 0, 0, 1, 0, 1, 1, 0], subject=[*"rrrsssttt"]
    )
    runs = {"x": {"q": [*"abc"]}, "y": {"q": [*"cba"]}}
    few, enough = (
        ft.evaluate(truth, runs, ["P@2"], worlds="independent", n_worlds=n, rng=0)
        for n in (needed - 1, needed)
    )
    words = (
        f"{needed - 1} worlds are too few for {100 * level:g} % intervals: n_worlds={needed} or "
        "more gives finite ones"
    )
    with pytest.warns(DegenerateWarning, match=f"^{words}$"):
        table = few.summary(over="world", level=level)
    assert table[["lower", "upper"]].to_numpy().tolist() == [[0, 1]] * 2  # the whole range
    assert np.isfinite(enough.summary(over="world", level=level)[["lower", "upper"]]).all(axis=None)
    assert score_rows(few, over="world", level=level).few == words
    assert f"{words}." in score_rows(few, over="world", level=level).legend()
    assert score_rows(enough, over="world", level=level).few == ""
    assert words in title_of(few.plot(over="world", level=level))
    for text in (
        few.to_markdown(over="world", level=level),
        few.to_latex(over="world", level=level),
    ):
        assert words in " ".join(text.replace("\\", "").split())
    people = ft.evaluate(truth, runs, ["P@2"], worlds="population", n_worlds=20, rng=0)
    assert score_rows(people, over="world").few == ""


@pytest.mark.parametrize(
    ("measure", "values", "words"),
    [
        ("AP", ([0.0, 0.1, 0.9], [0.4, 0.5, 0.6]), "AP of s0, from 0 to 1"),
        ("DCG", ([0.0, 0.1, 0.9], [0.4, 0.5, 0.6]), "cut off"),
        ("mine", ([0.0, 0.1, 0.9], [0.4, 0.5, 0.6]), None),
        ("AP", ([10.0, 90.0, 80.0], [0.5, 0.5, 0.4]), None),  # of another scale
        ("AP", ([0.4, 0.5, 0.6], [0.3, 0.35, 0.4]), None),
    ],
)
def test_intervals_beyond_the_values_of_a_measure_are_counted(measure, values, words) -> None:
    frame = pd.DataFrame(
        [(f"s{s}", q, measure, v) for s, row in enumerate(values) for q, v in enumerate(row)],
        columns=["system", "query", "measure", "value"],
    )
    given = ft.Scores.from_frame(frame)
    table = given.summary()
    beyond = ((table["lower"] < 0) | (table["upper"] > 1)).sum()
    text = score_rows(given).beyond_range()
    if words is None:
        assert text == ""
        return
    plural = f"{beyond} interval{'s reach' if beyond > 1 else ' reaches'}"
    assert text.startswith(f"{plural} beyond the values that the measure can have")
    assert words in text
    assert text in " ".join(str(given).split())


def test_a_figure_says_on_how_many_queries_each_system_has_a_value() -> None:
    values = np.array([[1.0, 0.5, 0.0], [1.0, np.nan, np.nan]])
    for shown, words in (
        (values, "2 systems over 1 to 3 queries"),
        (values[:1], "1 system over 3 queries"),
    ):
        assert f"means of {words}\n" in score_rows(scores_of(shown))._heading([0])

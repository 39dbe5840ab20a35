"""Scores as labelled rows: printed, and as tables of papers."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.drawn import title_of
from support.every_world import small
from support.kinds_of_scores import evaluated
from support.read_tables import latex_rows, markdown_rows
from support.scores_for_tests import scores_of
from support.stored_texts import check_stored

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning, UndefinedMeasureWarning
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
}


@pytest.mark.parametrize("name", PRINTED)
def test_printed(name: str) -> None:
    made = PRINTED[name]()
    text = made._answer().text(80) if isinstance(made, ft.Scores) else made
    check_stored(Path(__file__).parent / "printed.txt", name, text)


def test_latex_and_markdown_have_the_same_cells() -> None:
    for rows in (score_rows(scores_of(FOUR)), score_rows(by_subject(), per_query=True)):
        written = markdown_rows(rows.to_markdown(caption=""))
        assert written == latex_rows(rows.to_latex(caption="", label="l"))
        cells = [[row[name] for name in rows.scores.measures] for row in written]
        assert cells == rows.cells()
    assert "**" not in rows.to_markdown(caption="", bold=False)


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


@pytest.mark.parametrize("over", ["query", "subject"])
def test_intervals_are_those_of_the_summary(over: str) -> None:
    scores = by_subject()
    rows, summary = score_rows(scores, over=over, level=0.9), scores.summary(over=over, level=0.9)
    assert rows.values.ravel().tolist() == summary["mean"].tolist()
    for name, ends in (("lower", rows.lower), ("upper", rows.upper)):
        assert ends.ravel().tolist() == summary[name].tolist()


def test_equal_systems_are_best_whatever_rounding_says() -> None:
    """0.1 + 0.2 is not 0.3, and both systems are bold."""
    scores = scores_of(np.array([[0.1 + 0.2], [0.3], [0.2]]).repeat(2, axis=1))
    assert score_rows(scores).best.ravel().tolist() == [True, True, False]


def test_intervals_over_independent_worlds_are_quantiles() -> None:
    scores = evaluated("independent", n_worlds=400)
    rows = score_rows(scores, over="world", level=0.8)
    means = np.sort(scores.uncertainty.world_means, axis=0)
    np.testing.assert_allclose(rows.values, scores.mean().to_numpy(), atol=1e-12)
    np.testing.assert_allclose(rows.lower, means[39], atol=1e-9)  # a tenth of 401 from below
    np.testing.assert_allclose(rows.upper, means[400 - 40], atol=1e-9)


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


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_undefined_everywhere(worlds: str) -> None:
    nothing = ft.Judgments.from_columns([*"qqqq"], [*"aabb"], [0] * 4, subject=[*"stst"])
    with pytest.warns(UndefinedMeasureWarning, match="are left out: AP: 1 of 1 query"):
        scores = ft.evaluate(
            nothing, {"x": {"q": [*"ab"]}}, ["AP", "P@1"], worlds=worlds, undefined="exclude"
        )
    rows = score_rows(scores, over="world")
    assert rows.best.tolist() == [[False, True]]
    assert rows.cells() == [["–", "0.000 [0.000, 0.000]"]]


def test_where_the_range_is_known_they_are_cut() -> None:
    truth = {f"q{q}": {"a": 1, "b": 0} for q in range(10)}
    firsts = {"most": 9, "half": 5, "none": 0}
    runs = {
        name: {q: ["a", "b"] if j < n else ["b", "a"] for j, q in enumerate(truth)}
        for name, n in firsts.items()
    }
    given = ft.evaluate(truth, runs, ["AP", "Success@1"])
    table = given.summary(full=True)
    assert ((table["lower"] >= 0) & (table["upper"] <= 1)).all()
    shares = table[table["measure"] == "Success@1"]
    lower, upper = ft.stats.wilson(list(firsts.values()), 10)
    np.testing.assert_allclose(shares[["lower", "upper"]], np.transpose([lower, upper]), atol=1e-12)
    high = table.set_index(["system", "measure"]).loc[("most", "AP")]
    assert high["upper"] == 1 < high["mean"] + 2 * high["std_error"]
    text = "1 interval reached beyond the values that the measure can have and is cut there"
    assert score_rows(given).beyond_range() == text
    assert f"{text}." in given.to_latex()
    assert f"{text}." in given.to_markdown()
    result = ft.compare(given, measures="Success@1", n_resamples=99)
    assert result.table["upper"].max() > 1
    text = "2 intervals reached beyond the differences that there can be and are cut there."
    assert text in " ".join(str(result).split())
    for written in (result.to_latex("differences"), result.to_markdown("differences")):
        assert text in written
    for written in (result.to_latex(), result.to_markdown()):
        assert "cut there" not in written
    frame = given.to_frame()
    uncut = ft.Scores.from_frame(frame).summary(full=True)
    assert uncut["upper"].max() > 1
    assert (uncut["method"] == "t over queries").all()
    one = given.select(queries="q0")
    with pytest.warns(DegenerateWarning, match="whole range"):
        assert one.summary()[["lower", "upper"]].to_numpy().tolist() == [[0, 1]] * 6


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

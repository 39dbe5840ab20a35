"""Scores as labelled rows: printed, and as tables of papers."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.drawn import title_of
from support.every_world import small
from support.kinds_of_scores import evaluated
from support.read_tables import latex_rows, markdown_rows
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning, UndefinedMeasureWarning
from fuzzytruth.evaluation.scores.score_rows import ScoreRows, score_rows

ORDERS = {
    "x": {"q": {"a": 2, "b": 1}, "r": {"a": 2, "b": 1}},
    "y": {"q": {"b": 2, "a": 1}, "r": {"b": 2, "a": 1}},
}


@pytest.fixture
def by_subject() -> ft.Scores:
    """Ann judged both queries, bob one."""
    truth = ft.Judgments.from_columns(
        ["q", "q", "q", "q", "r", "r"],
        ["a", "b", "a", "b", "a", "b"],
        [1, 0, 0, 1, 1, 0],
        subject=["ann", "ann", "bob", "bob", "ann", "ann"],
    )
    return ft.evaluate(truth, ORDERS, ["RR", "P@1"], worlds="subject")


def test_means_are_those_of_the_scores(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, per_subject=True)
    assert rows.names == ("system", "subject")
    assert (rows.lower, rows.upper, rows.brackets) == (None, None, "")
    expected = by_subject.mean(by="subject")
    assert list(rows.labels) == expected.index.tolist()
    assert np.array_equal(rows.values, expected.to_numpy())
    means = score_rows(by_subject)
    assert means.names == ("system",)
    assert np.array_equal(means.values, by_subject.mean().to_numpy())


def test_queries_that_a_subject_did_not_judge_have_no_row(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, per_query=True, per_subject=True)
    frame = by_subject.to_frame().pivot(index=["system", "query", "subject"], columns="measure")
    assert sorted(rows.labels) == frame.index.tolist()
    assert ("x", "r", "bob") not in rows.labels
    averaged = score_rows(by_subject, per_query=True)
    assert averaged.labels == (("x", "q"), ("x", "r"), ("y", "q"), ("y", "r"))
    assert averaged.values.tolist() == [[0.75, 0.5], [1, 1], [0.75, 0.5], [0.5, 0]]


def test_the_best_system_for_each_subject(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, per_subject=True)
    assert dict(zip(rows.labels, rows.best[:, 0].tolist(), strict=True)) == {
        ("x", "ann"): True,
        ("x", "bob"): False,
        ("y", "ann"): False,
        ("y", "bob"): True,
    }
    ann = rows.select("subject", "ann")
    assert (ann.names, ann.labels) == (("system",), (("x",), ("y",)))
    assert ann.best[:, 0].tolist() == [True, False]


def test_intervals_over_queries_are_those_of_summary(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, level=0.9)
    summary = by_subject.summary(level=0.9)
    for name, ends in (("lower", rows.lower), ("upper", rows.upper)):
        assert ends is not None
        assert ends.ravel().tolist() == summary[name].tolist()
    assert rows.brackets == "90 % t intervals over queries, the subjects being fixed"
    one = score_rows(ft.evaluate({"q": {"a": 1}}, {"x": {"q": {"a": 1}}}, ["P@1"]))
    assert (one.lower, one.upper, one.brackets) == (None, None, "")


def ends(rows: ScoreRows) -> tuple[float, float, float]:
    """Lower end, value and upper end of a single number."""
    assert rows.lower is not None
    assert rows.upper is not None
    return rows.lower.item(), rows.values.item(), rows.upper.item()


def test_worlds_in_brackets_only_if_asked() -> None:
    truth = ft.Judgments.from_probabilities(["q", "r"], ["a", "a"], [0.5, 0.5])
    scores = ft.evaluate(truth, {"x": {"q": {"a": 1}, "r": {"a": 1}}}, ["P@1"], rng=0)
    assert ends(score_rows(scores)) == (0.5, 0.5, 0.5)
    assert ends(score_rows(scores, over="world")) == (0.0, 0.5, 1.0)
    worlds = "what holds 95 % of 1,000 worlds in which each item takes one of its votes at random"
    assert score_rows(scores, over="world").brackets == worlds


def test_bounds_of_unjudged_items() -> None:
    runs = {"x": {"q": {"a": 2, "b": 1}, "r": {"a": 1}}}
    scores = ft.evaluate({"q": {"a": 1}, "r": {"a": 1}}, runs, "P@2", unjudged="bounds")
    rows = score_rows(scores)
    assert ends(rows) == (0.5, 0.5, 0.75)  # at q, b is relevant or not
    assert (
        rows.brackets
        == "the lowest and the highest mean that judging the unjudged items could give"
    )
    rows = score_rows(scores, per_query=True)
    assert rows.lower is not None
    assert rows.upper is not None
    assert (rows.lower.tolist(), rows.upper.tolist()) == ([[0.5], [0.5]], [[1.0], [0.5]])
    assert "value" in rows.brackets
    rows = score_rows(scores, over="query")
    assert rows.brackets == "95 % t intervals over queries, the ground truth being fixed"


def test_what_brackets_are(by_subject: ft.Scores) -> None:
    nested = replace(by_subject, design="nested")
    sampled = "95 % t intervals over queries, the subjects being sampled with their query"
    assert score_rows(nested).brackets == sampled
    both = "95 % intervals over queries and subjects, both being random"
    assert score_rows(by_subject, over=("query", "subject")).brackets == both
    alone = "95 % t intervals over subjects, the queries being fixed"
    assert score_rows(by_subject, over="subject").brackets == alone


def printed(scores: ft.Scores, width: int = 80) -> str:
    text = scores._answer().text(width)
    assert max(map(len, text.split("\n"))) <= width
    return text


def test_means_and_their_intervals_over_queries() -> None:
    scores = scores_of([[0.1, 0.4, 0.7, 0.9], [0.2, 0.4, 0.5, 0.7]])
    text = printed(scores)
    assert text.startswith("Scores of 2 systems, 4 queries: m\n\n")
    for row in scores.summary().itertuples():
        line = f"{row.system} {row.mean:.3f} [{row.lower:.3f}, {row.upper:.3f}]"
        assert line in re.sub(" +", " ", text).split("\n")
    assert "Brackets: 95 % t intervals over queries, the ground truth being fixed." in text
    assert "<strong>0.525 [" in scores._repr_html_()


def test_one_query_has_no_interval() -> None:
    text = printed(scores_of([[0.25], [0.5]]))
    assert "[" not in text
    assert "sys1    0.5000" in text
    assert "One query: how means vary over queries is not known." in text


def test_many_systems_and_measures_are_cut_and_it_is_said() -> None:
    names = [f"P@{k}" for k in range(1, 10)]
    runs = {f"sys{j:02}": {"q0": list("abcd"[j % 4 :]), "q1": list("dcba")} for j in range(25)}
    scores = ft.evaluate({"q0": {"b": 1}, "q1": {"a": 1}}, runs, names)
    text = printed(scores, 60)
    assert "P@6" in text
    assert "P@7" not in text.split("\n\n", 1)[1]
    assert "Shown: the best 20 of 25 systems by P@1 and 6 of 9 measures" in text
    assert text.index("sys01 ") < text.index("sys00 ")
    assert "sys24" not in text


def test_missing_judgments_that_count_as_not_relevant_are_said() -> None:
    rows = [("s", "x", "cat"), ("s", "y", "cat"), ("t", "x", "cat"), ("t", "z", "cat")]
    votes = ft.Assignments.from_frame(pd.DataFrame(rows, columns=["subject", "item", "category"]))
    runs = {name: {"x": ["y", "z"], "y": ["x", "z"]} for name in "ab"}
    said = (
        "Each query's value is the mean over the truths of 2 subjects (those who judged it); items "
        "that a subject left unjudged (2) count as not relevant."
    )
    truth = votes.by_example()
    scores = ft.evaluate(truth, runs, ["P@1"], worlds="subject", missing="nonrelevant")
    assert said in re.sub(r"\s+", " ", printed(scores))
    assert said in scores.to_markdown()
    assert said in re.sub(r"\s+", " ", str(ft.analyse(scores)))
    report = ft.santini_report(votes, None, runs, k=1, missing="nonrelevant", n_resamples=99)
    people = "own categories; items that a subject left unjudged (2) count as not relevant."
    assert people in re.sub(r"\s+", " ", str(report))
    other = ft.evaluate(truth, runs, ["P@1"], worlds="subject", missing="exclude")
    assert "unjudged" not in printed(other)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("subject", "over queries, the subjects being fixed.*mean over the truths of 3 subjects"),
        ("independent", "each item takes one of its votes.*expected over worlds"),
        ("population", "the judgments being fixed.*Values are expected over worlds.*are resampled"),
        ("bounds", "the lowest and the highest mean that judging the unjudged"),
    ],
)
def test_what_values_and_brackets_are(kind: str, words: str) -> None:
    text = " ".join(printed(evaluated(kind)).split())
    for part in words.split(".*"):
        assert part in text


def test_what_is_said_of_directions_gaps_and_attributes() -> None:
    frame = pd.DataFrame(
        {"system": [*"aabb"], "query": [1, 2] * 2, "value": [1.0, np.nan, 30, 431.5]}
    )
    loss = ft.Scores.from_frame(frame, higher_is_better=False, measure="loss")
    text = printed(loss)
    for line in (
        "Lower is better for loss.",
        "230.8 [",
        "1 value is missing: each mean is over the values that the system has.",
    ):
        assert line in text
    assert "<strong>1.0" in loss._repr_html_()
    assert score_rows(loss).best.ravel().tolist() == [True, False]
    topics = ft.Scores.from_frame(frame.assign(topic=[*"uuuu"], value=0.5), clusters="topic")
    assert "Queries that share topic may vary together" in " ".join(printed(topics).split())


def test_digits() -> None:
    rows = score_rows(scores_of([[0.125, 0.25], [31.5, 431.25]]))
    assert rows.cells() == [["0.2 [-0.6, 1.0]"], ["231.4 [-2308.3, 2771.0]"]]
    assert rows.cells(2)[0] == ["0.19 [-0.61, 0.98]"]
    assert score_rows(scores_of([[0.125], [0.25]])).cells() == [["0.1250"], ["0.2500"]]


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_intervals_over_independent_worlds_are_quantiles() -> None:
    scores = evaluated("independent", n_worlds=400)
    rows = score_rows(scores, over="world", level=0.8)
    means = np.sort(scores.uncertainty.world_means, axis=0)
    np.testing.assert_allclose(rows.values, scores.mean().to_numpy(), atol=1e-12)
    np.testing.assert_allclose(rows.lower, means[39], atol=1e-9)  # a tenth of 401 from below
    np.testing.assert_allclose(rows.upper, means[400 - 40], atol=1e-9)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
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


def test_equal_systems_are_best_whatever_rounding_says() -> None:
    """0.1 + 0.2 is not 0.3, and both systems are bold."""
    scores = scores_of(np.array([[0.1 + 0.2], [0.3], [0.2]]).repeat(2, axis=1))
    assert score_rows(scores).best.ravel().tolist() == [True, True, False]


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


SCORES = scores_of([[0.25, 0.75], [-0.5, 0.5], [np.nan, np.nan]])


def test_latex_is_whole() -> None:
    rows = replace(score_rows(SCORES), lower=None, upper=None)
    text = rows.to_latex(caption="50% of a_b", label="tab:x", digits=2)
    assert text == (
        "\\begin{table}[t]\n\\centering\n\\caption{50\\% of a\\_b}\n\\label{tab:x}\n"
        "\\begin{tabular}{lr}\n\\toprule\nsystem & m \\\\\n\\midrule\n"
        "sys0 & \\textbf{0.50} \\\\\nsys1 & 0.00 \\\\\nsys2 & -- \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def test_signs_and_infinity_are_math() -> None:
    rows = score_rows(scores_of([[-0.5, 0.25], [0.5, np.nan]]))
    text = rows.to_latex(caption="", label="l", digits=1)
    assert r"sys0 & $-$0.1 [$-$4.9, 4.6] \\" in text
    assert r"sys1 & \textbf{0.5 [$-\infty$, $\infty$]} \\" in text
    assert latex_rows(text) == markdown_rows(rows.to_markdown(caption="", digits=1))


def test_rows_of_queries_and_subjects_have_their_names() -> None:
    scores = scores_of([[[0.25, 0.5], [0.75, np.nan]]])
    rows = score_rows(scores, per_query=True, per_subject=True)
    found = markdown_rows(rows.to_markdown(caption=""))
    assert found == latex_rows(rows.to_latex(caption="", label="l"))
    assert [tuple(row.values())[:3] for row in found] == [
        ("sys0", "q0", "s0"),
        ("sys0", "q0", "s1"),
        ("sys0", "q1", "s0"),
    ]
    caption = rows.caption()
    assert caption == (
        "Values of each query. By whose judgments are the ground truth. Bold: the best system."
    )


def test_captions_say_what_means_and_brackets_are() -> None:
    assert score_rows(SCORES).caption(bold=False) == (
        "Means over 2 queries. In brackets: 95 % t intervals over queries, the ground truth being "
        "fixed. 2 values are missing: each mean is over the values that the system has."
    )
    loss = replace(scores_of([[[0.25], [0.5]]]), higher_is_better=(False,))
    assert score_rows(loss).caption() == (
        "Means over 1 query. Each query's value is the mean over the truths of 2 subjects (those "
        "who judged it). Lower is better for m. Bold: the best system."
    )


def test_markdown_is_whole() -> None:
    rows = replace(score_rows(SCORES), lower=None, upper=None)
    text = rows.to_markdown(caption="50% of a_b", digits=2)
    assert text == (
        "| system | m |\n|---|---:|\n| sys0 | **0.50** |\n| sys1 | 0.00 |\n| sys2 | – |\n"
        "\n50% of a\\_b\n"
    )
    assert "**" not in rows.to_markdown(caption="", bold=False)
    for digits in (None, 5):  # those of the screen unless given
        table = markdown_rows(score_rows(SCORES).to_markdown(caption="", digits=digits))
        assert [[row["m"]] for row in table] == score_rows(SCORES).cells(digits)

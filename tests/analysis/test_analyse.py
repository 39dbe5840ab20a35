"""`analyse` gives what its parts give alone, and says what is best."""

import pickle
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.analysed import analysis, runs, truth

import fuzzytruth as ft

SAME = pd.testing.assert_frame_equal


def flat(result: Any) -> str:
    return " ".join(str(result).split())


def scores_of(rows: list[tuple[Any, ...]], *names: str) -> ft.Scores:
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", *names, "value"]))


def test_parts_and_columns_are_those_of_the_functions() -> None:
    result = analysis("AP", "P@3")
    scores = ft.evaluate(truth(), runs(), ["AP", "P@3"], worlds="subject")
    SAME(result.scores.to_frame(), scores.to_frame())
    alone = ft.compare(scores, n_resamples=199)
    SAME(result.comparison.table, alone.table)
    SAME(result.both.table, ft.compare(scores, over=("query", "subject")).table)
    SAME(result.by_subject.table, alone.by_subject().table)
    stable = ft.rank_stability(scores, n_resamples=199).systems
    SAME(result.stability.systems, stable)
    assert result.verdicts() == alone.verdicts()
    again = ft.analyse(scores, measures=["map", "P@3"], n_resamples=199)
    SAME(again.to_frame(full=True), result.to_frame(full=True))

    frame, short = result.to_frame(full=True), result.to_frame()
    names = ["measure", "system", "mean", "lower", "upper", "beats", "beats_both"]
    assert short.columns.tolist() == frame.columns.tolist()[: len(names)] == names
    frame = frame.set_index(["measure", "system"]).sort_index()
    summary = scores.summary().set_index(["measure", "system"]).sort_index()
    columns = ["mean", "lower", "upper", "n_queries"]
    np.testing.assert_allclose(frame[columns], summary[columns])
    stable = stable.set_index(["measure", "system"]).sort_index()
    columns = ["rank_lower", "rank_upper", "share_first"]
    SAME(frame[columns], stable[columns], check_dtype=False)
    by_subject = scores.mean(by="subject")["AP"].unstack("subject").sort_index()
    assert frame.loc["AP", "lowest_subject"].tolist() == by_subject.min(axis=1).tolist()
    assert frame.loc["AP", "highest_subject"].tolist() == by_subject.max(axis=1).tolist()
    for column, table in (("beats", result.comparison.table), ("beats_both", result.both.table)):
        table = table[table["significant"] & (table["measure"] == "AP")]
        found = {
            (row.system_a, row.system_b)[:: 1 if row.difference > 0 else -1]
            for row in table.itertuples()
        }
        cells = frame.loc["AP", column].items()
        assert {(a, b) for a, text in cells for b in text.split(",") if b} == found


def test_it_prints_one_screen_and_can_be_pickled() -> None:
    result = analysis("AP", "P@3")
    assert repr(result) == "Analysis(3 systems, 12 queries, 2 measures, 0 notes on the data)"
    for width in (60, 80):
        lines = result._answer().text(width).split("\n")
        assert max(map(len, lines)) <= width
        assert len(lines) <= 50
    text = flat(result)
    assert text.startswith(
        "Analysis of 3 systems by AP and P@3 Data: 3 systems, 12 queries, 3 subj"
    )
    for measure in ("AP", "P@3"):
        for part in (result.comparison, result.both):
            n = part.table[part.table["measure"] == measure]["significant"].sum()
            over = part.conditions.random
            assert f"{measure}: {n} of 3 differences significant over {over}" in text
        each = result.by_subject.table
        counts = each[each["measure"] == measure].groupby("subject")["significant"].sum()
        named = ", ".join(f"{count} ({name})" for name, count in counts.items())
        assert f"{measure}: significant by one subject's judgments alone, of 3: {named}" in text
    row = result.to_frame().iloc[0]
    assert f"{row['mean']:.3f} [{row['lower']:.3f}, {row['upper']:.3f}]" in text
    assert "Brackets: 95 % t intervals over queries, the subjects being fixed." in text
    assert "both: the same over queries and subjects, by generalised pivotal test" in text
    assert "ranks: simultaneous 95 % confidence sets over queries." in text
    back = pickle.loads(pickle.dumps(result))
    SAME(back.to_frame(full=True), result.to_frame(full=True))
    assert str(back) == str(result)


def test_latex_and_markdown() -> None:
    result = analysis("AP", "P@3")
    latex, text = result.to_latex(digits=2), result.to_markdown(digits=2)
    assert "measure &  & system & mean & beats & both & ranks" in latex
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()[2:8]]
    for cells, row in zip(rows, result.to_frame().itertuples(), strict=True):
        mean = re.sub(r"\\(.)", r"\1", cells[3]).strip("*")
        assert mean == f"{row.mean:.2f} [{row.lower:.2f}, {row.upper:.2f}]"
        assert (cells[0], cells[2]) == (row.measure, row.system)
        assert f"{row.measure} & {cells[1]} & {row.system} & " in latex
        assert mean in latex
    assert latex.count(r"\textbf") == int(result.rows.best.sum()) == 3
    assert text.count("**") == 6
    plain = result.to_latex(caption="50% & [x]", label="tab:mine", bold=False)
    assert r"\caption{50\% \& [x]}" in plain
    assert r"\label{tab:mine}" in plain
    assert r"\textbf" not in plain
    assert result.to_markdown(caption="Mine").endswith("\nMine\n")
    assert "Brackets: 95 % t intervals over queries" in text
    assert text.endswith("Bold: the best system.\n")
    assert "Bold" not in result.to_markdown(bold=False)
    for one in (result, result.scores, result.comparison):
        for write in (one.to_latex, one.to_markdown):
            with pytest.raises(ft.OptionError, match="digits=-1: must be"):
                write(digits=-1)


def test_what_there_is_too_little_of_is_left_out() -> None:
    one = ft.analyse(truth(), {"good": runs()["good"]}, "AP")
    assert (one.comparison, one.both, one.by_subject, one.stability) == (None,) * 4
    assert one.verdicts() == []
    assert one.to_frame(full=True)["rank"].isna().all()
    assert "good  " in str(one)
    lists = {"x": {"q": ["a"], "r": ["b"]}, "y": {"q": ["b", "a"], "r": ["a", "b"]}}
    crisp = ft.analyse({"q": {"a": 1}, "r": {"b": 1}}, lists, ["RR"], n_resamples=99)
    assert (crisp.both, crisp.by_subject) == (None, None)
    assert "beats_both" not in crisp.to_frame()
    judged = ft.analyse(truth(), runs(), "Judged@3", n_resamples=99)
    assert judged.scores.measures == ("Judged@3",)
    beside = ft.evaluate(truth(), runs(), ["AP", "Judged@3"], worlds="subject")
    assert ft.analyse(beside, n_resamples=99).scores.measures == ("AP",)


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        (({"q": {"a": 1}},), {}, "runs=None, measures=None: give both, or scores as the first"),
        (({"q": {"a": 1}}, {"x": {"q": ["a"]}}), {}, "measures=None: give both"),
        ("scores", {"ties": "order"}, "runs, ties: is for judgments and runs"),
        ("missing", {}, "1 judgment is missing"),
    ],
)
def test_mistakes(given: Any, options: Any, words: str) -> None:
    if given == "scores":
        given = (analysis("AP").scores, runs())
    elif given == "missing":
        given = (ft.Judgments.from_frame(truth().to_frame().drop(index=0)), runs(), "AP")
        assert ft.analyse(*given, missing="exclude", n_resamples=99).both is not None
    with pytest.raises(ft.FuzzytruthError, match=words):
        ft.analyse(*given, **options)


def test_means_are_over_the_queries_that_all_systems_have() -> None:
    """A system is better on the easy queries, which are all it has."""
    rng = np.random.default_rng(4)
    rows = [
        (name, f"q{q:02}", 0.5 * (q >= 8) + gain + rng.normal(0, 0.02))
        for name, gain in (("all", 0.1), ("low", 0.0), ("part", 0.0))
        for q in range(16)
        if name != "part" or q >= 8
    ]
    scores = scores_of(rows)
    result = ft.analyse(scores, n_resamples=199)
    frame = result.to_frame(full=True).set_index("system")
    np.testing.assert_allclose(frame["mean"], result.comparison.means["value"])
    assert frame["mean"].idxmax() == "all"
    assert scores.mean()["value"].idxmax() == "part"
    assert frame["n_queries"].tolist() == [8, 8, 8]
    easy = scores.to_frame().query("query >= 'q08'")["value"].to_numpy().reshape(3, 8)
    half = 2.3646242515927845 * easy.std(axis=1, ddof=1) / np.sqrt(8)  # t of .975, 7 df
    np.testing.assert_allclose(frame["upper"] - frame["mean"], half)
    words = "means are over those that all have (value over 8 queries, 16 values left out)"
    assert words in flat(result)

    values = scores.values.copy()
    values[0, 0, 8:] = np.nan  # no query in common
    apart = ft.analyse(replace(scores, values=values), n_resamples=199)
    assert apart.stability is None
    assert "ranks" not in str(apart)
    assert len(apart.verdicts()) == 3


def test_subjects_of_one_query_each_come_with_it() -> None:
    rng = np.random.default_rng(4)
    rows = [(s, f"q{q}", f"u{q}", rng.random()) for s in "ab" for q in range(9)]
    result = ft.analyse(scores_of(rows, "subject"), n_resamples=99)
    assert (result.both, result.by_subject) == (None, None)
    assert result.data.facts[2] == ("subjects", "9 subjects of one query each")
    assert "over queries, the subjects being sampled with their query." in flat(result)


def means(of: dict[str, dict[str, float]]) -> ft.Scores:
    """Scores with about these means, on thirty queries."""
    rng = np.random.default_rng(0)
    rows = [
        (system, q, measure, float(np.clip(mean + 0.1 * rng.standard_normal(), 0, 1)))
        for system, by in of.items()
        for measure, mean in by.items()
        for q in range(30)
    ]
    return scores_of(rows, "measure")


def test_many_systems_are_cut_and_few_pairs_have_verdicts() -> None:
    rng = np.random.default_rng(2)
    rows = [(f"s{s:02}", q, 0.01 * s + rng.random()) for s in range(30) for q in range(6)]
    scores = scores_of(rows)
    lines = str(ft.analyse(scores, n_resamples=99)).split("\n")
    assert len(lines) < 45
    shown = [line for line in lines if re.search(r"\bs\d\d\b.*\[", line)]
    best = scores.mean()["value"].nlargest(12)
    assert [re.search(r"s\d\d", line)[0] for line in shown] == list(best.index)
    assert any("Shown: the best 12 of 30 systems" in line for line in lines)
    pair = ft.analyse(analysis("AP").scores.select(systems=["good", "bad"]), n_resamples=99)
    words = "good is significantly better than bad on AP over queries; same direction"
    assert words in flat(pair)
    assert "3 of 4 measures" in flat(analysis("AP", "P@1", "P@2", "P@3"))

"""What is printed of a comparison."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.comparison.verdicts import detectable

RNG = np.random.default_rng(5)
FEW = scores_of(np.array([0.5, 0.5, 0.8])[:, None] + RNG.normal(0, 0.1, (3, 12)))
MANY = scores_of(0.2 * np.arange(30)[:, None] + RNG.normal(0, 0.2, (30, 10)))
CROSSED = scores_of(np.array([0.5, 0.7])[:, None, None] + RNG.normal(0, 0.1, (2, 12, 3)))


def printed(result: ft.Comparison, width: int = 80) -> list[str]:
    lines = result._answer().text(width).split("\n")
    assert max(map(len, lines)) <= width
    return lines


def test_verdicts_come_first_then_difference_interval_and_p() -> None:
    result = ft.compare(FEW)
    text = "\n".join(printed(result))
    assert text.startswith("3 systems compared on m: 3 differences over 12 queries\n\n")
    places = [text.index(part) for part in ("sys2 is significantly better", "minus", "Brackets")]
    assert places == sorted(places)
    for row in shown_pairs(result):
        (line,) = [
            line for line in text.split("\n") if re.match(rf"{row.system_a} +{row.system_b} ", line)
        ]
        numbers = re.findall(r"[-+]\d\.\d+", line)
        want = (row.difference, row.lower, row.upper)
        assert [float(number) for number in numbers[:3]] == pytest.approx(want, abs=5e-5)
        assert ("*" in line) == row.significant
    heads = [sentence.split(" (")[0] for sentence in result.verdicts()]
    joined = re.sub(r"\s+", " ", text)
    assert all(head in joined for head in heads)


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("baseline", [None, "sys4"])
def test_many_systems_are_short(baseline: str | None, width: int) -> None:
    result = ft.compare(MANY, baseline, n_resamples=199)
    lines = printed(result, width)
    assert len(lines) < 60
    count = int(result.table["significant"].sum())
    assert f"m: {count} of {len(result.table)} differences significant over queries" in lines
    if baseline is None:
        top = ft.compare(MANY, n_resamples=199).means["m"].idxmax()
        found = re.search(r"significantly\s+better\): ([^M]*)\n\n", "\n".join(lines))
        assert found is not None
        assert top in found[1]
        assert "by m, the best first" in "\n".join(lines)
    else:
        assert any(line.startswith("  better than sys4: ") for line in lines)
        assert any("The first 12 of 29 differences." in line for line in lines)


def test_several_baselines() -> None:
    text = "\n".join(printed(ft.compare(FEW, ["sys0", "sys1"])))
    assert "minus" in text
    assert "sys2 is significantly better than sys1" in text


def test_what_brackets_are_of() -> None:
    def last(result: ft.Comparison) -> str:
        return re.sub(r"\s+", " ", " ".join(printed(result)))

    assert "simultaneous 95 % intervals of the mean difference over queries." in last(
        ft.compare(FEW)
    )
    assert "of the mean difference over queries; subjects are fixed." in last(ft.compare(CROSSED))
    both = last(ft.compare(CROSSED, over=("query", "subject"), level=0.9))
    assert "90 % intervals of the mean difference over queries and subjects." in both
    assert "Significant (*): p at most 0.1, by generalised pivotal test" in both
    plain = last(ft.compare(FEW, correction="none"))
    assert "unadjusted 95 % intervals" in plain
    assert "; p at most .05" not in plain
    assert " *: p at most 0.05, by t test, not adjusted" in plain


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_brackets_of_worlds_are_of_all_differences_where_p_is_adjusted() -> None:
    truth = ft.Judgments.from_probabilities(["q", "q", "q"], ["a", "b", "c"], [0.9, 0.5, 0.1])
    runs = {name: {"q": list(order)} for name, order in (("x", "abc"), ("y", "bca"), ("z", "cab"))}
    scores = ft.evaluate(truth, runs, ["RR"], n_worlds=500, rng=0)
    text = " ".join("\n".join(printed(ft.compare(scores, over="world"))).split())
    assert "Brackets: what holds 95 % of the worlds, all differences together; worlds say" in text
    single = ft.compare(scores.select(systems=["x", "y"]), over="world")
    assert "Brackets: what holds 95 % of the worlds; worlds say" in " ".join(printed(single))


def test_differences_that_would_have_been_found() -> None:
    """No difference of two values of AP is above 1, however few the queries."""
    rng = np.random.default_rng(1)
    runs = {
        name: {f"q{q}": {d: rng.random() for d in "abcdef"} for q in range(2)} for name in "xyz"
    }
    truth = {f"q{q}": {d: int(d in "ab") for d in "abcdef"} for q in range(2)}
    never = ft.compare(ft.evaluate(truth, runs, ["AP"]))
    assert (never.table["min_detectable"] > 1).all()
    assert not never.table["significant"].any()
    nothing = "none; no difference that such values can have would have been found with 80 % power."
    assert detectable(never.table, never.conditions).endswith(nothing)
    unknown = ft.compare(FEW, correction="none")
    found = unknown.table.loc[~unknown.table["significant"], "min_detectable"]
    assert detectable(unknown.table, unknown.conditions).endswith(
        f"true differences of {found.iloc[0]:.2g} would have been found with 80 % power."
    )


def test_counts_name_the_level_of_p() -> None:
    lines = printed(ft.compare(MANY, correction="none", level=0.9))
    assert any("with p at most 0.1, not adjusted, over queries" in line for line in lines)
    assert not any("significantly" in line for line in lines)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_the_best_are_bold_up_to_rounding() -> None:
    result = ft.compare(scores_of([[0.1 + 0.2] * 3, [0.3] * 3, [0.1, 0.2, 0.25]]))
    *_, values = result._means_table().columns
    assert values.bold == (True, True, False)


def test_html_has_the_same_numbers() -> None:
    result = ft.compare(FEW)
    html = result._repr_html_()
    cells = re.findall(r"<td[^>]*>(?:<strong>)?([^<]*)", html)
    for row in shown_pairs(result):
        assert f"[{row.lower:+.4f}, {row.upper:+.4f}]" in cells


def test_counts_that_are_not_adjusted_name_their_level() -> None:
    result = ft.compare(FEW, correction="none", level=0.9)
    text = "\n".join(printed(ft.compare(MANY, correction="none", level=0.9)))
    assert "differences with p at most 0.1, not adjusted, over queries" in text
    assert "significantly" not in text
    assert "significantly" not in "\n".join(result.verdicts())


@pytest.mark.parametrize("up", [True, False])
def test_one_sided_counts_say_nothing_of_the_other_side(up: bool) -> None:
    scores = replace(MANY, higher_is_better=(up,))
    text = "\n".join(printed(ft.compare(scores, alternative="less", n_resamples=199)))
    assert "no system is" not in text
    text = "\n".join(printed(ft.compare(scores, "sys9", alternative="less", n_resamples=199)))
    shown, hidden = ("worse", "better") if up else ("better", "worse")
    assert f"  {shown} than sys9: " in text
    assert f"{hidden} than sys9" not in text


def test_shares_of_worlds_are_no_significance() -> None:
    truth = ft.Judgments.from_probabilities(
        ["q"] * 5, list("abcde"), [0.9999, 0.9, 0.5, 0.1, 0.0001]
    )
    runs = {f"r{j}": {"q": ["abcde"[(i + j) % 5] for i in range(5)]} for j in range(5)}
    scores = ft.evaluate(truth, runs, ["P@1"], n_worlds=400, rng=0)
    result = ft.compare(scores, over="world")  # one difference is 1 in all: no warning of a t
    text = " ".join(str(result).split())
    assert "of 10 differences shown to have one direction in nearly all worlds" in text
    assert "ignificant" not in text
    for what in ("means", "differences"):
        caption = result.to_markdown(what).splitlines()[-1]
        assert "and are no sample of people." in caption
        assert "beaten" not in caption


def test_a_table_of_means_says_what_they_are_over() -> None:
    values = MANY.values.copy()
    values[0, 0, :4] = np.nan
    with pytest.warns(ft.errors.MissingCellWarning):
        result = ft.compare(replace(MANY, values=values), n_resamples=199)
    text = " ".join(str(result).split())
    assert "means are over those that all have (m over 6 queries, 116 values left out)" in text


def test_nested_subjects_are_counted_query_by_query() -> None:
    rng = np.random.default_rng(0)
    rows = [
        (system, f"q{q}", f"r{j}", rng.random())
        for system in "ab"
        for q in range(6)
        for j in range(2 if q % 2 else 4)
    ]
    frame = pd.DataFrame(rows, columns=["system", "query", "subject", "value"])
    scores = ft.Scores.from_frame(frame, design="nested")
    result = ft.compare(scores)
    assert "over 6 queries and 18 subjects" in str(result)
    assert "6 queries and 18 subjects" in result.assumptions
    assert "6 queries, 18 subjects" in str(scores)
    assert "judged by other subjects of the same kind" in " ".join(result.conditions.meaning())
    crossed = ft.compare(ft.Scores.from_frame(frame))
    assert "judged by the same subjects" in " ".join(crossed.conditions.meaning())


def test_d_z_of_strata_is_of_queries_that_weigh_the_same() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0, 0.1, 20) + np.repeat([0.05, -0.4], [16, 4])
    frame = pd.DataFrame(
        [(s, f"q{q}", v * (s == "a")) for s in "ab" for q, v in enumerate(values)],
        columns=["system", "query", "value"],
    )
    strata = {f"q{q}": "large" if q < 16 else "small" for q in range(20)}
    result = ft.compare(ft.Scores.from_frame(frame), strata=strata)
    row = result.to_frame(full=True).iloc[0]
    assert row["d_z"] == pytest.approx(values.mean() / values.std(ddof=1))
    assert row["difference"] == pytest.approx((values[:16].mean() + values[16:].mean()) / 2)
    told = " ".join(str(result).split())
    assert "d_z: the mean of the queries' differences, all queries weighing the same," in told

"""What a comparison prints, and its tables for papers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import title_of
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs
from support.texts import flat

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import MissingCellWarning

RNG = np.random.default_rng(5)
FEW = scores_of(np.array([0.5, 0.5, 0.8])[:, None] + RNG.normal(0, 0.1, (3, 12)))
MANY = scores_of(0.2 * np.arange(30)[:, None] + RNG.normal(0, 0.2, (30, 10)))
CROSSED = scores_of(np.array([0.5, 0.7])[:, None, None] + RNG.normal(0, 0.1, (2, 12, 3)))
ignore_warnings = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def printed(result: ft.Comparison, width: int = 80) -> list[str]:
    lines = result._answer().text(width).split("\n")
    assert max(map(len, lines)) <= width
    return lines


def test_verdicts_come_first_then_difference_interval_and_p() -> None:
    result = ft.compare(FEW)
    lines = printed(result)
    text = "\n".join(lines)
    assert text.startswith("3 systems compared on m: 3 differences over 12 queries\n\n")
    places = [text.index(part) for part in ("sys2 is significantly better", "minus", "Brackets")]
    assert places == sorted(places)
    cells = re.findall(r"<td[^>]*>(?:<strong>)?([^<]*)", result._repr_html_())
    for row in shown_pairs(result):
        (line,) = [one for one in lines if re.match(rf"{row.system_a} +{row.system_b} ", one)]
        found = [float(number) for number in re.findall(r"[-+]\d\.\d+", line)[:3]]
        assert found == pytest.approx([row.difference, row.lower, row.upper], abs=5e-5)
        assert ("*" in line) == row.significant
        assert f"[{row.lower:+.4f}, {row.upper:+.4f}]" in cells
    assert all(sentence.split(" (")[0] in flat(text) for sentence in result.verdicts())
    count = int(result.table["significant"].sum())
    assert repr(result) == (
        f"Comparison(3 pairs, 1 measure, over queries, max-t, level 0.95: {count} significant)"
    )
    copy = result.to_frame(full=True)
    copy["difference"] = 0.0
    assert result.to_frame()["difference"].equals(result.table["difference"])
    assert result.table["difference"].all()


def test_many_systems_are_short() -> None:
    result = ft.compare(MANY, n_resamples=199)
    for width in (60, 80):
        lines = printed(result, width)
        assert len(lines) < 60
        count = int(result.table["significant"].sum())
        assert f"m: {count} of 435 differences significant over queries" in lines
        found = re.search(r"significantly\s+better\): ([^M]*)\n\n", "\n".join(lines))
        assert found is not None
        assert result.means["m"].idxmax() in found[1]
    assert "by m, the best first" in "\n".join(lines)
    marks = result.superscripts()["m"]
    beaten = str(marks["sys29"]).split(",")
    assert {"z", "aa"} <= {*beaten}
    assert f"({len(beaten)})" in "\n".join(lines)


def test_many_systems_against_one() -> None:
    lines = printed(ft.compare(MANY, "sys4", n_resamples=199))
    assert any(line.startswith("  better than sys4: ") for line in lines)
    assert any("The first 12 of 29 differences." in line for line in lines)
    text = "\n".join(printed(ft.compare(FEW, ["sys0", "sys1"])))
    assert "minus" in text
    assert "sys2 is significantly better than sys1" in text


@pytest.mark.parametrize("up", [True, False])
def test_one_sided_counts_say_nothing_of_the_other_side(up: bool) -> None:
    scores = replace(MANY, higher_is_better=(up,))
    options: dict[str, Any] = {"alternative": "less", "n_resamples": 199}
    assert "no system is" not in str(ft.compare(scores, **options))
    text = str(ft.compare(scores, "sys9", **options))
    shown, hidden = ("worse", "better") if up else ("better", "worse")
    assert f"  {shown} than sys9: " in text
    assert f"{hidden} than sys9" not in text


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        (FEW, {}, "simultaneous 95 % intervals of the mean difference over queries."),
        (CROSSED, {}, "of the mean difference over queries; subjects are fixed."),
        (
            CROSSED,
            {"over": ("query", "subject"), "level": 0.9},
            "Brackets: 90 % intervals of the mean difference over queries and subjects. "
            "Significant (*): p at most 0.1, by generalised pivotal test",
        ),
        (
            FEW,
            {"correction": "none"},
            "unadjusted 95 % intervals of the mean difference over queries. "
            "*: p at most 0.05, by t test, not adjusted",
        ),
        (
            MANY,
            {"correction": "none", "level": 0.9},
            "differences with p at most 0.1, not adjusted, over queries",
        ),
    ],
)
def test_what_brackets_and_stars_are(scores, options, words):
    result = ft.compare(scores, n_resamples=199, **options)
    text = flat("\n".join(printed(result)))
    assert words in text
    if options.get("correction") == "none":
        assert "significantly" not in f"{text} {result.verdicts()}"


@ignore_warnings
def test_worlds_are_no_sample_and_not_significant() -> None:
    chances = [0.9999, 0.9, 0.5, 0.1, 0.0001]
    truth = ft.Judgments.from_probabilities(["q"] * 5, list("abcde"), chances)
    runs = {f"r{j}": {"q": ["abcde"[(i + j) % 5] for i in range(5)]} for j in range(5)}
    scores = ft.evaluate(truth, runs, ["P@1"], n_worlds=400, rng=0)
    result = ft.compare(scores, over="world")  # one difference is 1 in all: no warning of a t
    text = flat(result)
    assert "of 10 differences shown to have one direction in nearly all worlds" in text
    assert "ignificant" not in text
    for what in ("means", "differences"):
        caption = result.to_markdown(what).splitlines()[-1]
        assert "and are no sample of people." in caption
        assert "beaten" not in caption
    three = ft.compare(scores.select(systems=["r0", "r1", "r2"]), over="world")
    assert "Brackets: what holds 95 % of the worlds, all differences together; worlds say" in flat(
        three
    )
    two = ft.compare(scores.select(systems=["r1", "r2"]), over="world")
    assert "Brackets: what holds 95 % of the worlds; worlds say" in flat(two)


def test_what_means_are_over() -> None:
    values = MANY.values.copy()
    values[0, 0, :4] = np.nan
    with pytest.warns(MissingCellWarning):
        result = ft.compare(replace(MANY, values=values), n_resamples=199)
    words = "means are over those that all have (m over 6 queries, 116 values left out)"
    assert words in flat(result)
    result = ft.compare(scores_of([[0.1 + 0.2] * 3, [0.3] * 3, [0.1, 0.2, 0.25]]))
    *_, column = result._means_table().columns
    assert column.bold == (True, True, False)  # the best up to rounding


def test_nested_subjects_are_counted_query_by_query() -> None:
    rows = [
        (system, f"q{q}", f"r{j}", RNG.random())
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


def test_strata_and_posteriors_are_explained() -> None:
    strata = {f"q{q}": "large" if q < 9 else "small" for q in range(12)}
    text = flat(ft.compare(FEW, strata=strata))
    assert "d_z: the mean of the queries' differences, all queries weighing the same," in text
    text = flat(ft.compare(FEW, bayesian=True, rope=0.1))
    assert "better / same / worse" in text


def test_figures() -> None:
    import matplotlib.pyplot as plt

    result = ft.compare(FEW)
    try:
        axes = result.plot()
        labels = {label.get_text() for label in axes.get_yticklabels()}
        assert labels == {f"{row.system_a} − {row.system_b}" for row in shown_pairs(result)}
        assert "simultaneous 95 % intervals" in title_of(axes)
        assert result.plot(axes, measure="m") is axes
        for options in ({"measure": "RR"}, {"kind": "pie"}):
            with pytest.raises(ft.OptionError, match=f"'{next(iter(options.values()))}'"):
                result.plot(**options)
        assert title_of(result.plot(kind="tiers")).startswith("m: means of 3 systems, and tiers")
        assert "Marked" in title_of(ft.compare(MANY, n_resamples=99).plot())
    finally:
        plt.close("all")


def many_values(systems: int) -> np.ndarray:
    """Systems each better than the one before."""
    return np.arange(systems)[:, None] + np.random.default_rng(1).normal(0, 0.1, (systems, 12))


def named(systems: tuple[str, ...], measure: str) -> ft.Scores:
    return ft.Scores(
        systems=systems,
        queries=tuple("abcdefghijkl"),
        measures=(measure,),
        values=many_values(len(systems))[:, None],
        cells=Cells.of_queries(12),
        higher_is_better=(True,),
    )


def test_latex_can_be_pasted() -> None:
    text = ft.compare(named(("run_1 & co", "50%", "a\\b"), "P(rel=2)@10")).to_latex()
    assert r"run\_1 \& co" in text
    assert r"50\%" in text
    assert re.search(r"c & a\\textbackslash\{\}b & \\textbf\{\d\.\d+\$\^\{ab\}\$\} \\\\", text)
    assert text.startswith("\\begin{table}[t]\n\\centering\n\\caption{Means over 12 queries. ")
    assert "\\begin{tabular}{lll}\n\\toprule\n & system & P(rel=2)@10 \\\\\n" in text
    for part in (r"\midrule", r"\bottomrule", r"\label{tab:comparison}"):
        assert part in text
    for part in ("moderated bootstrap max-t", "3 comparisons", "level 0.95", "9,999 resamples"):
        assert part in text


def test_names_do_not_break_a_markdown_table() -> None:
    names = ("a|b\n<b>", "*x* _y_ `z`", "\x1b[31m")
    result = ft.compare(named(names, "m|n"), baseline=names[0])
    lines = result.to_markdown().splitlines()
    assert lines[0] == r"|  | system | m\|n |"
    assert [line.split(" | ")[1] for line in lines[2:5]] == [
        *(r"a\|b\\n&lt;b&gt;", r"\*x\* \_y\_ \`z\`", r"\\x1b\[31m")
    ]
    assert len(lines) == 7
    assert lines[-1].startswith("Means over 12 queries. Superscripts: systems that are signif")
    assert r"each system against a\|b\\n&lt;b&gt;, level 0.95. Bold: the best system." in lines[-1]
    assert "Bold" not in result.to_markdown(bold=False)
    shown = "\n".join([*result.verdicts(), result.assumptions, result.to_latex()])
    assert "\x1b" not in shown
    assert len(result.verdicts()) == sum(len(v.splitlines()) for v in result.verdicts())


def test_differences_are_those_of_the_table() -> None:
    result = ft.compare(scores_of(many_values(3)))
    latex = result.to_latex("differences", digits=3, label="tab:mine", caption="50% of [a]")
    assert r"\label{tab:mine}" in latex
    assert r"\caption{50\% of [a]}" in latex
    assert r"measure & system & minus & difference & 95 \% interval & adjusted p \\" in latex
    lines = result.to_markdown("differences", digits=3).splitlines()
    for row, line in zip(shown_pairs(result), lines[2:], strict=False):
        star = "*" * row.significant
        want = [f"{row.difference:+.3f}{star}", f"[{row.lower:+.3f}, {row.upper:+.3f}]"]
        cells = [re.sub(r"\\(.)", r"\1", cell) for cell in line.strip("| ").split(" | ")]
        assert cells[:5] == [row.measure, row.system_a, row.system_b, *want]
        math = f"${want[0].replace('*', '^{*}')}$ & ${want[1]}$"
        assert f"{row.measure} & {row.system_a} & {row.system_b} & {math}" in latex
    start = "Differences of means over 12 queries, with simultaneous 95 % intervals"
    assert lines[-1].startswith(start)
    open_end = ft.compare(scores_of(many_values(2)), alternative="greater")
    assert r", +\infty]$" in open_end.to_latex("differences")
    assert r", +inf\]" in open_end.to_markdown("differences")


def test_digits_bold_and_mistakes() -> None:
    result = ft.compare(scores_of(many_values(2)))
    best = f"{result.means['m'].iloc[1]:.2f}"
    assert rf"\textbf{{{best}$^{{a}}$}}" in result.to_latex(digits=2)
    assert f"**{best}<sup>a</sup>**" in result.to_markdown(digits=2)
    assert r"\textbf" not in result.to_latex(bold=False)
    assert "**" not in result.to_markdown(bold=False)
    for write in (result.to_latex, result.to_markdown):
        with pytest.raises(ft.OptionError, match="what='both': must be one of 'means', 'differe"):
            write("both")
        with pytest.raises(ft.OptionError, match="digits=-1"):
            write(digits=-1)

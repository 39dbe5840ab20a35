"""Comparisons in LaTeX and in Markdown."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells


def many_values(systems: int) -> np.ndarray:
    """Systems each better than the one before."""
    return np.arange(systems)[:, None] + np.random.default_rng(1).normal(0, 0.1, (systems, 12))


def many(systems: int = 30) -> ft.Comparison:
    return ft.compare(scores_of(many_values(systems)))


def test_latex_can_be_pasted() -> None:
    scores = ft.Scores(
        systems=("run_1 & co", "50%", "a\\b"),
        queries=tuple("abcdefghijkl"),
        measures=("P(rel=2)@10",),
        values=many_values(3)[:, None],
        cells=Cells.of_queries(12),
        higher_is_better=(True,),
    )
    text = ft.compare(scores).to_latex()
    assert r"run\_1 \& co" in text
    assert r"50\%" in text
    assert r"a\textbackslash{}b" in text
    assert re.search(r"c & a\\textbackslash\{\}b & \\textbf\{\d\.\d+\$\^\{ab\}\$\} \\\\", text)
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption{Means over 12 queries"):
        assert part in text
    assert text.startswith("\\begin{table}[t]\n\\centering\n\\caption{Means over 12 queries. ")
    assert r"\label{tab:comparison}" in text
    assert "\\begin{tabular}{lll}\n\\toprule\n & system & P(rel=2)@10 \\\\\n" in text
    for part in ("moderated bootstrap max-t", "3 comparisons", "level 0.95", "9,999 resamples"):
        assert part in text


def test_markdown_is_a_table() -> None:
    lines = many(3).to_markdown().splitlines()
    assert lines[0] == "|  | system | m |"
    assert lines[4].endswith("<sup>ab</sup>** |")
    assert lines[-1].startswith("Means over 12 queries.")


def test_names_do_not_break_a_markdown_table() -> None:
    names = ("a|b\n<b>", "*x* _y_ `z`", "\x1b[31m")
    scores = ft.Scores(
        systems=names,
        queries=tuple("abcdefghijkl"),
        measures=("m|n",),
        values=many_values(3)[:, None],
        cells=Cells.of_queries(12),
        higher_is_better=(True,),
    )
    result = ft.compare(scores, baseline=names[0])
    lines = result.to_markdown().splitlines()
    assert lines[0] == r"|  | system | m\|n |"
    assert [line.split(" | ")[1] for line in lines[2:5]] == [
        r"a\|b\\n&lt;b&gt;",
        r"\*x\* \_y\_ \`z\`",
        r"\\x1b\[31m",
    ]
    assert len(lines) == 7
    assert r"each system against a\|b\\n&lt;b&gt;, level 0.95. Bold: the best system." in lines[-1]
    assert "Superscripts: systems that are significantly worse over queries, by" in lines[-1]
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
    assert lines[-1].startswith(
        "Differences of means over 12 queries, with simultaneous 95 % intervals"
    )


def test_one_sided_ends_are_infinite() -> None:
    result = ft.compare(scores_of(many_values(2)), alternative="greater")
    assert r", +\infty]$" in result.to_latex("differences")
    assert r", +inf\]" in result.to_markdown("differences")


def test_digits_and_bold() -> None:
    result = ft.compare(scores_of(many_values(2)))
    best = f"{result.means['m'].iloc[1]:.2f}"
    assert rf"\textbf{{{best}$^{{a}}$}}" in result.to_latex(digits=2)
    assert f"**{best}<sup>a</sup>**" in result.to_markdown(digits=2)
    assert r"\textbf" not in result.to_latex(bold=False)
    assert "**" not in result.to_markdown(bold=False)
    with pytest.raises(ft.OptionError, match="what='both': must be one of 'means', 'differences'"):
        result.to_latex("both")  # type: ignore[arg-type]

"""What a comparison prints, and its tables for papers."""

import re

import numpy as np
import pytest
from support.compared import CASES, FEW, MANY, compared
from support.drawn import title_of
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs
from support.texts import flat, is_stored

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells


def test_verdicts_come_first_then_difference_interval_and_p() -> None:
    result = ft.compare(FEW)
    lines = result._answer().text(80).split("\n")
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


@pytest.mark.parametrize("name", CASES)
def test_stored_prints(name: str) -> None:
    result = compared(name)
    assert is_stored(f"comparison, {name}", result._answer().text(80))
    for width in (60, 80):
        lines = result._answer().text(width).split("\n")
        assert max(map(len, lines)) <= width
        assert len(lines) < 70
    if "worlds" in name and result.conditions.over == ("world",):
        assert "ignificant" not in str(result)
    if result.conditions.correction == "none" and len(result.table) > 1:
        assert "significantly" not in f"{result} {result.verdicts()}"


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
            with pytest.raises(ft.errors.OptionError, match=f"'{next(iter(options.values()))}'"):
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
        with pytest.raises(
            ft.errors.OptionError, match="what='both': must be one of 'means', 'differe"
        ):
            write("both")
        with pytest.raises(ft.errors.OptionError, match="digits=-1"):
            write(digits=-1)

"""Comparisons as tables of papers, in LaTeX and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.comparison.assumptions import procedure, units_of, worlds_lines
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.inference import turned
from fuzzytruth.comparison.tables import (
    beaten,
    cut_line,
    intervals_text,
    letters,
    p_name,
    worlds_held,
)
from fuzzytruth.comparison.verdicts import p_text
from fuzzytruth.errors import choice
from fuzzytruth.evaluation.scores.score_rows import best_systems
from fuzzytruth.show import markdown
from fuzzytruth.show.latex import Raw, check_paper_options, latex_table
from fuzzytruth.show.number_text import interval_text, level_text, number_text, signed_text

What = Literal["means", "differences"]
_INFINITY = r"\infty"


def to_latex(
    result: Compared, what: What, *, digits: int, caption: str | None, label: str, bold: bool
) -> str:
    """See `Comparison.to_latex`."""
    choice("what", what, ("means", "differences"))
    check_paper_options(digits=digits, caption=caption, bold=bold, label=label)
    if what == "differences":
        headings, rows = _differences(result, digits)
        marks = None
        cells: list[list[Raw | str]] = [[*row[:3], *map(_math, row[3:])] for row in rows]
    else:
        headings, rows = _means(result, digits)
        marks = _best(result, bold)
        cells = [[*row[:2], *map(_superscript, row[2:])] for row in rows]
    return latex_table(
        pd.DataFrame(cells, columns=headings),
        caption=caption if caption is not None else caption_of(result, what, bold=bold),
        label=label,
        align="lllrrr" if what == "differences" else "l" * len(headings),
        bold=marks,
        index=False,
    )


def to_markdown(
    result: Compared, what: What, *, digits: int, caption: str | None, bold: bool
) -> str:
    """See `Comparison.to_markdown`."""
    choice("what", what, ("means", "differences"))
    check_paper_options(digits=digits, caption=caption, bold=bold)
    if what == "differences":
        headings, rows = _differences(result, digits)
        cells = [[markdown.escape(cell) for cell in row] for row in rows]
        marks = None
    else:
        headings, rows = _means(result, digits)
        cells = [
            [row[0], markdown.escape(row[1]), *(_raised(cell) for cell in row[2:])] for row in rows
        ]
        marks = _best(result, bold)
    text = markdown.table([markdown.escape(name) for name in headings], cells, bold=marks)
    caption = caption if caption is not None else caption_of(result, what, bold=bold)
    return f"{text}\n{markdown.escape(caption)}\n"


def _means(result: Compared, digits: int) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: a letter, a system, and each mean with the letters of the beaten."""
    means, marks = result.means, result.superscripts()
    label = letters(len(means))
    rows = []
    for number, system in enumerate(means.index):
        numbers = zip(means.iloc[number], marks.iloc[number], strict=True)
        cells = [f"{_mean_text(float(mean), digits)} {mark}".rstrip() for mean, mark in numbers]
        rows.append([label[number], str(system), *cells])
    return ["", "system", *result.conditions.measures], rows


def _mean_text(value: float, digits: int) -> str:
    return "-" if np.isnan(value) else number_text(value, digits)


def _differences(result: Compared, digits: int) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: measure, both systems, difference, interval, p."""
    conditions = result.conditions
    table: Iterable[Any] = turned(result.table, conditions).itertuples(index=False)
    rows = [
        [
            row.measure,
            row.system_a,
            row.system_b,
            signed_text(row.difference, digits) + ("*" if row.significant else ""),
            interval_text(*conditions.shown_ends(row), digits, signed=True),
            p_text(row.p_adjusted),
        ]
        for row in table
    ]
    ends = f"{level_text(conditions.level)} interval"
    headings = ["measure", "system", "minus", "difference", ends, p_name(conditions)]
    return headings, [[str(cell) for cell in row] for row in rows]


def _best(result: Compared, bold: bool) -> Bools | None:
    """Which cells of a table of means are bold: (systems, 2 + measures)."""
    if not bold:
        return None
    best = best_systems(result.means.to_numpy(dtype=float), result.conditions.higher_is_better)
    return np.concatenate((np.zeros((len(best), 2), dtype=bool), best), axis=1)


def _superscript(cell: str) -> Raw:
    """LaTeX of a mean with its letters."""
    mean, _, mark = cell.partition(" ")
    return Raw(mean + (f"$^{{{mark}}}$" if mark else ""))


def _math(cell: str) -> Raw:
    """LaTeX of a difference, an interval or a p."""
    if cell == "–":
        return Raw("--")
    return Raw(f"${cell.replace('*', '^{*}').replace('inf', _INFINITY)}$")


def _raised(cell: str) -> str:
    """Markdown of a mean with its letters."""
    mean, _, mark = cell.partition(" ")
    return mean + (f"<sup>{mark}</sup>" if mark else "")


def caption_of(result: Compared, what: What = "means", *, bold: bool = True) -> str:
    """What a table shows, and what it rests on."""
    conditions = result.conditions
    lower = [
        name
        for name, up in zip(conditions.measures, conditions.higher_is_better, strict=True)
        if not up
    ]
    direction = f" Lower is better for {', '.join(lower)}." if lower else ""
    worlds = "".join(f" {line}" for line in worlds_lines(conditions))
    if what == "differences":
        ends = f"{intervals_text(conditions)} over {conditions.random}"
        if conditions.of_worlds:
            ends = f"what holds {worlds_held(conditions)}"
        cut = cut_line(result.table, conditions)
        return (
            f"Differences of means over {units_of(conditions)}, with {ends}. {cut}{cut and ' '}*: "
            f"{p_name(conditions)} at most {1 - conditions.level:.2g}, by "
            f"{procedure(conditions)}.{direction}{worlds}"
        )
    against = ""
    if conditions.baselines:
        against = f", each system against {' and '.join(conditions.baselines)}"
    means = f"Means over {units_of(conditions)}"
    if conditions.groups == "strata":
        means += ", strata weighing the same"
    if any(one.left_out or not one.queries for one in conditions.shared):
        means = (
            "Means over the values that all systems have; pairs are compared on those that both "
            "have, and may differ in the other direction"
        )
    over = "" if conditions.of_worlds else f" over {conditions.random}"
    return (
        f"{means}. Superscripts: {beaten(conditions)}{over}, by "
        f"{procedure(conditions)}{against}, level {conditions.level:g}.{direction}{worlds}"
        + (" Bold: the best system." if bold else "")
    )

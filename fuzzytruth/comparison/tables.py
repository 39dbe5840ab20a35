"""Means with the letters of the systems beaten, as a frame, in LaTeX and in Markdown."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.comparison.assumptions import procedure, units_of
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.rank_sets import better_than
from fuzzytruth.io import markdown
from fuzzytruth.io.latex import Raw, latex_table

if TYPE_CHECKING:
    import pandas as pd


def letters(count: int) -> list[str]:
    """Labels a to z, aa, ab, ...

    Examples
    --------
    >>> letters(28)[24:]
    ['y', 'z', 'aa', 'ab']
    """
    out: list[str] = []
    size = 1
    while len(out) < count:
        out += ["".join(word) for word in product(ascii_lowercase, repeat=size)]
        size += 1
    return out[:count]


def superscripts(table: pd.DataFrame, means: pd.DataFrame, conditions: Conditions) -> pd.DataFrame:
    """See `Comparison.superscripts`."""
    systems = conditions.systems
    label = letters(len(systems))
    separator = "," if len(systems) > len(ascii_lowercase) else ""
    out = means.astype(object)
    for measure in conditions.measures:
        above = better_than(table, conditions, measure)
        out[measure] = [
            separator.join(label[loser] for loser in np.flatnonzero(losers)) for losers in above
        ]
    return out


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def _caption(conditions: Conditions) -> str:
    against = ""
    if conditions.baselines:
        against = f", each system against {' and '.join(conditions.baselines)}"
    lower = [
        name
        for name, up in zip(conditions.measures, conditions.higher_is_better, strict=True)
        if not up
    ]
    direction = f" Lower is better for {', '.join(lower)}." if lower else ""
    means = f"Means over {units_of(conditions)}"
    if conditions.groups == "strata":
        means += ", strata weighing the same"
    if any(one.left_out or not one.queries for one in conditions.shared):
        means = (
            "Means over the values that all systems have; pairs are compared on those that both "
            "have, and may differ in the other direction"
        )
    return (
        f"{means}. Superscripts: {beaten(conditions)}, by {procedure(conditions)}{against}, random "
        f"over {conditions.random}, level {conditions.level:g}.{direction}"
    )


def beaten(conditions: Conditions) -> str:
    """What the letters after a mean name."""
    if conditions.is_adjusted:
        return "systems that are beaten"
    return f"systems with a worse mean at p ≤ {1 - conditions.level:.2g}"


def _rows(means: pd.DataFrame, marks: pd.DataFrame) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Label, system, and for each measure the mean and its superscript."""
    label = letters(len(means))
    out = []
    for number, system in enumerate(means.index):
        cells = [
            (_number(float(mean)), str(mark))
            for mean, mark in zip(means.iloc[number], marks.iloc[number], strict=True)
        ]
        out.append((label[number], str(system), cells))
    return out


def to_latex(means: pd.DataFrame, marks: pd.DataFrame, conditions: Conditions) -> str:
    """See `Comparison.to_latex`."""
    import pandas as pd

    rows = [
        [label, system, *(Raw(mean + (f"$^{{{mark}}}$" if mark else "")) for mean, mark in cells)]
        for label, system, cells in _rows(means, marks)
    ]
    frame = pd.DataFrame(rows, columns=["", "system", *conditions.measures])
    return latex_table(
        frame,
        caption=_caption(conditions),
        label="tab:comparison",
        align="l" * len(frame.columns),
        index=False,
    )


def to_markdown(means: pd.DataFrame, marks: pd.DataFrame, conditions: Conditions) -> str:
    """See `Comparison.to_markdown`."""
    measures = conditions.measures
    lines = [
        "| | system | " + " | ".join(map(markdown.escape, measures)) + " |",
        "|---|---|" + "---|" * len(measures),
    ]
    for label, system, cells in _rows(means, marks):
        numbers = [mean + (f"<sup>{mark}</sup>" if mark else "") for mean, mark in cells]
        lines.append("| " + " | ".join([label, markdown.escape(system), *numbers]) + " |")
    return "\n".join([*lines, "", markdown.escape(_caption(conditions)), ""])

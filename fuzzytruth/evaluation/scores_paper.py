"""Scores as tables of papers, in LaTeX and in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.beyond_range import beyond_range
from fuzzytruth.evaluation.scores_answer import direction_line, missing_line, values_line
from fuzzytruth.io import markdown

if TYPE_CHECKING:
    from fuzzytruth.evaluation.score_arrays import ScoreArrays
    from fuzzytruth.evaluation.score_rows import ScoreRows

_MATH = {"-": "$-$", "inf": r"$\infty$", "-inf": r"$-\infty$", "–": "--"}
_SIGNS = re.compile("-?inf|[-–]")


def rows_to_latex(
    rows: ScoreRows, *, caption: str, label: str, digits: int | None = None, bold: bool = True
) -> str:
    """Rows as a table float, the best of each column in bold."""
    import pandas as pd

    from fuzzytruth.io.latex import Raw, latex_table

    cells = [
        [*names, *(Raw(_latex(cell)) for cell in row)]
        for names, row in zip(rows.labels, rows.cells(digits), strict=True)
    ]
    return latex_table(
        pd.DataFrame(cells, columns=[*rows.names, *rows.measures]),
        caption=caption,
        label=label,
        align="l" * len(rows.names) + "r" * len(rows.measures),
        bold=_best(rows) if bold else None,
        index=False,
    )


def _best(rows: ScoreRows) -> Bools:
    """Which cells are bold: (rows, labels and measures)."""
    return np.pad(rows.best, ((0, 0), (len(rows.names), 0)))


def _latex(cell: str) -> str:
    r"""LaTeX of a number and its interval.

    Examples
    --------
    >>> _latex("0.25 [-0.50, inf]"), _latex("–")
    ('0.25 [$-$0.50, $\\infty$]', '--')
    """
    return _SIGNS.sub(lambda found: _MATH[found[0]], cell)


def rows_to_markdown(
    rows: ScoreRows, *, caption: str, digits: int | None = None, bold: bool = True
) -> str:
    """Rows as a Markdown table, and its caption below."""
    n_labels = len(rows.names)
    cells = [
        [*map(markdown.escape, label), *(cell.replace("[", r"\[") for cell in row)]
        for label, row in zip(rows.labels, rows.cells(digits), strict=True)
    ]
    text = markdown.table(
        [*rows.names, *map(markdown.escape, rows.measures)],
        cells,
        bold=_best(rows) if bold else None,
        right=[False] * n_labels + [True] * len(rows.measures),
    )
    return f"{text}\n{markdown.escape(caption)}\n"


def caption_of(scores: ScoreArrays, rows: ScoreRows, *, bold: bool = True) -> str:
    """What the numbers, the brackets and the bold cells are."""
    per_query, beyond = "query" in rows.names, beyond_range(rows)
    parts = [
        "Values of each query."
        if per_query
        else f"Means over {counted(len(scores.queries), 'query')}.",
        "" if per_query or "subject" in rows.names else values_line(scores),
        "By whose judgments are the ground truth." if "subject" in rows.names else "",
        f"In brackets: {rows.brackets}." if rows.brackets else "",
        f"{rows.few}." if rows.few else "",
        f"{beyond}." if beyond else "",
        "" if per_query else missing_line(scores),
        direction_line(scores),
        "Bold: the best system." if bold else "",
    ]
    return " ".join(part for part in parts if part)

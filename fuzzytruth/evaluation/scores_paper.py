"""Scores as tables of papers, in LaTeX and in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.errors import counted
from fuzzytruth.evaluation.scores_answer import direction_line, missing_line, values_line
from fuzzytruth.io import markdown

if TYPE_CHECKING:
    from fuzzytruth.evaluation.score_arrays import ScoreArrays
    from fuzzytruth.evaluation.score_rows import ScoreRows


def rows_to_latex(
    rows: ScoreRows, *, caption: str, label: str, digits: int | None = None, bold: bool = True
) -> str:
    """Rows as a table float, the best of each column in bold."""
    import pandas as pd

    from fuzzytruth.io.latex import latex_table

    index = pd.MultiIndex.from_tuples(rows.labels, names=rows.names)
    frame = pd.DataFrame(
        [[cell.replace("–", "--") for cell in row] for row in rows.cells(digits)],
        index=index.get_level_values(0) if index.nlevels == 1 else index,
        columns=list(rows.measures),
    )
    frame.index.names = [None] * index.nlevels
    return latex_table(
        frame,
        caption=caption,
        label=label,
        align="l" * index.nlevels + "r" * len(rows.measures),
        bold=rows.best if bold else None,
    )


def rows_to_markdown(
    rows: ScoreRows, *, caption: str, digits: int | None = None, bold: bool = True
) -> str:
    """Rows as a Markdown table, and its caption below."""
    import numpy as np

    n_labels = len(rows.names)
    cells = [
        [*map(markdown.escape, label), *(cell.replace("[", r"\[") for cell in row)]
        for label, row in zip(rows.labels, rows.cells(digits), strict=True)
    ]
    marks = np.pad(rows.best, ((0, 0), (n_labels, 0))) if bold else None
    text = markdown.table(
        [*rows.names, *map(markdown.escape, rows.measures)],
        cells,
        bold=marks,
        right=[False] * n_labels + [True] * len(rows.measures),
    )
    return f"{text}\n{markdown.escape(caption)}\n"


def caption_of(scores: ScoreArrays, rows: ScoreRows, *, bold: bool = True) -> str:
    """What the numbers, the brackets and the bold cells are."""
    per_query = "query" in rows.names
    parts = [
        "Values of each query."
        if per_query
        else f"Means over {counted(len(scores.queries), 'query')}.",
        "" if per_query or "subject" in rows.names else values_line(scores),
        "By whose judgments are the ground truth." if "subject" in rows.names else "",
        f"In brackets: {rows.brackets}." if rows.brackets else "",
        "" if per_query else missing_line(scores),
        direction_line(scores),
        "Bold: the best system." if bold else "",
    ]
    return " ".join(part for part in parts if part)

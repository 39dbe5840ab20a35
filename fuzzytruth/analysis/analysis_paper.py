"""The table of an analysis in LaTeX and in Markdown."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools
from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.analysis.analysis_table import best_of, columns_of
from fuzzytruth.analysis.analysis_words import legend
from fuzzytruth.errors import counted
from fuzzytruth.io import markdown
from fuzzytruth.io.latex import latex_table
from fuzzytruth.io.paper_options import check_paper_options


def to_latex(
    analysis: Analysed, *, digits: int, caption: str | None, label: str, bold: bool
) -> str:
    """See `Analysis.to_latex`."""
    import pandas as pd

    check_paper_options(digits=digits, caption=caption, bold=bold, label=label)
    headings, rows, marks = _paper(analysis, digits, bold)
    cells = [[cell.replace("–", "--") for cell in row] for row in rows]
    return latex_table(
        pd.DataFrame(cells, columns=headings),
        caption=caption if caption is not None else caption_of(analysis, bold=bold),
        label=label,
        align="l" * len(headings),
        bold=marks,
        index=False,
    )


def to_markdown(analysis: Analysed, *, digits: int, caption: str | None, bold: bool) -> str:
    """See `Analysis.to_markdown`."""
    check_paper_options(digits=digits, caption=caption, bold=bold)
    headings, rows, marks = _paper(analysis, digits, bold)
    cells = [[markdown.escape(cell) for cell in row] for row in rows]
    text = markdown.table(headings, cells, bold=marks)
    caption = caption if caption is not None else caption_of(analysis, bold=bold)
    return f"{text}\n{markdown.escape(caption)}\n"


def _paper(
    analysis: Analysed, digits: int, bold: bool
) -> tuple[list[str], list[list[str]], Bools | None]:
    """Headings, rows and bold cells of all measures."""
    measures = analysis.scores.measures
    headings: list[str] = []
    rows: list[list[str]] = []
    best = []
    for measure in measures:
        columns = columns_of(analysis, measure, digits)
        headings = ["measure", *columns]
        rows += [[measure, *cells] for cells in zip(*columns.values(), strict=True)]
        best += best_of(analysis, measure).tolist()
    marks = np.zeros((len(rows), len(headings)), dtype=bool)
    marks[:, headings.index("mean")] = best
    return headings, rows, marks if bold else None


def caption_of(analysis: Analysed, *, bold: bool = True) -> str:
    """What the columns are."""
    scores = analysis.scores
    means = f"Means over {counted(len(scores.queries), 'query')}."
    best = ["Bold: the best system."] if bold else []
    return " ".join([means, *legend(analysis), *best])

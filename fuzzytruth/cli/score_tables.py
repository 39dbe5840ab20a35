"""Scores as text.

The plain table avoids pandas, whose import would take longer than everything else.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fuzzytruth.cli.options import TableFormat
from fuzzytruth.cli.output import emit, emit_text, print_line
from fuzzytruth.cli.tables import number_text, print_table, to_json
from fuzzytruth.errors import counted

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.score_rows import ScoreRows
    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.evaluation.uncertainty import Uncertainty


def show_scores(
    scores: Scores,
    *,
    output_format: TableFormat,
    output: Path | None,
    per_query: bool = False,
    per_subject: bool = True,
) -> None:
    """Print scores, or write them to a file."""
    from fuzzytruth.evaluation.score_rows import score_rows
    from fuzzytruth.io.writing import csv_text

    rows = score_rows(scores, per_query=per_query, per_subject=per_subject)
    caption = _caption(scores, per_query=per_query, per_subject=per_subject)
    if output_format == "table":
        emit(lambda file: _print(rows, caption, file), output)
        return
    if output_format == "latex":
        text = _latex(rows, f"{caption}. Bold: the best system.".replace(" %", r"\,\%"))
    else:
        frame = scores.to_frame() if per_query and per_subject else _frame(rows)
        text = csv_text(frame) if output_format == "csv" else to_json(frame)
    emit_text(text, output)


def _print(rows: ScoreRows, caption: str, file: TextIO) -> None:
    """Print a table, and what its intervals are of."""
    print_scores(rows, file)
    if rows.lower is not None:
        print_line(f"\n{caption}.", file)


def print_scores(rows: ScoreRows, file: TextIO) -> None:
    """Print a table: the best in bold on a terminal, lines not wrapped elsewhere."""
    labels = [False] * len(rows.names)
    print_table(
        [*rows.names, *rows.measures],
        [[*label, *texts] for label, texts in zip(rows.labels, _texts(rows), strict=True)],
        file,
        numeric=[*labels, *[True] * len(rows.measures)],
        bold=[labels + row for row in rows.best.tolist()],
    )


def _texts(rows: ScoreRows) -> list[list[str]]:
    """Each number, with its interval if it has one."""
    values = rows.values.tolist()
    if rows.lower is None or rows.upper is None:
        return [[number_text(value) for value in row] for row in values]
    ends = zip(values, rows.lower.tolist(), rows.upper.tolist(), strict=True)
    return [[_interval(*cell) for cell in zip(*row, strict=True)] for row in ends]


def _interval(value: float, low: float, high: float) -> str:
    return "–" if value != value else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _frame(rows: ScoreRows) -> pd.DataFrame:
    """One row per number: system, [query,] [subject,] measure, value[, ends of its interval]."""
    import pandas as pd

    labels = [(*names, measure) for names in rows.labels for measure in rows.measures]
    frame = pd.DataFrame(labels, columns=[*rows.names, "measure"])
    frame = frame.assign(value=rows.values.ravel())
    if rows.lower is not None and rows.upper is not None:
        lower, upper = rows.ends
        frame = frame.assign(**{lower: rows.lower.ravel(), upper: rows.upper.ravel()})
    return frame


def _latex(rows: ScoreRows, caption: str) -> str:
    import pandas as pd

    from fuzzytruth.io.latex import Raw, latex_table

    index = pd.MultiIndex.from_tuples(rows.labels)
    cells: Any = rows.values
    if rows.lower is not None:
        cells = [[text.replace("–", "--") for text in row] for row in _texts(rows)]
    frame = pd.DataFrame(
        cells,
        index=index.get_level_values(0) if index.nlevels == 1 else index,
        columns=list(rows.measures),
    )
    return latex_table(
        frame,
        caption=Raw(caption),
        label="tab:scores",
        align="l" * index.nlevels + "r" * len(rows.measures),
        bold=rows.best,
    )


def _caption(scores: Scores, *, per_query: bool, per_subject: bool) -> str:
    """Say what the numbers are."""
    uncertainty = scores.uncertainty if scores.subjects is None else None
    what = "Values" if per_query else f"Means over {counted(len(scores.queries), 'query')}"
    if uncertainty is not None:
        what = f"Expected {what[0].lower()}{what[1:]}"
    whose = ""
    if scores.subjects is not None and per_subject:
        whose = ", by whose judgments count as the truth"
    ends = ""
    if scores.lower is not None:
        ends = ", in brackets the lowest and highest value that judging the unjudged could give"
    elif uncertainty is not None and not per_query:
        ends = f", in brackets {_interval_kind(uncertainty)}"
    return f"{what}{whose}{ends}"


def _interval_kind(uncertainty: Uncertainty) -> str:
    if uncertainty.worlds == "population":
        df = round(uncertainty.inflation / (uncertainty.inflation - 1)) - 1
        degrees = counted(df, "degree")
        return f"95 % t intervals over resampled subjects ({degrees} of freedom)"
    worlds = f"{counted(uncertainty.n_worlds, 'world')} in which each item draws one of its votes"
    return f"what holds 95 % of {worlds}"

"""Scores as text: a table to read, CSV and JSON for programs, LaTeX for a paper.

The plain table goes without pandas, whose import would take longer than all the rest.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.errors import OptionError
from fuzzytruth.io.formats import format_of

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.cli.options import Layout
    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.evaluation.uncertainty import Uncertainty


_BY_SUFFIX: dict[str, Layout] = {".csv": "csv", ".json": "json", ".tex": "latex"}


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """One column a measure, one row a system (and query, and subject).

    Parameters
    ----------
    headings : tuple of str
        Of the columns before the measures.
    labels : list of tuple of str
        One for each row, as long as `headings`.
    measures : tuple of str
    values : (rows, measures) float
    best : (rows, measures) bool
        Where the best system stands, for each query and subject.
    low, high : (rows, measures) float or None
        Ends of intervals over worlds, or of what judging the unjudged items could give.
    ends : tuple of str
        What these two are called.
    """

    headings: tuple[str, ...]
    labels: list[tuple[str, ...]]
    measures: tuple[str, ...]
    values: Floats
    best: Bools
    low: Floats | None = None
    high: Floats | None = None
    ends: tuple[str, str] = ("low", "high")

    @classmethod
    def of(cls, scores: Scores, *, per_query: bool = False) -> Self:
        """Lay out the means over queries, or every query's values."""
        if scores.uncertainty is not None and scores.subjects is None and not per_query:
            return cls._of_worlds(scores)
        cells = _cells(scores, scores.values, per_query)  # (systems, queries, subjects, measures)
        there = np.ones(cells.shape[:3], dtype=bool)
        if per_query:
            exists = scores.cells.dense(np.ones(len(scores.cells), dtype=bool), fill=False)
            there = np.broadcast_to(exists, cells.shape[:3])
        axes: list[tuple[int, str, tuple[str, ...]]] = [(0, "system", scores.systems)]
        if per_query:
            axes.append((1, "query", scores.queries))
        if scores.subjects is not None:
            axes.append((2, "subject", scores.subjects))
        at = np.argwhere(there)
        labels = zip(*([names[j] for j in at[:, axis]] for axis, _, names in axes), strict=True)
        headings = tuple(name for _, name, _ in axes)
        best = _best(cells, scores.higher_is_better)
        table = cls(headings, list(labels), scores.measures, cells[there], best[there])
        if scores.lower is None or scores.upper is None:
            return table
        bounds = (scores.lower, scores.upper)
        low, high = (_cells(scores, ends, per_query)[there] for ends in bounds)
        return replace(table, low=low, high=high, ends=("lower", "upper"))

    @classmethod
    def _of_worlds(cls, scores: Scores) -> Self:
        """Means over queries, with intervals over worlds."""
        from fuzzytruth.evaluation.score_distributions import mean_intervals

        values, low, high = mean_intervals(scores, 0.95)  # (systems, measures) each
        labels: list[tuple[str, ...]] = [(system,) for system in scores.systems]
        best = _best(values, scores.higher_is_better)
        return cls(("system",), labels, scores.measures, values, best, low, high)

    def rows_of(self, label: str, heading: str) -> Self:
        """The rows with this label, without its column."""
        column = self.headings.index(heading)
        rows = [j for j, names in enumerate(self.labels) if names[column] == label]
        return replace(
            self,
            headings=self.headings[:column] + self.headings[column + 1 :],
            labels=[self.labels[j][:column] + self.labels[j][column + 1 :] for j in rows],
            values=self.values[rows],
            best=self.best[rows],
            low=None if self.low is None else self.low[rows],
            high=None if self.high is None else self.high[rows],
        )

    def print(self, file: TextIO) -> None:
        """Print for people: bold where best on a terminal, unwrapped anywhere else."""
        none = [False] * len(self.headings)
        print_table(
            [*self.headings, *self.measures],
            [*none, *[True] * len(self.measures)],
            [[*names, *texts] for names, texts in zip(self.labels, self._texts(), strict=True)],
            file,
            bold=[none + row for row in self.best.tolist()],
        )

    def _texts(self) -> list[list[str]]:
        """Each number, with its interval if it has one."""
        if self.low is None or self.high is None:
            return [[_number(value) for value in row] for row in self.values]
        cells = np.stack((self.values, self.low, self.high), axis=-1)
        return [[_with_ends(*cell) for cell in row] for row in cells.tolist()]

    def to_frame(self) -> pd.DataFrame:
        """One row a number: system, [query,] [subject,] measure, value[, and its two ends]."""
        import pandas as pd

        rows = [(*names, measure) for names in self.labels for measure in self.measures]
        frame = pd.DataFrame(rows, columns=[*self.headings, "measure"])
        frame = frame.assign(value=self.values.ravel())
        if self.low is not None and self.high is not None:
            lower, upper = self.ends
            frame = frame.assign(**{lower: self.low.ravel(), upper: self.high.ravel()})
        return frame

    def to_latex(self, caption: str) -> str:
        r"""A table with caption and label; it needs ``\usepackage{booktabs}``."""
        import pandas as pd

        index: Any = pd.MultiIndex.from_tuples(self.labels)
        if len(self.headings) == 1:
            index = pd.Index([name for (name,) in self.labels])
        cells: Any = self.values
        if self.low is not None:
            cells = [[text.replace("–", "--") for text in row] for row in self._texts()]
        frame = pd.DataFrame(cells, index=index, columns=list(self.measures))
        try:
            style = frame.style
        except (ImportError, AttributeError):  # which of them depends on the version of pandas
            raise OptionError(
                "the layout 'latex' needs Jinja2; install it with: pip install 'fuzzytruth[latex]'"
            ) from None
        bold = np.where(self.best, "textbf:--rwrap;", "")
        style = style.format(precision=4, na_rep="--").apply(lambda _: bold, axis=None)
        for axis in (0, 1):
            style = style.format_index(escape="latex", axis=axis)
        return style.to_latex(
            hrules=True,
            caption=caption,
            label="tab:scores",
            position="t",
            position_float="centering",
            column_format="l" * len(self.headings) + "r" * len(self.measures),
            multirow_align="naive",
        )


def print_table(
    headings: Sequence[str],
    numeric: Sequence[bool],
    rows: Sequence[Sequence[str]],
    file: TextIO,
    *,
    bold: Sequence[Sequence[bool]] | None = None,
) -> None:
    """Print rows of text; columns of numbers are set flush right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    out = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading, number in zip(headings, numeric, strict=True):
        out.add_column(Text(heading), justify="right" if number else "left", overflow="fold")
    for j, row in enumerate(rows):
        marks = [False] * len(row) if bold is None else bold[j]
        out.add_row(
            *(Text(text, style="bold" if b else "") for text, b in zip(row, marks, strict=True))
        )
    Console(file=file, width=None if file.isatty() else 100_000).print(out)


def _best(cells: Floats, higher_is_better: tuple[bool, ...]) -> Bools:
    """Where the best system stands, or several equal but for rounding: (systems, ..., measures)."""
    signed = cells * np.where(higher_is_better, 1.0, -1.0)
    top = np.where(np.isnan(signed), -np.inf, signed).max(axis=0)
    best: Bools = signed >= top - NEAR * np.maximum(1.0, np.abs(top))
    return best


def _cells(scores: Scores, values: Floats, per_query: bool) -> Floats:
    """Values or means over queries, (systems, queries or 1, subjects, measures)."""
    if per_query:
        return scores.cells.dense(values).transpose(0, 2, 3, 1)
    return scores.cells.mean_by_subject(values).transpose(0, 2, 1)[:, None]


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.4f}"


def _with_ends(value: float, low: float, high: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def layout_of(output: Path | None) -> Layout:
    """The layout that the file's ending asks for; a table by default.

    Raises
    ------
    OptionError or DataError
        The ending is that of another format.

    Examples
    --------
    >>> layout_of(Path("scores.csv")), layout_of(None)
    ('csv', 'table')
    """
    if output is None:
        return "table"
    layout = _BY_SUFFIX.get(output.suffix.lower(), "table")
    if layout == "table" and format_of(output) != "trec":
        raise OptionError(
            f"{output}: a table is written as {', '.join(_BY_SUFFIX)} or, with another ending, as "
            "text; --format says which whatever the ending"
        )
    return layout


def show(scores: Scores, *, layout: Layout, per_query: bool, output: Path | None) -> None:
    """Print scores, or write them to a file, which appears only when it is complete."""
    if layout == "table" and output is None:
        ScoreTable.of(scores, per_query=per_query).print(sys.stdout)
        sys.stdout.flush()
        return
    text = as_text(scores, layout=layout, per_query=per_query)
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        from fuzzytruth.io.writing import write_whole

        write_whole(output, lambda file: file.write(text.encode()))


def as_text(scores: Scores, *, layout: Layout, per_query: bool) -> str:
    """Scores in one of the layouts."""
    if layout in ("csv", "json"):
        frame = scores.to_frame() if per_query else ScoreTable.of(scores).to_frame()
        return frame.to_csv(index=False) if layout == "csv" else to_json(frame)
    table = ScoreTable.of(scores, per_query=per_query)
    if layout == "latex":
        return table.to_latex(_caption(scores, per_query))
    buffer = StringIO()
    table.print(buffer)
    return buffer.getvalue()


def to_json(frame: pd.DataFrame) -> str:
    """A list of records, one a line, numbers in full precision; NaN and infinity as null."""
    records: list[dict[Any, Any]] = frame.to_dict(orient="records")
    for record in records:
        odd = [k for k, v in record.items() if isinstance(v, float) and not math.isfinite(v)]
        record.update(dict.fromkeys(odd))
    return "[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n]\n"


def _caption(scores: Scores, per_query: bool) -> str:
    """What the numbers are, in LaTeX."""
    spread = scores.uncertainty if scores.subjects is None else None
    of = "Values" if per_query else f"Means over {len(scores.queries):,} queries"
    if spread is not None:
        of = f"Expected {of[0].lower()}{of[1:]}"
    who = "" if scores.subjects is None else ", by whose judgments count as the truth"
    ends = ""
    if scores.lower is not None:
        ends = ", in brackets the lowest and highest value that judging the unjudged could give"
    elif spread is not None and not per_query:
        ends = f", in brackets {_interval_kind(spread)}"
    return f"{of}{who}{ends}. Bold: the best system."


def _interval_kind(spread: Uncertainty) -> str:
    if spread.worlds == "population":
        freedom = round(spread.inflation / (spread.inflation - 1)) - 1
        degrees = "degree" if freedom == 1 else "degrees"
        return rf"95\,\% t intervals over resampled subjects ({freedom} {degrees} of freedom)"
    worlds = f"{spread.n_worlds:,} worlds in which each item draws one of its votes"
    return rf"what holds 95\,\% of {worlds}"

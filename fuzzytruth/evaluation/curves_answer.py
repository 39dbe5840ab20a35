"""What is printed of curves: the mean curve of each system at a few points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import few_ranks, short_id
from fuzzytruth.io.number_text import numbers_format, written

if TYPE_CHECKING:
    import pandas as pd

MOST_SYSTEMS = 10
MOST_POINTS = 6


def curves_answer(name: str, mean: pd.DataFrame, people: int) -> Printed:
    """What `print` shows; `mean` is that of `Curves.mean`, `name` the repr of the curves.

    `people` is the number of subjects, 0 where the truth has none.
    """
    axis = "rank" if "rank" in mean else "recall"
    values = [column for column in mean if column not in ("system", axis)]
    own = ""
    if people:
        own = f" and {counted(people, 'subject')}, each of whom is the truth in turn"
    what = name.partition("(")[2].rpartition(";")[0]
    reached = "n: curves that reach the level of recall." if "n" in mean else ""
    return Printed.of(
        f"{what}; means over queries{own}",
        *(_table(mean, axis, str(column)) for column in values),
        Sentences.of(reached, "More: .mean(), .to_frame() of each query"),
    )


def curve_names(kind: str) -> tuple[str, str]:
    """Title of a figure of this kind of curve, and label of its vertical axis.

    Examples
    --------
    >>> curve_names("nDCG(dcg=jarvelin)")
    ('nDCG(dcg=jarvelin) by rank', 'nDCG(dcg=jarvelin)')
    """
    if kind.startswith("IPR"):
        return kind.replace(
            "IPR", "Interpolated precision against recall"
        ), "interpolated precision"
    if kind.startswith("PR"):
        return kind.replace("PR", "Precision and recall at each rank"), "precision"
    measure, against, _ = kind.partition("-recall")
    if against:
        return f"{measure} at levels of recall that are reached", measure
    return f"{measure} by rank", measure


def _table(mean: pd.DataFrame, axis: str, column: str) -> Table:
    """A row a system, a column a point."""
    wide = mean.pivot(index="system", columns=axis, values=column)
    names = list(dict.fromkeys(mean["system"]))
    points = _points(axis, wide.columns.to_numpy(dtype=float).tolist())
    rows = wide.loc[names[:MOST_SYSTEMS], points]
    style = ".0f" if column == "n" else numbers_format(rows.to_numpy().ravel().tolist(), 3)
    columns = [Column.label("system", map(short_id, rows.index))]
    for point in points:
        columns.append(Column(f"{point:g}", tuple(written(value, style) for value in rows[point])))
    of = (
        f", the first {MOST_SYSTEMS} of {len(names):,} systems" if len(names) > MOST_SYSTEMS else ""
    )
    return Table(tuple(columns), f"{column} at {axis}{of}")


def _points(axis: str, known: list[float]) -> list[float]:
    """A few ranks, or levels of recall."""
    if axis == "rank":
        return [float(rank) for rank in few_ranks(int(max(known, default=0)), MOST_POINTS)]
    return known[:: max(1, len(known) // (MOST_POINTS - 1))]

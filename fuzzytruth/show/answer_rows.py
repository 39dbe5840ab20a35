"""A few rows or columns of a table that is too long to be printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fuzzytruth.show.answer import Column, Table
from fuzzytruth.show.number_text import values_format, written

FIRST_ROWS = 5
_LONGEST_ID = 40
_RANKS = (1, 5, 10, 20, 50, 100, 200, 500, 1000)


def short_id(text: Any) -> str:
    """A long id is cut, and ends with an ellipsis.

    Examples
    --------
    >>> short_id("q1"), short_id("x" * 50)[-3:]
    ('q1', 'xx…')
    """
    name = str(text)
    return name if len(name) <= _LONGEST_ID else f"{name[: _LONGEST_ID - 1]}…"


def first_rows_table(columns: Mapping[str, Iterable[Any]], n_rows: int, *, rest: str) -> Table:
    """The first rows of a table: columns of ids are texts, all others numbers.

    Parameters
    ----------
    columns : mapping of str to values
        The first rows, as many as are shown.
    n_rows : int
        How many there are.
    rest : str
        What gives the others.
    """
    out, cut = [], False
    for name, values in columns.items():
        listed = list(values)
        if all(isinstance(value, str) for value in listed):
            out.append(Column.label(name, map(short_id, listed)))
            cut = cut or any(len(value) > _LONGEST_ID for value in listed)
        else:
            style = values_format(listed)
            out.append(Column(name, tuple(written(value, style) for value in listed)))
    shown = len(out[0].cells)
    which = f"The first {shown} of {n_rows:,} rows" if shown < n_rows else "All rows"
    notes = [f"all: {rest}"] if shown < n_rows or cut else []
    notes = ["… ends ids that are cut", *notes] if cut else notes
    return Table(tuple(out), f"{which}{'; ' if notes else ''}{', '.join(notes)}")


def few_ranks(depth: int, limit: int = 6) -> list[int]:
    """Some ranks from the first to the last.

    Examples
    --------
    >>> few_ranks(3), few_ranks(100), few_ranks(10**6, 4)
    ([1, 3], [1, 5, 10, 20, 50, 100], [1, 5, 10, 1000000])
    """
    ranks = [rank for rank in _RANKS if rank < depth][: limit - 1]
    return [*ranks, depth] if depth > 0 else []

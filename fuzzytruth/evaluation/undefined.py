"""Queries without relevant items, for which recall-like measures are undefined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.errors import UndefinedMeasureWarning, warn
from fuzzytruth.evaluation.validation import some

Undefined = Literal["zero", "exclude"]


def report_undefined(
    without: Mapping[str, Bools],
    queries: tuple[str, ...],
    undefined: str,
) -> None:
    """Warn with the number of cells without relevant items.

    Parameters
    ----------
    without : mapping from a measure's name to (subjects, queries) bool
    """
    notes: dict[str, list[str]] = {}
    for name, none in without.items():
        if none.any():
            names = some(queries[j] for j in np.flatnonzero(none.any(axis=0)))
            notes.setdefault(f"{_cells(none)} ({names})", []).append(name)
    if notes:
        consequence = "count as nothing found" if undefined == "zero" else "are left out"
        text = "; ".join(f"{', '.join(names)}: {where}" for where, names in notes.items())
        message = f"no relevant item, so that these are undefined and {consequence}: {text}"
        warn(message, UndefinedMeasureWarning)


def leave_out(
    values: Floats,
    measures: tuple[str, ...],
    without: Mapping[str, Bools],
) -> None:
    """Put NaN into (systems, measures, subjects, queries) values without relevant items."""
    for m, name in enumerate(measures):
        if name in without:
            values[:, m, without[name]] = np.nan


def _cells(empty: Bools) -> str:
    if len(empty) == 1:
        return f"{int(empty.sum()):,} of {empty.shape[1]:,} queries"
    return f"{int(empty.sum()):,} of {empty.size:,} subject–query pairs"

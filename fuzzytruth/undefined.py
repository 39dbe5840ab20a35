"""Queries without relevant items, for which recall-like measures are undefined."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.preparation import some

Undefined = Literal["zero", "exclude"]


def report_undefined(
    without: Mapping[str, NDArray[np.bool_]],
    queries: tuple[str, ...],
    undefined: str,
    *,
    stack: int = 3,
) -> None:
    """Warn with the number of cells without relevant items.

    Parameters
    ----------
    without : mapping from a measure's name to (subjects, queries) bool
    stack : int
        Frames from the warning to the user's call.
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
        warnings.warn(message, UndefinedMeasureWarning, stacklevel=stack)


def leave_out(
    values: NDArray[np.float64],
    measures: tuple[str, ...],
    without: Mapping[str, NDArray[np.bool_]],
) -> None:
    """Put NaN into (systems, measures, subjects, queries) values without relevant items."""
    for m, name in enumerate(measures):
        if name in without:
            values[:, m, without[name]] = np.nan


def _cells(empty: NDArray[np.bool_]) -> str:
    if len(empty) == 1:
        return f"{int(empty.sum()):,} of {empty.shape[1]:,} queries"
    return f"{int(empty.sum()):,} of {empty.size:,} subject–query pairs"

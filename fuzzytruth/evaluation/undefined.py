"""Queries without relevant items, for which recall-like measures are undefined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import UndefinedMeasureWarning, counted, first_few, warn
from fuzzytruth.evaluation.measure_names import few_measures

Undefined = Literal["zero", "exclude"]

_RARE = 0.01  # a smaller share of worlds without relevant items is not worth a warning


def report_undefined_cells(
    without: Mapping[str, Bools], cells: Cells, queries: tuple[str, ...], *, exclude: bool
) -> None:
    """Warn with the number of cells without relevant items.

    Parameters
    ----------
    without : mapping from a measure's name to (cells,) bool
    cells : Cells
    queries : tuple of str
    exclude : bool
        Whether they are left out, or have the value that the measure gives to an empty result.
    """
    notes: dict[str, list[str]] = {}
    for name, none in without.items():
        if none.any():
            unit = "query" if cells.n_subjects == 1 else "subject–query pair"
            names = first_few(queries[j] for j in np.unique(cells.query[none]).tolist())
            where = f"{int(none.sum()):,} of {counted(len(none), unit)} ({names})"
            notes.setdefault(where, []).append(name)
    _warn(notes, exclude=exclude)


def report_undefined_worlds(
    chance_of_none: Mapping[str, Floats], queries: tuple[str, ...], *, exclude: bool
) -> None:
    """Warn of queries without relevant items in a hundredth of the worlds or more.

    Parameters
    ----------
    chance_of_none : mapping from a measure's name to (queries,) float
    queries : tuple of str
    exclude : bool
    """
    notes: dict[str, list[str]] = {}
    for name, none in chance_of_none.items():
        at = np.flatnonzero(none >= _RARE)
        if len(at):
            names = first_few(queries[j] for j in at)
            share = none[at].mean()
            where = (
                f"{len(at):,} of {counted(len(queries), 'query')} ({names}), in "
                f"{share:.2g} of worlds"
            )
            notes.setdefault(where, []).append(name)
    _warn(notes, exclude=exclude)


def _warn(notes: Mapping[str, list[str]], *, exclude: bool) -> None:
    if notes:
        consequence = "are left out" if exclude else "count as nothing found"
        parts = (f"{few_measures(names)}: {where}" for where, names in notes.items())
        text = first_few(parts, separator="; ", unit="group")
        advice = "" if exclude else "; undefined='exclude' leaves them out"
        warn(
            f"no relevant item, so that these are undefined and {consequence}: {text}{advice}",
            UndefinedMeasureWarning,
        )

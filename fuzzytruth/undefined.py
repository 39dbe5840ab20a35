"""Queries without relevant items, for which recall-like measures are undefined."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.preparation import some
from fuzzytruth.views import Truths

Undefined = Literal["zero", "exclude"]


def report_undefined(
    truths: Truths, thresholds: Mapping[str, float | None], undefined: str
) -> dict[str, NDArray[np.bool_]]:
    """Find the cells (subjects, queries) without relevant items, and warn with their number.

    Parameters
    ----------
    thresholds : mapping from a measure's name to its threshold
        None: grades above 0 are relevant.
    """
    out: dict[str, NDArray[np.bool_]] = {}
    notes: dict[str, list[str]] = {}
    for name, rel in thresholds.items():
        out[name] = (truths.n_relevant(rel) == 0) & truths.judged
        if out[name].any():
            at = np.flatnonzero(out[name].any(axis=0))
            names = some(truths.pool.queries[j] for j in at)
            notes.setdefault(f"{_cells(out[name])} ({names})", []).append(name)
    if notes:
        consequence = "count as nothing found" if undefined == "zero" else "are left out"
        text = "; ".join(f"{', '.join(names)}: {where}" for where, names in notes.items())
        message = f"no relevant item, so that these are undefined and {consequence}: {text}"
        warnings.warn(message, UndefinedMeasureWarning, stacklevel=3)
    return out


def _cells(empty: NDArray[np.bool_]) -> str:
    if len(empty) == 1:
        return f"{int(empty.sum()):,} of {empty.shape[1]:,} queries"
    return f"{int(empty.sum()):,} of {empty.size:,} subject–query pairs"

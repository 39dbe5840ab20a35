"""Scores from arrays, for tests of inference."""

from typing import Any

import numpy as np

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells


def dense(scores: ft.Scores, values: np.ndarray | None = None) -> np.ndarray:
    """Values, or other numbers of the cells: (systems, measures, subjects, queries), NaN-filled."""
    return scores.cells.dense(scores.values if values is None else values).swapaxes(-1, -2)


def cells_judged(judged: Any, *, subjects: bool = True) -> Cells:
    """Cells of a table of booleans (subjects, queries)."""
    return Cells.of_mask(np.asarray(judged).T, subjects=subjects)


def scores_of(values: Any, **given: Any) -> ft.Scores:
    """Scores of (systems, queries) or (systems, subjects, queries) values of one measure."""
    array = np.asarray(values, dtype=float)
    subjects = None
    if array.ndim == 2:
        array = array[:, None, :]
    else:
        subjects = tuple(f"s{j}" for j in range(array.shape[1]))
    cells = cells_judged(~np.isnan(array).all(axis=0), subjects=subjects is not None)
    if subjects is None:
        cells = Cells.of_queries(array.shape[2])
    return ft.Scores(
        systems=tuple(f"sys{j}" for j in range(len(array))),
        queries=tuple(f"q{j}" for j in range(array.shape[2])),
        measures=("m",),
        values=cells.of_dense(array[:, None].swapaxes(-1, -2)),
        cells=cells,
        subjects=subjects,
        **{"higher_is_better": (True,), **given},
    )

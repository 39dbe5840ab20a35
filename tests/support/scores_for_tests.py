"""Scores from arrays, for tests of inference."""

from __future__ import annotations

from typing import Any

import numpy as np

import fuzzytruth as ft


def scores_of(values: Any, **given: Any) -> ft.Scores:
    """Scores of (systems, queries) or (systems, subjects, queries) values of one measure."""
    array = np.asarray(values, dtype=float)
    subjects = None
    if array.ndim == 2:
        array = array[:, None, :]
    else:
        subjects = tuple(f"s{j}" for j in range(array.shape[1]))
    return ft.Scores(
        systems=tuple(f"sys{j}" for j in range(len(array))),
        queries=tuple(f"q{j}" for j in range(array.shape[2])),
        measures=("m",),
        values=array[:, None],
        judged=~np.isnan(array).all(axis=0),
        subjects=subjects,
        **{"higher_is_better": (True,), **given},
    )

"""Repeated judgments: groups of them, their weights, and how far a subject agrees with itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.io.ids import encode

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_LARGEST = 1 << 32  # common multiple up to which weights are whole numbers


def groups_of(columns: Sequence[pa.LargeStringArray]) -> Ints:
    """The group of each row; rows of a group have equal ids in all columns: (rows,)."""
    group = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        code, ids = encode(column)
        group = np.unique(group * max(1, len(ids)) + code, return_inverse=True)[1].reshape(-1)
    return group


def repeat_weights(columns: Sequence[pa.LargeStringArray]) -> Floats:
    """Weight of each row, in inverse proportion to the number of rows with the same ids: (rows,).

    Whole numbers where their least common multiple is small, so that sums of them are exact.
    """
    group = groups_of(columns)
    number = np.bincount(group)[group]
    multiple = math.lcm(*np.unique(number).tolist())
    return (multiple if multiple <= _LARGEST else 1) / number


def agreement_of_repeats(
    subject: pa.LargeStringArray, judged: Sequence[pa.LargeStringArray], grade: Floats
) -> pd.DataFrame:
    """Pairs of repeats of one subject's judgments, and the share of them with equal grades.

    Parameters
    ----------
    subject : (rows,)
    judged : sequence of (rows,)
        What is judged; rows of a subject with equal ids are repeats.
    grade : (rows,) float

    Returns
    -------
    DataFrame
        Columns subject, n_pairs, agreement (NaN without pairs).
    """
    import pandas as pd

    code, names = encode(subject)
    group = groups_of([subject, *judged])
    _, cell = np.unique(np.stack((group, _codes(grade))), axis=1, return_inverse=True)
    pairs = _pairs_by(code, group, len(names))
    equal = _pairs_by(code, cell.reshape(-1), len(names))
    return pd.DataFrame(
        {
            "subject": names.to_pylist(),
            "n_pairs": pairs.astype(np.int64),
            "agreement": divide(equal, pairs, fill=np.nan),
        }
    )


def _codes(values: Floats) -> Ints:
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def _pairs_by(owner: Array, group: Ints, n_owners: int) -> Floats:
    """Pairs of rows of the same group, summed up by the owner of the group: (owners,)."""
    _, first, size = np.unique(group, return_index=True, return_counts=True)
    out: Any = np.bincount(owner[first], weights=size * (size - 1) / 2, minlength=n_owners)
    return np.asarray(out, dtype=np.float64)

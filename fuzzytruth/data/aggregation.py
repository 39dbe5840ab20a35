"""Merging the grades of several subjects into one grade for each pair of query and item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints

if TYPE_CHECKING:
    import pandas as pd

Aggregation = Literal["mean", "median", "majority", "max", "min"]


def merge_grades(pair: Sequence[Array], grade: Floats, how: Aggregation) -> tuple[Ints, Floats]:
    """One grade for each distinct pair.

    Parameters
    ----------
    pair : sequence of (rows,) int
        Codes of what is graded: of the query, the item, and the intent if there are any. Rows with
        equal codes are grades of the same pair.
    grade : (rows,) float
    how : {"mean", "median", "majority", "max", "min"}
        See `Judgments.aggregate`.

    Returns
    -------
    first_row : (pairs,) int
        The first row of each pair, ascending.
    merged : (pairs,) float
    """
    import pandas as pd

    codes = {f"code {j}": code for j, code in enumerate(pair)}
    frame = pd.DataFrame({**codes, "grade": grade, "row": np.arange(len(grade))})
    by_pair = list(codes)
    merged = _majority(frame, by_pair) if how == "majority" else _statistic(frame, by_pair, how)
    merged = merged.sort_values("row")
    return merged["row"].to_numpy(), merged["grade"].to_numpy(dtype=np.float64)


def _majority(frame: pd.DataFrame, by_pair: list[str]) -> pd.DataFrame:
    """The most frequent grade; of equally frequent ones, the lowest."""
    import pandas as pd

    counts = frame.groupby([*by_pair, "grade"], sort=True).agg(
        votes=("row", "size"), row=("row", "min")
    )
    counts = counts.reset_index().sort_values(
        ["votes", "grade"], ascending=[False, True], kind="stable"
    )
    grades = counts.groupby(by_pair, sort=False)["grade"].first()
    rows = frame.groupby(by_pair, sort=False)["row"].first()
    return pd.DataFrame({"grade": grades, "row": rows})


def _statistic(frame: pd.DataFrame, by_pair: list[str], how: Aggregation) -> pd.DataFrame:
    """A statistic of the grades that pandas knows by name."""
    merged = frame.groupby(by_pair, sort=False).agg(
        grade=("grade", how),
        row=("row", "first"),
        low=("grade", "min"),
        high=("grade", "max"),
    )
    # Rounding must not move the mean of equal grades: that of 0.7, 0.7 and 0.7 is 0.7.
    merged["grade"] = merged["grade"].clip(merged["low"], merged["high"])
    return merged

"""Merging the judgments of several subjects into one crisp truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.data.judgments import Judgments
from fuzzytruth.errors import OptionError
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import encode

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.judgments import Aggregation


def merge(truth: Judgments, how: Aggregation) -> Judgments:
    """See `Judgments.aggregate`."""
    import pandas as pd

    grade = truth.grade
    if truth.probability is not None:
        if how != "mean":
            raise OptionError(
                f"how={how!r}: these judgments are probabilities, of which there is only the "
                "'mean', the expected grade"
            )
        grade = grade * truth.probability
    frame = pd.DataFrame(
        {"query": encode(truth.query)[0], "item": encode(truth.item)[0], "grade": grade}
    )
    frame["row"] = np.arange(len(frame))
    merged = _most_frequent(frame) if how == "majority" else _statistic(frame, how)
    merged = merged.sort_values("row")
    rows_kept = merged["row"].to_numpy()
    return Judgments(
        take(truth.query, rows_kept),
        take(truth.item, rows_kept),
        merged["grade"].to_numpy(dtype=np.float64),
    )


def _most_frequent(frame: pd.DataFrame) -> pd.DataFrame:
    """The grade that most subjects gave; of equally frequent ones the lowest."""
    import pandas as pd

    counts = frame.groupby(["query", "item", "grade"], sort=True).agg(
        votes=("row", "size"), row=("row", "min")
    )
    counts = counts.reset_index().sort_values(
        ["votes", "grade"], ascending=[False, True], kind="stable"
    )
    grades = counts.groupby(["query", "item"], sort=False)["grade"].first()
    rows = frame.groupby(["query", "item"], sort=False)["row"].first()
    return pd.DataFrame({"grade": grades, "row": rows})


def _statistic(frame: pd.DataFrame, how: Aggregation) -> pd.DataFrame:
    merged = frame.groupby(["query", "item"], sort=False).agg(
        grade=("grade", how),
        row=("row", "first"),
        low=("grade", "min"),
        high=("grade", "max"),
    )
    # The mean of three times 0.7 must be 0.7, not what rounding makes of it.
    merged["grade"] = merged["grade"].clip(merged["low"], merged["high"])
    return merged

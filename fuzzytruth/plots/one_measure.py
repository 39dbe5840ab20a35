"""The rows of one measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.errors import OptionError, shown, shown_all

if TYPE_CHECKING:
    import pandas as pd


def of_measure(frame: pd.DataFrame, measure: str | None) -> pd.DataFrame:
    """The rows of a measure, by default the first; all rows if there is no column measure.

    Raises
    ------
    OptionError
        The frame does not have the measure.
    """
    if "measure" not in frame.columns:
        return frame
    measures = tuple(dict.fromkeys(frame["measure"]))
    if measure is not None and measure not in measures:
        raise OptionError(f"measure={shown(measure)}: the frame has {shown_all(measures)}")
    return frame[frame["measure"] == (measures[0] if measure is None else measure)]

"""Validation of the frames to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import DataError, nearest, shown, shown_all

if TYPE_CHECKING:
    import pandas as pd


def check_columns(frame: Any, columns: tuple[str, ...], name: str = "frame") -> pd.DataFrame:
    """Return the frame if it has rows and all of the columns.

    Parameters
    ----------
    frame : DataFrame
    columns : tuple of str
    name : str
        Name of the argument in error messages.

    Raises
    ------
    DataError
        It is no frame, has no rows, or lacks a column.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise DataError(f"{name}={shown(frame)}: must be a DataFrame with columns {columns}")
    for column in columns:
        if column not in frame.columns:
            present = [str(label) for label in frame.columns]
            raise DataError(
                f"{name}: no column {column!r}{nearest(column, present)}; its columns are "
                f"{shown_all(present)}"
            )
    if not len(frame):
        raise DataError(f"{name}: has no rows, so that there is nothing to draw")
    return frame

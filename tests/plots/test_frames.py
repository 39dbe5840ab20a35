from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.plots.frames import check_columns, rows_of_measure


def test_a_frame_with_all_columns_is_returned() -> None:
    frame = pd.DataFrame({"value": [1], "probability": [1], "more": [0]})
    assert check_columns(frame, ("value", "probability")) is frame


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"values": [1]}), r"points: no column 'value' \(nearest: 'values'\)"),
        (pd.DataFrame({"x": [1], 2: [1]}), "no column 'value'; its columns are 'x', '2'"),
        (pd.DataFrame({"value": []}), "points: has no rows"),
        ({"value": [1]}, "points={'value': .* must be a DataFrame"),
    ],
)
def test_frames_that_cannot_be_drawn(frame: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        check_columns(frame, ("value",), "points")


def test_rows_of_a_measure() -> None:
    frame = pd.DataFrame({"measure": ["b", "a", "b"], "x": [1, 2, 3]})
    for named, rows in ((None, [1, 3]), ("a", [2])):
        chosen, name = rows_of_measure(frame, named)
        assert chosen["x"].tolist() == rows
        assert name == (named or "b")
    with pytest.raises(OptionError, match="measure 'c' is not in the frame; it has 'b', 'a'"):
        rows_of_measure(frame, "c")

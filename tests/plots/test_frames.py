from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.plots.frames import check_columns


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

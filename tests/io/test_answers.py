"""Wide tables become long, answers that are none are left out and counted, words become numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fuzzytruth.errors import DataError, LeftOutWarning, UnusedColumnWarning
from fuzzytruth.io.files import Source
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("item",), ("subject",), "grade", any_of=("grade",), wide_as="subject")


def read(frame: Any, **answers: Any) -> dict[str, list[object]]:
    columns, _ = table_of(frame, replace(REQUEST, **answers), "t")
    return {
        name: column.to_pylist() if hasattr(column, "to_pylist") else list(column)
        for name, column in columns.items()
    }


WIDE = pd.DataFrame({"item": ["a", "b"], "ann": [1, 0], "bob": [2.5, np.nan]})


def test_wide_columns() -> None:
    with pytest.warns(LeftOutWarning, match=r"^t: 1 cell is empty of 4 in the columns ann, bob"):
        columns = read(WIDE, wide=("ann", "bob"))
    assert columns == {
        "item": ["a", "a", "b"],
        "grade": [1.0, 2.5, 0.0],
        "subject": ["ann", "bob", "ann"],
    }
    empty = pytest.raises(DataError, match="all cells of the columns ann are empty")
    with pytest.warns(LeftOutWarning), empty:
        read(WIDE.assign(ann=None), wide=("ann",))


def frame_of(kind: str) -> Any:
    """Two wide columns, the second with an empty cell, in types of each library."""
    whole = {"arrow": pa.int32(), "polars": pl.Int64}.get(kind)
    if kind == "arrow":
        return pa.table({"item": ["a", "b"], "x": pa.array([1, 0], whole), "y": [0.1, None]})
    if kind == "polars":
        return pl.DataFrame({"item": ["a", "b"], "x": [1, 0], "y": [0.1, None]})
    frame = pd.DataFrame({"item": ["a", "b"], "x": [1, 0], "y": [0.1, np.nan]})
    return frame.to_records(index=False) if kind == "records" else frame.astype({"y": kind})


PANDAS_2 = pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 makes a missing number 'nan'")


@pytest.mark.parametrize(
    "kind",
    [
        *("arrow", "polars", "records", "float64", "Float64", "object"),
        pytest.param("str", marks=PANDAS_2),
    ],
)
def test_wide_numbers_of_every_type_are_the_same(kind: str) -> None:
    with pytest.warns(LeftOutWarning, match="1 cell is empty of 4"):
        columns = read(frame_of(kind), wide=("x", "y"))
    assert columns == {"item": ["a", "a", "b"], "grade": [1, 0.1, 0], "subject": ["x", "y", "x"]}


def test_wide_columns_name_their_cells_in_errors() -> None:
    with pytest.raises(DataError, match=r"^t, row 2 \(index 1\), column 'bob': value 'x' is not"):
        read(WIDE.assign(bob=["1", "x"]), wide=("ann", "bob"))


@pytest.mark.parametrize("kind", [object, "string", "category"])
def test_words_are_numbers(kind: object) -> None:
    grade = pd.Series(["yes", "no", "2", "yes"]).astype(kind)  # type: ignore[call-overload]
    frame = pd.DataFrame({"item": list("abcd"), "grade": grade})
    assert read(frame, numbers={"yes": 1, "no": 0})["grade"] == [1, 0, 2, 1]
    with pytest.raises(DataError) as caught:
        read(frame, numbers={"yes": 1, "nope": 0})
    message = str(caught.value)
    assert message.startswith("t, row 2 (index 1), column 'grade': value 'no' is not among grades=")
    assert "drop=['no']" in message


def test_numbers_may_be_renamed() -> None:
    frame = pd.DataFrame({"item": list("abc"), "grade": [1, 2, 3]})
    assert read(frame, numbers={1: 0, 2: 0.5, 3: 1})["grade"] == [0, 0.5, 1]


def test_answers_that_are_none() -> None:
    frame = pd.DataFrame({"item": list("abcd"), "rel": [1, "na", None, 0]})
    with pytest.warns(LeftOutWarning, match=r"^t: 2 rows of 4 left out, column 'rel': 'na', None$"):
        columns = read(frame, drop=("na", None))
    assert columns == {"item": ["a", "d"], "grade": [1, 0]}
    missing = pytest.raises(DataError, match=r"row 3 \(index 2\), column 'rel': the answer is miss")
    with pytest.warns(LeftOutWarning, match="1 row of 4"), missing:
        read(frame, drop=("na",))
    nothing = pytest.raises(DataError, match="drop= leaves no row")
    with pytest.warns(LeftOutWarning, match="4 rows of 4"), nothing:
        read(frame.assign(rel="na"), drop=("na",))


def test_answers_to_drop_that_do_not_occur() -> None:
    frame = pd.DataFrame({"item": ["a", "b"], "rel": [1, 0]})
    assert read(frame, drop=("na",))["grade"] == [1, 0]  # and there is no warning
    words = frame.assign(rel=["1", "don't know"])
    message = r"row 2 .*: drop=\[\"don't know\"\]; .* drop= \(nearest: 'dont know'\)$"
    for numbers in (None, {"yes": 1}):
        with pytest.raises(DataError, match=message):
            read(words, numbers=numbers, drop=("dont know",))


def test_rows_after_those_left_out_keep_their_places() -> None:
    frame = pd.DataFrame({"item": list("abc"), "rel": ["na", "1", "x"]})
    with pytest.warns(LeftOutWarning), pytest.raises(DataError, match=r"row 3 \(index 2\)"):
        read(frame, numbers={"y": 1}, drop=("na",))


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table, pd.DataFrame])
def test_tables_of_any_library(make: Any) -> None:
    table = make({"item": ["a", "b"], "subject": ["s", "t"], "grade": ["1", "na"]})
    with pytest.warns(LeftOutWarning, match="1 row of 2 left out"):
        columns = read(table, drop=("na",))
    assert columns == {"item": ["a"], "subject": ["s"], "grade": [1.0]}


RIVALS = {"item": ["a", "b", "c"], "relevance": [1, 0, 2], "rating": [1.0, 0.0, 3.0]}


@pytest.mark.parametrize("ending", ["frame", "csv", "json", "parquet"])
def test_other_grades_that_differ_are_named(tmp_path: Path, ending: str) -> None:
    def result(columns: dict[str, list[Any]]) -> list[float]:
        frame, path = pd.DataFrame(columns), tmp_path / f"t.{ending}"
        if ending == "frame":
            table, _ = table_of(frame, REQUEST, "t")
        else:
            how = {"csv": {"index": False}, "json": {"orient": "records"}, "parquet": {}}[ending]
            getattr(frame, f"to_{ending}")(path, **how)
            table, _ = table_of(Source.of(path), REQUEST)
        assert set(table) == {"item", "grade"}
        return np.asarray(table["grade"], dtype=float).tolist()

    message = r"'relevance' has the grades, and 'rating', which is not used, differs .* 1 row of 3"
    with pytest.warns(UnusedColumnWarning, match=message):
        assert result(RIVALS) == [1, 0, 2]
    assert result(RIVALS | {"rating": [1.0, 0.0, 2.0]}) == [1, 0, 2]  # the same
    assert result(RIVALS | {"rating": ["good", "bad", "good"]}) == [1, 0, 2]
    assert result(RIVALS | {"rating": [1.0, None, 3.0]}) == [1, 0, 2]

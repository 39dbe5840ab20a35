"""Columns become text or numbers, and messages name rows and columns as the source has them."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fuzzytruth.errors import DataError, LeftOutWarning, UnusedColumnWarning
from fuzzytruth.io import ids
from fuzzytruth.io.columns import (
    IdError,
    Origin,
    check_ids,
    column_at,
    first_duplicate_row,
    locate_by_row,
    located,
    string_array,
    unused_hint,
)
from fuzzytruth.io.files import Source
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest
from fuzzytruth.io.writing import write_frame


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ([7, "7", 7.0, b"7", 7.5], ["7", "7", "7", "7", "7.5"]),
        ([1.0, np.nan, 3.0], ["1", None, "3"]),
        ([None, pd.NA, pd.NaT, "a"], [None, None, None, "a"]),
        (np.array([1, 2], np.int8), ["1", "2"]),
        (np.array(["é", "a"]), ["é", "a"]),
        (pd.Series([1, None], dtype="Int64"), ["1", None]),
        (pd.Categorical(["b", "a", "b"]), ["b", "a", "b"]),
        (pd.Categorical([2, 1]), ["2", "1"]),
        (pa.chunked_array([["a"], ["b"]]), ["a", "b"]),
        (pa.array([1.0, 2.5]), ["1", "2.5"]),
        (pa.array(["x", "y"]).dictionary_encode(), ["x", "y"]),
        ((c for c in "ab"), ["a", "b"]),
        (("a", ""), ["a", ""]),
        ([True, False], ["True", "False"]),
        ([], []),
    ],
)
def test_any_column_becomes_text(given: Any, want: list[str | None]) -> None:
    column = string_array(given)
    assert column.type == pa.large_string()
    assert column.to_pylist() == want


def test_arrays_of_a_few_texts_need_no_pandas() -> None:
    script = (
        "import sys; from fuzzytruth.io.columns import string_array; "
        "print(string_array(['a', '', 'é€😀']).to_pylist(), 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", script], capture_output=True)
    assert done.stdout.decode().strip() == "['a', '', 'é€😀'] False"


@pytest.mark.parametrize("cell", [["a"], {"a"}, {"a": 1}, np.array(["a", "b"])])
def test_several_ids_in_a_cell_are_refused(cell: Any) -> None:
    with pytest.raises(IdError, match=r"is a .*, and a row needs one id.*explode") as caught:
        string_array(["x", cell])
    assert caught.value.row == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["a", None, None], "^t, row 2, column 'item': the id is missing"),
        (["a", np.nan], "^t, row 2, column 'item': the id is missing"),
        (["a", ""], "^t, row 2, column 'item': the id is empty"),
        (3, "must be a column of ids, not 3"),
        (np.array([["a"]]), "must be one-dimensional"),
        (np.array([b"\xff"], object), r"row 1, column 'item': value .* is not UTF-8 text"),
    ],
)
def test_ids_that_are_none(given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        check_ids(given, "item", "t")


@pytest.mark.parametrize("seed", range(12))
def test_the_first_duplicate_equals_a_loop(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    if seed % 2:  # all hashes equal: only the ids themselves tell
        monkeypatch.setattr(ids, "hash_strings", lambda _, o: np.zeros(len(o) - 1, np.uint64))
    rng = np.random.default_rng(seed)
    pairs = [tuple(map(str, pair)) for pair in rng.integers(0, 5, (int(rng.integers(1, 9)), 2))]
    again = [row for row, pair in enumerate(pairs) if pair in pairs[:row]]
    want = (pairs.index(pairs[again[0]]), again[0]) if again else None
    columns: list[Any] = [
        pa.array(column, pa.large_string()) for column in zip(*pairs, strict=True)
    ]
    assert first_duplicate_row(columns) == want


def test_rows_that_were_taken_keep_their_places() -> None:
    wide = ("grade", ("ann", "bob"), np.array([0, 1, 0, 1]))
    origin = Origin(locate_by_row("t"), rows=np.array([0, 0, 1, 1]), wide=wide)
    assert column_at(origin, 3, "grade") == "t, row 2, column 'bob'"
    assert column_at(origin.take(np.array([2])), 0, "grade") == "t, row 2, column 'ann'"
    assert located(locate_by_row("t"), np.array([4]))(0) == "t, row 5"
    assert located(origin, np.array([3]))(0) == "t, row 2"


def test_hint_at_what_was_not_read() -> None:
    origin = Origin(locate_by_row("t"), {"item": "doc"}, ("who", "note"))
    want = "if a column that is not used ('who', 'note') names the systems, name it: columns="
    assert unused_hint(origin, "system", "names the systems").startswith(want)
    assert "('note') says" in unused_hint(origin, "system", "says", ["note"])
    assert unused_hint(origin, "item", "says") == ""  # was read
    assert unused_hint(locate_by_row("t"), "system", "says") == ""


REQUEST = ColumnRequest(("item",), ("subject",), "grade", any_of=("grade",), wide_as="subject")


def read(frame: Any, **answers: Any) -> dict[str, list[object]]:
    columns, _ = table_of(frame, replace(REQUEST, **answers), "t")
    return {
        name: column.to_pylist() if hasattr(column, "to_pylist") else list(column)
        for name, column in columns.items()
    }


WIDE = pd.DataFrame({"item": ["a", "b"], "x": [1, 0], "y": [0.1, np.nan]})


def test_wide_columns_without_answers() -> None:
    empty = pytest.raises(DataError, match="all cells of the columns x are empty")
    with pytest.warns(LeftOutWarning), empty:
        read(WIDE.assign(x=None), wide=("x",))
    with pytest.raises(DataError, match=r"^t, row 2 \(index 1\), column 'y': value 'w' is not"):
        read(WIDE.assign(y=["1", "w"]), wide=("x", "y"))


def rated(*answers: Any) -> pd.DataFrame:
    return pd.DataFrame({"item": list("abcd")[: len(answers)], "rel": answers})


def test_numbers_may_be_renamed() -> None:
    assert read(rated(1, 2, 3), numbers={1: 0, 2: 0.5, 3: 1})["grade"] == [0, 0.5, 1]


def test_answers_that_are_none() -> None:
    frame = rated(1, "na", None, 0)
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
    assert read(rated(1, 0), drop=("na",))["grade"] == [1, 0]  # and there is no warning
    message = r"row 2 .*: drop=\[\"don't know\"\]; .* drop= \(nearest: 'dont know'\)$"
    for numbers in (None, {"yes": 1}):
        with pytest.raises(DataError, match=message):
            read(rated("1", "don't know"), numbers=numbers, drop=("dont know",))


RIVALS = {"item": ["a", "b", "c"], "relevance": [1, 0, 2], "rating": [1.0, 0.0, 3.0]}


@pytest.mark.parametrize("ending", ["", "csv", "json", "parquet"])
def test_other_grades_that_differ_are_named(tmp_path: Path, ending: str) -> None:
    def result(**columns: list[Any]) -> list[float]:
        table: Any = pd.DataFrame(RIVALS | columns)
        if ending:
            write_frame(table, tmp_path / f"t.{ending}")
            table = Source.of(tmp_path / f"t.{ending}")
        found, _ = table_of(table, REQUEST, "t")
        assert set(found) == {"item", "grade"}
        return np.asarray(found["grade"], dtype=float).tolist()

    message = r"'relevance' has the grades, and 'rating', which is not used, differs .* 1 row of 3"
    with pytest.warns(UnusedColumnWarning, match=message):
        assert result() == [1, 0, 2]
    assert result(rating=[1.0, 0.0, 2.0]) == [1, 0, 2]  # the same
    assert result(rating=["good", "bad", "good"]) == [1, 0, 2]
    assert result(rating=[1.0, None, 3.0]) == [1, 0, 2]

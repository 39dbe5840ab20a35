"""Validation of whole columns: the first bad value is named, and duplicates are found exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fuzzytruth.core.checksums import duplicate_key_rows, row_keys
from fuzzytruth.errors import DataError
from fuzzytruth.io import ids
from fuzzytruth.io.columns import check_ids, first_duplicate_row, locate_by_row, parse_number
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.io.numbers import check_counts, check_numbers, check_probabilities, check_weights
from fuzzytruth.io.tables import ColumnRequest


def text(*values: str) -> Any:
    return pa.array(values, pa.large_string())


def test_requests_match_columns() -> None:
    request = ColumnRequest(("query",), ("subject",), "grade", any_of=("grade", "probability"))
    assert request.match(["topic", "rel", "x"], "t") == {"query": "topic", "grade": "rel"}
    assert request.example_header == ("query", "grade")
    assert request.record_keys == "query, grade"
    with pytest.raises(DataError, match=r"^t: no column for 'grade' or 'probability'"):
        request.match(["topic"], "t")


def test_ids() -> None:
    assert check_ids([1, "a", 2.0], "item", "t").to_pylist() == ["1", "a", "2"]
    for bad, problem in ((None, "missing"), (np.nan, "missing"), ("", "empty")):
        with pytest.raises(DataError, match=f"^t, row 2, column 'item': the id is {problem}"):
            check_ids(["a", bad, bad], "item", "t")
    with pytest.raises(DataError, match=r"^line 1, column 'item': the id is empty"):
        check_ids(["a", ""], "item", lambda row: f"line {row}")
    with pytest.raises(DataError, match="must be a column of ids, not 3"):
        check_ids(3, "item", "t")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="must be one-dimensional"):
        check_ids(np.array([["a"]]), "item", "t")
    with pytest.raises(DataError, match=r"row 1, column 'item': value .* is not UTF-8 text"):
        check_ids(np.array([b"\xff"], object), "item", "t")


@pytest.mark.parametrize(
    "given", [[1, 0.5], np.array([1, 0.5], np.float32), pd.Series([1, 0.5], dtype="Float64")]
)
def test_numbers_are_a_new_array(given: Any) -> None:
    checked = check_numbers(given, "grade", "t")
    assert checked.tolist() == [1.0, 0.5]
    checked[:] = 7
    assert list(given) == [1.0, 0.5]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, np.nan, np.inf], r"^t, row 2, column 'grade': value nan is not a finite number; give"),
        ([1, "x"], "^t, row 2, column 'grade': value 'x' is not a number; give one, or a table"),
        ([1, None], "row 2, column 'grade': value None is not a finite number"),
        (np.array(["2020-01-01"], "M8[D]"), "row 1, column 'grade': .* is not a number$"),
        ([1j], "row 1, .* is not a number$"),
        ([[1], [2]], r"row 1, column 'grade': value \[1\] is not a number"),
        ([np.ones(1)] * 2, r"row 1, column 'grade': value array.* is not a number"),
    ],
)
def test_what_is_no_number(given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        check_numbers(given, "grade", "t")


def test_probabilities() -> None:
    assert check_probabilities([0, 1, 0.5], "p", "t").tolist() == [0, 1, 0.5]
    for bad in (-0.1, 1.1):
        with pytest.raises(DataError, match=f"row 2, column 'p': value {bad} is not a probab"):
            check_probabilities([0, bad], "p", "t")


def test_numbers_in_text() -> None:
    for written in ("1", " -2.5 ", "1e-3", "+.5"):
        assert parse_number(written) == float(written)
    for written, problem in (
        *(("x", "is not a number"), ("1_0", "is not a number"), ("", "is not a number")),
        *(("nan", "is not a finite number"), ("-Infinity", "is not a finite number")),
        *(("1e999", "is beyond the range"), ("-1e999", "is beyond the range")),
    ):
        with pytest.raises(ValueError, match=f"^value {written!r} {problem}"):
            parse_number(written)


def test_rows_are_located_from_one() -> None:
    assert locate_by_row("frame")(0) == "frame, row 1"


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (
            check_weights,
            -1,
            "^frame, row 2, column 'n': value -1 is negative; give a num",
        ),
        (check_weights, "x", "^frame, row 2, column 'n': value 'x' is not a number$"),
        (check_counts, -1, "^frame, row 2, column 'n': value -1 is not a number of people; give a"),
        (check_counts, 0.5, "value 0.5 is not a number of people; give a whole number from 0$"),
        (check_counts, 2.0**53, "value 9.0072e.15 is not a number of people"),
    ],
)
def test_counts_and_weights(check: Any, value: Any, message: str) -> None:
    assert check([0, 2], "n", "frame").tolist() == [0, 2]
    with pytest.raises(DataError, match=message):
        check([3, value], "n", "frame")


def test_weights_above_0_and_cells_without_columns() -> None:
    with pytest.raises(DataError, match=r"^f, row 2, column 'n': value 0 must be above 0; or"):
        check_weights([3, 0], "n", "f", above_0=True, hint="; or else")
    with pytest.raises(DataError, match=r"^cell 1: value 0.5 is not a number of .*; or else$"):
        check_counts([3, 0.5], "", lambda cell: f"cell {cell}", hint="; or else")


@pytest.mark.parametrize("seed", range(20))
def test_duplicate_keys_equal_counting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, 10 + 40 * (seed % 2), rng.integers(0, 15)).astype(np.uint64)
    listed = keys.tolist()
    want = sorted((k, j) for j, k in enumerate(listed) if listed.count(k) > 1)
    assert duplicate_key_rows(keys).tolist() == [j for _, j in want]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("collide", [False, True])
def test_the_first_duplicate_equals_a_loop(
    monkeypatch: pytest.MonkeyPatch, seed: int, collide: bool
) -> None:
    if collide:  # all hashes equal: only the ids themselves tell
        monkeypatch.setattr(ids, "hash_strings", lambda _, o: np.zeros(len(o) - 1, np.uint64))
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    a, b = ([str(v) for v in rng.integers(0, 5, n)] for _ in range(2))
    seen: dict[tuple[str, str], int] = {}
    want = None
    for row, pair in enumerate(zip(a, b, strict=True)):
        if pair in seen:
            want = (seen[pair], row)
            break
        seen[pair] = row
    assert first_duplicate_row([text(*a), text(*b)]) == want


def test_ids_side_by_side_do_not_run_together() -> None:
    keys = row_keys(*map(hash_ids, [text("ab", "a", "ab"), text("c", "bc", "c")]))
    assert keys[0] == keys[2] != keys[1]
    assert first_duplicate_row([text("ab", "a"), text("c", "bc")]) is None


@pytest.mark.parametrize("name", ["grade", "score"])
def test_a_decimal_comma_is_recognised(name: str) -> None:
    with pytest.raises(
        DataError, match=r"value '0,5' is not a number; .* decimal one, write 0\.5$"
    ):
        check_numbers(["1", "0,5"], name, "t")


@pytest.mark.parametrize("values", [["1_0"], ["2", b"1_0"], np.array(["1_0"]), [1.0, "1_0"]])
def test_digit_separators_of_python_are_no_part_of_numbers(values):
    with pytest.raises(DataError, match=r"value .*'1_0'.* is not a number"):
        check_numbers(values, "grade", "table")

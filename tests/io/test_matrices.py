"""Matrices of other libraries: arrays, tensors, lists and frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from fuzzytruth.errors import DataError, FuzzytruthError
from fuzzytruth.io.matrices import (
    Matrix,
    checked_matrix,
    given_ids,
    labelled_matrix,
    row_blocks,
    with_ids,
)
from fuzzytruth.io.tables import NamedColumns

VALUES = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class Tensor:
    """What PyTorch offers; `problem` is what it raises off the CPU, or before `detach`."""

    def __init__(self, values: np.ndarray, problem: Exception | None = None) -> None:
        self.values, self.problem = values, problem

    def __array__(self, dtype=None, copy=None):
        if self.problem:
            raise self.problem
        return self.values


class Exported:
    """What offers DLPack alone."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class OnDevice(Exported):
    def __dlpack__(self, **options):
        raise BufferError("cannot export a tensor of cuda:0")


@pytest.mark.parametrize(
    "given",
    [
        VALUES,
        VALUES.astype(np.float32),
        VALUES.astype(np.int16),
        VALUES.astype(object),
        VALUES.astype(str),
        VALUES.tolist(),
        list(VALUES),
        tuple(map(tuple, VALUES)),
        [Tensor(row) for row in VALUES],
        Tensor(VALUES),
        Exported(VALUES),
        pd.DataFrame(VALUES),
        pl.DataFrame(VALUES),
        pa.table(pd.DataFrame(VALUES)),
    ],
    ids=lambda given: type(given).__name__,
)
def test_numbers(given) -> None:
    assert np.array_equal(labelled_matrix(given, "matrix").values, VALUES)


def test_booleans() -> None:
    assert labelled_matrix(VALUES > 2, "m").values.tolist() == [[0, 0, 1], [1, 1, 1]]


def labels(given):
    matrix = labelled_matrix(given, "m")
    assert np.array_equal(matrix.values, VALUES)
    return matrix.rows, matrix.columns


def test_labels_of_frames() -> None:
    plain = pd.DataFrame(VALUES)
    named = pd.DataFrame(VALUES, index=["q", "r"], columns=["a", "b", "c"])
    as_column = named.reset_index(names="query")
    both = (["q", "r"], ["a", "b", "c"])
    assert labels(plain) == (None, None)
    assert labels(named) == labels(as_column) == both
    assert labels(pl.from_pandas(as_column)) == labels(pa.table(as_column)) == both
    assert labels(pl.DataFrame(VALUES, schema=["a", "b", "c"])) == (None, ["a", "b", "c"])
    assert labels(plain.set_axis([7, 8])) == ([7, 8], None)
    assert labels(plain.set_axis(pd.RangeIndex(5, 7))) == ([5, 6], None)
    assert labels(VALUES) == (None, None)


@pytest.mark.parametrize("heading", ["item", "Image-ID", "qid", "", "name", "ID"])
@pytest.mark.parametrize("ids", [["q", "r"], [11, 12]])
def test_a_first_column_of_ids(heading, ids) -> None:
    columns = {heading: ids, "a": VALUES[:, 0], "b": VALUES[:, 1], "c": VALUES[:, 2]}
    frame = pd.DataFrame(columns)
    by_name = NamedColumns(tuple(columns), columns.__getitem__)
    forms = [frame, pl.DataFrame(columns), pa.table(columns), by_name]
    for given in [*forms, frame.set_axis([4, 9]), frame.set_index(heading)]:
        assert labels(given) == (ids, ["a", "b", "c"])
    if heading == "item":
        assert labels(frame[["a", "b", "item", "c"]]) == (ids, ["a", "b", "c"])


def test_numbers_are_ids_under_a_heading_only() -> None:
    shares = pd.DataFrame({"image": [0.5, 0.25], "text": [0.5, 0.75]})
    for given in (shares, pl.from_pandas(shares)):
        assert labelled_matrix(given, "m").columns == ["image", "text"]
    with pytest.raises(DataError, match=r"^m: has no columns of numbers beside 'qid', the ids$"):
        labelled_matrix(pd.DataFrame({"qid": [1, 2]}), "m")
    ragged = NamedColumns(("a", "b"), {"a": [1, 2], "b": [1]}.__getitem__)
    with pytest.raises(DataError, match=r"^m: columns differ in length"):
        labelled_matrix(ragged, "m")


NOUNS = ("query", "item")


def test_ids_that_are_given_come_first() -> None:
    matrix = labelled_matrix(pd.DataFrame(VALUES, ["q", "r"], [7, 8, 9]), "m")
    own = with_ids(matrix, "m", (None, None), NOUNS)
    assert (own.rows, own.columns) == (["q", "r"], ["7", "8", "9"])
    assert with_ids(Matrix(VALUES), "m", (None, None), NOUNS).rows is None
    turned = with_ids(matrix, "m", given_ids(["r", "q"], [9, 7, 8], NOUNS), NOUNS)
    assert (turned.rows, turned.columns) == (["r", "q"], ["9", "7", "8"])
    assert np.array_equal(turned.values, VALUES[::-1][:, [2, 0, 1]])


@pytest.mark.parametrize("stem", ["", "column_", "column"])
def test_a_numbering_is_no_label(stem) -> None:
    matrix = Matrix(VALUES, columns=[f"{stem}{j}" for j in range(3)])
    assert with_ids(matrix, "m", (None, ["a", "b", "c"]), NOUNS).columns == ["a", "b", "c"]
    with pytest.raises(DataError, match=r"^m: its items have labels, and '0' is not among items="):
        with_ids(Matrix(VALUES, columns=[0, 1, 9]), "m", (None, ["a", "b", "c"]), NOUNS)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("abc", "^items='abc': must be a list of ids$"),
        (3, "^items=3: must be a list of ids$"),
        (["a", None], "^items, row 2, column 'items': the id is missing"),
        (["a", "b", "a"], "^items: 'a' is listed twice among the items, at places 1 and 3; ren"),
        (["a", "b"], r"^m: shape \(2, 3\) does not fit 2 queries and 2 items of f.cla$"),
        (iter("abcd"), r"^m: shape \(2, 3\) does not fit 2 queries and 4 items of f.cla$"),
    ],
)
def test_ids_that_do_not_fit(ids, message: str) -> None:
    with pytest.raises(FuzzytruthError, match=message):
        with_ids(Matrix(VALUES), "m", given_ids(None, ids, NOUNS), NOUNS, source="f.cla")


def test_floats_are_not_copied() -> None:
    single = VALUES.astype(np.float32)
    assert labelled_matrix(single, "m").values is single


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros(3), r"m: must be a matrix, rows × columns, but its shape is \(3,\)"),
        (np.zeros((2, 2, 2)), r"its shape is \(2, 2, 2\)"),
        (np.zeros((0, 2)), r"its shape is \(0, 2\)"),
        ([[1, 2], [3]], "m, row 2: has 1 column, and row 1 has 2; all rows need as many"),
        ([[1, 2], [3, "x"]], "m, row 2, column 2: value .*'x'.* is not a number"),
        ([[1, None]], "m, row 1, column 2: nan is not allowed"),
        ([[1, 2], [np.inf, 3]], "m, row 2, column 1: inf is not allowed"),
        ([[1 + 2j]], "m, row 1, column 1: value .*2j.* is not a number"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "row 1, column 1: value .* is not a number"),
        (
            pd.DataFrame({"a": [1, 2], "b": [3, pd.NA]}),
            r"row 2, column 2 \('b'\): value <NA> is not",
        ),
        (pl.DataFrame({"a": [1.0, None]}), r"row 2, column 1 \('a'\): nan is not allowed"),
        (
            pl.DataFrame({"a": [1.0], "b": ["x"]}),
            r"column 2 \('b'\): value .*'x'.* is not a number",
        ),
        (pl.Series([1.0]), "this Series is no table"),
        (csr_array(VALUES), r"m: is a sparse csr_array, .* give m.toarray\(\)"),
        (3, "m: must be rows × columns of numbers, not 3"),
        ("ab", "must be rows × columns of numbers, not 'ab'"),
        ({"q": {"a": 1}}, "must be rows × columns of numbers"),
        (
            Tensor(VALUES, RuntimeError("Can't call numpy() on Tensor that requires grad.")),
            r"this Tensor cannot be read as an array \(Can't call numpy\(\) on Tensor that "
            r"requires grad\); move it to the CPU and detach it: m.detach\(\)",
        ),
        (OnDevice(VALUES), r"this OnDevice cannot be read .*cuda:0.*; move it to the CPU"),
    ],
)
def test_what_is_no_matrix(given, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        labelled_matrix(given, "m")
    assert "\n" not in str(caught.value)


def test_a_bad_cell_of_a_large_matrix_is_placed() -> None:
    values = np.zeros((3000, 2000), dtype=np.float32)
    assert len(list(row_blocks(values))) == 2
    values[2998, 7] = np.nan
    with pytest.raises(DataError, match="m, row 2999, column 8: nan"):
        checked_matrix(values, "m")

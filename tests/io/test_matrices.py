"""Matrices: arrays, tensors, lists and frames of other libraries, and files of each format."""

import gzip
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

import fuzzytruth as ft
from fuzzytruth.errors import DataError, FuzzytruthError
from fuzzytruth.io.files import Source
from fuzzytruth.io.matrices import (
    Matrix,
    given_ids,
    labelled_matrix,
    read_matrix,
    read_text_matrix,
    with_ids,
)
from fuzzytruth.io.table_files import read_id_lines
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

    def __init__(self, values: np.ndarray, device: str = "") -> None:
        self.values, self.device = values, device

    def __dlpack__(self, **options):
        if self.device:
            raise BufferError(f"cannot export a tensor of {self.device}")
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


@pytest.mark.parametrize(
    "given",
    [
        *(VALUES, VALUES.astype(np.int16), VALUES.astype(object), VALUES.astype(str)),
        *(VALUES.tolist(), list(VALUES), tuple(map(tuple, VALUES))),
        *([Tensor(row) for row in VALUES], Tensor(VALUES), Exported(VALUES)),
        *(pd.DataFrame(VALUES), pl.DataFrame(VALUES), pa.table(pd.DataFrame(VALUES))),
    ],
    ids=lambda given: type(given).__name__,
)
def test_numbers(given) -> None:
    assert np.array_equal(labelled_matrix(given, "matrix").values, VALUES)


def labels(given):
    matrix = labelled_matrix(given, "m")
    assert np.array_equal(matrix.values, VALUES)
    return matrix.rows, matrix.columns


@pytest.mark.parametrize(
    ("heading", "ids"),
    [("item", ["q", "r"]), ("Image-ID", [11, 12]), ("qid", ["q", "r"]), ("", [11, 12])],
)
def test_a_first_column_of_ids(heading, ids) -> None:
    columns = {heading: ids, "a": VALUES[:, 0], "b": VALUES[:, 1], "c": VALUES[:, 2]}
    frame = pd.DataFrame(columns)
    by_name = NamedColumns(tuple(columns), columns.__getitem__)
    forms = [frame, pl.DataFrame(columns), pa.table(columns), by_name]
    for given in [*forms, frame.set_axis([4, 9]), frame.set_index(heading)]:
        assert labels(given) == (ids, ["a", "b", "c"])
    if heading == "item":
        assert labels(frame[["a", "b", "item", "c"]]) == (ids, ["a", "b", "c"])


NOUNS = ("query", "item")


def test_ids_that_are_given_come_first() -> None:
    matrix = labelled_matrix(pd.DataFrame(VALUES, ["q", "r"], [7, 8, 9]), "m")
    own = with_ids(matrix, "m", (None, None), NOUNS)
    assert (own.rows, own.columns) == (["q", "r"], ["7", "8", "9"])
    assert with_ids(Matrix(VALUES), "m", (None, None), NOUNS).rows is None
    turned = with_ids(matrix, "m", given_ids(["r", "q"], [9, 7, 8], NOUNS), NOUNS)
    assert (turned.rows, turned.columns) == (["r", "q"], ["9", "7", "8"])
    assert np.array_equal(turned.values, VALUES[::-1][:, [2, 0, 1]])


def test_a_numbering_is_no_label() -> None:
    given = (None, ["a", "b", "c"])
    for stem in ("", "column_", "column"):
        matrix = Matrix(VALUES, columns=[f"{stem}{j}" for j in range(3)])
        assert with_ids(matrix, "m", given, NOUNS).columns == ["a", "b", "c"]
    with pytest.raises(DataError, match=r"^m: its items have labels, and '0' is not among items="):
        with_ids(Matrix(VALUES, columns=[0, 1, 9]), "m", given, NOUNS)


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


GRADIENT = Tensor(VALUES, RuntimeError("Can't call numpy() on Tensor that requires grad."))
RAGGED = NamedColumns(("a", "b"), {"a": [1, 2], "b": [1]}.__getitem__)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros(3), r"m: must be a matrix, rows × columns, but its shape is \(3,\)"),
        (np.zeros((0, 2)), r"its shape is \(0, 2\)"),
        ([[1, 2], [3]], "m, row 2: has 1 column, and row 1 has 2; all rows need as many"),
        ([[1, 2], [3, "x"]], "m, row 2, column 2: value .*'x'.* is not a number"),
        ([[1, None]], "m, row 1, column 2: nan is not allowed"),
        ([[1, 2], [np.inf, 3]], "m, row 2, column 1: inf is not allowed"),
        ([[1 + 2j]], "m, row 1, column 1: value .*2j.* is not a number"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "row 1, column 1: value .* is not a number"),
        (pd.DataFrame({"a": [1], "b": [pd.NA]}), r"row 1, column 2 \('b'\): value <NA> is not"),
        (pl.DataFrame({"a": [1.0, None]}), r"row 2, column 1 \('a'\): nan is not allowed"),
        (pl.DataFrame({"a": [1.0], "b": ["x"]}), r"column 2 \('b'\): value .*'x'.* is not a num"),
        (pl.Series([1.0]), "this Series is no table"),
        (csr_array(VALUES), r"m: is a sparse csr_array, .* give m.toarray\(\)"),
        (3, "m: must be rows × columns of numbers, not 3"),
        ("ab", "must be rows × columns of numbers, not 'ab'"),
        ({"q": {"a": 1}}, "must be rows × columns of numbers"),
        (GRADIENT, r"this Tensor cannot be read as an array \(Can't call .*detach it: m.detach"),
        (Exported(VALUES, "cuda:0"), r"Exported cannot be read .*cuda:0.*; move it to the CPU"),
        (pd.DataFrame({"qid": [1, 2]}), "^m: has no columns of numbers beside 'qid', the ids$"),
        (RAGGED, "^m: columns differ in length"),
    ],
)
def test_what_is_no_matrix(given, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        labelled_matrix(given, "m")
    assert "\n" not in str(caught.value)


def written(path: Path, content: Any) -> Path:
    """A file of text, bytes, an array, or several."""
    if isinstance(content, np.ndarray):
        np.save(path, content)
    elif isinstance(content, dict):
        np.savez(path, **content)
    else:
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


IDS = {"queries": ["p", "q"], "items": ["a", "b", "c"]}


@pytest.mark.parametrize(
    ("arrays", "distances"),
    [
        ({"scores": VALUES}, False),
        ({"Similarity": VALUES, **IDS}, False),
        ({"distances": VALUES, **IDS}, True),
        ({"anything": VALUES}, False),
        ({"dist": VALUES}, True),
    ],
)
def test_npz(tmp_path, arrays, distances: bool) -> None:
    matrix = read_matrix(written(tmp_path / "a.npz", arrays))
    assert np.array_equal(matrix.values, VALUES)
    assert matrix.distances is distances
    assert (matrix.rows, matrix.columns) == (arrays.get("queries"), arrays.get("items"))


def npy_with(head: bytes) -> bytes:
    return b"\x93NUMPY\x01\x00" + bytes([118, 0]) + head.ljust(117) + b"\n" + bytes(48)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.npy", np.array([[None]]), "holds pickled objects"),
        ("a.npz", {"scores": np.array([[{}]])}, "holds pickled objects"),
        ("a.npy", b"nothing", "a.npy: holds pickled objects, or is no file"),
        ("a.npy", b"", "a.npy: the file is empty"),
        ("a.npy", npy_with(b"{'descr': '<f8', 'shape': ("), "is no complete file of NumPy"),
        ("a.npy", npy_with(b"{'descr': 3}"), "a.npy: is no complete file of NumPy"),
        ("a.npy", npy_with(b"'"), "a.npy: is no complete file of NumPy"),
        ("a.npy", np.zeros((2, 2, 2)), r"its shape is \(2, 2, 2\)"),
        ("a.npy", np.array([["x"]]), "a.npy, row 1, column 1: value .*'x'"),
        ("a.npy", np.array([[1, np.nan]]), "row 1, column 2: nan is not"),
        ("a.npz", {"x": VALUES, "y": VALUES}, "no array is called matrix among 'x', 'y'"),
        ("a.npz", {"scores": VALUES, "dist": VALUES}, "several arrays could be the mat"),
        ("a.npz", {"scores": VALUES * np.inf}, "a.npz, array 'scores', row 1, col"),
        ("a.pt", b"PK", r"a\.pt: the ending '\.pt' .* \.npy \(np\.save\)"),
        ("a.pt", b"PK\x03\x04\0\0", r"a\.pt: the ending '\.pt' .* \.npy \(np\.save\)"),
        ("a.csv", "1,2\n3\n", "a.csv, line 2: has 1 field, and the first row has 2"),
        ("a.txt", "1 2\n\n3 4 5\n", "a.txt, line 3: has 3 fields, and the first row has 2"),
        ("a.csv", ",x,y,z\nq,1,2\n", "line 1: names 4 columns, but rows have 3"),
        ("a.csv", "1,2\n3,x\n", "line 2, column 2: value 'x' is not a number"),
        ("a.csv", "1,nan\n3,4\n", "line 1, column 2: value 'nan' is not a finite number"),
        ("a.csv", ",x,y\np,1,2\nq,3,\n", "line 3, column 3: value '' is not a number"),
        ("a.txt", "1 2\n3 1e999\n", "line 2, column 2: value '1e999' is beyond the range"),
        ("a.txt", "1 2\n3 #4\n", "line 2, column 2: value '#4' is not a number"),
        ("a.txt", '0.5 0.25\n2 "3.5\n', "line 2, column 2: value '\"3.5' is not a number"),
        ("a.csv", "1,2\n3,1_0\n", "line 2, column 2: value '1_0' is not a number"),
        ("a.csv", "1,2\n3\x1c,4\n", r"line 2, column 1: value '3\\x1c' is not a number"),
        ("a.csv", "x,y\n1,2\n3,4\n", "line 1: does not say whether the first column, 'x'"),
        ("a.csv", "p,1,2\nq,3,4\n", "line 1: may be a row or a header of ids"),
        ("a.txt", "", "a.txt: the file is empty"),
        ("a.txt", "1 \0", "is not a text file"),
        ("a.txt", "1 \u2212", "line 1, column 2: value '\u2212' is not a number"),
    ],
)
def test_damaged_files(tmp_path, name: str, content: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read_matrix(written(tmp_path / name, content))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("queries", "items"), [(["q"], ["a", "b"]), (["q", "r"], ["a"]), ([], [])])
def test_ids_of_a_file_are_as_many_as_its_lines(queries, items, tmp_path) -> None:
    path = written(tmp_path / "m.npz", {"scores": np.eye(2), "queries": queries, "items": items})
    with pytest.raises(DataError, match=r"has 2 (rows|columns) and [01] (queries|items)"):
        ft.read_runs(path)


def test_incomplete_archives(tmp_path) -> None:
    path = written(tmp_path / "a.npy", VALUES)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(DataError, match=r"a.npy: is no complete file of NumPy"):
        read_matrix(path)
    with pytest.raises(DataError, match=r"b.npz: no such file"):
        read_matrix(tmp_path / "b.npz")
    with zipfile.ZipFile(tmp_path / "m.npz", "w") as archive:
        archive.writestr("scores.npy", b"0.5 0.25")
    with pytest.raises(DataError, match=r"m.npz: 'scores' in it is no array of NumPy; save all"):
        ft.read_runs(tmp_path / "m.npz")


@pytest.mark.parametrize(
    ("name", "text", "rows", "columns"),
    [
        ("a.csv", "1,2\n3,4\n", None, None),
        ("a.csv", "1;2\n3;4\n", None, None),
        ("a.tsv", "\n1\t2\n\n3\t4\n", None, None),
        ("a.csv", ",x,y\np,1,2\nq,3,4\n", ["p", "q"], ["x", "y"]),
        ("a.csv", "x,y\np,1,2\nq,3,4\n", ["p", "q"], ["x", "y"]),
        ("a.csv", "model,x,y\np,1,2\nq,3,4\n", ["p", "q"], ["x", "y"]),
        ("a.csv", ",7,8\n5,1,2\n6,3,4\n", ["5", "6"], ["7", "8"]),
        ("a.csv", "query,7,8\n5,1,2\n6,3,4\n", ["5", "6"], ["7", "8"]),
        ("a.csv", "any,7,8\n5,1,2\n6,3,4\n", ["5", "6"], ["7", "8"]),
        ("a.csv", "p,1.0,2\nq,3,4\n", ["p", "q"], None),
        ("a.csv", '"","x,1","y"\r\n"p",1,2\r\n"q",3,4\r\n', ["p", "q"], ["x,1", "y"]),
        ("a.csv", ",x,y\np\x1cq,1,2\nr,3,4\n", ["p\x1cq", "r"], ["x", "y"]),
        ("a.txt", "1 2\n  3\t4  \n", None, None),
        ("a.dist", "1.0 2e0\n\n3 4\n", None, None),
        ("a.txt.gz", "1 2\n3 4\n", None, None),
        ("a.csv.gz", "1,2\n3,4\n", None, None),
        ("a.matrix", "x y\np 1 2\nq 3 4\n", ["p", "q"], ["x", "y"]),
        ("a.pt", "1 2\n3 4\n", None, None),
    ],
)
def test_matrices_of_text(tmp_path, name: str, text: str, rows, columns) -> None:
    matrix = read_matrix(written(tmp_path / name, text))
    assert np.array_equal(matrix.values, [[1, 2], [3, 4]])
    assert (matrix.rows, matrix.columns) == (rows, columns)


def test_one_row_and_lines_of_ids(tmp_path) -> None:
    path = written(tmp_path / "a.csv", "1,2,3")
    assert read_text_matrix(Source.of(path)).values.tolist() == [[1, 2, 3]]
    assert read_matrix(written(path, "q,2,3")).rows == ["q"]
    assert read_id_lines(written(path, "\ufeffm1\r\n m 2 \nm3\n\n")) == ["m1", "m 2", "m3"]
    with pytest.raises(DataError, match=r"a.csv, line 2: is blank"):
        read_id_lines(written(path, "a\n\nb\n"))

"""Matrices of text: headers, ids, separators, and the place of what is wrong."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.matrices import read_text_matrix


def read(path, text: str):
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return read_text_matrix(Source.of(path))


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
        ("a.txt", "1 2\n  3\t4  \n", None, None),
        ("a.dist", "1.0 2e0\n\n3 4\n", None, None),
        ("a.txt.gz", "1 2\n3 4\n", None, None),
        ("a.csv.gz", "1,2\n3,4\n", None, None),
        ("a.matrix", "x y\np 1 2\nq 3 4\n", ["p", "q"], ["x", "y"]),
    ],
)
def test_numbers_and_ids(tmp_path, name: str, text: str, rows, columns) -> None:
    matrix = read(tmp_path / name, text)
    assert np.array_equal(matrix.values, [[1, 2], [3, 4]])
    assert (matrix.rows, matrix.columns) == (rows, columns)


def test_one_row(tmp_path) -> None:
    assert read(tmp_path / "a.csv", "1,2,3").values.tolist() == [[1, 2, 3]]
    assert read(tmp_path / "b.csv", "q,2,3").rows == ["q"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "1,2\n3\n", "a.csv, line 2: has 1 field, and the first row has 2"),
        ("a.txt", "1 2\n\n3 4 5\n", "a.txt, line 3: has 3 fields, and the first row has 2"),
        ("a.csv", ",x,y,z\nq,1,2\n", "line 1: names 4 columns, but rows have 3"),
        ("a.csv", "1,2\n3,x\n", "line 2, column 2: value 'x' is not a number"),
        ("a.csv", "1,nan\n3,4\n", "line 1, column 2: value 'nan' is not a finite number"),
        ("a.csv", ",x,y\np,1,2\nq,3,\n", "line 3, column 3: value '' is not a number"),
        ("a.txt", "1 2\n3 1e999\n", "line 2, column 2: value '1e999' is beyond the range"),
        ("a.txt", "1 2\n3 #4\n", "line 2, column 2: value '#4' is not a number"),
        ("a.csv", "1,2\n3,1_0\n", "line 2, column 2: value '1_0' is not a number"),
        ("a.csv", "1,2\n3\x1c,4\n", r"line 2, column 1: value '3\\x1c' is not a number"),
        ("a.csv", "x,y\n1,2\n3,4\n", "line 1: does not say whether the first column, 'x'"),
        ("a.csv", "p,1,2\nq,3,4\n", "line 1: may be a row or a header of ids"),
        ("a.txt", "", "a.txt: the file is empty"),
        ("a.txt", "1 \0", "is not a text file"),
        ("a.txt", "1 \u2212", "line 1, column 2: value '\u2212' is not a number"),
    ],
)
def test_what_is_wrong_has_a_place(tmp_path, name: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(tmp_path / name, text)
    assert "\n" not in str(caught.value)


def test_marks_beside_ids_do_not_matter(tmp_path) -> None:
    found = read(tmp_path / "a.csv", ",x,y\np\x1cq,1,2\n")
    assert (found.rows, found.values.tolist()) == (["p\x1cq"], [[1, 2]])

"""Files of matrices: NumPy's, and which files are taken for matrices."""

from __future__ import annotations

import gzip
import zipfile

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.matrices import holds_matrix, read_matrix
from fuzzytruth.io.table_files import read_id_lines

VALUES = np.array([[0.5, 0.25], [1.0, 2.0], [3.0, 4.5]])


def test_npy(tmp_path) -> None:
    np.save(tmp_path / "a.npy", VALUES.astype(np.float32))
    with gzip.open(tmp_path / "b.npy.gz", "wb") as file:
        np.save(file, VALUES)
    for name in ("a.npy", "b.npy.gz"):
        matrix = read_matrix(tmp_path / name)
        assert np.array_equal(matrix.values, VALUES)
        assert (matrix.rows, matrix.columns, matrix.distances) == (None, None, False)


@pytest.mark.parametrize(
    ("arrays", "distances"),
    [
        ({"scores": VALUES}, False),
        ({"Similarity": VALUES, "queries": ["p", "q", "r"], "items": ["a", "b"]}, False),
        ({"distances": VALUES, "queries": ["p", "q", "r"], "items": ["a", "b"]}, True),
        ({"anything": VALUES}, False),
        ({"dist": VALUES}, True),
    ],
)
def test_npz(tmp_path, arrays, distances: bool) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    matrix = read_matrix(tmp_path / "a.npz")
    assert np.array_equal(matrix.values, VALUES)
    assert matrix.distances is distances
    assert (matrix.rows, matrix.columns) == (arrays.get("queries"), arrays.get("items"))


def save(path, **arrays):
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("a.npy", lambda p: np.save(p, np.array([[None]])), "holds pickled objects"),
        ("a.npz", lambda p: save(p, scores=np.array([[{}]])), "holds pickled objects"),
        ("a.npy", lambda p: p.write_bytes(b"nothing"), "a.npy: holds pickled objects, or is no fi"),
        ("a.npy", lambda p: p.write_bytes(b""), "a.npy: the file is empty"),
        ("a.npy", lambda p: np.save(p, np.zeros((2, 2, 2))), r"its shape is \(2, 2, 2\)"),
        ("a.npy", lambda p: np.save(p, np.array([["x"]])), "a.npy, row 1, column 1: value .*'x'"),
        ("a.npy", lambda p: np.save(p, np.array([[1, np.nan]])), "row 1, column 2: nan is not"),
        (
            "a.npz",
            lambda p: save(p, x=VALUES, y=VALUES),
            "no array is called matrix among 'x', 'y'",
        ),
        ("a.npz", lambda p: save(p, scores=VALUES, dist=VALUES), "several arrays could be the mat"),
        ("a.npz", lambda p: save(p, scores=VALUES * np.inf), "a.npz, array 'scores', row 1, col"),
    ],
)
def test_damaged(tmp_path, name: str, write, message: str) -> None:
    write(tmp_path / name)
    with pytest.raises(DataError, match=message):
        read_matrix(tmp_path / name)


def test_a_truncated_file(tmp_path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, VALUES)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(DataError, match=r"a.npy: is no complete file of NumPy"):
        read_matrix(path)
    with pytest.raises(DataError, match=r"b.npz: no such file"):
        read_matrix(tmp_path / "b.npz")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.txt", "0.1 0.2\n0.3 0.4\n", True),
        ("a.txt", "q1 Q0 d1 1 2.5 tag\n", False),
        ("a.txt", "1 0 2 1 2.5 7\n", False),
        ("a.dist", "1 0 2 1 2.5 7\n", True),
        ("a.matrix.gz", "1 0 2 1 2.5 7\n", True),
        ("a.matrix", "q1 Q0 d1 1 2.5 tag\n", False),
        ("a.txt", "7\n", False),
        ("a.txt", "", False),
        ("a.csv", "query,item,score\n1,2,3\n", False),
        ("a.csv", "qury,item,score\n1,2,3\n", False),
        ("a.csv", "foo;bar\nx;y\n", False),
        ("a.csv", ",d1,d2\nq1,1,2\n", True),
        ("a.csv", "query;d1;d2\nq1;1;2\n", True),
        ("a.tsv", "1\t2\n3\t4\n", True),
        ("a.csv", "0.5,,1\n,2,3\n", True),
        ("a.json", "[1, 2]", False),
        ("a.parquet", "1 2", False),
    ],
)
def test_which_files_are_matrices(tmp_path, name: str, text: str, expected: bool) -> None:
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert holds_matrix(Source.of(tmp_path / name)) is expected


def test_ids_in_lines(tmp_path) -> None:
    path = tmp_path / "ids.txt"
    path.write_text("\ufeffm1\r\n m 2 \nm3\n\n")
    assert read_id_lines(path) == ["m1", "m 2", "m3"]
    path.write_text("a\n\nb\n")
    with pytest.raises(DataError, match=r"ids.txt, line 2: is blank"):
        read_id_lines(path)


@pytest.mark.parametrize("content", [b"PK", b"PK\x03\x04\0\0"])
def test_files_of_other_tools_are_no_matrices(tmp_path, content):
    path = tmp_path / "a.pt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"a\.pt: the ending '\.pt' .* \.npy \(np\.save\)"):
        read_matrix(path)
    path.write_text("1 2\n3 4\n")
    assert read_matrix(path).values.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(("queries", "items"), [(["q"], ["a", "b"]), (["q", "r"], ["a"]), ([], [])])
def test_ids_of_a_file_are_as_many_as_its_lines(queries, items, tmp_path):
    np.savez(tmp_path / "m.npz", scores=np.eye(2), queries=queries, items=items)
    with pytest.raises(DataError, match=r"has 2 (rows|columns) and [01] (queries|items)"):
        ft.read_runs(tmp_path / "m.npz")


@pytest.mark.parametrize("head", [b"{'descr': '<f8', 'shape': (", b"{'descr': 3}", b"'"])
def test_a_damaged_header_is_one_error(head, tmp_path):
    text = head.ljust(117) + b"\n"
    (tmp_path / "m.npy").write_bytes(b"\x93NUMPY\x01\x00" + bytes([118, 0]) + text + bytes(48))
    with pytest.raises(DataError, match=r"m.npy: is no complete file of NumPy") as found:
        ft.read_runs(tmp_path / "m.npy", queries=["q"], items=["a"])
    assert len(str(found.value).splitlines()) == 1


def test_a_quote_among_numbers_separated_by_blanks(tmp_path):
    (tmp_path / "m.txt").write_text('0.5 0.25\n2 "3.5\n')
    with pytest.raises(DataError, match=r"line 2, column 2: value '\"3.5' is not a number"):
        ft.read_runs(tmp_path / "m.txt", queries=["q", "r"], items=["a", "b"])


def test_a_member_that_is_no_array(tmp_path):
    with zipfile.ZipFile(tmp_path / "m.npz", "w") as archive:
        archive.writestr("scores.npy", b"0.5 0.25")
    with pytest.raises(DataError, match=r"m.npz: 'scores' in it is no array of NumPy; save all"):
        ft.read_runs(tmp_path / "m.npz")

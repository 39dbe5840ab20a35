"""Numbers of items and categories from tables, matrices and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fuzzytruth.data.category_table import CategorySource
from fuzzytruth.errors import DataError, OptionError

LONG = {"image": ["i", "j"], "label": ["cat", "dog"], "count": [3, 2]}
WIDE = {"item": ["i", "j"], "cat": [3, 0], "dog": [0, 2]}


def source(given: Any) -> CategorySource:
    return CategorySource.of(given, where="counts", column="count")


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_columns(make: Any) -> None:
    read = source(make(LONG))
    assert read.matrix is None
    columns = {name: list(map(str, np.asarray(c))) for name, c in (read.columns or {}).items()}
    assert columns == {"item": ["i", "j"], "category": ["cat", "dog"], "count": ["3", "2"]}
    assert read.locate is not None
    assert read.locate(1).startswith("counts, row 2")


@pytest.mark.parametrize(
    "given",
    [
        WIDE,
        pd.DataFrame(WIDE),
        pd.DataFrame(WIDE).set_index("item"),
        pd.DataFrame(WIDE).set_index("item").rename_axis("image"),
        pd.DataFrame(WIDE).set_index("item").rename_axis(None),
        pd.DataFrame(WIDE).rename(columns={"item": "name"}),
        pl.DataFrame(WIDE)[["cat", "item", "dog"]],
        pa.table(WIDE).rename_columns(["name", "cat", "dog"]),
    ],
)
def test_tables_of_items_and_categories(given: Any) -> None:
    matrix = source(given).matrix
    assert matrix is not None
    assert (matrix.rows, matrix.columns) == (["i", "j"], ["cat", "dog"])
    np.testing.assert_array_equal(matrix.values, [[3, 0], [0, 2]])


def test_rows_without_ids() -> None:
    matrix = source(pd.DataFrame({"cat": [3, 0], "dog": [0, 2]})).matrix
    assert matrix is not None
    assert (matrix.rows, matrix.columns) == (None, ["cat", "dog"])


@pytest.mark.parametrize(
    ("name", "text", "is_matrix"),
    [
        ("a.csv", "image,label,count\ni,cat,3\n", False),
        ("a.csv", ",cat,dog\ni,3,0\n", True),
        ("a.csv", "item,cat,dog\ni,3,0\n", True),
        ("a.txt", "3 0\n0 2\n", True),
    ],
)
def test_files(tmp_path: Path, name: str, text: str, is_matrix: bool) -> None:
    path = tmp_path / name
    path.write_text(text)
    read = source(str(path))
    assert (read.where, read.matrix is not None) == (str(path), is_matrix)
    np.save(tmp_path / "a.npy", [[3, 0]])
    assert source(tmp_path / "a.npy").matrix is not None


def test_no_categories() -> None:
    with pytest.raises(
        DataError, match=r"^counts: has no columns of numbers beside 'item', the ids$"
    ):
        source({"item": ["i"]})


def test_a_cell_that_is_no_number_has_a_place() -> None:
    with pytest.raises(
        DataError, match=r"^counts, row 2 \('j'\), column 2 \('dog'\): value 'many'"
    ):
        source({"item": ["i", "j"], "cat": [1, 2], "dog": [1, "many"]})


def test_files_without_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.qrels"
    path.write_text("q 0 d x\n")
    with pytest.raises(DataError, match=r"a\.qrels: holds no matrix, and has no named columns"):
        source(path)


def test_own_names_of_columns() -> None:
    own = {"who": ["i"], "label": ["cat"], "people": [3]}
    read = CategorySource.of(
        own, where="c", column="count", columns={"item": "who", "count": "people"}
    )
    assert read.columns == {"item": ["i"], "category": ["cat"], "count": [3]}
    with pytest.raises(DataError, match=r"^c: no column for 'item' "):
        CategorySource.of(own, where="c", column="count", columns={"count": "people"})
    with pytest.raises(OptionError, match="is for a table with a column of items"):
        CategorySource.of([[1]], where="c", column="count", columns={"count": "people"})


def test_a_column_that_is_missing_is_named() -> None:
    with pytest.raises(DataError, match=r"^counts: no column for 'count' "):
        source({"item": ["i"], "category": ["cat"], "number": [3]})

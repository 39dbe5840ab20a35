"""Tables of every library give the same columns."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import make_dataclass
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.columns import check_ids
from fuzzytruth.io.numbers import check_numbers
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest, is_table, named_columns

REQUEST = ColumnRequest(("query", "item"), (), "grade", any_of=("grade",))
DATA: dict[str, list[Any]] = {"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "rel": [1, 0, 2]}
ROWS = list(zip(*DATA.values(), strict=True))
Row = namedtuple("Row", DATA)
Record = make_dataclass("Record", [*DATA])


class ArrowStream:
    """A stand-in for a library that is not installed, such as Hugging Face datasets."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return pa.table(DATA).__arrow_c_stream__(requested_schema)


class BrokenStream:
    """Fails as libraries do whose data have no Arrow type."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        raise TypeError("no")


KINDS: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame(DATA),
    "pandas, categories": lambda: pd.DataFrame(DATA).astype({"qid": "category"}),
    "pandas, index levels": lambda: pd.DataFrame(DATA).set_index(["qid", "docno"]),
    "pandas, series": lambda: pd.DataFrame(DATA).set_index(["qid", "docno"])["rel"],
    "pandas, unnamed series": lambda: pd.Series(
        DATA["rel"], pd.MultiIndex.from_tuples([r[:2] for r in ROWS], names=["qid", "docno"])
    ),
    "pandas, column levels": lambda: pd.DataFrame(DATA).rename(columns={n: (n, "") for n in DATA}),
    "polars": lambda: pl.DataFrame(DATA),
    "polars, categories": lambda: pl.DataFrame(DATA).cast({"qid": pl.Categorical}),
    "duckdb": lambda: duckdb.from_df(pd.DataFrame(DATA)),
    "arrow": lambda: pa.table(DATA),
    "arrow, dictionary": lambda: pa.table(
        {n: pa.array(v).dictionary_encode() if n != "rel" else v for n, v in DATA.items()}
    ),
    "arrow stream": ArrowStream,
    "record batches": lambda: pa.table(DATA).to_reader(),
    "structured array": lambda: np.array(
        ROWS, dtype=[("qid", "U5"), ("docno", "U5"), ("rel", "i4")]
    ),
    "record array": lambda: pd.DataFrame(DATA).to_records(index=False),
    "columns": lambda: DATA,
    "named tuples": lambda: [Row(*r) for r in ROWS],
    "iterator": lambda: iter([Row(*r) for r in ROWS]),
    "mappings": lambda: [dict(zip(DATA, r, strict=True)) for r in ROWS],
    "data classes": lambda: [Record(*r) for r in ROWS],
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_columns(kind: str) -> None:
    columns, origin = table_of(KINDS[kind](), REQUEST)
    assert check_ids(columns["query"], "query", origin).to_pylist() == DATA["qid"]
    assert check_ids(columns["item"], "item", origin).to_pylist() == DATA["docno"]
    assert check_numbers(columns["grade"], "grade", origin).tolist() == DATA["rel"]
    assert origin.column("query") == "'qid'"


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "columns"])
def test_what_is_a_table(kind: str) -> None:
    assert is_table(KINDS[kind]())


@pytest.mark.parametrize("given", ["a.csv", {"q": {"d": 1}}, [], [1], 3, None, np.zeros((2, 2))])
def test_what_is_no_table(given: Any) -> None:
    assert not is_table(given)
    with pytest.raises(OptionError, match=r"^frame=.*must be a DataFrame .*; or so$"):
        table_of(given, REQUEST, "frame", "; or so")


def test_rows_are_named_by_their_index() -> None:
    frame = pd.DataFrame(DATA, index=["x", "y", "z"])
    assert named_columns(frame, "t").locate("t")(1) == "t, row 2 (index 'y')"
    assert named_columns(frame.reset_index(drop=True), "t").locate("t")(1) == "t, row 2 (index 1)"
    assert named_columns(pl.DataFrame(DATA), "t").locate("t")(1) == "t, row 2"


def test_bad_tables() -> None:
    twice = pd.DataFrame([[1, 2]], columns=["qid", "qid"])
    with pytest.raises(DataError, match="several columns 'qid'; rename one"):
        table_of(twice, REQUEST)
    with pytest.raises(DataError, match=r"^t, row 2: 3 has no named values"):
        table_of([Row("1", "a", 1), 3], REQUEST, "t")
    with pytest.raises(DataError, match=r"^t: there are no rows"):
        table_of(iter([]), REQUEST, "t")
    with pytest.raises(DataError, match="Arrow stream cannot be read"):
        table_of(BrokenStream(), REQUEST, "t")

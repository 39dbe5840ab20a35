"""Tables of every library and nested dictionaries give the same columns."""

from collections import namedtuple
from collections.abc import Callable
from dataclasses import make_dataclass, replace
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.evaluation.scores.scores_from_frame import score_request
from fuzzytruth.io.columns import check_ids
from fuzzytruth.io.numbers import check_numbers
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import (
    ColumnRequest,
    by_system,
    flatten,
    is_table,
    with_scores,
)

REQUEST = ColumnRequest(
    ("query", "item"), ("subject",), "grade", any_of=("grade", "probability"), wide_as="subject"
)
SCORED = replace(REQUEST, takes_score=True)
WIDE = replace(REQUEST, wide=("ann", "bob"))
EXCHANGED = replace(REQUEST, columns={"query": "item_no", "item": "query"})
GIVEN = replace(SCORED, columns={"grade": "x"})
OF_SCORES = score_request(None, (), (), ())


@pytest.mark.parametrize(
    ("request_", "present", "expected"),
    [
        (REQUEST, "topic docno rel x", "query=topic item=docno grade=rel"),
        (
            EXCHANGED,
            "item_no query rel worker",
            "query=item_no item=query grade=rel subject=worker",
        ),
        (REQUEST, "INPUT:qid doc OUTPUT:x", "query=INPUT:qid item=doc grade=OUTPUT:x"),
        (REQUEST, "qid doc Answer.a.label", "query=qid item=doc grade=Answer.a.label"),
        (SCORED, "qid item score", "query=qid item=item grade=score"),
        (SCORED, "qid item Score rel", "query=qid item=item grade=rel"),
        (SCORED, "qid item score prob", "query=qid item=item probability=prob"),
        (GIVEN, "qid item score x", "query=qid item=item grade=x"),
    ],
)
def test_matches(request_: ColumnRequest, present: str, expected: str) -> None:
    names = request_.match(present.split(), "t")
    assert names == dict(pair.split("=") for pair in expected.split())


@pytest.mark.parametrize(
    ("request_", "present", "message"),
    [
        (REQUEST, "topic docno", "^t: no column for 'grade' or 'probability'"),
        (REQUEST, "qid docno score", "no column for 'grade'"),
        (REQUEST, "qid docno OUTPUT:a OUTPUT:b", "no column for 'grade'"),
        (REQUEST, "topic_nr item grade", r"columns=\{'query': 'topic_nr'\}; see there$"),
        (REQUEST, "query item a b", r"if each subject has a column \('a', 'b'\): subjects="),
        (REQUEST, "rater query item a b", r"if each question .*, read one at .*=\{'.*': 'a'\}$"),
        (OF_SCORES, "system query a b", r"if each measure .*'a'\} \(or several: read_scores"),
        (
            SCORED,
            "qid item score rank",
            r"which are those of a run; see that this is the file you mean",
        ),
        (
            SCORED,
            "qid item score distance",
            r"which are those of a run; see that this is the file you",
        ),
        (
            SCORED,
            "qid item score model",
            r"which are those of a run; see that this is the file you mean",
        ),
        (replace(REQUEST, otherwise="; or else"), "query item a b", "; or else; if each subject"),
        (WIDE, "qid docno ann", r"^t: no column 'bob'.*columns present: 'qid'"),
        (REQUEST.given(wide="eve"), "query", "no column 'eve', which subjects= names; columns pre"),
    ],
)
def test_columns_that_are_missing(request_: ColumnRequest, present: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        request_.match(present.split(), "t", "; see there")


def test_advice_names_the_reader_that_takes_columns() -> None:
    request = replace(REQUEST, readers=("read(path", "Made.from_frame(frame"))
    for present, end in (
        ("topic_nr item grade", "columns={'query': 'topic_nr'})"),
        ("qid query_id item grade", "say which: {}, columns={'query': 'qid'})"),
    ):
        for note, reader in ((None, "read(path"), ("", "Made.from_frame(frame")):
            with pytest.raises(DataError) as error:
                request.match(present.split(), "t", note)
            assert str(error.value).endswith(end.replace("{}", reader))
            assert f": {reader}, columns=" in str(error.value)


def test_options() -> None:
    request = REQUEST.given({}, grades={"yes": 1}, drop="na", wide=["ann"])
    wanted = replace(REQUEST, columns={}, numbers={"yes": 1}, drop=("na",), wide=("ann",))
    assert request == wanted
    assert (request.options, REQUEST.options) == ("columns=, grades=, drop=, subjects=", "")
    assert (request.is_number("grade"), REQUEST.is_number("grade")) == (False, True)
    assert REQUEST.example_header == ("query", "item", "grade")
    assert REQUEST.record_keys == "query, item, grade"
    for wrong in ({"yes": "1"}, {}, ["yes"], {"yes": float("nan")}):
        with pytest.raises(OptionError, match="grades"):
            REQUEST.given(grades=wrong)
    with pytest.raises(OptionError, match=r"subjects=.*each once"):
        REQUEST.given(wide=["ann", "ann"])


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
    "arrow, dictionary": lambda: pa.table(
        {n: pa.array(v).dictionary_encode() if n != "rel" else v for n, v in DATA.items()}
    ),
    "arrow stream": ArrowStream,
    "record batches": lambda: pa.table(DATA).to_reader(),
    "structured array": lambda: np.array(
        ROWS, dtype=[("qid", "U5"), ("docno", "U5"), ("rel", "i4")]
    ),
    "record array": lambda: pd.DataFrame(DATA).to_records(index=False),
    "named tuples": lambda: [Row(*r) for r in ROWS],
    "iterator": lambda: iter([Row(*r) for r in ROWS]),
    "mappings": lambda: [dict(zip(DATA, r, strict=True)) for r in ROWS],
    "data classes": lambda: [Record(*r) for r in ROWS],
}


@pytest.mark.parametrize("kind", [*KINDS, "columns"])
def test_the_same_columns(kind: str) -> None:
    given = KINDS[kind]() if kind in KINDS else DATA
    assert is_table(given) == (kind in KINDS)
    columns, origin = table_of(given, REQUEST)
    assert check_ids(columns["query"], "query", origin).to_pylist() == DATA["qid"]
    assert check_ids(columns["item"], "item", origin).to_pylist() == DATA["docno"]
    assert check_numbers(columns["grade"], "grade", origin).tolist() == DATA["rel"]
    assert origin.column("query") == "'qid'"


@pytest.mark.parametrize("given", ["a.csv", {"q": {"d": 1}}, [], [1], 3, None, np.zeros((2, 2))])
def test_what_is_no_table(given: Any) -> None:
    assert not is_table(given)
    with pytest.raises(OptionError, match=r"^frame=.*must be a DataFrame .*; or so$"):
        table_of(given, REQUEST, "frame", "; or so")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (pd.DataFrame([[1, 2]], columns=["qid", "qid"]), "several columns 'qid'; rename one"),
        ([Row("1", "a", 1), 3], r"^t, row 2: 3 has no named values"),
        (iter([]), r"^t: there are no rows"),
        (BrokenStream(), "Arrow stream cannot be read"),
    ],
)
def test_bad_tables(given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        table_of(given, REQUEST, "t")


def test_nested_entries_in_order() -> None:
    nested = {"q1": {"a": 1, 2: np.float32(0.5)}, 7: {}, "q3": {"a": -1}}
    entries = flatten(nested, "grade", "truth")
    assert [entries.queries[code].as_py() for code in entries.code.tolist()] == ["q1", "q1", "q3"]
    assert entries.item.to_pylist() == ["a", "2", "a"]
    assert entries.number.tolist() == [1, 0.5, -1]
    assert entries.locate(1) == "truth, query 'q1', item '2'"
    entries = flatten({1: {"a": 1}, "1": {"b": 2}}, "grade", "truth")  # one query
    assert (entries.code.tolist(), entries.queries.to_pylist()) == ([0, 0], ["1"])


@pytest.mark.parametrize(
    ("nested", "message"),
    [
        ({}, "^truth: there are no rows in it"),
        ({"q": {}}, "there are no rows in it"),
        ({"q": 3}, r"^truth, query 'q': 3 is not a mapping; give \{query: \{item: grade\}\}"),
        ({"q": {"a": "x"}}, "^truth, query 'q', item 'a', column 'grade': value 'x' is not a num"),
        ({"q": {"a": 1, "b": np.nan}}, "query 'q', item 'b', column 'grade': value nan is not a f"),
        ({"q": {"": 1}}, "query 'q', item '', column 'item': the id is empty"),
        ({"": {"a": 1}}, "column 'query': the id is empty"),
        ({"q": {"a": {"b": 1}}}, r"'q', item 'a': \{'b': 1\} is a dict and no grade.*or so"),
        (3, r"^truth=3: must be \{query: \{item: grade\}\}$"),
    ],
)
def test_errors_name_the_entry(nested: Any, message: str) -> None:
    with pytest.raises((DataError, OptionError), match=message):
        flatten(nested, "grade", "truth", too_deep="or so")


def test_lists_and_levels() -> None:
    lists = {"q": ["a", "b", "a", "c"]}
    assert with_scores(lists, "run", "first") == {"q": {"a": 3, "b": 2, "c": 1}}
    with pytest.raises(DataError, match=r"^run, query 'q': item 'a' is listed 2 times.*'first'$"):
        with_scores(lists, "run")
    with pytest.raises(DataError, match=r"^run, query 'q': a set has no order; give a list"):
        with_scores({"q": {"a"}}, "run")
    runs = {"q": {"a": 1}}
    assert by_system(runs, "x") == {"x": runs}
    assert by_system({"x": runs}, "y") == {"x": runs}
    with pytest.raises(DataError, match=r"^run 'x': is a matrix; Runs.from_matrix"):
        by_system({"x": np.ones((1, 2))}, "y")
    with pytest.raises(OptionError, match=r"must be \{system: \{query"):
        by_system([1], "y")

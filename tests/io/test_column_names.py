"""Columns are found under any of their usual names, and ambiguous ones are refused."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.column_names import COLUMN_ALIASES, columns_of, find_columns


@pytest.mark.parametrize("name", COLUMN_ALIASES)
def test_every_alias_is_accepted(name: str) -> None:
    assert COLUMN_ALIASES[name][0] == name
    for alias in COLUMN_ALIASES[name]:
        for column in (alias, alias.upper(), f" {alias} "):
            assert find_columns([column, "x"], (name,), (), where="t") == {name: column}


def test_optional_columns_may_be_missing() -> None:
    present = ["topic", "docno", "aspect"]
    result = find_columns(present, ("query", "item"), ("subject", "intent"), where="t")
    assert result == {"query": "topic", "item": "docno", "intent": "aspect"}


def test_an_exact_name_wins_over_an_alias() -> None:
    assert find_columns(["item", "image"], ("item",), (), where="t") == {"item": "item"}
    with pytest.raises(DataError, match=r"^t: columns 'doc', 'image' all mean 'item'; keep one$"):
        find_columns(["doc", "image"], ("item",), (), where="t")
    with pytest.raises(DataError, match="'grade', 'relevance' all mean 'grade'"):
        find_columns(["grade", "relevance"], ("grade",), (), where="t")


def test_missing_columns() -> None:
    message = r"^t: no column for 'query' \(accepted: query, query_id, .*\); columns present: 'x'$"
    with pytest.raises(DataError, match=message):
        find_columns(["x"], ("query", "item"), (), where="t")
    with pytest.raises(DataError, match="no column for 'grade' or 'probability'"):
        find_columns(["item"], ("item",), (), where="t", any_of=("grade", "probability"))
    result = find_columns(["prob"], (), (), where="t", any_of=("grade", "probability"))
    assert result == {"probability": "prob"}


def test_names_of_columns_of_a_frame() -> None:
    assert columns_of(pd.DataFrame({"a": [], 3: []}), "frame") == ["a", 3]
    with pytest.raises(OptionError, match=r"^frame=\[1\]: must be a DataFrame; or so$"):
        columns_of([1], "frame", "; or so")


@pytest.mark.parametrize(
    ("present", "required", "any_of", "what"),
    [
        (["system", "measure", "query", "value"], ("query", "item"), (), "scores"),
        (["qid", "docno", "rel"], ("query", "item"), ("score", "rank"), "judgments"),
        (["qid", "docno", "sim"], ("query", "item"), ("grade",), "a run"),
        (["worker", "image", "label"], ("query", "item"), (), "votes for categories"),
        (["parent", "child"], ("query", "item"), (), "a taxonomy"),
    ],
)
def test_tables_for_the_wrong_argument_are_recognised(
    present: list[str], required: tuple[str, ...], any_of: tuple[str, ...], what: str
) -> None:
    with pytest.raises(DataError, match=f", which are those of {what}; is this the file you mean"):
        find_columns(present, required, (), where="t", any_of=any_of)


def test_other_tables_are_not() -> None:
    with pytest.raises(DataError, match=r"columns present: 'x', 'item'$"):
        find_columns(["x", "item"], ("query",), (), where="t")

"""Nested dictionaries become columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.tables import by_system, flatten, with_scores


def test_entries_in_order() -> None:
    nested = {"q1": {"a": 1, 2: np.float32(0.5)}, 7: {}, "q3": {"a": -1}}
    entries = flatten(nested, "grade", "truth")
    assert [entries.queries[code].as_py() for code in entries.code.tolist()] == ["q1", "q1", "q3"]
    assert entries.item.to_pylist() == ["a", "2", "a"]
    assert entries.number.tolist() == [1, 0.5, -1]
    assert entries.locate(1) == "truth, query 'q1', item '2'"


def test_keys_of_equal_text_are_one_query() -> None:
    entries = flatten({1: {"a": 1}, "1": {"b": 2}}, "grade", "truth")
    assert entries.code.tolist() == [0, 0]
    assert entries.queries.to_pylist() == ["1"]


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
    ],
)
def test_errors_name_the_entry(nested: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        flatten(nested, "grade", "truth")


def test_something_else() -> None:
    with pytest.raises(OptionError, match=r"^truth=3: must be \{query: \{item: grade\}\}$"):
        flatten(3, "grade", "truth")  # type: ignore[arg-type]


def test_lists_that_repeat_an_item_and_sets() -> None:
    lists = {"q": ["a", "b", "a", "c"]}
    assert with_scores(lists, "run", "first") == {"q": {"a": 3, "b": 2, "c": 1}}
    with pytest.raises(DataError, match=r"^run, query 'q': item 'a' is listed 2 times.*'first'$"):
        with_scores(lists, "run")
    with pytest.raises(DataError, match=r"^run, query 'q': a set has no order; give a list"):
        with_scores({"q": {"a"}}, "run")


def test_levels() -> None:
    runs = {"q": {"a": 1}}
    assert by_system(runs, "x") == {"x": runs}
    assert by_system({"x": runs}, "y") == {"x": runs}
    with pytest.raises(DataError, match=r"^run 'x': is a matrix; Runs.from_matrix"):
        by_system({"x": np.ones((1, 2))}, "y")
    with pytest.raises(OptionError, match=r"must be \{system: \{query"):
        by_system([1], "y")
    with pytest.raises(DataError, match=r"'q', item 'a': \{'b': 1\} is a dict and no grade.*or so"):
        flatten({"q": {"a": {"b": 1}}}, "grade", "truth", too_deep="or so")

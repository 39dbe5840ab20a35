"""Columns are found under any of their usual names, and ambiguous ones are refused."""

from typing import Any

import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.column_names import (
    COLUMN_ALIASES,
    find_columns,
    given_columns,
)


def test_every_alias_is_accepted() -> None:
    for name, aliases in COLUMN_ALIASES.items():
        assert aliases[0] == name
        for alias in aliases:
            for column in (alias, alias.upper(), f" {alias} "):
                assert find_columns([column, "x"], (name,), (), where="t") == {name: column}


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ("query qid docno", {"query": "qid", "item": "docno"}),  # PyTerrier: query is text
        ("query-id corpus-id", {"query": "query-id", "item": "corpus-id"}),  # BEIR, MTEB
        ("_id doc_id", {"query": "_id", "item": "doc_id"}),
        ("Query item pid", {"query": "Query", "item": "item"}),
        ("qid document document_id", {"query": "qid", "item": "document_id"}),
        ("query Passage", {"query": "query", "item": "Passage"}),
        ("query passage docid", {"query": "query", "item": "docid"}),  # passage is text
        ("topic docno aspect", {"query": "topic", "item": "docno", "intent": "aspect"}),
        ("query item image", {"query": "query", "item": "item"}),
    ],
)
def test_the_best_spelling_wins(present: str, expected: dict[str, str]) -> None:
    found = find_columns(present.split(), ("query", "item"), ("subject", "intent"), where="t")
    assert found == expected


OF_JUDGMENTS = ("query", "item")


@pytest.mark.parametrize(
    ("present", "required", "any_of", "message"),
    [
        ("doc image", ["item"], (), "^t: columns 'doc', 'image' all mean 'item'; keep"),
        ("grade relevance", ["grade"], (), "'grade', 'relevance' all mean 'grade'"),
        ("topic topic_id item", OF_JUDGMENTS, (), "all mean 'query'"),
        (
            "x item",
            OF_JUDGMENTS,
            (),
            r"^t: no column for 'query' \(accepted: query, qid, .*\);",
        ),
        ("x item", ["query"], (), "columns present: 'x', 'item'; rename one; or say which"),
        ("item", ["item"], ("grade", "probability"), "no column for 'grade' or 'probability'"),
        ("probab x", [], ("grade", "probability"), r"columns=\{'probability': 'probab'\}$"),
        ("system measure query value", OF_JUDGMENTS, (), "of scores; see that this is"),
        ("qid docno rel", OF_JUDGMENTS, ("score", "rank"), "of judgments; see that this is"),
        ("qid docno sim", OF_JUDGMENTS, ("grade",), "of a run; see that this is the file you mean"),
        ("worker image class", OF_JUDGMENTS, ("grade",), r"categories; \w+ reads them; if"),
        (
            "worker image class",
            OF_JUDGMENTS,
            ("score", "rank"),
            "of votes for categories; see that",
        ),
        ("parent child", OF_JUDGMENTS, (), "of a taxonomy; see that this is the file you mean"),
        (
            *("qid docno rel", ("system", "query", "value"), ()),
            "of judgments; see .* judgments and runs make scores",
        ),
        (
            *("worker image label", OF_JUDGMENTS, ()),
            "of votes .*; read_assignments reads them; if .*, add columns={'query': '...'}",
        ),
    ],
)
def test_missing_columns(present: str, required: Any, any_of: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        find_columns(present.split(), required, (), where="t", any_of=any_of)


KNOWN = ("query", "item", "grade", "subject")
OWN = ["topic_no", "who", "x"]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            {"topic_no": "query"},
            OptionError,
            r"way round; write columns=\{'query': 'topic_no'",
        ),
        ({"quary": "topic_no"}, OptionError, r"'quary' is no column .* \(nearest: 'query'\)"),
        ({"query": "topic_no", "qid": "who"}, OptionError, "'query' is given twice"),
        ({"query": "topicno"}, DataError, r"^t: no column 'topicno'.*'topic_no'.*columns present"),
        ([1], OptionError, r"must be \{name: your column\}"),
    ],
)
def test_given_columns_that_are_none(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        given_columns(given, KNOWN, OWN, "t")

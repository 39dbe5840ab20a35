"""Columns are found under any of their usual names, and ambiguous ones are refused."""

from __future__ import annotations

import re

import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.column_names import (
    COLUMN_ALIASES,
    find_columns,
    given_columns,
    is_answer,
    is_known,
    may_be,
    may_name_people,
    may_tell_repeats,
    normalised,
)


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
    with pytest.raises(DataError, match=r"^t: columns 'doc', 'image' all mean 'item'; keep"):
        find_columns(["doc", "image"], ("item",), (), where="t")
    with pytest.raises(DataError, match="'grade', 'relevance' all mean 'grade'"):
        find_columns(["grade", "relevance"], ("grade",), (), where="t")


def test_missing_columns() -> None:
    message = (
        r"^t: no column for 'query' \(accepted: query, qid, .*\); columns present: 'x', 'item'"
    )
    with pytest.raises(DataError, match=message):
        find_columns(["x", "item"], ("query", "item"), (), where="t")
    with pytest.raises(DataError, match="no column for 'grade' or 'probability'"):
        find_columns(["item"], ("item",), (), where="t", any_of=("grade", "probability"))
    result = find_columns(["prob"], (), (), where="t", any_of=("grade", "probability"))
    assert result == {"probability": "prob"}


def test_all_missing_columns_are_named_with_those_they_may_be() -> None:
    present = ["Topic No.", "Doc", "Initials", "mark", "notes"]
    with pytest.raises(DataError) as error:
        find_columns(
            present, ("query", "item", "subject"), (), where="t", any_of=("grade", "probability")
        )
    assert str(error.value) == (
        "t: no column for 'query' (accepted: query, qid, query_id, q_id, topic, ...), and for "
        "'subject' (accepted: subject, annotator, worker, assessor, rater, ...), and for 'grade' "
        "or 'probability' (accepted: grade, relevance, rel, label, gain, ...); columns present: "
        "'Topic No.', 'Doc', 'Initials', 'mark', 'notes'; rename some, or say which they are: "
        "columns={'query': 'Topic No.', 'subject': 'Initials', 'grade': '...'}"
    )
    with pytest.raises(DataError, match=r"columns=\{'probability': 'probab'\}$"):
        find_columns(["probab", "x"], (), (), where="t", any_of=("grade", "probability"))


@pytest.mark.parametrize(
    ("own", "canonical"),
    [
        ("Topic No.", "query"), ("query_number", "query"), ("docnumber", "item"),
        ("Initials", "subject"), ("relevence", "grade"), ("grade_2024", "grade"),
        ("anotator", "subject"), ("similarty", "score"),
    ],
)  # fmt: skip
def test_columns_much_like_a_known_one(own: str, canonical: str) -> None:
    assert may_be(own, canonical)
    assert not may_be(own, "parent")


@pytest.mark.parametrize("own", ["x", "remarks", "time", "", 3])
def test_columns_like_none(own: object) -> None:
    assert not any(may_be(own, name) for name in COLUMN_ALIASES)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Query-ID", "queryid"),
        (" query id ", "queryid"),
        ("WorkerId", "workerid"),
        ("ASSIGNMENT:worker_id", "workerid"),
        ("INPUT:image", "image"),
        ("Answer.label", "label"),
        ("Input.image_id", "imageid"),
        ("_id", "_id"),
        (3, "3"),
    ],
)
def test_names_are_compared_without_case_hyphens_blanks_and_prefixes(
    name: object, plain: str
) -> None:
    assert normalised(name) == plain


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        (["query", "qid", "docno"], {"query": "qid", "item": "docno"}),  # PyTerrier: query is text
        (["query-id", "corpus-id"], {"query": "query-id", "item": "corpus-id"}),  # BEIR, MTEB
        (["_id", "doc_id"], {"query": "_id", "item": "doc_id"}),
        (["topic", "topic_id", "item"], None),
        (["Query", "item", "pid"], {"query": "Query", "item": "item"}),
        (["qid", "document", "document_id"], {"query": "qid", "item": "document_id"}),
        (["query", "Passage"], {"query": "query", "item": "Passage"}),
        (["query", "passage", "docid"], {"query": "query", "item": "docid"}),  # passage is text
    ],
)
def test_the_best_spelling_wins(present: list[str], expected: dict[str, str] | None) -> None:
    if expected is None:
        with pytest.raises(DataError, match="all mean 'query'"):
            find_columns(present, ("query", "item"), (), where="t")
    else:
        assert find_columns(present, ("query", "item"), (), where="t") == expected


def test_named_columns() -> None:
    known = ("query", "item", "grade", "subject")
    present = ["topic_no", "who", "x"]
    given = {"query": "topic_no", "annotator": "who"}
    assert given_columns(given, known, present, "t") == {"query": "topic_no", "subject": "who"}
    assert given_columns(None, known, present, "t") == {}
    with pytest.raises(OptionError, match=r"wrong way round; write columns=\{'query': 'topic_no'"):
        given_columns({"topic_no": "query"}, known, present, "t")
    with pytest.raises(OptionError, match=r"'quary' is no column .* \(nearest: 'query'\)"):
        given_columns({"quary": "topic_no"}, known, present, "t")
    with pytest.raises(OptionError, match="'query' is given twice"):
        given_columns({"query": "topic_no", "qid": "who"}, known, present, "t")
    with pytest.raises(DataError, match=r"^t: no column 'topicno'.*'topic_no'.*columns present"):
        given_columns({"query": "topicno"}, known, present, "t")
    with pytest.raises(OptionError, match=r"must be \{name: your column\}"):
        given_columns([1], known, present, "t")  # type: ignore[arg-type]


def test_columns_that_may_name_people() -> None:
    people = ["annotatorName", "worker", "labelled_by", "rater", "UserName", "expert"]
    others = ["annotation_id", "iteration", "time", "user_agent", "judgment", "filename"]
    assert may_name_people([*people, *others]) == people


def test_marked_answers() -> None:
    assert is_answer("OUTPUT:result")
    assert is_answer("Answer.category.label")
    assert not is_answer("INPUT:image")
    assert is_known("Query ID")
    assert not is_known("topic_no")


@pytest.mark.parametrize(
    ("present", "required", "any_of", "what"),
    [
        (["system", "measure", "query", "value"], ("query", "item"), (), "scores"),
        (["qid", "docno", "rel"], ("query", "item"), ("score", "rank"), "judgments"),
        (["qid", "docno", "sim"], ("query", "item"), ("grade",), "a run"),
        (["worker", "image", "class"], ("query", "item"), ("grade",), "votes for categories"),
        (["parent", "child"], ("query", "item"), (), "a taxonomy"),
    ],
)
def test_tables_for_the_wrong_argument_are_recognised(
    present: list[str], required: tuple[str, ...], any_of: tuple[str, ...], what: str
) -> None:
    with pytest.raises(DataError, match=f", which are those of {what}; is this the file you mean"):
        find_columns(present, required, (), where="t", any_of=any_of)


@pytest.mark.parametrize(
    ("where", "reader"), [("t", "read_assignments"), ("frame", "Assignments.from_frame")]
)
def test_labels_without_queries_are_votes_for_categories(where: str, reader: str) -> None:
    message = f"{reader} reads them. If they are judgments, add columns={{'query': '...'}}"
    with pytest.raises(DataError, match=f", which are those of votes .*; {re.escape(message)}$"):
        find_columns(["worker", "image", "label"], ("query", "item"), (), where=where)


def test_columns_that_may_tell_repeats() -> None:
    repeats = ["epoch", "Random Seed", "trial_no", "cv_fold", "run_no", "n_repeat"]
    assert may_tell_repeats([*repeats, "run", "folder", "note", "value"]) == repeats


def test_half_of_what_makes_scores_is_recognised() -> None:
    with pytest.raises(DataError, match=r"judgments; is this .* Judgments and runs make scores"):
        find_columns(["qid", "docno", "rel"], ("system", "query", "value"), (), where="t")


def test_other_tables_are_not() -> None:
    with pytest.raises(DataError, match=r"columns present: 'x', 'item'; rename one, or say which"):
        find_columns(["x", "item"], ("query",), (), where="t")

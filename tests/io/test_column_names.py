"""Columns are found under any of their usual names, and ambiguous ones are refused."""

from typing import Any

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


def test_one_of_several_suffices() -> None:
    found = find_columns(["prob"], (), (), where="t", any_of=("grade", "probability"))
    assert found == {"probability": "prob"}


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
        ("x item", ["query"], (), "columns present: 'x', 'item'; rename one, or say which"),
        ("item", ["item"], ("grade", "probability"), "no column for 'grade' or 'probability'"),
        ("probab x", [], ("grade", "probability"), r"columns=\{'probability': 'probab'\}$"),
        ("system measure query value", OF_JUDGMENTS, (), "of scores; is this the file you mean"),
        ("qid docno rel", OF_JUDGMENTS, ("score", "rank"), "of judgments; is this the file"),
        ("qid docno sim", OF_JUDGMENTS, ("grade",), "of a run; is this the file you mean"),
        ("worker image class", OF_JUDGMENTS, ("grade",), "of votes for categories; is this the"),
        ("parent child", OF_JUDGMENTS, (), "of a taxonomy; is this the file you mean"),
        (
            *("qid docno rel", ("system", "query", "value"), ()),
            "of judgments; is this .* Judgments and runs make scores",
        ),
        (
            *("worker image label", OF_JUDGMENTS, ()),
            "of votes .*; read_assignments reads them. If .*, add columns={'query': '...'}",
        ),
    ],
)
def test_missing_columns(present: str, required: Any, any_of: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        find_columns(present.split(), required, (), where="t", any_of=any_of)


def test_frames_have_another_reader_of_votes() -> None:
    with pytest.raises(DataError, match=r"; Assignments\.from_frame reads them\. If they are judg"):
        find_columns(["worker", "image", "label"], OF_JUDGMENTS, (), where="frame")


def test_all_missing_columns_are_named_with_those_they_may_be() -> None:
    present = ["Topic No.", "Doc", "Initials", "mark", "notes"]
    required, any_of = ("query", "item", "subject"), ("grade", "probability")
    with pytest.raises(DataError) as error:
        find_columns(present, required, (), where="t", any_of=any_of)
    assert str(error.value) == (
        "t: no column for 'query' (accepted: query, qid, query_id, q_id, topic, ...), and for "
        "'subject' (accepted: subject, annotator, worker, assessor, rater, ...), and for 'grade' "
        "or 'probability' (accepted: grade, relevance, rel, label, gain, ...); columns present: "
        "'Topic No.', 'Doc', 'Initials', 'mark', 'notes'; rename some, or say which they are: "
        "columns={'query': 'Topic No.', 'subject': 'Initials', 'grade': '...'}"
    )


def test_columns_much_like_a_known_one() -> None:
    for own, canonical in (
        *(("Topic No.", "query"), ("query_number", "query"), ("docnumber", "item")),
        *(("Initials", "subject"), ("relevence", "grade"), ("grade_2024", "grade")),
        *(("anotator", "subject"), ("similarty", "score")),
    ):
        assert may_be(own, canonical)
        assert not may_be(own, "parent")
    for other in ("x", "remarks", "time", "", 3):
        assert not any(may_be(other, name) for name in COLUMN_ALIASES)


def test_names_are_compared_without_case_hyphens_blanks_and_prefixes() -> None:
    names = ["Query-ID", " query id ", "WorkerId", "ASSIGNMENT:worker_id", "INPUT:image"]
    plain = ["queryid", "queryid", "workerid", "workerid", "image"]
    names += ["Answer.label", "Input.image_id", "_id", 3]
    plain += ["label", "imageid", "_id", "3"]
    assert [normalised(name) for name in names] == plain


KNOWN = ("query", "item", "grade", "subject")
OWN = ["topic_no", "who", "x"]


def test_given_columns() -> None:
    given = {"query": "topic_no", "annotator": "who"}
    assert given_columns(given, KNOWN, OWN, "t") == {"query": "topic_no", "subject": "who"}
    assert given_columns(None, KNOWN, OWN, "t") == {}


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


def test_columns_that_may_name_people_or_tell_repeats() -> None:
    people = ["annotatorName", "worker", "labelled_by", "rater", "UserName", "expert"]
    others = ["annotation_id", "iteration", "time", "user_agent", "judgment", "filename"]
    assert may_name_people([*people, *others]) == people
    repeats = ["epoch", "Random Seed", "trial_no", "cv_fold", "run_no", "n_repeat"]
    assert may_tell_repeats([*repeats, "run", "folder", "note", "value"]) == repeats


def test_marked_answers() -> None:
    answers = ["OUTPUT:result", "Answer.category.label", "INPUT:image"]
    assert list(map(is_answer, answers)) == [True, True, False]
    assert is_known("Query ID")
    assert not is_known("topic_no")

"""Columns are matched by the names that users give, usual spellings and the marks of tools."""

from __future__ import annotations

import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.evaluation.scores.scores_from_frame import score_request
from fuzzytruth.io.column_names import kept_key
from fuzzytruth.io.tables import ColumnRequest

JUDGMENTS = ColumnRequest(
    ("query", "item"), ("subject",), "grade", any_of=("grade", "probability"), wide_as="subject"
)


def with_(**options: object) -> ColumnRequest:
    from dataclasses import replace

    return replace(JUDGMENTS, **options)  # type: ignore[arg-type]


def test_named_columns_are_taken_for_nothing_else() -> None:
    request = with_(columns={"query": "item_no", "item": "query"})
    present = ["item_no", "query", "rel", "worker"]
    names = request.match(present, "t")
    assert names == {"query": "item_no", "item": "query", "grade": "rel", "subject": "worker"}


def test_wide_columns_are_answers_of_subjects() -> None:
    request = with_(wide=("ann", "bob"))
    names = request.match(["qid", "docno", "ann", "bob"], "t")
    assert names == {
        "query": "qid",
        "item": "docno",
        kept_key("ann"): "ann",
        kept_key("bob"): "bob",
    }
    with pytest.raises(DataError, match=r"^t: no column 'bob'.*columns present: 'qid'"):
        request.match(["qid", "docno", "ann"], "t")


@pytest.mark.parametrize("answer", ["OUTPUT:result", "Answer.category.label"])
def test_the_only_marked_answer_is_the_grade(answer: str) -> None:
    names = JUDGMENTS.match(["INPUT:qid", "INPUT:doc", answer, "ASSIGNMENT:worker_id"], "t")
    assert names["grade"] == answer
    assert names["subject"] == "ASSIGNMENT:worker_id"
    with pytest.raises(DataError, match="no column for 'grade'"):
        JUDGMENTS.match(["INPUT:qid", "INPUT:doc", "OUTPUT:a", "OUTPUT:b"], "t")


@pytest.mark.parametrize("present", [["query-id", "corpus-id", "score"], ["Score", "qid", "docno"]])
def test_score_is_the_grade_of_a_table_that_has_no_other(present: list[str]) -> None:
    request = with_(takes_score=True)
    (own,) = (name for name in present if name.lower() == "score")
    assert request.match(present, "t")["grade"] == own
    with pytest.raises(DataError, match="no column for 'grade'"):
        JUDGMENTS.match(present, "t")
    for other in ("rel", "probability"):
        names = request.match([*present, other], "t")
        assert own not in names.values()
    assert (
        with_(takes_score=True, columns={"grade": "x"}).match([*present, "x"], "t")["grade"] == "x"
    )
    for of_runs in ("rank", "distance", "model"):
        with pytest.raises(
            DataError, match=r"which are those of a run; is this the file you mean\?"
        ):
            request.match([*present, of_runs], "t")


def test_options() -> None:
    request = JUDGMENTS.given({}, grades={"yes": 1}, drop="na", wide=["ann"])
    assert request == with_(columns={}, numbers={"yes": 1}, drop=("na",), wide=("ann",))
    assert request.options == "columns=, grades=, drop=, subjects="
    assert not request.is_number("grade")
    assert JUDGMENTS.is_number("grade")
    assert JUDGMENTS.options == ""
    for wrong in ({"yes": "1"}, {}, ["yes"], {"yes": float("nan")}):
        with pytest.raises(OptionError, match="grades"):
            JUDGMENTS.given(grades=wrong)
    with pytest.raises(OptionError, match=r"subjects=.*each once"):
        JUDGMENTS.given(wide=["ann", "ann"])


def test_what_to_do_about_a_column_that_is_missing() -> None:
    request = with_(otherwise="; or else")
    with pytest.raises(
        DataError, match=r"or else; if each subject has a column \('a', 'b'\): subj"
    ):
        request.match(["query", "item", "a", "b"], "t")
    for present, several, end in (
        (["subject", "query", "item", "a", "b"], "question", "$"),
        (["system", "query", "a", "b"], "measure", r" \(or make the table long: measure, value\)$"),
    ):
        asked = request if several == "question" else score_request(None, (), (), ())
        said = rf"if each {several} has a column \('a', 'b'\), read one .*: columns=\{{'.*': 'a'\}}"
        with pytest.raises(DataError, match=said + end):
            asked.match(present, "t")
    with pytest.raises(DataError, match=r"columns=\{'query': 'topic_nr'\}; see there$"):
        request.match(["topic_nr", "item", "grade"], "t", "; see there")
    with pytest.raises(DataError, match="no column 'eve', which subjects= names; columns present"):
        JUDGMENTS.given(wide="eve").match(["query"], "t")

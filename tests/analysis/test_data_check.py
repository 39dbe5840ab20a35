"""Check of the data behind scores, and of the votes behind them."""

import pandas as pd
import pytest
from support.analysed import analysis, runs, truth

import fuzzytruth as ft
from fuzzytruth.analysis.data_check import check_data, check_sources, is_judged


def notes_of(rows: list[tuple[object, ...]], *names: str) -> tuple[str, ...]:
    frame = pd.DataFrame(rows, columns=["system", "query", *names, "value"])
    return check_data(ft.Scores.from_frame(frame), ["a warning"]).notes[1:]


def test_facts() -> None:
    data = analysis("AP").data
    facts = ["3 systems", "12 queries", "3 subjects", "each subject's ground truth in turn"]
    assert [name for name, _ in data.facts] == ["systems", "queries", "subjects", "truth"]
    assert [value for _, value in data.facts] == facts == data.to_frame()["text"].tolist()
    assert str(data) == f"Data: {', '.join(facts)}"


def test_what_is_missing_or_alike_is_noted() -> None:
    (note,) = notes_of([("a", 1, 0.5), ("a", 2, 0.25), ("b", 1, 0.75)])
    assert note.startswith("1 of 4 values are missing")
    rows = [("a", q, s, 0.1 * q + 0.01 * len(s)) for q, s in ((1, "x"), (2, "x"), (2, "yy"))]
    (note,) = notes_of(rows, "subject")
    assert note.startswith("1 of 4 subject–query pairs have no judgments")
    rows = [
        (system, q, subject, value + 0.1 * q)
        for system, value in (("a", 0.2), ("b", 0.2), ("c", 0.4))
        for q in (1, 2)
        for subject in ("x", "y")
    ]
    assert notes_of(rows, "subject") == (
        "a and b score the same for every query: are they the same run?",
        "x and y give every system the same scores: are they the same person?",
    )


def test_unjudged_items_are_pointed_out() -> None:
    lists = {"x": {"q": ["a", "u", "v", "w"]}, "y": {"q": ["a", "b", "c", "w"]}}
    judged = {"q": {"a": 1, "b": 0, "c": 1}}
    for measure, words in (
        ("Judged(norm=cutoff)@4", "of the first 4 ranks, 25 % (x) to 75 % hold judged items;"),
        ("Judged@4", "of the first 4 items, 25 % (x) to 75 % are judged;"),
    ):
        assert is_judged(measure)
        scores = ft.evaluate(judged, lists, ["AP", measure])
        assert check_data(scores).notes[-1].startswith(words)
    rows = [("a", 1, "Judged@10", 0.5), ("b", 1, "Judged@10", 0.5)]
    assert any("first 10 items, 50 % are judged; " in note for note in notes_of(rows, "measure"))
    rows[1] = ("b", 1, "Judged@10", 0.75)
    assert any("50 % (a) to 75 % are" in note for note in notes_of(rows, "measure"))


def test_agreement_is_that_of_the_votes() -> None:
    found = check_sources(truth(), ft.Runs.from_dict(runs()))
    assert found.agreement.value == ft.agreement(truth()).value
    assert found.pairs.to_frame().equals(ft.pairwise_agreement(truth()).to_frame())
    grades = [0, 0, 1, 1, 2, 2, 2, 1]  # more than two: ordinal
    votes = ft.Judgments.from_columns(["q"] * 8, [*"aabbccdd"], grades, subject=["ann", "bob"] * 4)
    lists = ft.Runs.from_dict({"x": {"q": ["a"]}})
    graded = check_sources(votes, lists)
    assert graded.agreement.value == ft.agreement(votes, metric="ordinal").value
    assert graded.agreement.value != ft.agreement(votes).value
    weighted = ft.pairwise_agreement(votes, metric="ordinal").to_frame()
    assert graded.pairs.to_frame().equals(weighted)
    categories = ft.Assignments.from_columns([*"stu"] * 3, [*"aaabbbccc"], [*"uuvuvvuuu"])
    examples = ft.Runs.from_dict({"x": {"a": ["b", "c"], "b": ["a", "c"]}})
    of_examples = check_sources(categories.by_example(), examples)
    assert of_examples.agreement.value == pytest.approx(ft.agreement(categories).value)


def test_where_there_is_no_agreement() -> None:
    lists = ft.Runs.from_dict({"x": {"q": ["a"]}})
    found = check_sources(ft.Judgments.from_dict({"q": {"a": 1, "b": 0}}), lists)
    assert (found.agreement, found.pairs, found.notes) == (None, None, ())
    votes = ft.Judgments.from_columns(["q", "r"], ["a", "a"], [1, 0], subject=["ann", "bob"])
    found = check_sources(votes, lists)
    assert found.pairs is None
    assert found.notes
    assert not any("\n" in note for note in found.notes)


def test_ties() -> None:
    lists = {
        "none": {"q": {"a": 3.0, "b": 2.0}, "r": {"a": 3.0, "b": 1.0}},
        "some": {"q": {"a": 1.0, "b": 1.0, "c": 0.5}, "r": {"a": 1.0}},
        "float32": {"q": {"a": 1.0, "b": 1.0 + 1e-12}},
    }
    found = check_sources(ft.Judgments.from_dict({"q": {"a": 1}}), ft.Runs.from_dict(lists))
    assert dict(found.tied) == {"none": 0.0, "some": 0.5, "float32": 1.0}

"""Check of the data behind scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
from support.analysed import analysis

import fuzzytruth as ft
from fuzzytruth.analysis.data_check import check_data, is_judged


def scores_of(rows: list[tuple[object, ...]], *names: str) -> ft.Scores:
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", *names, "value"]))


def test_facts() -> None:
    data = analysis("AP").data
    assert data.facts == (
        ("systems", "3 systems"),
        ("queries", "12 queries"),
        ("subjects", "3 subjects"),
        ("truth", "each subject's ground truth in turn"),
    )
    assert data.notes == ()
    text = "Data: 3 systems, 12 queries, 3 subjects, each subject's ground truth in turn"
    assert str(data) == text
    assert data.to_frame()["text"].tolist() == [value for _, value in data.facts]


def test_missing_values_are_counted() -> None:
    scores = scores_of([("a", 1, 0.5), ("a", 2, 0.25), ("b", 1, 0.75)])
    (note,) = check_data(scores).notes
    assert note.startswith("1 of 4 values are missing")


def test_subjects_who_judged_some_queries_are_counted() -> None:
    rows = [("a", q, s, 0.1 * q + 0.01 * len(s)) for q, s in ((1, "x"), (2, "x"), (2, "yy"))]
    (note,) = check_data(scores_of(rows, "subject")).notes
    assert note.startswith("1 of 4 subject–query pairs have no judgments")


def test_systems_and_people_alike_are_named() -> None:
    rows = [
        (system, q, subject, value + 0.1 * q)
        for system, value in (("a", 0.2), ("b", 0.2), ("c", 0.4))
        for q in (1, 2)
        for subject in ("x", "y")
    ]
    notes = check_data(scores_of(rows, "subject"), ["a warning"]).notes
    assert notes == (
        "a warning",
        "a and b score the same for every query: are they the same run?",
        "x and y give every system the same scores: are they the same person?",
    )


def test_unjudged_items_are_pointed_out() -> None:
    runs = {"x": {"q": ["a", "u", "v", "w"]}, "y": {"q": ["a", "b", "c", "w"]}}
    truth = {"q": {"a": 1, "b": 0, "c": 1}}
    scores = ft.evaluate(truth, runs, ["AP", "Judged(norm=cutoff)@4"])
    assert is_judged("Judged(norm=cutoff)@4")
    notes = check_data(scores).notes
    assert notes[-1].startswith("of the first 4 ranks, 25 % (x) to 75 % hold judged items;")
    of_items = check_data(ft.evaluate(truth, runs, ["AP", "Judged@4"])).notes
    assert of_items[-1].startswith("of the first 4 items, 25 % (x) to 75 % are judged;")
    judged = scores.select(systems="y")
    assert not np.isnan(judged.values).any()


def test_shares_of_judged_items_are_a_range_only_if_they_differ() -> None:
    rows = [("a", 1, "Judged@10", 0.5), ("b", 1, "Judged@10", 0.5)]
    frame = pd.DataFrame(rows, columns=["system", "query", "measure", "value"])
    notes = check_data(ft.Scores.from_frame(frame)).notes
    assert any(note.startswith("of the first 10 items, 50 % are judged; ") for note in notes)
    frame.loc[1, "value"] = 0.75
    notes = check_data(ft.Scores.from_frame(frame)).notes
    assert any(note.startswith("of the first 10 items, 50 % (a) to 75 % are") for note in notes)

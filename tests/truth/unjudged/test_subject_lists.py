"""Subjects' own lists, and where a system ranks their items."""

import numpy as np

import fuzzytruth as ft
from fuzzytruth.truth import align
from fuzzytruth.truth.inputs import AlignedLists

LISTS = ft.Judgments.from_columns(
    ["q", "q", "q", "r", "q"],
    ["a", "b", "c", "a", "c"],
    [0.5, 1.0, 0.5, 1.0, 0.2],
    subject=["ann", "ann", "ann", "ann", "bob"],
    position=[2, 1, 2, 1, 1],
)
RUNS = ft.Runs.from_dict({"s": {"q": {"c": 3, "x": 2, "b": 1}, "r": {"y": 1}}})


def aligned() -> AlignedLists:
    return align(LISTS, RUNS, ties="trec").subject_lists(0)


def test_one_list_for_each_cell() -> None:
    lists = aligned().lists
    assert [lists.name(j) for j in range(3)] == [
        "query 'q', subject 'ann'",
        "query 'q', subject 'bob'",
        "query 'r', subject 'ann'",
    ]
    assert lists.offsets.tolist() == [0, 3, 4, 5]
    assert [lists.item(row) for row in range(5)] == ["b", "a", "c", "c", "a"]
    assert lists.relevance.tolist() == [1.0, 0.5, 0.5, 0.2, 1.0]
    ranked, _ = lists.by_position()
    assert ranked.first.tolist() == [1, 2, 2, 1, 1]
    assert ranked.last.tolist() == [1, 3, 3, 1, 1]


def test_ranks_of_a_system_and_its_cut_off() -> None:
    lists = aligned()
    ranks = lists.rank_of[lists.lists.entry]
    assert ranks.tolist() == [3, 0, 1, 1, 0]
    assert lists.length.tolist() == [3, 3, 1]
    short = lists.within(2)
    assert short.rank_of[short.lists.entry].tolist() == [0, 0, 1, 1, 0]
    assert short.length.tolist() == [2, 2, 1]
    assert lists.within(None) is lists


def test_a_truth_without_subjects_has_a_list_for_each_query() -> None:
    truth = ft.Judgments.from_dict({"q": {"a": 0.2, "b": 0.9}})
    lists = align(truth, RUNS, ties="trec").subject_lists(0)
    assert lists.lists.name(0) == "query 'q'"
    np.testing.assert_array_equal(lists.lists.relevance, [0.9, 0.2])

"""Assignments: what they accept, what they refuse, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import FIGURE_1, random_votes
from support.worlds_of_items import ballots

import fuzzytruth as ft


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": "peple"}, r"peple.*people"),
        ({"category": None}, r"row 1 \(index 0\), column 'category': the id is missing"),
        ({"weight": -1.0}, r"row 1 \(index 0\), column 'weight': value -1 must be above 0"),
        ({"weight": float("nan")}, "not a finite number"),
        ({"item": ""}, "the id is empty"),
    ],
)
def test_bad_votes(change: dict[str, Any], message: str) -> None:
    row = {"subject": "s", "item": "i", "category": "people", "weight": 1.0}
    frame = pd.DataFrame([row | change, row | {"subject": "t"}])
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))


def test_votes_twice_and_weights_that_differ() -> None:
    tax = ft.Taxonomy.from_children(FIGURE_1)
    columns = ["subject", "item", "category", "weight"]
    twice = pd.DataFrame([("s", "i", "city", 1.0)] * 2, columns=columns)
    with pytest.raises(
        ft.DataError, match=r"row 2 \(index 1\): .*'city' twice \(first: votes, row 1 \(index 0\)\)"
    ):
        ft.Assignments.from_frame(twice, taxonomy=tax)
    differ = pd.DataFrame([("s", "i", "city", 1.0), ("s", "i", "crowd", 2.0)], columns=columns)
    with pytest.raises(ft.DataError, match=r"different weights \(2 and 1\)"):
        ft.Assignments.from_frame(differ, taxonomy=tax)
    with pytest.raises(ft.DataError, match="no votes"):
        ft.Assignments.from_frame(twice.iloc[:0], taxonomy=tax)
    m = ft.Assignments.from_frame(differ.iloc[:1], taxonomy=tax).membership()
    with pytest.raises(ft.DataError, match="nobody voted on item 'j'"):
        m.probability("j", "city")


def test_votes_come_back() -> None:
    frame = random_votes(np.random.default_rng(3), ft.Taxonomy.from_children(FIGURE_1))
    votes = ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))
    columns = ["subject", "item", "category", "weight"]
    want = frame.sort_values(columns[:3]).reset_index(drop=True)
    got = votes.to_frame().sort_values(columns[:3]).reset_index(drop=True)
    pd.testing.assert_frame_equal(got, want, check_dtype=False)
    table = votes.membership().to_frame(tidy=True)
    assert (table["probability"] > 0).all()
    assert set(votes.categorisation("s0")) == {
        i for s, i in zip(frame.subject, frame.item, strict=True) if s == "s0"
    }


TAX = ft.Taxonomy.from_children(FIGURE_1)
COLUMNS = ["subject", "item", "category"]


def frame(*rows: tuple[object, ...], columns: list[str] = COLUMNS) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=columns)


@pytest.mark.parametrize("seed", range(5))
def test_ballots_equal_grouping_of_rows(seed: int) -> None:
    rows = random_votes(np.random.default_rng(seed), TAX)
    votes = ft.Assignments.from_frame(rows.sample(frac=1, random_state=seed), taxonomy=TAX)
    items = votes.items.to_pylist()
    names = votes.set_names()
    got: dict[str, list[tuple[float, frozenset[str]]]] = {}
    for item, label_set, weight in zip(votes.item, votes.label_set, votes.weight, strict=True):
        name = names[label_set]
        categories = frozenset([name] if isinstance(name, str) else name)
        got.setdefault(items[item], []).append((float(weight), categories))
    want = ballots(rows)
    for of_item in (*got.values(), *want.values()):
        of_item.sort(key=lambda ballot: (ballot[0], sorted(ballot[1])))
    assert got == want
    pairs = list(zip(votes.item.tolist(), votes.subject.tolist(), strict=True))
    assert pairs == sorted(pairs)


def test_columns_go_by_many_names() -> None:
    rows = frame(("ann", 1, "city"), columns=["Worker", "image", "label"])
    assert repr(ft.Assignments.from_frame(rows, taxonomy=TAX)) == (
        "Assignments(1 vote, 1 item, 1 subject, 8 categories)"
    )
    with pytest.raises(ft.DataError, match=r"^votes: no column for 'category'"):
        ft.Assignments.from_frame(rows.drop(columns="label"), taxonomy=TAX)
    with pytest.raises(ft.OptionError, match=r"^asked=3: must be a DataFrame"):
        ft.Assignments.from_frame(rows, taxonomy=TAX, asked=3)  # type: ignore[arg-type]


def test_who_was_asked_has_a_ballot() -> None:
    asked = frame(("s", "i", "city"), ("t", "i", "city"), ("t", "i", "crowd"))
    votes = ft.Assignments.from_frame(asked.iloc[[2]].assign(weight=2.0), taxonomy=TAX, asked=asked)
    assert repr(votes) == "Assignments(2 votes, 1 item, 2 subjects, 8 categories, only some asked)"
    assert votes.weight.tolist() == [1.0, 2.0]
    assert [votes.set_names()[s] for s in votes.label_set] == [(), "crowd"]
    assert votes.asked is not None
    np.testing.assert_array_equal(votes.asked.item, votes.item)
    np.testing.assert_array_equal(votes.asked.subject, votes.subject)


def test_one_subjects_own_categories() -> None:
    rows = frame(("s", "i", "city"), ("s", "i", "crowd"), ("s", "j", "city"), ("t", "j", "all"))
    votes = ft.Assignments.from_frame(rows, taxonomy=TAX)
    assert votes.categorisation("s") == {"i": ("crowd", "city"), "j": "city"}
    with pytest.raises(ft.OptionError, match=r"subject 'u' is not among the subjects: s, t$"):
        votes.categorisation("u")


def test_columns_of_different_lengths() -> None:
    with pytest.raises(ft.DataError, match=r"^votes: columns differ in length: {'subject': 1, 'i"):
        ft.Assignments.from_columns(["s"], ["i", "j"], ["city", "city"], taxonomy=TAX)
    with pytest.raises(ft.DataError, match=r"^votes, row 1: 1 weight for 2 votes"):
        ft.Assignments.from_columns(
            ["s", "t"], ["i", "j"], ["city", "city"], taxonomy=TAX, weight=[1]
        )


FLAT = [("s", "i", "dog"), ("t", "i", "cat"), ("t", "j", "dog")]


def test_labels_without_a_taxonomy() -> None:
    votes = ft.Assignments.from_frame(frame(*FLAT))
    assert votes.taxonomy == ft.Taxonomy.flat(["cat", "dog"])
    assert votes.membership().direct("i") == {"cat": 0.5, "dog": 0.5}
    again = ft.Assignments.from_columns(*zip(*FLAT, strict=True))
    assert again.taxonomy == votes.taxonomy
    questions = frame(*FLAT, ("s", "j", "ant"))
    asked = ft.Assignments.from_frame(frame(*FLAT), asked=questions)
    assert asked.taxonomy.nodes == ("all", "ant", "cat", "dog")
    root = ft.Assignments.from_frame(frame(("s", "i", "all"), ("s", "j", "(all)"))).taxonomy.root
    assert root == "((all))"


def test_a_column_of_counts() -> None:
    columns = ["item", "category", "count"]
    rows = frame(("i", "dog", 2), ("i", "cat", 1), ("j", "dog", 4), columns=columns)
    votes = ft.Assignments.from_frame(rows)
    assert repr(votes) == "Assignments(7 votes, 2 items, 3 categories, no names)"
    assert len(votes) == 7
    want = ft.Assignments.from_counts([[1, 2], [0, 4]], items=["i", "j"], categories=["cat", "dog"])
    pd.testing.assert_frame_equal(votes.to_frame(), want.to_frame())
    again = ft.Assignments.from_frame(votes.to_frame())
    pd.testing.assert_frame_equal(again.to_frame(), want.to_frame())
    people = [(f"{i}{c}{k}", i, c) for i, c, n in rows.to_numpy() for k in range(n)]
    named = ft.Assignments.from_frame(frame(*people))
    for measure in ("agreement", "entropy"):
        got, each = (getattr(v.membership(), measure)() for v in (votes, named))
        pd.testing.assert_series_equal(got, each)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"subject": ["s"]},
            "^votes: column 'count' is for votes without names, and there is",
        ),
        ({"weight": [1]}, "and there is 'weight' too; leave out one of the two"),
        ({"count": [1.5]}, "'count': value 1.5 is not a number of people"),
        ({"count": [-1]}, "^votes, row 1, column 'count': value -1 is not a number"),
        ({"count": [0]}, "^votes: all numbers of 1 item are 0"),
        ({"count": None}, "^subject=None: give a column of subjects, or count$"),
        ({"count": [1, 2]}, r"^votes: columns differ in length: \[1, 2\]$"),
    ],
)
def test_counts_that_are_refused(columns: dict[str, Any], message: str) -> None:
    given = {"subject": None, "item": ["i"], "category": ["a"], "count": [1]} | columns
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Assignments.from_columns(**given)


def test_what_needs_names() -> None:
    votes = ft.Assignments.from_counts([[2, 1]])
    with pytest.raises(ft.DataError, match=r"^categorisation: these are counts of votes without"):
        votes.categorisation("ann")
    with pytest.raises(ft.DataError, match=r"^resampled: these are counts of votes without names"):
        votes.membership().resampled()
    with pytest.raises(ft.DataError, match=r"^resampled: these are probabilities without names"):
        ft.Membership.from_probabilities([[0.5, 0.5]]).resampled()
    with pytest.raises(ft.DataError, match="no column for 'subject' or 'count'"):
        ft.Assignments.from_frame(pd.DataFrame({"item": ["i"], "category": ["a"]}))


REPEATED = ["subject", "item", "category", "weight", "repeat"]


def test_repetitions_share_the_weight_of_their_subject() -> None:
    rows = [
        ("s", "i", "a", 2.0, "x"),
        ("s", "i", "b", 2.0, "x"),
        ("s", "i", "a", 2.0, "y"),
        ("s", "i", "a", 2.0, "z"),
        ("t", "i", "b", 1.0, "x"),
        ("s", "j", "b", 1.0, "y"),
    ]
    given = frame(*rows, columns=REPEATED)
    votes = ft.Assignments.from_frame(given.sample(frac=1, random_state=0))
    assert repr(votes).endswith("3 categories, with repeats)")
    assert votes.membership().direct("i") == pytest.approx(
        {"a": 4 / 9, ("a", "b"): 2 / 9, "b": 3 / 9}
    )
    got = votes.to_frame().sort_values(REPEATED).reset_index(drop=True)
    want = given.sort_values(REPEATED).reset_index(drop=True)
    pd.testing.assert_frame_equal(got, want, check_dtype=False)
    assert votes.categorisation("t") == {"i": "b"}
    with pytest.raises(ft.DataError, match=r"subject 's' judged item 'i' repeatedly"):
        votes.categorisation("s")


def test_repetitions_that_are_refused() -> None:
    twice = frame(("s", "i", "a"), ("s", "i", "a"))
    with pytest.raises(ft.DataError, match=r"or name the repetition in a column 'repeat'$"):
        ft.Assignments.from_frame(twice)
    with pytest.raises(ft.DataError, match=r"'a' twice in repeat '1' \(first: votes, row 1"):
        ft.Assignments.from_frame(twice.assign(repeat=1))
    assert len(ft.Assignments.from_frame(twice.assign(repeat=[1, 2]))) == 2
    with pytest.raises(ft.DataError, match="different weights"):
        ft.Assignments.from_frame(twice.assign(repeat=[1, 2], weight=[1, 2]))
    with pytest.raises(ft.DataError, match="repeated votes cannot have a table of asked"):
        ft.Assignments.from_frame(twice.assign(repeat=[1, 2]), asked=twice.iloc[:1])


def test_checksums_tell_kinds_of_votes_apart() -> None:
    rows = frame(("s", "i", "a"), ("t", "i", "b"))
    kinds = [
        ft.Assignments.from_frame(rows),
        ft.Assignments.from_frame(rows.assign(repeat=1)),
        ft.Assignments.from_frame(rows.assign(repeat=2)),
        ft.Assignments.from_counts([[1, 1]], items=["i"], categories=["a", "b"]),
        ft.Assignments.from_counts([[2, 1]], items=["i"], categories=["a", "b"]),
        ft.Membership.from_probabilities([[0.5, 0.5]], items=["i"], categories=["a", "b"]),
    ]
    truths = [votes.by_example() for votes in kinds]
    truths += [
        kinds[0].by_example(collection=["i"]),
        kinds[0].by_example(category={"i": {"a": 0.5, "b": 0.5}}),
        kinds[0].by_example(category={"i": {"a": 0.4, "b": 0.6}}),
    ]
    assert len({truth.checksum for truth in truths}) == len(truths)
    swapped = ft.Assignments.from_counts([[1, 1]], items=["i"], categories=["b", "a"])
    assert swapped.by_example().checksum == truths[3].checksum

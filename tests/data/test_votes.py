"""Votes: columns, ballots, and checksums that tell them apart, whatever their order."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.label_sets import LabelSets, group_ballots
from fuzzytruth.data import votes as module
from fuzzytruth.data.votes import VoteColumns
from fuzzytruth.errors import LabelWarning
from fuzzytruth.io.columns import string_array

TAX = ft.Taxonomy.from_children({"all": ["people", "scenery"], "people": ["crowd"]})
NAMES = ["subject", "item", "category"]
FRAME = pd.DataFrame(
    [
        ("ann", "i", "crowd", 2.0),
        ("bob", "i", "people", 3.0),
        ("bob", "i", "scenery", 3.0),
        ("ann", "j", "scenery", 1.0),
    ],
    columns=[*NAMES, "weight"],
)
VOTES = ft.Assignments.from_frame(FRAME, taxonomy=TAX)


def columns(**changed: Any) -> VoteColumns:
    given = {"subject": ["s", "t"], "item": ["i", "i"], "category": ["crowd", "all"]} | changed
    return VoteColumns.of(given, "votes", None)


def test_a_ballot_is_one_subject_and_item() -> None:
    assert len(VOTES) == 3
    assert repr(VOTES) == "Assignments(3 votes, 2 items, 2 subjects, 4 categories)"
    frame = VOTES.to_frame()
    assert frame.columns.tolist() == [*NAMES, "weight"]
    assert sorted(map(tuple, frame.to_numpy())) == sorted(map(tuple, FRAME.to_numpy()))
    again = ft.Assignments.from_frame(frame, taxonomy=TAX).to_frame()
    pd.testing.assert_frame_equal(again, frame)
    assert VOTES.rows(slice(0, 1)).equals(frame[:1])
    assert VOTES.rows(slice(1, 3)).equals(frame[1:].reset_index(drop=True))
    assert VOTES.categorisation("ann") == {"i": "crowd", "j": "scenery"}
    assert VOTES.categorisation("bob") == {"i": ("people", "scenery")}
    with pytest.raises(ft.OptionError, match=r"subject 'eve' is not among the subjects: ann, bob$"):
        VOTES.categorisation("eve")
    many = ft.Assignments.from_columns([f"s{n}" for n in range(12)], ["i"] * 12, ["crowd"] * 12)
    with pytest.raises(ft.OptionError, match=r"s0, s1, .*s9, and 2 more$"):
        many.categorisation("eve")


def test_checked_columns() -> None:
    votes = columns(item=[1, 2.0])
    assert votes.item.to_pylist() == ["1", "2"]
    assert votes.locate(1) == "votes, row 2"
    assert [TAX.nodes[code] for code in votes.labels(TAX)] == ["crowd", "all"]
    votes.check_duplicates()
    assert votes.weights(None).tolist() == [1, 1]
    assert votes.weights([0.5, 2]).tolist() == [0.5, 2]
    module.check_taxonomy(None)


@pytest.mark.parametrize(
    ("do", "message"),
    [
        (
            lambda: columns(item=["i"]),
            r"^votes: columns differ in length: {'subject': 2, 'item': 1, 'c",
        ),
        (lambda: columns(subject=[], item=[], category=[]), "^votes: there are no votes in it$"),
        (
            lambda: columns(subject=["s", None]),
            "^votes, row 2, column 'subject': the id is missing",
        ),
        (
            lambda: columns(category=["all", "c"]).labels(TAX),
            r"^votes, row 2, column 'category': .*'c'",
        ),
        (
            lambda: columns(category=["crowd; all", "all"]).labels(TAX),
            r"'crowd; all' is not .*names 2 of them.*2 rows$",
        ),
        (
            lambda: columns(subject=["s", "s"], category=["a", "a"]).check_duplicates(),
            r"^votes, row 2: subject 's' gives item 'i' the category 'a' twice \(first: votes, row",
        ),
        (lambda: columns().weights([1]), "^votes, row 1: 1 weight for 2 votes$"),
        (
            lambda: columns().weights([1, 0]),
            "^votes, row 2, column 'weight': value 0 must be above 0; leave out",
        ),
        (
            lambda: columns().weights([1, "x"]),
            "^votes, row 2, column 'weight': value 'x' is not a number$",
        ),
        (
            lambda: module.check_taxonomy({"all": ["a"]}),
            "must be a Taxonomy, not a dict.*from_children",
        ),
    ],
)
def test_bad_columns(do: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        do()


def test_labels_that_may_be_no_categories_are_reported() -> None:
    frame = pd.DataFrame({"subject": "s", "item": list("abc"), "category": ["cat", "na", "Cat"]})
    with (
        pytest.warns(LabelWarning, match=r"^read as categories: 'na'; if .* drop=\['na'\]$"),
        pytest.warns(LabelWarning, match=r"different categories: 'Cat' and 'cat'; they differ"),
    ):
        votes = ft.Assignments.from_frame(frame)
    assert votes.taxonomy.nodes == ("all", "Cat", "cat", "na")


@pytest.mark.parametrize("seed", range(3))
def test_a_ballot_has_one_weight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    item, subject = rng.integers(0, 3, 12), rng.integers(0, 3, 12)
    items, subjects = (string_array([f"{x}{j}" for j in range(3)]) for x in "is")
    given = (group_ballots(item, subject, np.arange(12)), (item, items), (subject, subjects))
    weight = 1.0 + item + 3 * subject
    module.check_one_weight(*given, weight)
    pairs = list(zip(item.tolist(), subject.tolist(), strict=True))
    repeated = next(row for row in range(12) if pairs.count(pairs[row]) > 1)
    weight[repeated] += 0.5
    message = f"subject 's{subject[repeated]}' gives item 'i{item[repeated]}' several categories"
    with pytest.raises(ft.DataError, match=message):
        module.check_one_weight(*given, weight)


def test_whoever_was_asked_has_a_ballot() -> None:
    questions = pd.DataFrame([(*"si", "crowd"), (*"si", "all"), (*"ti", "crowd")], columns=NAMES)
    votes = ft.Assignments.from_frame(questions.iloc[[1]], taxonomy=TAX, asked=questions)
    assert [votes.set_names()[s] for s in votes.label_set.tolist()] == ["all", ()]
    assert votes.categorisation("t") == {"i": ()}
    more = pd.DataFrame([(*"ti", "all")], columns=NAMES)
    with pytest.raises(ft.DataError, match=r"row 1 .*subject 't' .* 'all', but was not asked"):
        ft.Assignments.from_frame(more, taxonomy=TAX, asked=questions)


def checksum(frame: pd.DataFrame, *about: object, **options: Any) -> str:
    votes = ft.Assignments.from_frame(frame, **{"taxonomy": TAX, **options})
    return module.vote_checksum(votes, *about)


def test_checksums_tell_everything_apart_but_the_order() -> None:
    sums = {checksum(FRAME.sample(frac=1, random_state=seed), "x", 1) for seed in range(4)}
    other = ft.Taxonomy.from_children({"people": ["crowd"], "all": ["scenery", "people"]})
    sums.add(checksum(FRAME, "x", 1, taxonomy=other))
    assert len(sums) == 1
    plain = FRAME.drop(columns="weight")
    more = pd.concat([plain, pd.DataFrame([("ann", "j", "people")], columns=NAMES)])
    deeper = {"all": ["people", "scenery"], "people": ["crowd"], "scenery": ["t"]}
    table = ([[1, 0], [0, 1]], {"items": ["i", "j"], "categories": ["cat", "dog"]})
    different = [
        *(checksum(FRAME), checksum(FRAME, "x"), checksum(FRAME.iloc[1:]), checksum(plain)),
        checksum(FRAME, taxonomy=ft.Taxonomy.from_children(deeper)),
        checksum(FRAME.assign(weight=[1.0, 2.0, 2.0, 1.0])),
        *(checksum(FRAME.replace(*pair)) for pair in (("ann", "cem"), ("j", "k"))),
        checksum(FRAME.replace("crowd", "scenery")),
        *(checksum(plain.assign(repeat=[*repeat])) for repeat in ("1111", "1221")),
        *(checksum(plain, asked=asked) for asked in (plain, more)),
        module.vote_checksum(ft.Assignments.from_counts(table[0], **table[1])),
        module.vote_checksum(ft.Membership.from_probabilities(table[0], **table[1]).votes),
    ]
    assert len({*sums, *different}) == len(different) + 1


def test_keys_of_label_sets_and_taxonomies_are_those_of_the_names() -> None:
    sets = LabelSets(np.array([0, 2, 4, 5, 5]), np.array([1, 2, 2, 1, 3]))
    keys = module.label_set_keys(TAX, sets).tolist()
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
    other = ft.Taxonomy.from_children({"all": ["scenery", "people"], "people": ["crowd"]})
    codes = np.array([other.code(TAX.nodes[c]) for c in sets.label])
    assert module.label_set_keys(other, LabelSets(sets.offsets, codes)).tolist() == keys
    moved = {"all": ["people", "scenery"], "scenery": ["crowd"]}
    twice = moved | {"people": ["crowd"]}
    taxonomies = [other, *map(ft.Taxonomy.from_children, (moved, twice))]
    same = [module.of_taxonomy(tax) == module.of_taxonomy(TAX) for tax in taxonomies]
    assert same == [True, False, False]


def test_printed(stored: Any) -> None:
    votes = ft.Assignments.from_columns(["s", "t", "s"], ["a", "a", "b"], ["cat", "dog", "cat"])
    assert votes._answer().text(80) == stored("assignments")
    counts = str(ft.Assignments.from_counts([[3, 1], [0, 2]], categories=["cat", "dog"]))
    assert "Subjects" not in counts
    assert "item  category  count" in counts
    many = str(ft.Assignments.from_columns(["s"] * 30, range(30), [f"c{j}" for j in range(30)]))
    assert "the first 8 of the 30 that were voted for" in many
    assert "The first 5 of 30 rows; all: .to_frame()" in many

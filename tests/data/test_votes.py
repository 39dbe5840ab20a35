"""Votes: columns, ballots, and checksums that tell them apart, whatever their order."""

from typing import Any

import pandas as pd
import pytest
from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth.data import votes as module
from fuzzytruth.data.votes import VoteColumns
from fuzzytruth.errors import LabelWarning

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
    assert repr(VOTES) == "Assignments(3 votes, 2 items, 2 subjects, 2 categories below 2)"
    frame = VOTES.to_frame()
    assert frame.columns.tolist() == [*NAMES, "weight"]
    assert sorted(map(tuple, frame.to_numpy())) == sorted(map(tuple, FRAME.to_numpy()))
    again = ft.Assignments.from_frame(frame, taxonomy=TAX).to_frame()
    pd.testing.assert_frame_equal(again, frame)
    assert VOTES.rows(slice(0, 1)).equals(frame[:1])
    assert VOTES.rows(slice(1, 3)).equals(frame[1:].reset_index(drop=True))
    assert VOTES.categorisation("ann") == {"i": "crowd", "j": "scenery"}
    assert VOTES.categorisation("bob") == {"i": ("people", "scenery")}
    with pytest.raises(
        ft.errors.OptionError, match=r"subject 'eve' is not among the subjects: ann, bob$"
    ):
        VOTES.categorisation("eve")
    many = ft.Assignments.from_columns([f"s{n}" for n in range(12)], ["i"] * 12, ["crowd"] * 12)
    with pytest.raises(ft.errors.OptionError, match=r"s0, s1, .*s9, and 2 more$"):
        many.categorisation("eve")


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


def test_printed() -> None:
    votes = ft.Assignments.from_columns(["s", "t", "s"], ["a", "a", "b"], ["cat", "dog", "cat"])
    assert is_stored("assignments", votes._answer().text(80))
    counts = str(ft.Assignments.from_counts([[3, 1], [0, 2]], categories=["cat", "dog"]))
    assert "Subjects" not in counts
    assert "item  category  count" in counts
    many = str(ft.Assignments.from_columns(["s"] * 30, range(30), [f"c{j}" for j in range(30)]))
    assert "the first 8 of the 30 that were voted for" in many
    assert "The first 5 of 30 rows; all: .to_frame()" in many

"""Checksums tell votes apart, whatever their order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.data.votes import label_set_keys, of_taxonomy, vote_checksum

TAX = ft.Taxonomy.from_children({"all": ["p", "s"], "p": ["c"]})
FRAME = pd.DataFrame(
    [
        ("ann", "i", "c", 1.0),
        ("bob", "i", "p", 3.0),
        ("bob", "i", "s", 3.0),
        ("ann", "j", "s", 1.0),
    ],
    columns=["subject", "item", "category", "weight"],
)


def of(frame: pd.DataFrame, *about: object, taxonomy: ft.Taxonomy = TAX) -> str:
    return vote_checksum(ft.Assignments.from_frame(frame, taxonomy=taxonomy), *about)


def test_the_order_does_not_matter() -> None:
    sums = {of(FRAME.sample(frac=1, random_state=seed), "x", 1) for seed in range(6)}
    assert len(sums) == 1
    other = ft.Taxonomy.from_children({"p": ["c"], "all": ["s", "p"]})
    assert of(FRAME, "x", 1, taxonomy=other) in sums


def test_everything_else_does() -> None:
    deeper = ft.Taxonomy.from_children({"all": ["p", "s"], "p": ["c"], "s": ["t"]})
    several = FRAME.assign(repeat=["1", "1", "1", "1"]).drop(columns="weight")
    again = several.assign(repeat=["1", "2", "2", "1"])
    sums = [
        of(FRAME),
        of(FRAME, "x"),
        of(FRAME, taxonomy=deeper),
        of(FRAME.iloc[1:]),
        of(FRAME.assign(weight=[1.0, 2.0, 2.0, 1.0])),
        of(FRAME.drop(columns="weight")),
        of(FRAME.replace("ann", "cem")),
        of(FRAME.replace("j", "k")),
        of(FRAME.replace("c", "s")),
        of(several),
        of(again),
    ]
    assert len(set(sums)) == len(sums)


def test_counts_are_no_probabilities() -> None:
    items, categories = ["a", "b"], ["cat", "dog"]
    table = [[1, 0], [0, 1]]
    counts = ft.Assignments.from_counts(table, items=items, categories=categories)
    soft = ft.Membership.from_probabilities(table, items=items, categories=categories).votes
    assert vote_checksum(counts) != vote_checksum(soft)


def test_who_was_asked_matters() -> None:
    frame = FRAME.drop(columns="weight")
    more = pd.concat([frame, pd.DataFrame([("ann", "j", "p")], columns=frame.columns)])
    sums = {
        vote_checksum(ft.Assignments.from_frame(frame, taxonomy=TAX, asked=asked))
        for asked in (None, frame, more)
    }
    assert len(sums) == 3


def test_keys_of_label_sets_are_those_of_the_names() -> None:
    sets = LabelSets(np.array([0, 2, 4, 5, 5]), np.array([1, 2, 2, 1, 3]))
    keys = label_set_keys(TAX, sets).tolist()
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
    other = ft.Taxonomy.from_children({"all": ["s", "p"], "p": ["c"]})
    codes = np.array([other.code(TAX.nodes[c]) for c in sets.label])
    assert label_set_keys(other, LabelSets(sets.offsets, codes)).tolist() == keys


@pytest.mark.parametrize(
    ("children", "same"),
    [
        ({"all": ["s", "p"], "p": ["c"]}, True),
        ({"all": ["p", "s"], "s": ["c"]}, False),
        ({"all": ["p", "s"], "p": ["c"], "s": ["c"]}, False),
    ],
)
def test_taxonomies_are_the_same_by_name(children: dict[str, list[str]], same: bool) -> None:
    assert (of_taxonomy(ft.Taxonomy.from_children(children)) == of_taxonomy(TAX)) == same

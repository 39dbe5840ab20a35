"""Items as queries, aligned with lists of categories: what is refused, warned of and counted."""

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import (
    LostVotesWarning,
    UnjudgedItemWarning,
)
from fuzzytruth.truth import align

TAX = ft.Taxonomy.from_children({"all": ["cat", "dog", "cow"]})
FRAME = pd.DataFrame(
    {
        "subject": ["s", "t", "s", "u", "t"],
        "item": ["a", "a", "b", "c", "c"],
        "category": ["cat", "dog", "cow", "cat", "cat"],
    }
)
VOTES = ft.Assignments.from_frame(FRAME, taxonomy=TAX)
LABELS = pd.DataFrame({"item": ["a", "b", "c"], "category": ["cat", "cow", "dog"]})


def test_protocol() -> None:
    aligned = align(VOTES.by_item(), ft.Runs.from_labels(LABELS), ties="trec")
    facts = aligned.facts
    assert facts.queries == ("a", "b", "c")
    assert facts.subjects == ("s", "t", "u")
    assert (facts.design, facts.default, facts.top_grade) == (
        "crossed",
        "independent",
        1.0,
    )
    assert (facts.n_missing, facts.n_items, len(facts.cells)) == (0, 3, 5)
    assert facts.missing.tolist() == [0] * 5
    assert facts.resampling_is_unbiased
    weighted = ft.Assignments.from_frame(FRAME.assign(weight=[1, 2, 1, 1, 1]), taxonomy=TAX)
    assert not align(
        weighted.by_item(), ft.Runs.from_labels(LABELS), ties="trec"
    ).facts.resampling_is_unbiased


def test_the_note_on_unknown_categories_names_one_with_votes() -> None:
    one = ft.Assignments.from_columns(["s"], ["a"], ["cat"], taxonomy=TAX)
    with pytest.warns(UnjudgedItemWarning, match=r"retrieves categories, such as 'cat' \(by_ex"):
        scores = ft.evaluate(one.by_item(), LABELS[:1].assign(category="wolf"), "P@1")
    assert scores.values.ravel().tolist() == [0]


def test_lost_votes_are_of_items() -> None:
    # Of 10 distinct resamples, s is in 6; a resample without s has no vote on b, and so on.
    with pytest.warns(LostVotesWarning, match=r"^no vote left in 6 of 30 pairs"):
        ft.evaluate(VOTES.by_item(), LABELS, "P@1", worlds="population", rng=0)

"""Items as queries, aligned with lists of categories: what is refused, warned of and counted."""

from typing import Any

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import (
    LostVotesWarning,
    MissingQueryWarning,
    UnjudgedItemWarning,
    UnjudgedQueryWarning,
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


def test_an_aligned_truth_is_equal_to_itself_alone_and_shown_without_its_lists() -> None:
    aligned = align(VOTES.by_item(), ft.Runs.from_labels(LABELS), ties="trec")
    assert aligned == aligned
    assert aligned != align(VOTES.by_item(), ft.Runs.from_labels(LABELS), ties="trec")
    assert " runs=" not in repr(aligned)


def test_one_subject_is_crisp() -> None:
    votes = ft.Assignments.from_frame(FRAME[FRAME.subject == "s"], taxonomy=TAX)
    scores = ft.evaluate(votes.by_item(), LABELS[:2], "P@1")
    assert scores.provenance is not None
    assert scores.provenance.worlds == "crisp"
    assert scores.values.ravel().tolist() == [1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"worlds": "crisp"}, "^worlds='crisp': these votes have 3 subjects"),
        ({"worlds": "subject", "unjudged": "bounds"}, "^unjudged='bounds': a vote on an item"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.OptionError, match=message):
        ft.evaluate(VOTES.by_item(), LABELS, "P@1", **options)
    with pytest.raises(ft.MeasureError, match="votes for categories are no ranked lists"):
        ft.evaluate(VOTES.by_item(), LABELS, "WD")


def test_coverage_is_counted() -> None:
    truth = VOTES.by_item()
    with pytest.warns(MissingQueryWarning, match="missing from system .1: c."):
        scores = ft.evaluate(truth, LABELS[:2], "P@1", rng=0)
    assert scores.values.ravel().tolist() == [0.5, 1, 0]
    more = pd.concat([LABELS, pd.DataFrame({"item": ["z"], "category": ["wolf"]})])
    with pytest.warns(UnjudgedQueryWarning, match="left out of system .1: z."):
        ft.evaluate(truth, more, "P@1", rng=0)
    unknown = LABELS.assign(category=["wolf", "cow", "lion"])
    with pytest.warns(
        UnjudgedItemWarning,
        match=r"^not in the taxonomy, .*: 2 retrieved items: system \(2, such as 'wolf'\); by_item",
    ):
        scores = ft.evaluate(truth, unknown, "P@1", rng=0)
    assert scores.values.ravel().tolist() == [0, 1, 0]


def test_the_note_on_unknown_categories_names_one_with_votes() -> None:
    one = ft.Assignments.from_columns(["s"], ["a"], ["cat"], taxonomy=TAX)
    with pytest.warns(UnjudgedItemWarning, match=r"retrieves categories, such as 'cat' \(by_ex"):
        scores = ft.evaluate(one.by_item(), LABELS[:1].assign(category="wolf"), "P@1")
    assert scores.values.ravel().tolist() == [0]


def test_lost_votes_are_of_items() -> None:
    # Of 10 distinct resamples, s is in 6; a resample without s has no vote on b, and so on.
    with pytest.warns(LostVotesWarning, match=r"^no vote left in 6 of 30 pairs"):
        ft.evaluate(VOTES.by_item(), LABELS, "P@1", worlds="population", rng=0)


def test_scores_join_if_the_truth_is_the_same() -> None:
    shuffled = ft.Assignments.from_frame(FRAME.iloc[::-1], taxonomy=TAX)
    one = ft.evaluate(VOTES.by_item(), ft.Runs.from_labels(LABELS, name="x"), "P@1", rng=0)
    two = ft.evaluate(shuffled.by_item(), ft.Runs.from_labels(LABELS, name="y"), "P@1", rng=0)
    assert ft.concat([one, two]).systems == ("x", "y")
    other = ft.evaluate(
        VOTES.by_item(relevance="subtree"), ft.Runs.from_labels(LABELS, name="y"), "P@1", rng=0
    )
    with pytest.raises(ft.FuzzytruthError, match="truth"):
        ft.concat([one, other])

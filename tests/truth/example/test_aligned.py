"""Which worlds votes by example have, whoever gave them, and which cells are uncertain."""

from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import UnjudgedItemWarning
from fuzzytruth.truth import align

RUNS = ft.Runs.from_dict({"A": {q: {"i": 3.0, "j": 2.0, "k": 1.0} for q in ("i", "j")}})
COUNTS = ft.Assignments.from_counts([[2, 1], [0, 3], [1, 0]], items=["i", "j", "k"])
SOFT = ft.Membership.from_probabilities([[0.5, 0.5], [0, 1], [1, 0]], items=["i", "j", "k"])
SURE = ft.Assignments.from_counts([[2, 0], [0, 3], [1, 0]], items=["i", "j", "k"])


def aligned(truth: ft.ByExample) -> Any:
    return align(truth, RUNS, ties="trec")


def test_a_single_truth_without_names() -> None:
    message = r"^worlds='crisp': the votes on 1 item differ, so that there is no single truth"
    for votes in (COUNTS, SOFT):
        assert aligned(votes.by_example()).facts.default == "independent"
        with pytest.raises(ft.errors.OptionError, match=message):
            ft.evaluate(votes.by_example(), RUNS, "P@1", worlds="crisp")
    assert aligned(SURE.by_example()).facts.default == "crisp"
    named = ft.Assignments.from_columns(["s"] * 3, ["i", "j", "k"], ["0", "1", "0"])
    measures = ["P@1", "AP", "R@1", "nDCG@2"]
    got = ft.evaluate(SURE.by_example(["i"]), RUNS, measures)
    assert got.subjects is None
    want = ft.evaluate(named.by_example(["i"]), RUNS, measures)
    np.testing.assert_array_equal(got.values, want.values)
    drawn = ft.evaluate(SURE.by_example(["i"]), RUNS, measures, worlds="independent")
    np.testing.assert_allclose(drawn.values, want.values, atol=1e-15)


def test_categories_taken_for_items() -> None:
    """Refused for each system whose lists are of categories; items may have their names."""
    votes = ft.Assignments.from_columns(["s"] * 3, ["i", "j", "dog"], ["cat", "dog", "cat"])
    labels = {"A": {"i": ["j"]}, "B": {"i": ["cat", "dog"], "j": ["cat", "bird"], "dog": ["cat"]}}
    listed = ft.Runs.from_dict(labels)
    with_bird = ft.Assignments.from_frame(
        votes.to_frame(), taxonomy=ft.Taxonomy.flat(["cat", "dog", "bird"])
    )
    message = (
        r"^run 'B' retrieved categories \(3 categories, such as 'cat'\), and by_example is about "
        r"items, such as 'i'; evaluate lists of categories by votes.by_item\(\), .* items of the "
        r"labels: Runs.by_similarity\(labels, votes.taxonomy\)$"
    )
    with pytest.raises(ft.errors.DataError, match=message):
        ft.evaluate(with_bird.by_example(), listed, "P@1")
    with pytest.warns(
        UnjudgedItemWarning, match=r"2 items \(cat, bird\), 4 entries of lists"
    ):  # "bird" is no category
        ft.evaluate(votes.by_example(), {"B": labels["B"]}, "P@1")
    kept = ft.evaluate(votes.by_example(), {"C": {"i": ["dog"], "j": ["dog"]}}, "P@1")
    assert kept.values.ravel().tolist() == [1, 0]  # an item with the name of a category

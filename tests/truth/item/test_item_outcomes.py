"""Items given one of their options: exact mixtures, and drawn worlds."""

from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import as_given, resampled_subjects

TAX = ft.Taxonomy.from_children({"all": ["cat", "dog", "cow"]})
VOTES = ft.Assignments.from_columns(
    ["s", "t", "u", "s", "t", "u"], ["a"] * 3 + ["b"] * 3, ["cat", "cat", "dog", *["cow"] * 3],
    taxonomy=TAX,
)  # fmt: skip
RUNS = ft.Runs.from_dict({"x": {"a": {"dog": 2, "cat": 1}, "b": {"cat": 2, "cow": 1}}})
ALIGNED = align(VOTES.by_item(), RUNS, ties="trec")


def test_components_are_the_options() -> None:
    outcomes = ALIGNED.outcomes(slice(0, 2), as_given())
    mixture = outcomes.probabilities(0)
    assert isinstance(mixture, Mixture)
    assert mixture.offsets is not None
    assert mixture.offsets.tolist() == [0, 2, 3]
    assert mixture.weight is not None
    np.testing.assert_allclose(np.sort(mixture.weight), [[1 / 3, 2 / 3, 1]])
    assert (mixture.probabilities.hits.probability == 1).all()
    assert mixture.certain is not None
    for name in ("P@1", "AP", "RR", "R@1"):
        measure = parse_measure(name)
        moments = measure.moments(mixture.probabilities)
        assert moments is not None
        np.testing.assert_allclose(measure.score(mixture.certain)[0], moments[0], atol=1e-12)
        assert moments[1] is None or not np.asarray(moments[1]).any()


def test_chances_and_outer_worlds() -> None:
    votes = resampled_subjects(("s", "t", "u"), 100, np.random.SeedSequence(0))
    outcomes = ALIGNED.outcomes(slice(0, 2), votes)
    assert len(outcomes) == len(votes) == 10
    np.testing.assert_allclose(outcomes.chance_of_some(1.0), 1, atol=1e-12)
    np.testing.assert_allclose(outcomes.chance_of_none(1.0), 0, atol=1e-12)
    np.testing.assert_allclose(outcomes.chance_of_none(2.0), 1, atol=1e-12)
    whole, part = outcomes.probabilities(0), outcomes[3:5].probabilities(0)
    assert isinstance(whole, Mixture)
    assert isinstance(part, Mixture)
    assert whole.weight is not None
    assert part.weight is not None
    np.testing.assert_array_equal(part.weight, whole.weight[3:5])
    assert outcomes.n_items == 3


@pytest.mark.parametrize("block", [slice(0, 2), slice(1, 2)])
def test_drawn_grades_are_exclusive(block: slice) -> None:
    drawn = ALIGNED.outcomes(block, as_given()).draw(slice(0, 3000), entropy_of(1))
    batch = drawn.batch(0)
    relevant = batch.n_relevant(1.0)
    assert (relevant == 1).all()
    first = batch.hits(1, 1.0)[:, 0].mean()
    assert abs(first - (1 / 3 if block.start == 0 else 0)) < 5 * np.sqrt(2 / 9 / 3000)


def test_tied_categories_have_exact_values_for_all_measures() -> None:
    """Item a is a cat in two of three worlds, and dog and cat tie behind cow; b has no ties."""
    runs = ft.Runs.from_dict(
        {"x": {"a": {"cow": 2, "dog": 1, "cat": 1}, "b": {"cat": 3, "cow": 2, "dog": 1}}}
    )
    mixture = align(VOTES.by_item(), runs, ties="expected").outcomes(slice(0, 2), as_given())
    assert mixture.probabilities(0).probabilities.ranked.tolist() == [False, False, True]
    texts = ["P@2", "RR", "AP", "Success@2", "nDCG", "Rprec"]
    scores = ft.evaluate(VOTES.by_item(), runs, texts, ties="expected", worlds="independent")
    assert scores.uncertainty.exact.all()
    expected = [[0.25, 0.5], [5 / 12, 0.5], [5 / 12, 0.5]]
    np.testing.assert_allclose(scores.values[0, :3], expected, rtol=1e-12)
    assert scores.distribution("x", "a", "RR").to_frame().round(9).values.tolist() == [
        [round(5 / 12, 9), 1]
    ]


def of_similar_categories() -> Any:
    """Two items with grades between 0 and 1."""
    tax = ft.Taxonomy.from_children({"all": ["p", "q"], "p": ["c", "d"]})
    votes = ft.Assignments.from_columns(
        ["s", "t", "s"], ["i", "i", "j"], ["c", "q", "c"], taxonomy=tax
    )
    runs = ft.Runs.from_dict({"x": {"i": {"c": 2, "q": 1}, "j": {"d": 1}}})
    return align(votes.by_item(relevance="wu-palmer"), runs, ties="trec")


def test_the_best_order_has_the_largest_grades_first() -> None:
    """By Wu and Palmer c is similar to c and p by 1 and 4/5, q to q and all by 1 and 2/3."""
    aligned = of_similar_categories()
    mixture = aligned.outcomes(slice(0, 2), as_given()).probabilities(0)
    assert isinstance(mixture, Mixture)
    assert mixture.certain is not None
    best = mixture.certain.judged.best_gain("half", lambda grade: grade, np.array([0, 1, 1.5]))
    np.testing.assert_allclose(np.sort(best), [[1 + 1 / 3, 1.4, 1.4]], rtol=1e-12)

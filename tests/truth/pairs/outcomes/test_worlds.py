"""Drawn worlds of judged pairs as measures see them."""

import numpy as np
import pytest
from support.every_world import small
from support.variants import VARIANTS

import fuzzytruth as ft
from fuzzytruth.core.layouts import Diagonals
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.batch import Levels
from fuzzytruth.truth.pairs.outcomes import PairWorlds
from fuzzytruth.truth.vote_weights import as_given

MEASURES = [measure for text in VARIANTS if (measure := parse_measure(text)).any_layout]
SEED = (1, 2, 3, 4)


def drawn(seed: int = 0, ties: str = "trec", *, fractions: bool = False) -> PairWorlds:
    votes, runs = small(seed, top=3)
    if fractions:  # more grades than are counted one by one
        votes["grade"] += np.random.default_rng(seed).random(len(votes)).round(2)
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties=ties)
    return aligned.outcomes(slice(0, 3), as_given()).draw(slice(0, 30), SEED)


def test_many_measures_take_any_layout() -> None:
    assert len(MEASURES) > 40


@pytest.mark.parametrize("fractions", [False, True])
@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_layouts_give_the_same_values(measure, fractions: bool) -> None:
    worlds = drawn(fractions=fractions)
    for run in range(2):
        batch = worlds.batch(run)
        assert isinstance(batch.layout, Diagonals)
        plain = batch.end_to_end()
        levels = Levels(plain.levels.offsets, plain.levels.grade, plain.levels.count)
        plain = type(plain)(
            plain.length, plain.layout, plain.first, plain.last, plain.code, levels, plain.top_grade
        )
        np.testing.assert_allclose(measure.score(batch), measure.score(plain), rtol=1e-12)


@pytest.mark.parametrize(("lowest", "rel"), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (1, 3)])
def test_two_grades_of_which_one_or_both_or_none_are_relevant(lowest: int, rel: int) -> None:
    votes, runs = small(0)
    votes["grade"] += lowest
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    worlds = aligned.outcomes(slice(0, 3), as_given()).draw(slice(0, 30), SEED)
    batch = worlds.batch(0)
    assert batch.scale is not None
    assert batch.scale.tolist() == [lowest, lowest + 1]
    np.testing.assert_array_equal(batch.relevant(rel), batch.gain >= rel)

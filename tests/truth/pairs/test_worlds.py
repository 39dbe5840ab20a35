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


def test_gains_are_the_drawn_grades() -> None:
    worlds = drawn()
    grade = worlds.judged.scale[worlds.judged.code]  # (pairs, worlds)
    for run in range(2):
        hits = worlds.hits[run]
        np.testing.assert_array_equal(worlds.batch(run).gain, grade[hits.row].T)
        plain = worlds.batch(run).end_to_end()
        np.testing.assert_array_equal(plain.gain, grade[hits.row][hits.layout.place].T)
        np.testing.assert_array_equal(plain.first, hits.placement.first)


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


def test_tied_hits_lie_end_to_end() -> None:
    votes, runs = small(0, top=2)
    runs = {s: {q: dict.fromkeys(d, 1.0) for q, d in run.items()} for s, run in runs.items()}
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="expected")
    worlds = aligned.outcomes(slice(0, 3), as_given()).draw(slice(0, 30), SEED)
    batch = worlds.batch(0)
    assert batch.tied
    placement = worlds.hits[0].placement
    np.testing.assert_array_equal(batch.offsets, placement.offsets)
    row = worlds.judged.layout.place[placement.entry]
    np.testing.assert_array_equal(batch.gain, worlds.judged.scale[worlds.judged.code[row]].T)


def test_what_was_found_is_not_shown() -> None:
    assert " parts=" not in repr(drawn().hits[0])


def test_parts_of_the_lists_are_found_once() -> None:
    worlds = drawn()
    batch, again = worlds.batch(0), worlds.batch(0)
    top = batch.top(2)
    assert (top.first <= 2).all()
    assert again.top(2).layout is top.layout
    able = top.able(2.0)
    assert (worlds.judged.scale[able.largest_code] >= 2).all()
    kept = top.parts["able", top._least_code(2.0)].index
    left_out = np.setdiff1d(np.arange(len(top.first)), kept)
    assert not top.relevant(2.0)[:, left_out].any()
    np.testing.assert_array_equal(able.hits(None, 2.0), top.hits(None, 2.0))
    assert batch.able(0.0) is batch
    assert batch.end_to_end().able(2.0).n_worlds == 30

"""Weighted displacement against enumeration of every placement and of every answer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from fuzzytruth.core.largest_displacement import largest_displacement
from fuzzytruth.core.ranked_lists import RankedLists, padded, tied_places
from fuzzytruth.core.segments import offsets_of, segment_sum
from fuzzytruth.core.weighted_displacement import assumed_ranks, displacements, distance

HYPOTHESES = ("optimist", "pessimist", "pessimist-tail", "worst")
UNLIMITED = 2**62


def make_lists(relevances, *, interval=True):
    """Lists of falling relevances; ties are equal relevances, or none."""
    offsets = offsets_of(np.array([len(r) for r in relevances], dtype=int))
    values = np.array([s for r in relevances for s in r], dtype=float)
    place = np.arange(len(values)) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
    first, last = tied_places(offsets, values) if interval else (place, place)
    return RankedLists(offsets, values, first, last)


def weighted(lists, rank, length, unseen, size):
    away = displacements(lists, rank, length, unseen, size)
    return segment_sum(lists.relevance * away, lists.offsets)


def at_full_ranks(lists, ranks):
    """Displacement when the rank of everything is known."""
    return float((lists.relevance * distance(np.array(ranks), lists.first, lists.last)).sum())


def all_placements(rank, length, size):
    """Every full ranking that a system's answer leaves open."""
    missing = [j for j, r in enumerate(rank) if r == 0]
    for slots in itertools.permutations(range(length + 1, size + 1), len(missing)):
        out = list(rank)
        for j, slot in zip(missing, slots, strict=True):
            out[j] = slot
        yield out


def all_answers(m, length, size):
    """Ranks of a subject's m items in every answer of a length, 0 where it lacks one."""
    for ranks in itertools.product(range(length + 1), repeat=m):
        given_ = [r for r in ranks if r]
        if len(set(given_)) == len(given_) and length - len(given_) <= size - m:
            yield list(ranks)


relevances = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), min_size=1, max_size=4).map(
    lambda s: sorted(s, reverse=True)
)


@st.composite
def answers(draw, most=7):
    """A list, the ranks of its items in an answer, the answer's length and the collection."""
    relevance = draw(relevances)
    m = len(relevance)
    size = draw(st.integers(m, most))
    length = draw(st.integers(0, size))
    order = draw(st.permutations(range(1, size + 1)))
    rank = np.array([r if r <= length else 0 for r in order[:m]])
    interval = draw(st.booleans())
    return make_lists([relevance], interval=interval), rank, length, size


@settings(max_examples=300)
@given(answers())
def test_optimist_and_worst_are_the_ends_of_all_placements(case):
    lists, rank, length, size = case
    every = [at_full_ranks(lists, r) for r in all_placements(rank, length, size)]
    n, big = np.array([length]), np.array([size])
    assert weighted(lists, rank, n, "optimist", big)[0] == pytest.approx(min(every), abs=1e-12)
    assert weighted(lists, rank, n, "worst", big)[0] == pytest.approx(max(every), abs=1e-12)
    tail = weighted(lists, rank, n, "pessimist-tail", big)[0]
    assert min(every) - 1e-12 <= tail <= max(every) + 1e-12


@settings(max_examples=200)
@given(answers(most=6), st.sampled_from(HYPOTHESES))
def test_largest_displacement_is_that_of_all_answers(case, unseen):
    lists, _, length, size = case
    n, big = np.array([length]), np.array([size])
    m = len(lists.relevance)
    every = [weighted(lists, np.array(r), n, unseen, big)[0] for r in all_answers(m, length, size)]
    found = largest_displacement(lists, n, unseen, big)[0]
    assert found == pytest.approx(max(every), abs=1e-12)


@settings(max_examples=100)
@given(relevances, st.integers(0, 5), st.booleans())
def test_largest_optimist_displacement_without_a_limit(relevance, length, interval):
    lists = make_lists([relevance], interval=interval)
    n, big = np.array([length]), np.array([UNLIMITED])
    every = [
        weighted(lists, np.array(r), n, "optimist", big)[0]
        for r in all_answers(len(relevance), length, UNLIMITED)
    ]
    assert largest_displacement(lists, n, "optimist", big)[0] == pytest.approx(max(every))


def random_lists(rng, count, longest, *, interval):
    relevance = [
        np.sort(rng.choice([0.1, 0.2, 0.5, 0.7, 1.0], rng.integers(1, longest + 1)))[::-1]
        if interval
        else np.sort(rng.random(rng.integers(1, longest + 1)))[::-1]
        for _ in range(count)
    ]
    return make_lists(relevance, interval=interval)


@pytest.mark.parametrize("interval", [True, False])
def test_worst_ranks_solve_the_assignment_problem(interval):
    rng = np.random.default_rng(3)
    lists = random_lists(rng, 60, 25, interval=interval)
    length = rng.integers(0, 12, 60)
    rank = np.zeros(len(lists.relevance), dtype=int)
    for j in range(60):
        rows = np.arange(lists.offsets[j], lists.offsets[j + 1])
        listed = rng.permutation(rows)[: rng.integers(0, min(len(rows), length[j]) + 1)]
        rank[listed] = rng.permutation(length[j])[: len(listed)] + 1
    size = length + lists.size + rng.integers(0, 30, 60)
    found = assumed_ranks(lists, rank, length, "worst", size)
    got = weighted(lists, rank, length, "worst", size)
    for j in range(60):
        own = slice(lists.offsets[j], lists.offsets[j + 1])
        ranks = found[own]
        assert len(set(ranks)) == len(ranks)
        assert ((rank[own] > 0) | ((ranks > length[j]) & (ranks <= size[j]))).all()
        slots = np.arange(length[j] + 1, size[j] + 1)
        missing = np.flatnonzero(rank[own] == 0)
        cost = lists.relevance[own][missing, None] * distance(
            slots, lists.first[own][missing, None], lists.last[own][missing, None]
        )
        best = cost[linear_sum_assignment(cost, maximize=True)].sum()
        seen = rank[own] > 0
        shift = distance(rank[own], lists.first[own], lists.last[own])
        assert got[j] == pytest.approx(best + (lists.relevance[own] * shift)[seen].sum())


@pytest.mark.parametrize("unseen", HYPOTHESES)
def test_many_lists_at_once_are_each_on_their_own(unseen):
    rng = np.random.default_rng(5)
    lists = random_lists(rng, 40, 9, interval=True)
    length = rng.integers(0, 12, 40)
    size = np.maximum(length + 1, lists.size) + rng.integers(0, 15, 40)
    together = largest_displacement(lists, length, unseen, size)
    alone = [
        largest_displacement(lists.take(np.array([j])), length[[j]], unseen, size[[j]])[0]
        for j in range(40)
    ]
    assert together == pytest.approx(alone)


def test_pessimist_answers_are_an_assignment_problem():
    rng = np.random.default_rng(7)
    lists = random_lists(rng, 30, 12, interval=False)
    length = rng.integers(1, 15, 30)
    size = np.maximum(length, lists.size) + rng.integers(0, 6, 30)
    found = largest_displacement(lists, length, "pessimist", size)
    for j in range(30):
        own = slice(lists.offsets[j], lists.offsets[j + 1])
        slots = np.arange(1, size[j] + 1)
        away = distance(slots, lists.first[own][:, None], lists.last[own][:, None])
        cost = lists.relevance[own][:, None] * np.where(slots > length[j], size[j], away)
        assert found[j] == pytest.approx(cost[linear_sum_assignment(cost, maximize=True)].sum())


def test_tied_places_and_padding():
    offsets = np.array([0, 3, 3, 5])
    first, last = tied_places(offsets, np.array([1.0, 1.0, 0.5, 0.5, 0.5]))
    assert first.tolist() == [1, 1, 3, 1, 1]
    assert last.tolist() == [2, 2, 3, 2, 2]
    assert padded(np.arange(5), offsets).tolist() == [[0, 1, 2], [0, 0, 0], [3, 4, 0]]

"""Weighted displacement, and the largest of all, against enumeration and assignment problems."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from support.ranked_lists import answers, make_lists, random_lists

from fuzzytruth.core.arithmetic import segment_sum
from fuzzytruth.core.lists.weighted_displacement import (
    DisplacedLists,
    distance,
    largest_displacement,
)

HYPOTHESES = ("optimist", "pessimist", "pessimist-tail", "worst")


def weighted(lists, rank, length, unseen, size):
    away = DisplacedLists(lists, np.array(rank), length, unseen, size).displacements()
    return segment_sum(lists.relevance * away, lists.offsets)


def all_placements(rank, length, size):
    """Every full ranking that a system's answer leaves open."""
    missing = [j for j, r in enumerate(rank) if r == 0]
    for slots in itertools.permutations(range(length + 1, size + 1), len(missing)):
        out = np.array(rank)
        out[missing] = slots
        yield out


def all_answers(m, length, size):
    """Ranks of a subject's m items in every answer of a length, 0 where it lacks one."""
    for ranks in itertools.product(range(length + 1), repeat=m):
        listed = [r for r in ranks if r]
        if len(set(listed)) == len(listed) and length - len(listed) <= size - m:
            yield list(ranks)


@settings(max_examples=150)
@given(answers())
def test_optimist_and_worst_are_the_ends_of_all_placements(case):
    lists, rank, length, size = case
    every = [
        (lists.relevance * distance(ranks, lists.first, lists.last)).sum()
        for ranks in all_placements(rank, length, size)
    ]
    n, big = np.array([length]), np.array([size])
    assert weighted(lists, rank, n, "optimist", big)[0] == pytest.approx(min(every), abs=1e-12)
    assert weighted(lists, rank, n, "worst", big)[0] == pytest.approx(max(every), abs=1e-12)
    tail = weighted(lists, rank, n, "pessimist-tail", big)[0]
    assert min(every) - 1e-12 <= tail <= max(every) + 1e-12


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
    assumed = DisplacedLists(lists, rank, length, "worst", size).assumed_ranks()
    found = weighted(lists, rank, length, "worst", size)
    for j in range(60):
        of_list = slice(lists.offsets[j], lists.offsets[j + 1])
        ranks, is_listed = assumed[of_list], rank[of_list] > 0
        assert len(set(ranks)) == len(ranks)
        assert (is_listed | ((ranks > length[j]) & (ranks <= size[j]))).all()
        slots = np.arange(length[j] + 1, size[j] + 1)
        first, last, relevance = lists.first[of_list], lists.last[of_list], lists.relevance[of_list]
        cost = relevance[:, None] * distance(slots, first[:, None], last[:, None])
        cost = cost[~is_listed]
        best = cost[linear_sum_assignment(cost, maximize=True)].sum()
        listed = (relevance * distance(rank[of_list], first, last))[is_listed].sum()
        assert found[j] == pytest.approx(best + listed)


@settings(max_examples=150)
@given(answers(most=6), st.sampled_from(HYPOTHESES))
def test_largest_displacement_is_that_of_all_answers(case, unseen):
    lists, _, length, size = case
    n, big = np.array([length]), np.array([size])
    ranks = all_answers(len(lists.relevance), length, size)
    every = [weighted(lists, r, n, unseen, big)[0] for r in ranks]
    result = largest_displacement(lists, n, unseen, big)[0]
    assert result == pytest.approx(max(every), abs=1e-12)


@pytest.mark.parametrize("unseen", HYPOTHESES)
def test_many_lists_at_once_are_each_on_their_own(unseen):
    """Sizes from 1 to 60, so that lists end before others in the table of states."""
    rng = np.random.default_rng(5)
    lists = make_lists([np.sort(rng.random(m).round(1))[::-1] for m in (60, 1, 30, 2, 9, 9, 5)])
    length = np.array([20, 5, 20, 1, 0, 12, 3])
    size = np.maximum(length + 1, lists.size) + rng.integers(0, 15, 7)
    together = largest_displacement(lists, length, unseen, size)
    for j in range(7):
        one = lists.take(np.array([j]))
        alone = largest_displacement(one, length[[j]], unseen, size[[j]])[0]
        assert together[j] == pytest.approx(alone)


@pytest.mark.parametrize("unseen", HYPOTHESES)
def test_items_of_relevance_0_are_not_searched(unseen):
    """A pool of 3,000 judged items, 40 of them relevant: seconds where the search took minutes."""
    lists = make_lists([[1.0] * 40 + [0.0] * 2960])
    result = largest_displacement(lists, np.array([30]), unseen, np.array([4000]))[0]
    away = {
        "optimist": np.maximum(0, np.arange(31, 71) - 40),  # the next places
        "pessimist": np.full(40, 4000),
        "pessimist-tail": 4000 - 2970 + np.arange(1, 41) - 40,  # before 2,930 others not listed
        "worst": np.arange(3961, 4001) - 40,
    }[unseen]
    assert result == away.sum()

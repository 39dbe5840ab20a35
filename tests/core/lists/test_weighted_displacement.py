"""Weighted displacement against enumeration of every placement."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linear_sum_assignment
from support.ranked_lists import answers, random_lists, weighted

from fuzzytruth.core.lists.weighted_displacement import DisplacedLists, distance


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
    result = DisplacedLists(lists, rank, length, "worst", size).assumed_ranks()
    got = weighted(lists, rank, length, "worst", size)
    for j in range(60):
        of_list = slice(lists.offsets[j], lists.offsets[j + 1])
        ranks = result[of_list]
        assert len(set(ranks)) == len(ranks)
        assert ((rank[of_list] > 0) | ((ranks > length[j]) & (ranks <= size[j]))).all()
        slots = np.arange(length[j] + 1, size[j] + 1)
        missing = np.flatnonzero(rank[of_list] == 0)
        cost = lists.relevance[of_list][missing, None] * distance(
            slots, lists.first[of_list][missing, None], lists.last[of_list][missing, None]
        )
        best = cost[linear_sum_assignment(cost, maximize=True)].sum()
        is_listed = rank[of_list] > 0
        shift = distance(rank[of_list], lists.first[of_list], lists.last[of_list])
        assert got[j] == pytest.approx(best + (lists.relevance[of_list] * shift)[is_listed].sum())

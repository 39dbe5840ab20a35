"""The largest displacement against enumeration of every answer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from support.ranked_lists import (
    HYPOTHESES,
    UNLIMITED,
    answers,
    make_lists,
    random_lists,
    relevances,
    weighted,
)

from fuzzytruth.core.largest_displacement import largest_displacement
from fuzzytruth.core.weighted_displacement import distance


def all_answers(m, length, size):
    """Ranks of a subject's m items in every answer of a length, 0 where it lacks one."""
    for ranks in itertools.product(range(length + 1), repeat=m):
        given_ = [r for r in ranks if r]
        if len(set(given_)) == len(given_) and length - len(given_) <= size - m:
            yield list(ranks)


@settings(max_examples=200)
@given(answers(most=6), st.sampled_from(HYPOTHESES))
def test_largest_displacement_is_that_of_all_answers(case, unseen):
    lists, _, length, size = case
    n, big = np.array([length]), np.array([size])
    m = len(lists.relevance)
    every = [weighted(lists, np.array(r), n, unseen, big)[0] for r in all_answers(m, length, size)]
    result = largest_displacement(lists, n, unseen, big)[0]
    assert result == pytest.approx(max(every), abs=1e-12)


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
    result = largest_displacement(lists, length, "pessimist", size)
    for j in range(30):
        own = slice(lists.offsets[j], lists.offsets[j + 1])
        slots = np.arange(1, size[j] + 1)
        away = distance(slots, lists.first[own][:, None], lists.last[own][:, None])
        cost = lists.relevance[own][:, None] * np.where(slots > length[j], size[j], away)
        assert result[j] == pytest.approx(cost[linear_sum_assignment(cost, maximize=True)].sum())

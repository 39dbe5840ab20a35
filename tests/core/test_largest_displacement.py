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

from fuzzytruth.core.lists.weighted_displacement import distance, largest_displacement


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
        of_list = slice(lists.offsets[j], lists.offsets[j + 1])
        slots = np.arange(1, size[j] + 1)
        away = distance(slots, lists.first[of_list][:, None], lists.last[of_list][:, None])
        cost = lists.relevance[of_list][:, None] * np.where(slots > length[j], size[j], away)
        assert result[j] == pytest.approx(cost[linear_sum_assignment(cost, maximize=True)].sum())


@pytest.mark.parametrize("unseen", HYPOTHESES)
def test_items_of_relevance_0_are_not_searched(unseen):
    """A pool of 3,000 judged items, 40 of them relevant: seconds where the search took minutes."""
    lists = make_lists([[1.0] * 40 + [0.0] * 2960])
    n, size = np.array([30]), np.array([4000])
    result = largest_displacement(lists, n, unseen, size)[0]
    away = {
        "optimist": np.maximum(0, np.arange(31, 71) - 40),  # the next places
        "pessimist": np.full(40, 4000),
        "pessimist-tail": 4000 - 2970 + np.arange(1, 41) - 40,  # before 2,930 others not listed
        "worst": np.arange(3961, 4001) - 40,
    }[unseen]
    assert result == away.sum()


def test_a_list_longer_than_the_answer_in_company_of_others():
    """Sizes from 1 to 60, so that lists end before others in the table of states."""
    rng = np.random.default_rng(3)
    lists = make_lists([np.sort(rng.random(m))[::-1] for m in (60, 1, 30, 2)])
    length, size = np.array([20, 5, 20, 1]), np.array([2**62] * 4)
    together = largest_displacement(lists, length, "optimist", size)
    for j in range(4):
        one = lists.take(np.array([j]))
        assert together[j] == largest_displacement(one, length[[j]], "optimist", size[[j]])[0]
        nothing = weighted(one, np.zeros(len(one.relevance)), length[[j]], "optimist", size[[j]])
        assert together[j] >= nothing[0]

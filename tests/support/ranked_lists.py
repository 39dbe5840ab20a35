"""Ranked lists of relevances, and systems' answers to them, for tests of displacement."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.lists.weighted_displacement import DisplacedLists
from fuzzytruth.core.segments import offsets_of, segment_sum

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
    away = DisplacedLists(lists, rank, length, unseen, size).displacements()
    return segment_sum(lists.relevance * away, lists.offsets)


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


def random_lists(rng, count, longest, *, interval):
    relevance = [
        np.sort(rng.choice([0.1, 0.2, 0.5, 0.7, 1.0], rng.integers(1, longest + 1)))[::-1]
        if interval
        else np.sort(rng.random(rng.integers(1, longest + 1)))[::-1]
        for _ in range(count)
    ]
    return make_lists(relevance, interval=interval)

"""Ranked lists of relevances, and systems' answers to them, for tests of displacement."""

import numpy as np
from hypothesis import strategies as st

from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places


def make_lists(relevances, *, interval=True):
    """Lists of falling relevances; ties are equal relevances, or none."""
    offsets = offsets_of(np.array([len(r) for r in relevances], dtype=int))
    values = np.array([s for r in relevances for s in r], dtype=float)
    place = np.arange(len(values)) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
    first, last = tied_places(offsets, values) if interval else (place, place)
    return RankedLists(offsets, values, first, last)


relevances = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), min_size=1, max_size=4).map(
    lambda s: sorted(s, reverse=True)
)


@st.composite
def answers(draw, most=7):
    """A list, the ranks of its items in an answer, the answer's length and the collection."""
    relevance = draw(relevances)
    size = draw(st.integers(len(relevance), most))
    length = draw(st.integers(0, size))
    order = draw(st.permutations(range(1, size + 1)))
    rank = np.array([r if r <= length else 0 for r in order[: len(relevance)]])
    return make_lists([relevance], interval=draw(st.booleans())), rank, length, size


def random_lists(rng, count, longest, *, interval):
    sizes = rng.integers(1, longest + 1, count)
    some = [rng.choice([0.1, 0.2, 0.5, 0.7, 1.0], n) if interval else rng.random(n) for n in sizes]
    return make_lists([np.sort(each)[::-1] for each in some], interval=interval)

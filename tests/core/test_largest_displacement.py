"""The largest displacement against every answer, in plain Python."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core import largest_displacement as module
from fuzzytruth.core.largest_displacement import largest_displacement
from fuzzytruth.core.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import offsets_of

levels = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0]), min_size=1, max_size=4).map(
    lambda row: sorted(row, reverse=True)
)


def as_lists(rows) -> RankedLists:
    offsets = offsets_of(np.array([len(row) for row in rows]))
    values = np.array([x for row in rows for x in row], dtype=float)
    return RankedLists(offsets, values, *tied_places(offsets, values))


def away(relevance, j, rank) -> int:
    """How far item j is at a rank from the places over which it is tied."""
    first = 1 + sum(x > relevance[j] for x in relevance)
    last = sum(x >= relevance[j] for x in relevance)
    return max(first - rank, rank - last, 0)


def every_answer(relevance, length, size):
    """For each answer of `length` of the `size` items: the ranks of the subject's, 0 if absent."""
    for answer in permutations(range(size), length):
        yield [answer.index(j) + 1 if j in answer else 0 for j in range(len(relevance))]


def assumed(ranks, length, size, unseen):
    """Each way in which the hypothesis ranks the absent items (None: the whole collection off)."""
    absent = [j for j, r in enumerate(ranks) if not r]
    if unseen == "optimist":
        ways = [range(length + 1, length + 1 + len(absent))]
    elif unseen == "pessimist-tail":
        ways = [range(size - len(absent) + 1, size + 1)]
    elif unseen == "pessimist":
        ways = [[None] * len(absent)]
    else:
        ways = permutations(range(length + 1, size + 1), len(absent))
    for way in ways:
        yield [dict(zip(absent, way, strict=True)).get(j, r) for j, r in enumerate(ranks)]


def brute(relevance, length, size, unseen) -> float:
    return max(
        sum(
            x * (size if r is None else away(relevance, j, r))
            for j, (x, r) in enumerate(zip(relevance, full, strict=True))
        )
        for ranks in every_answer(relevance, length, size)
        for full in assumed(ranks, length, size, unseen)
    )


@pytest.mark.parametrize("unseen", ["optimist", "pessimist", "pessimist-tail", "worst"])
@settings(max_examples=40)
@given(levels, st.integers(0, 2), st.integers(0, 5))
def test_every_answer_in_plain_python(unseen, relevance, more, length) -> None:
    size = len(relevance) + more
    length = min(length, size)
    found = largest_displacement(
        as_lists([relevance]), np.array([length]), unseen, np.array([size])
    )
    assert found.tolist() == pytest.approx([brute(relevance, length, size, unseen)], abs=1e-12)


@pytest.mark.parametrize("unseen", ["optimist", "pessimist", "pessimist-tail", "worst"])
def test_blocks_do_not_show(unseen, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    rows = [sorted(rng.choice([0.2, 0.6, 1.0], rng.integers(1, 7)))[::-1] for _ in range(12)]
    length = rng.integers(0, 8, 12)
    size = np.maximum(length, 6) + rng.integers(0, 3, 12)
    together = largest_displacement(as_lists(rows), length, unseen, size)
    monkeypatch.setattr(module, "_CELLS", 1)
    assert largest_displacement(as_lists(rows), length, unseen, size).tolist() == together.tolist()


def test_nothing_relevant_one_item_and_no_lists() -> None:
    def largest(rows, length, size, unseen):
        return largest_displacement(
            as_lists(rows), np.array([length]), unseen, np.array([size])
        ).tolist()

    assert largest([[0.0, 0.0]], 1, 3, "worst") == [0]
    assert largest([[1.0]], 1, 1, "worst") == [0]
    assert largest([[1.0]], 0, 9, "optimist") == [0]
    assert largest([[0.5]], 4, 9, "pessimist") == [4.5]
    none = np.empty(0, dtype=int)
    assert largest_displacement(as_lists([]), none, "pessimist", none).shape == (0,)

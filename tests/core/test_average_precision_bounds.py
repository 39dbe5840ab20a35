"""Bounds of average precision against all ways to judge the unjudged items."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.completions import Case, open_lists

from fuzzytruth.core.lists.measure_bounds import average_precision_bounds


def average_precision(relevant: list[bool], missed: int) -> float:
    hits = [j for j, r in enumerate(relevant, start=1) if r]
    total = sum(n / j for n, j in enumerate(hits, start=1))
    return total / (len(hits) + missed) if hits or missed else 0.0


def _case(items: list[str], missed: int, outside: int) -> Case:
    judged = {"relevant": True, "not": False, "unjudged": None}
    return Case(tuple(judged[item] for item in items), missed, 0, outside)


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(["relevant", "not", "unjudged"]), min_size=1, max_size=7),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_every_way_to_judge(items, missed, outside) -> None:
    slots = [j for j, item in enumerate(items) if item == "unjudged"]
    values = []
    for judged in itertools.product((False, True), repeat=len(slots)):
        relevant = [item == "relevant" for item in items]
        for j, r in zip(slots, judged, strict=True):
            relevant[j] = r
        values += [average_precision(relevant, missed + more) for more in range(outside + 1)]
    low, high = average_precision_bounds(open_lists([_case(items, missed, outside)]))
    assert float(low[0]) == pytest.approx(min(values), abs=1e-12)
    assert float(high[0]) == pytest.approx(max(values), abs=1e-12)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(["relevant", "not", "unjudged"]), min_size=1, max_size=7),
    st.integers(0, 2),
    st.integers(0, 2),
    st.sampled_from([(1.0, 0.5), (0.0, 2.0), (0.5, 0.0)]),
)
def test_what_items_add_may_be_given(items, missed, outside, powers) -> None:
    rank = np.arange(1.0, 8.0)
    first, each = rank ** -powers[0], rank ** -powers[1]
    slots = [j for j, item in enumerate(items) if item == "unjudged"]
    values = []
    for judged in itertools.product((False, True), repeat=len(slots)):
        relevant = [item == "relevant" for item in items]
        for j, r in zip(slots, judged, strict=True):
            relevant[j] = r
        hits = [j for j, r in enumerate(relevant) if r]
        total = sum(first[j] + above * each[j] for above, j in enumerate(hits))
        counts = [len(hits) + missed + more for more in range(outside + 1)]
        values += [total / count if count else 0.0 for count in counts]
    low, high = average_precision_bounds(
        open_lists([_case(items, missed, outside)]), first[: len(items)], each[: len(items)]
    )
    assert float(low[0]) == pytest.approx(min(values), abs=1e-12)
    assert float(high[0]) == pytest.approx(max(values), abs=1e-12)


def test_by_hand_and_many_at_once() -> None:
    """Ranks: relevant, unjudged. And: unjudged, relevant."""
    several = [Case((True, None), 0, 0, 0), Case((None, True), 0, 0, 1)]
    low, high = average_precision_bounds(open_lists(several))
    assert high.tolist() == [1, 1]
    assert low.tolist() == pytest.approx([1, 1 / 4])

"""Rank-biased overlap of many pairs against the papers' sums, pair by pair."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.overlap import Side, blocks, rank_biased_overlap
from fuzzytruth.core.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import offsets_of

PUBLISHED = Path(__file__).parents[1] / "golden" / "corsi_urbano_2024.json"
GOLDEN = json.loads(PUBLISHED.read_text())["rows"]

untied = st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True)
pairs_of_lists = st.lists(st.tuples(untied, untied), min_size=1, max_size=4)


def as_lists(lists, levels=None) -> RankedLists:
    offsets = offsets_of(np.array([len(x) for x in lists]))
    flat = np.array([v for row in (levels or lists) for v in row], dtype=float)
    key = flat if levels else np.arange(len(flat))
    return RankedLists(offsets, flat, *tied_places(offsets, key))


def overlaps(pairs, p, ties="a", levels=(None, None)):
    """The kernel, all pairs at once: (ext, min, max), each (pairs,)."""
    rows, start = ([], []), [0, 0]
    common = []
    for pair in pairs:
        shared = [item for item in pair[0] if item in pair[1]]
        common.append(len(shared))
        for side in (0, 1):
            rows[side].extend(start[side] + pair[side].index(item) for item in shared)
            start[side] += len(pair[side])
    depths = max(len(x) for pair in pairs for x in pair)
    sides = [
        Side.of(as_lists([pair[k] for pair in pairs], levels[k]), np.array(rows[k], int), depths)
        for k in (0, 1)
    ]
    return rank_biased_overlap(*sides, offsets_of(np.array(common)), p, ties)


def extrapolated(one, two, p):
    """Webber, Moffat & Zobel 2010, equation 32."""
    short, long = sorted((one, two), key=len)
    s, l = len(short), len(long)  # noqa: E741
    x = [len(set(short[:d]) & set(long[:d])) for d in range(l + 1)]
    total = sum(x[d] / d * p**d for d in range(1, l + 1))
    total += sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * total + ((x[l] - x[s]) / l + x[s] / s) * p**l


@settings(max_examples=60)
@given(pairs_of_lists, st.sampled_from([0.2, 0.5, 0.9]))
def test_untied_lists_by_equation_32_and_with_endless_rests(pairs, p) -> None:
    ext, low, high = overlaps(pairs, p)
    assert ext == pytest.approx([extrapolated(*pair, p) for pair in pairs], abs=1e-12)
    depth = math.ceil(math.log(1e-14) / math.log(p))
    same = list(range(100, 100 + depth))
    for j, (one, two) in enumerate(pairs):
        apart = (one + same, two + [-i for i in same])
        alike = (
            one + [i for i in two if i not in one] + same,
            two + [i for i in one if i not in two] + same,
        )
        for lists, bound in ((apart, low[j]), (alike, high[j])):
            agree = [len(set(lists[0][:d]) & set(lists[1][:d])) / d for d in range(1, depth + 1)]
            value = (1 - p) * sum(a * p**d for d, a in enumerate(agree))
            assert bound == pytest.approx(value, abs=1e-12)


def contribution(first, last, depth, ties):
    if ties == "w" or last <= depth:
        return float(first <= depth)
    return max(0.0, (depth - first + 1) / (last - first + 1))


@pytest.mark.parametrize("ties", ["a", "b", "w"])
@pytest.mark.parametrize("seed", range(6))
def test_ties_by_contributions_at_each_depth(ties, seed) -> None:
    rng, n, p = np.random.default_rng(seed), 6, 0.8
    pairs = [tuple(rng.permutation(9)[:n].tolist() for _ in range(2)) for _ in range(3)]
    levels = [[sorted(rng.integers(0, 3, n).tolist()) for _ in pairs] for _ in range(2)]
    sides = [as_lists([pair[k] for pair in pairs], levels[k]) for k in (0, 1)]
    _, low, _ = overlaps(pairs, p, ties, levels)
    for j, pair in enumerate(pairs):
        places = []
        for lists, items in zip(sides, pair, strict=True):
            own = slice(j * n, (j + 1) * n)
            at = zip(lists.first[own], lists.last[own], strict=True)
            places.append(dict(zip(items, at, strict=True)))
        total, shared = 0.0, set(pair[0]) & set(pair[1])
        for d in range(1, n + 1):
            one, two = ({i: contribution(*at, d, ties) for i, at in of.items()} for of in places)
            x = sum(one[i] * two[i] for i in shared)
            if ties == "b":
                squares = [sum(c * c for c in of.values()) for of in (one, two)]
                scale = math.sqrt(math.prod(squares))
            else:
                scale = (sum(one.values()) + sum(two.values())) / 2
            total += (1 - p) / p * x / scale * p**d
        tail = -math.log1p(-p) - sum(p**d / d for d in range(1, n + 1))
        assert low[j] == pytest.approx(total + (1 - p) / p * len(shared) * tail, abs=1e-12)


def parsed(text):
    """Items of a published list, and the number of the group that each is in."""
    groups = [group.strip("()").split() for group in re.findall(r"\([^)]*\)|\w+", text)]
    items = [item for group in groups for item in group]
    return items, [level for level, group in enumerate(groups) for _ in group]


@pytest.mark.parametrize("ties", ["a", "b", "w"])
def test_published_values_of_all_pairs_at_once(ties) -> None:
    for p in {row["p"] for row in GOLDEN}:
        rows = [row for row in GOLDEN if row["p"] == p]
        for sides in (("x", "y"), ("y", "x")):
            lists = [[parsed(row[side]) for row in rows] for side in sides]
            pairs = list(zip(*[[items for items, _ in side] for side in lists], strict=True))
            levels = [[level for _, level in side] for side in lists]
            found = np.transpose(overlaps(pairs, p, ties, levels))
            np.testing.assert_allclose(found, [row[ties] for row in rows], rtol=0, atol=1e-7)


def test_an_empty_list_overlaps_nothing_and_blocks_cover_all_pairs() -> None:
    place = np.array([1, 1])
    one, two = Side.untied(np.array([1, 0]), place[:1], 1), Side.untied(place, place[:1], 1)
    ext, low, high = rank_biased_overlap(one, two, np.array([0, 1, 1]), 0.6, "a")
    assert (ext[0], high[0]) == (pytest.approx(1), pytest.approx(1))
    assert (ext[1], low[1], high[1]) == (0, 0, 0)
    cut = blocks(np.full(7, 1_000_000))
    assert [j for part in cut for j in range(7)[part]] == list(range(7))
    assert len(cut) == 4

"""RBO, Kendall's distance and the footrule against published values, definitions and bounds."""

import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import fuzzytruth as ft

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "corsi_urbano_2024.json").read_text())


def ranking(text):
    groups = re.findall(r"\([^)]*\)|\w+", text)
    return [g.strip("()").split() if g.startswith("(") else g for g in groups]


@pytest.mark.parametrize("row", GOLDEN["rows"], ids=lambda row: row["x"])
@pytest.mark.parametrize("ties", ["w", "a", "b"])
def test_published_values_of_overlap_with_ties(row, ties):
    x, y = ranking(row["x"]), ranking(row["y"])
    digits = 1e-7 if "red" in row["x"] else 1e-12
    for one, two in ((x, y), (y, x)):
        result = ft.lists.rank_biased_overlap(one, two, p=row["p"], ties=ties)
        assert [result.ext, result.min, result.max] == pytest.approx(row[ties], abs=digits)


def overlap_of(s, t, p, depth):
    """The definition, cut at a depth."""
    return sum(
        (1 - p) * p ** (d - 1) * len(set(s[:d]) & set(t[:d])) / d for d in range(1, depth + 1)
    )


prefixes = st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True)


@settings(max_examples=80)
@given(prefixes, prefixes, st.sampled_from([0.3, 0.6, 0.8]), st.randoms(use_true_random=False))
def test_bounds_hold_for_every_rest_and_are_attained(s, t, p, random):
    result = ft.lists.rank_biased_overlap(s, t, p=p)
    depth = 120
    tail = p**depth
    # Nothing more in common.
    fresh = (s + list(range(1000, 1000 + depth)), t + list(range(2000, 2000 + depth)))
    assert overlap_of(*fresh, p, depth) == pytest.approx(result.min, abs=1e-12 + tail)
    # Each list goes on with what the other had first, then both with the same.
    same = list(range(3000, 3000 + depth))
    best = (s + [i for i in t if i not in s] + same, t + [i for i in s if i not in t] + same)
    assert overlap_of(*best, p, depth) == pytest.approx(result.max, abs=1e-12 + tail)
    # Anything else lies between.
    pool = list(range(12))
    random.shuffle(pool)
    rest_s = [i for i in pool if i not in s]
    random.shuffle(pool)
    rest_t = [i for i in pool if i not in t]
    value = overlap_of(s + rest_s + same, t + rest_t + same, p, depth)
    assert result.min - tail - 1e-12 <= value <= result.max + tail + 1e-12
    assert result.min - 1e-12 <= result.ext <= result.max + 1e-12


def buckets(items, given_):
    """Bucket of each item, those that the list lacks in the last."""
    place = {i: k for k, g in enumerate(given_) for i in (g if isinstance(g, list) else [g])}
    return [place.get(i, len(given_)) for i in items]


bucket_orders = st.lists(st.integers(-1, 3), min_size=7, max_size=7).filter(
    lambda levels: max(levels) >= 0
)


def as_groups(levels):
    groups = [[i for i, level in enumerate(levels) if level == g] for g in range(4)]
    return [g for g in groups if g]


@settings(max_examples=100)
@given(bucket_orders, bucket_orders, st.sampled_from([0, 0.25, 0.5, 1]))
def test_kendall_is_its_definition_pair_by_pair(one, two, penalty):
    a, b = as_groups(one), as_groups(two)
    union = sorted({i for g in a + b for i in g})
    x, y = buckets(union, a), buckets(union, b)
    expected = 0.0
    for i, j in itertools.combinations(range(len(union)), 2):
        first, second = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
        expected += 1 if first * second < 0 else penalty * ((first == 0) != (second == 0))
    assert ft.lists.kendall_distance(a, b, penalty=penalty) == pytest.approx(expected)
    assert ft.lists.kendall_distance(b, a, penalty=penalty) == pytest.approx(expected)


@settings(max_examples=100)
@given(bucket_orders, bucket_orders)
def test_footrule_is_its_definition_and_near_kendall(one, two):
    a, b = as_groups(one), as_groups(two)
    union = sorted({i for g in a + b for i in g})
    x, y = (stats.rankdata(buckets(union, g)) for g in (a, b))
    result = ft.lists.footrule(a, b)
    assert result == pytest.approx(np.abs(x - y).sum())
    profile = ft.lists.kendall_distance(a, b)
    assert profile - 1e-12 <= result <= 2 * profile + 1e-12  # Fagin et al. 2006, theorem 20
    assert ft.lists.footrule(a, b, norm="union") <= 1 + 1e-12


def test_top_lists_of_2003_by_hand():
    a, b = ["1", "2", "3"], ["3", "4", "5"]
    certain = 2 + 4  # 3 is behind 1 and 2 in a and before them in b; {1, 2} × {4, 5}
    assert ft.lists.kendall_distance(a, b, penalty=0) == certain
    assert ft.lists.kendall_distance(a, b) == certain + 2 * 0.5  # (1, 2) and (4, 5)
    assert ft.lists.footrule(a, b, missing="next") == (4 - 1) + (4 - 2) + (3 - 1) + (4 - 2) + (
        4 - 3
    )


def test_kinds_of_input_are_one():
    ways = [["a", ["b", "c"]], ("a", {"b", "c"}), {"b": 1, "a": 2.5, "c": 1}]
    ways.append(iter(["a", frozenset("bc")]))
    assert len({ft.lists.rank_biased_overlap(w, ["c", "a"]) for w in ways}) == 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ft.lists.footrule([], ["a"]), ft.errors.DataError, "a: is empty"),
        (
            lambda: ft.displacement(["a"], [1], ["a", "b", "c", "b", "a"]),
            ft.errors.DataError,
            "'b' is listed twice, at places 2 and 4",
        ),
        (
            lambda: ft.lists.footrule(["a"], ["b", ["b"]]),
            ft.errors.DataError,
            "b: 'b' is listed twice",
        ),
        (
            lambda: ft.lists.footrule("abc", ["b"]),
            ft.errors.DataError,
            "must be a list of items, not one text",
        ),
        (
            lambda: ft.lists.footrule({"a": math.nan}, ["b"]),
            ft.errors.DataError,
            r"a\['a'\] = nan: must be",
        ),
        (lambda: ft.lists.footrule(["a"], ["b"], norm="max"), ft.errors.OptionError, "norm='max'"),
        (
            lambda: ft.lists.kendall_distance(["a"], ["b"], penalty=2),
            ft.errors.OptionError,
            "penalty=2",
        ),
        (
            lambda: ft.lists.rank_biased_overlap(["a"], ["b"], p=1),
            ft.errors.OptionError,
            "p=1: must lie",
        ),
        (
            lambda: ft.lists.rank_biased_overlap(["a"], ["b"], p="x"),
            ft.errors.OptionError,
            "p='x': must be a n",
        ),
        (
            lambda: ft.lists.rank_biased_overlap(["a"], ["b"], p="0.5"),
            ft.errors.OptionError,
            "p='0.5': must",
        ),
        (
            lambda: ft.lists.rank_biased_overlap(["a"], ["b"], ties="c"),
            ft.errors.OptionError,
            "ties='c'",
        ),
    ],
)
def test_bad_input_is_one_clear_error(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)

"""Grades: groups of judgments, weights of repeats, merging, thresholds and scales."""

import statistics
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth.data import grading

SUBJECT = pa.array(["ann", "bob", "ann"], pa.large_string())
GRADE = np.array([3.0, 1.0, 5.0])


def majority(grades: list[float]) -> float:
    votes = Counter(grades)
    return min(grade for grade, n in votes.items() if n == max(votes.values()))


MERGES: dict[Any, Any] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "majority": majority,
    "max": max,
    "min": min,
}


def texts(*values: str) -> pa.LargeStringArray:
    return pa.array(values, pa.large_string())


@pytest.mark.parametrize("how", MERGES)
def test_merged_grades_of_each_pair(how: Any) -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        pair = [rng.integers(0, 3, 60).astype(np.int32) for _ in range(1 + seed % 3)]
        grade = rng.integers(-1, 3, 60) / 2
        rows = defaultdict(list)
        for row, codes in enumerate(zip(*(code.tolist() for code in pair), strict=True)):
            rows[codes].append(row)
        first_row, merged = grading.merge_grades(pair, grade, how)
        assert first_row.tolist() == [group[0] for group in rows.values()]
        want = [MERGES[how](grade[group].tolist()) for group in rows.values()]
        assert merged.tolist() == pytest.approx(want)
    for equal in (0.1, 0.3, 0.7, 1 / 3):
        for n in (3, 7, 10, 49):
            _, merged = grading.merge_grades([np.zeros(n, np.int32)], np.full(n, equal), how)
            assert merged.tolist() == [equal]


def test_groups_and_sums_of_rows() -> None:
    group = grading.groups_of([texts("b", "a", "b", "b"), texts("x", "x", "y", "x")])
    same = [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]
    assert (group[:, None] == group).astype(int).tolist() == same
    # keys of very many columns fit
    columns = [np.arange(1000), *([np.zeros(1000, dtype=int) + 999] * 20), np.arange(1000) // 2]
    assert grading.groups_of_codes(columns).tolist() == list(range(1000))
    assert grading.groups_of_codes(columns[1:]).tolist() == [j // 2 for j in range(1000)]
    keys = [np.array([1, 0, 1, 1]), np.array([0.5, 0.5, 0.5, 2])]
    rows, total = grading.first_rows_and_sums(keys, np.array([1.0, 2, 3, 4]))
    assert (rows.tolist(), total.tolist()) == ([0, 1, 3], [4, 2, 4])


def scaled(scales: Any, subject: Any = SUBJECT) -> Any:
    return grading.shares_of_scale(GRADE, subject, scales, nested=False)


def reached(rel: Any, subject: Any = SUBJECT) -> Any:
    return grading.reached(GRADE, subject, rel)


@pytest.mark.parametrize(
    ("do", "message"),
    [
        (lambda: reached({"ann": 3}), "rel: no threshold for 1 subject: bob; give every subject"),
        (lambda: reached({"ann": 3, "bop": 1}), r"rel: 'bop' is not among .*: 'bob'\): ann, bob"),
        (lambda: reached({"ann": 3, "bob": "x"}), r"rel\['bob'\]='x': must be a finite number"),
        (lambda: reached(float("nan")), "rel=nan: must be a finite number"),
        (lambda: reached({"ann": 3}, None), "rel: these judgments have no subjects; give one num"),
        (lambda: scaled({"bob": (1, 0)}), r"scales\['bob'\]=\(1, 0\): the highest grade must be"),
        (lambda: scaled({"bob": 1}), r"scales\['bob'\]=1: must be the lowest and the highest"),
        (lambda: scaled({"bab": (0, 1)}), "scales: 'bab' is not among the subjects"),
        (lambda: scaled((2, 5)), "1 grade outside the scale, the first 1 of 'all judg.* in row 2"),
        (lambda: scaled({"bob": (2, 3)}), "1 of 'bob' in row 2, whose scale is from 2 to 3"),
        (lambda: scaled(None), r"one and the same grade throughout.*: bob \(1\)"),
        (lambda: scaled({"a": (0, 1)}, None), r"no subjects; give scales=\(low, high\)"),
    ],
)
def test_wrong_thresholds_and_scales(do: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        do()

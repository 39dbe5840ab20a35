"""Merged grades against plain Python."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data.grading import merge_grades


def majority(grades):
    votes = Counter(grades)
    return min(grade for grade, n in votes.items() if n == max(votes.values()))


MERGES = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "majority": majority,
    "max": max,
    "min": min,
}


@pytest.mark.parametrize("how", MERGES)
@pytest.mark.parametrize("n_codes", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_grades_of_each_pair(how, n_codes, seed):
    rng = np.random.default_rng(seed)
    pair = [rng.integers(0, 3, 60).astype(np.int32) for _ in range(n_codes)]
    grade = rng.integers(-1, 3, 60) / 2
    rows = defaultdict(list)
    for row, codes in enumerate(zip(*(code.tolist() for code in pair), strict=True)):
        rows[codes].append(row)
    first_row, merged = merge_grades(pair, grade, how)
    assert first_row.tolist() == [group[0] for group in rows.values()]
    want = [MERGES[how](grade[group].tolist()) for group in rows.values()]
    assert merged.tolist() == pytest.approx(want)


@pytest.mark.parametrize(
    ("how", "merge"),
    [
        ("mean", statistics.fmean),
        ("median", statistics.median),
        ("majority", majority),
        ("max", max),
        ("min", min),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_aggregate(how, merge, seed):
    rng = np.random.default_rng(seed)
    cells = [(f"q{q}", f"d{d}", f"s{s}") for q in range(4) for d in range(5) for s in range(6)]
    rows = [cells[j] for j in rng.permutation(len(cells))[:80]]
    grades = rng.integers(-1, 3, size=len(rows)).tolist()
    query, item, subject = zip(*rows, strict=True)
    merged = ft.Judgments.from_columns(query, item, grades, subject=subject).aggregate(how)
    votes = defaultdict(list)
    for (q, d, _), grade in zip(rows, grades, strict=True):
        votes[q, d].append(grade)
    pairs = list(zip(merged.query.to_pylist(), merged.item.to_pylist(), strict=True))
    assert pairs == list(votes)
    assert merged.grade.tolist() == pytest.approx([merge(v) for v in votes.values()])
    assert merged.subjects is None


def test_aggregate_refuses_other_words():
    with pytest.raises(ft.OptionError, match="how='mode': must be one of 'mean', 'median'"):
        ft.Judgments.from_dict({"q": {"a": 1}}).aggregate("mode")


@pytest.mark.parametrize("grade", [0.1, 0.3, 0.7, 1 / 3])
@pytest.mark.parametrize("n", [3, 7, 10, 49])
def test_subjects_who_agree_keep_their_grade(grade, n):
    frame = pd.DataFrame(
        {"query": "q", "item": "a", "subject": [f"s{j}" for j in range(n)], "grade": grade}
    )
    for how in ("mean", "median", "majority", "max", "min"):
        merged = ft.Judgments.from_frame(frame).aggregate(how)
        assert merged.grade.tolist() == [grade]

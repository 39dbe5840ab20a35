"""What is printed of a comparison of groups."""

from __future__ import annotations

import numpy as np
import pandas as pd
from support.scores_for_tests import scores_of

import fuzzytruth as ft

RNG = np.random.default_rng(4)


def test_verdicts_differences_and_each_group() -> None:
    values = RNG.normal(0.5, 0.02, (2, 4, 12))
    values[0, :2] += 0.3  # for the first two subjects only
    groups = {"s0": "experts", "s1": "experts", "s2": "crowd", "s3": "crowd"}
    result = ft.compare_groups(scores_of(values), groups, n_resamples=99)
    text = result._answer().text(80)
    joined = " ".join(text.split())
    assert joined.startswith(
        "2 groups of subjects compared on m, 12 queries: experts (2), crowd (2) "
        "sys0 minus sys1 on m is significantly larger for experts than for crowd (by 0."
    )
    assert "by each group alone: experts 1 of 1" in joined
    assert "95 % intervals of it over queries; the subjects are fixed." in joined
    row = result.between.iloc[0]
    assert f"{row['difference']:+.4f}*  [{row['lower']:+.4f}, {row['upper']:+.4f}]" in text


def test_of_many_the_smallest_p_are_shown() -> None:
    values = RNG.normal(0.5, 0.1, (5, 3, 8)) + np.linspace(0, 1, 15).reshape(5, 3, 1)
    result = ft.compare_groups(
        scores_of(values), {f"s{j}": f"group {j}" for j in range(3)}, n_resamples=99
    )
    text = str(result)
    assert "The 8 smallest p of 30 differences" in text
    found = int(result.between["significant"].sum())
    assert f"{found} of 30 differences between groups significant over queries" in text


def test_the_heading_counts_queries_that_both_groups_judged() -> None:
    rng = np.random.default_rng(0)
    judged = {"ann": range(9), "bob": range(9), "cy": range(4, 12), "di": range(4, 12)}
    frame = pd.DataFrame(
        [(s, f"q{q}", who, rng.random()) for s in "ab" for who, of in judged.items() for q in of],
        columns=["system", "query", "subject", "value"],
    )
    groups = {"ann": "x", "bob": "x", "cy": "y", "di": "y"}
    result = ft.compare_groups(ft.Scores.from_frame(frame), groups)
    assert str(result).startswith("2 groups of subjects compared on value, 5 queries: x (2), y (2)")

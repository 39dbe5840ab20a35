"""Superiority over possible truths."""

from __future__ import annotations

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft


def test_superiority_is_joint_over_worlds() -> None:
    votes = ft.Judgments.from_columns(
        ["q"] * 8, list("aabbccdd"), [1.0, 0, 1, 0, 1, 1, 0, 0], subject=list("xyxyxyxy")
    )
    runs = {"A": {"q": {"a": 2, "c": 1}}, "B": {"q": {"b": 2, "d": 1}}}
    scores = ft.evaluate(votes, runs, ["P@2"], worlds="independent", n_worlds=4000, rng=0)
    result = ft.superiority(scores, "A", "B")
    # A has 1 + Bernoulli(½), B Bernoulli(½): A is better unless it has 1 and B has 1.
    assert result.better == pytest.approx(0.75, abs=4 * np.sqrt(0.75 * 0.25 / 4000))
    assert result.equal == pytest.approx(1 - result.better)
    assert result.worse == 0
    with pytest.raises(ft.OptionError, match="worlds='independent'"):
        ft.superiority(scores_of(np.ones((2, 3))), "sys0", "sys1")

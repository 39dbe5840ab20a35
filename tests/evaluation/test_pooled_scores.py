"""Subjects' scores where missing judgments are drawn from others."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.every_world import small

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
MEASURES = ["ERR", "AP", "nDCG@3"]


def scored(votes: pd.DataFrame, runs, **options) -> ft.Scores:
    return ft.evaluate(votes, runs, MEASURES, worlds="subject", missing="pooled", rng=0, **options)


def test_a_subject_without_missing_judgments_has_the_crisp_value() -> None:
    votes, runs = small(4, top=2)
    left_out = (votes["subject"] == "s1") & (votes["item"] == "d1")
    scores = scored(votes[~left_out], runs, n_worlds=20)
    crisp = ft.evaluate(votes, runs, MEASURES, worlds="subject")
    whole = scores.cells.subject != scores.subjects.index("s1")
    assert (scores.uncertainty.mc_error[:, :, whole] == 0).all()
    assert scores.uncertainty.exact[:, :, whole].all()
    np.testing.assert_array_equal(scores.values[:, :, whole], crisp.values[:, :, whole])
    assert (scores.uncertainty.mc_error[:, 0, ~whole] > 0).any()


def test_nothing_is_drawn_for_complete_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    votes, runs = small(4, top=2)
    blocks = []
    before = ft.evaluation.subject_scores.run_outer

    def logged(setting, queries):
        blocks.append(len(setting.votes))
        return before(setting, queries)

    monkeypatch.setattr("fuzzytruth.evaluation.subject_scores.run_outer", logged)
    monkeypatch.setattr("fuzzytruth.truth.pairs.pool._PAIRS", 4)  # a block for each query
    left_out = (votes["subject"] == "s1") & (votes["query"] == "q2") & (votes["item"] == "d1")
    scored(votes[~left_out], runs, n_worlds=20)
    assert blocks == [1]  # one subject of one block


def test_undefined_values_of_complete_cells_are_left_out() -> None:
    rows = [("q", "a", "x", 1), ("q", "b", "x", 0), ("q", "a", "y", 0), ("q", "b", "y", 0)]
    rows += [("q", "a", "z", 1)]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    scores = ft.evaluate(
        votes, {"s": {"q": {"a": 2, "b": 1}}}, ["AP"], worlds="subject", missing="pooled",
        undefined="exclude", rng=0,
    )  # fmt: skip
    np.testing.assert_array_equal(scores.values.ravel(), [1.0, np.nan, 1.0])


def rarely_relevant() -> tuple[pd.DataFrame, dict[str, dict[str, dict[str, float]]]]:
    """Subject "own" left out an item whose rank matters, and which one of forty calls relevant."""
    rows = [("q", "a", f"s{n:02}", 2 if n == 0 else 0) for n in range(40)]
    rows += [("q", "b", f"s{n:02}", 1) for n in range(40)] + [("q", "b", "own", 1)]
    return (
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"]),
        {"sys": {"q": {"a": 2.0, "c": 1.5, "b": 1.0}}},
    )


def of_own(n_worlds: int) -> tuple[float, bool, float]:
    votes, runs = rarely_relevant()
    scores = ft.evaluate(
        votes, runs, "nDCG@2", worlds="subject", missing="pooled", n_worlds=n_worlds, rng=1
    )
    row = scores.to_frame().set_index("subject").loc["own"]
    return float(row["value"]), bool(row["exact"]), float(row["mc_error"])


def test_equal_values_in_all_drawn_worlds_are_not_exact() -> None:
    """With graded votes nDCG has no exact path; seven worlds that agree do not make one."""
    few, is_exact, error = of_own(7)
    assert (few, error) == (0.0, 0.0)
    assert not is_exact
    many, is_exact, error = of_own(20_000)
    want = 1 / 40 * 2 / (2 + 1 / np.log2(3))
    assert abs(many - want) < 4 * error
    assert not is_exact


def test_a_single_world_has_an_infinite_error_and_no_raw_warnings() -> None:
    value, is_exact, error = of_own(1)
    assert value in (0.0, 2 / (2 + 1 / np.log2(3)))
    assert (is_exact, error) == (False, np.inf)

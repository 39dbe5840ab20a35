"""RBP and ERR: the examples of their papers, and large grades."""

from __future__ import annotations

import pandas as pd
import pytest
from support.building import batch_of, query
from support.golden import value

import fuzzytruth as ft


def test_expected_reciprocal_rank_of_chapelle_2009() -> None:
    """Grades 3, 2, 4 of 0..4; R = 7/16, 3/16, 15/16."""
    batch = batch_of(query([3, 2, 4]), top_grade=4)
    expected = 7 / 16 + 9 / 16 * 3 / 16 / 2 + 9 / 16 * 13 / 16 * 15 / 16 / 3
    assert value("ERR", batch) == pytest.approx(expected)


def test_rank_biased_precision_of_moffat_2008() -> None:
    """p = .8, relevant at ranks 1 and 3."""
    assert value("RBP", batch_of(query([1, 0, 1]))) == pytest.approx(0.2 * (1 + 0.64))
    assert value("RBP(p=0.5)@2", batch_of(query([0, 1, 1]))) == pytest.approx(0.25)


def test_residual_of_moffat_2008() -> None:
    """p = .8: judged at ranks 1 and 3 of 4; rank 2, rank 4 and all from 5 on are open."""
    batch = batch_of(query([1, None, 0, None]))
    expected = 0.2 * 0.8 + 0.2 * 0.8**3 + 0.8**4
    assert value("RBPResidual", batch) == pytest.approx(expected)
    assert value("RBPResidual@3", batch) == pytest.approx(0.2 * 0.8 + 0.8**3)
    assert value("RBPResidual", batch_of(query([]))) == 1


def test_residual_is_the_room_of_rbp_in_a_list_that_goes_on() -> None:
    """With everything unjudged relevant, and the list followed by 400 relevant items."""
    truth = {"q": {"a": 1, "b": 0, "pooled": -1}}
    ranked = ["a", "u", "b", "pooled"]
    runs = {"s": {"q": {d: -float(k) for k, d in enumerate(ranked)}}}
    now = ft.evaluate(truth, runs, ["RBP", "RBPResidual"])
    longer = ranked + [f"x{j}" for j in range(400)]
    judged = {d: 0 if d == "b" else 1 for d in longer}
    runs = {"s": {"q": {d: -float(k) for k, d in enumerate(longer)}}}
    full = ft.evaluate({"q": judged}, runs, "RBP").values.item()
    assert now.values.sum() == pytest.approx(full, abs=1e-12)


def test_grades_to_a_hundred_and_more() -> None:
    truth, runs = {"q": {"a": 100, "b": 1}}, {"s": {"q": {"b": 2.0, "a": 1.0}}}
    assert ft.evaluate(truth, runs, "ERR").values.item() == pytest.approx(0.5)
    truth["q"]["a"] = 2000
    assert ft.evaluate(truth, runs, "ERR").values.item() == pytest.approx(0.5)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_expected_residual_of_an_item_that_one_of_two_people_judged() -> None:
    """p = .8, ranks 1 and 3: b is in the pool of one of them, and judged by the other."""
    rows = [("q", "a", "ann", 1), ("q", "a", "bob", 0), ("q", "b", "ann", -1), ("q", "b", "bob", 1)]
    truth = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"a": 3.0, "u": 2.0, "b": 1.0}}}
    names = ["RBPResidual", "RBPResidual(judged_only=True)"]
    scores = ft.evaluate(truth, runs, names, worlds="independent", rng=0, n_worlds=2000)
    assert scores.uncertainty.exact[0, :, 0].tolist() == [True, False]
    assert scores.values[0, 0, 0] == pytest.approx(0.8 - 0.5 * 0.128, abs=1e-12)
    assert scores.uncertainty.std[0, 0, 0] == pytest.approx(0.5 * 0.128, abs=1e-12)
    # Without u, b is at rank 2 where it is judged.
    error = 5 * scores.uncertainty.mc_error[0, 1, 0]
    assert scores.values[0, 1, 0] == pytest.approx(0.8 - 0.5 * 0.16, abs=error)

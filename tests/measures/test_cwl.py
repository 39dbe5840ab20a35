"""C/W/L measures by hand and beyond cwl-eval's limits.

Definitions rank by rank: `test_brute_force`; values of cwl-eval: `test_from_ir_measures`.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import BPM, INST, NERR8, NERR9, SDCG, parse_measure

LIST = query([0, 2, None, 3, 1])


def value(text: str, answer=LIST) -> float:
    return parse_measure(text).score(batch_of(answer)).item()


def test_by_hand() -> None:
    assert value("BPM(T=0.5)@5") == pytest.approx((2 / 3) / 2)  # enough at rank 2
    assert value("BPM(T=9)@5") == pytest.approx((2 / 3 + 1 + 1 / 3) / 5)
    assert value("NERR8@3") == pytest.approx((2 / 3) / (1 + 1 + 1 / 3))
    assert value("NERR9@3") == pytest.approx((2 / 3 / 2) / (1 + 1 / 2 + 1 / 9))
    discount = 1 / np.log2(np.arange(2, 5))
    assert value("SDCG@3") == pytest.approx(2 / 3 * discount[1] / discount.sum())


def test_a_scale_by_default_ends_at_the_largest_grade_of_the_judgments() -> None:
    truth = {"q1": {"a": 1}, "q2": {"a": 2, "b": 4}}
    runs = {"s": {"q1": {"a": 1.0}, "q2": {"a": 1.0}}}
    names = ["SDCG@1", "SDCG(max_rel=4)@1", "SDCG(max_rel=2)@1", "SDCG(min_rel=1,max_rel=3)@1"]
    values = ft.evaluate(truth, runs, names).values[0]
    assert values.tolist() == [[0.25, 0.5], [0.25, 0.5], [0.5, 1], [0, 0.5]]


def test_without_gains_the_value_is_0() -> None:
    for text in ("BPM@5", "SDCG@5", "NERR8@5", "NERR9@5", "NERR10", "NERR11", "INST", "INSQ"):
        assert value(text, query([])) == 0
        assert value(text, query([0, None, -1])) == 0
        assert parse_measure(text).score(batch_of(query([0]), top_grade=0.0)).item() == 0


@pytest.mark.parametrize("name", ["INST", "INSQ", "NERR10", "NERR11"])
def test_without_a_cut_off_is_the_limit_of_long_lists(name: str) -> None:
    answer = query([0, 2, None, 1, 1])
    assert value(name, answer) == pytest.approx(value(f"{name}@100000000", answer), abs=1e-7)
    assert abs(value(name, answer) - value(f"{name}@20", answer)) > 1e-3


def test_a_user_who_stops_for_certain() -> None:
    """INST with T = 0.5 and a whole gain at rank 1: nobody sees rank 2."""
    assert value("INST(T=0.5)@5", query([3, 3])) == 1
    assert value("NERR8@5", query([3, 0])) == 1


def test_expected_values_over_worlds() -> None:
    """Linear ones are exact; the others agree with an enumeration of four worlds."""
    truth = ft.Judgments.from_probabilities(["q"] * 2, ["a", "b"], [0.5, 0.25])
    runs = {"s": {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}}
    measures = [SDCG @ 5, INST(), BPM @ 5, NERR8 @ 5, NERR9 @ 5]
    scores = ft.evaluate(truth, runs, measures, rng=0, n_worlds=40_000)
    worlds = [query([a, None, b]) for a in (0.0, 1.0) for b in (0.0, 1.0)]
    chance = np.array([0.375, 0.125, 0.375, 0.125])
    for j, measure in enumerate(measures):
        expected = measure.score(batch_of(*worlds, top_grade=1.0))[0] @ chance
        error = 5 * scores.uncertainty.mc_error[0, j, 0] + 1e-12
        assert scores.values[0, j, 0] == pytest.approx(expected, abs=error)
    assert scores.uncertainty.exact[0, :, 0].tolist() == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BPM", "needs a cut-off, such as BPM@10"),
        ("NERR8", "needs a cut-off"),
        ("SDCG(max_rel=0)@5", "max_rel must be a finite number above 0"),
        ("INST(T=0)", "T must be a finite number above 0"),
        ("NERR10(p=1)", "below 1"),
    ],
)
def test_wrong_parameters(text: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        parse_measure(text)

"""Gains that a user gives: as values, as text, and what they mean for grades."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError, OptionError
from fuzzytruth.measures import DCG, nDCG, parse_measure
from fuzzytruth.measures.gain import GradeGains

TRUTH = {"q": {"a": 1, "b": 2, "c": 0, "d": 3}}
RUNS = {"s": {"q": {"a": 4.0, "b": 3.0, "c": 2.0}}}


def test_a_measure_with_gains_is_a_value() -> None:
    measure = nDCG(gains={2: 3, 0: 0, 1: 1.5}) @ 10
    assert str(measure) == "nDCG(gains={0:0,1:1.5,2:3})@10"
    for same in (parse_measure(str(measure)), parse_measure("ndcg( gains = {2: 3,1:1.5,0:0} )@10")):
        assert same == measure
        assert hash(same) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert measure.gains == {0: 0, 1: 1.5, 2: 3}
    assert measure != nDCG() @ 10
    text = "nDCG(dcg=jarvelin,gains={1:2},judged_only=True)@5"
    assert parse_measure(text) == nDCG(dcg="jarvelin", gains={1: 2}, judged_only=True) @ 5
    assert parse_measure("ndcg.1=3.5,2=9") == nDCG(gains={1: 3.5, 2: 9})


def test_a_grade_that_is_not_listed_is_its_own_gain() -> None:
    gains = GradeGains.of({1: 5, 2.5: 0})
    given = np.array([-1.0, 0.0, 0.5, 1.0, 2.5, 3.0, np.nan])
    assert gains(given).tolist() == [0, 0, 0.5, 5, 0, 3, 0]


@pytest.mark.parametrize(
    ("gains", "threshold"),
    [
        ({1: 5}, None),
        ({0: 0, 1: 1}, None),
        ({0: 1}, 0),
        ({1: 0, 2: 1}, 2),
        ({1: 1, 2: 0}, None),
        ({1: 0}, np.nextafter(1, 2)),
    ],
)
def test_threshold(gains: dict, threshold: float | None) -> None:
    assert nDCG(gains=gains).threshold == threshold


def test_values() -> None:
    scores = ft.evaluate(TRUTH, RUNS, [DCG(gains={1: 4, 2: 1}), nDCG(gains={1: 4, 2: 1, 3: 0})])
    second = 1 / np.log2(3)
    assert scores.values[0, :, 0] == pytest.approx([4 + second, 1])


def test_without_any_gain_a_query_is_undefined() -> None:
    with pytest.warns(ft.FuzzytruthWarning, match="no relevant item"):
        scores = ft.evaluate({"q": {"a": 1}}, RUNS, nDCG(gains={1: 0}), undefined="exclude")
    assert np.isnan(scores.values).all()


def test_gains_and_rel_exclude_each_other() -> None:
    with pytest.raises(OptionError, match=r"rel=2: .* nDCG\(gains=\{1:2\}\) set thresholds or gai"):
        ft.evaluate(TRUTH, RUNS, "nDCG(gains={1:2})", rel=2)


def test_exact_moments_hold() -> None:
    truth = ft.Judgments.from_probabilities(["q"] * 2, ["a", "b"], [0.5, 0.25])
    with pytest.warns(ft.FuzzytruthWarning, match="no relevant item"):
        scores = ft.evaluate(truth, RUNS, ["DCG(gains={0:1,1:3})", "nDCG(gains={1:7})"], rng=0)
    assert scores.uncertainty.exact.all()
    second = 1 / np.log2(3)
    both = 0.125 + 0.375 + 0.125 * second  # both, a alone, b alone
    assert scores.values[0, :, 0] == pytest.approx([2 + 1.5 * second, both])


@pytest.mark.parametrize("gains", [{}, {1: -1}, {1: "x"}, {1: np.inf}, 3, "1:2", "{1:2,1:3}"])
def test_wrong_gains(gains: object) -> None:
    with pytest.raises(MeasureError, match=r"gains must be \{grade: gain\}"):
        nDCG(gains=gains)


def test_gains_replace_those_of_burges() -> None:
    with pytest.raises(MeasureError, match="use dcg=log2 with gains"):
        nDCG(dcg="burges", gains={1: 2})

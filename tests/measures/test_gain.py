"""Cumulated gain: the vectors of SHREC 2006, and numbers by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.building import batch_of, query
from support.golden import GAINS, IDEAL, N_RELEVANT, SHREC, value

import fuzzytruth as ft
from fuzzytruth.measures.gain import cumulative_discount, discounts, gains


@pytest.mark.parametrize(
    ("key", "measure"),
    [("CG", "CG"), ("nCG", "nCG"), ("DCG", "DCG(dcg=jarvelin)"), ("nDCG", "nDCG(dcg=jarvelin)")],
)
def test_shrec_2006_gain_vectors(key: str, measure: str) -> None:
    values = [value(f"{measure}@{k}") for k in range(1, len(GAINS) + 1)]
    assert values == pytest.approx(SHREC[key], abs=5.1e-7)


@pytest.mark.parametrize(
    ("key", "measure"), [("ideal_CG", "CG"), ("ideal_DCG", "DCG(dcg=jarvelin)")]
)
def test_shrec_2006_ideal_vectors(key: str, measure: str) -> None:
    values = [value(f"{measure}@{k}", IDEAL) for k in range(1, N_RELEVANT + 1)]
    assert values == pytest.approx(SHREC[key], abs=5.1e-7)


def test_by_hand() -> None:
    batch = batch_of(query([3, None, 1], [2, -1]))
    assert value("CG", batch) == 4
    assert value("DCG", batch) == pytest.approx(3 + 1 / 2)
    assert value("DCG(dcg=burges)@2", batch) == pytest.approx(7)
    assert value("DCG(dcg=jarvelin)", batch) == pytest.approx(3 + 1 / math.log2(3))
    assert value("nCG@2", batch) == pytest.approx(3 / 5)
    assert value("nDCG", batch) == pytest.approx(3.5 / (3 + 2 / math.log2(3) + 1 / 2))


def test_discounts_and_gains() -> None:
    ranks = np.array([1, 2, 3, 4])
    assert discounts("none", ranks).tolist() == [1, 1, 1, 1]
    np.testing.assert_allclose(discounts("log2", ranks), 1 / np.log2(ranks + 1))
    np.testing.assert_allclose(discounts("jarvelin", ranks, 2.0), [1, 1, 1 / np.log2(3), 0.5])
    np.testing.assert_allclose(cumulative_discount("log2", 2), [0, 1, 1 + 1 / np.log2(3)])
    assert gains("log2", np.array([-1, np.nan, 2])).tolist() == [0, 0, 2]
    assert gains("burges", np.array([-1, np.nan, 2])).tolist() == [0, 0, 3]


def test_a_perfect_list_has_exactly_one() -> None:
    grades = [2, 2, 1, 1, 1, 1]
    truth = {"q": {f"d{j}": g for j, g in enumerate(grades)}}
    run = {"s": {"q": {f"d{j}": 6.0 - j for j in range(6)}}}
    values = ft.evaluate(truth, run, [f"nDCG@{k}" for k in range(1, 8)]).values
    assert (values == 1).all()


def test_gains_that_overflow() -> None:
    truth, runs = {"q": {"a": 2000}}, {"s": {"q": {"a": 1.0}}}
    with pytest.raises(ft.MeasureError, match="too large for grade 2000"):
        ft.evaluate(truth, runs, "nDCG(dcg=burges)")

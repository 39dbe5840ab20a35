"""The crisp numbers of the source documents (tests/golden), by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.building import batch_of, query

from fuzzytruth.measures import parse_measure

GOLDEN = Path(__file__).parents[1] / "golden"
SHREC = json.loads((GOLDEN / "shrec2006_example.json").read_text())
GAINS = SHREC["gains_in_rank_order"]
N_HIGHLY, N_RELEVANT = SHREC["highly_relevant"], SHREC["relevant"]
MISSED_HIGHLY = N_HIGHLY - GAINS.count(2)
MISSED = [2] * MISSED_HIGHLY + [1] * (N_RELEVANT - N_HIGHLY - GAINS.count(1))
EXAMPLE = batch_of(query(GAINS, MISSED))
IDEAL = batch_of(query([2] * N_HIGHLY + [1] * (N_RELEVANT - N_HIGHLY)))

NAMES = {
    "TP": "TP(rel={rel})",
    "FP": "FP(rel={rel})",
    "TN": "TN(rel={rel},collection=1814)",
    "FN": "FN(rel={rel})",
    "P": "P(rel={rel})",
    "R": "R(rel={rel})",
    "AP_norm_retrieved": "AP(rel={rel},norm=retrieved)",
    "FT_norm_depth": "FT(rel={rel},norm=depth)",
    "ST_norm_depth": "ST(rel={rel},norm=depth)",
    "ST_norm_depth_truncated": "ST(rel={rel},norm=depth)",
}


def value(text: str, batch=EXAMPLE) -> float:
    return parse_measure(text).score(batch).item()


@pytest.mark.parametrize(("part", "rel"), [("highly", 2), ("relevant_all", 1)])
def test_shrec_2006_at_both_thresholds(part: str, rel: int) -> None:
    for key, expected in SHREC[part].items():
        assert value(NAMES[key].format(rel=rel)) == pytest.approx(expected, abs=5.1e-8), key


def test_shrec_2006_average_dynamic_recall() -> None:
    assert value("ADR") == pytest.approx(SHREC["ADR"], abs=5.1e-8)
    assert value("ADR") == pytest.approx(sum(SHREC["ADR_r"]) / len(SHREC["ADR_r"]), abs=1e-7)


@pytest.mark.parametrize(
    ("key", "measure"),
    [("CG", "CG"), ("nCG", "nCG"), ("DCG", "DCG(dcg=jarvelin)"), ("nDCG", "nDCG(dcg=jarvelin)")],
)
def test_shrec_2006_gain_vectors(key: str, measure: str) -> None:
    found = [value(f"{measure}@{k}") for k in range(1, len(GAINS) + 1)]
    assert found == pytest.approx(SHREC[key], abs=5.1e-7)


@pytest.mark.parametrize(
    ("key", "measure"), [("ideal_CG", "CG"), ("ideal_DCG", "DCG(dcg=jarvelin)")]
)
def test_shrec_2006_ideal_vectors(key: str, measure: str) -> None:
    found = [value(f"{measure}@{k}", IDEAL) for k in range(1, N_RELEVANT + 1)]
    assert found == pytest.approx(SHREC[key], abs=5.1e-7)


def test_nist_average_precision() -> None:
    golden = json.loads((GOLDEN / "nist_average_precision.json").read_text())
    ranks = golden["relevant_ranks"]
    batch = batch_of(query([float(j in ranks) for j in range(1, 11)]))
    assert value("AP", batch) == pytest.approx(golden["AP"], abs=5.1e-8)
    assert round(value("AP", batch), 2) == golden["printed"]
    for rank, precision in zip(ranks, golden["precisions"], strict=True):
        assert value(f"P@{rank}", batch) == pytest.approx(precision, abs=5.1e-8)


def test_worked_examples_of_the_other_papers() -> None:
    # Chapelle et al. 2009: grades 3, 2, 4 of 0..4; R = 7/16, 3/16, 15/16.
    batch = batch_of(query([3, 2, 4]), top_grade=4)
    expected = 7 / 16 + 9 / 16 * 3 / 16 / 2 + 9 / 16 * 13 / 16 * 15 / 16 / 3
    assert value("ERR", batch) == pytest.approx(expected)
    # Moffat & Zobel 2008: p = .8, relevant at ranks 1 and 3.
    assert value("RBP", batch_of(query([1, 0, 1]))) == pytest.approx(0.2 * (1 + 0.64))
    # F over all points, by hand: hits at ranks 1 and 3, R = 2.
    batch = batch_of(query([1, 0, 1, 0]))
    points = [2 / 3, 2 / 4, 4 / 5, 4 / 6]
    assert value("F(points=max)", batch) == pytest.approx(max(points))
    assert value("F(points=mean)", batch) == pytest.approx(sum(points) / 4)


def test_grades_to_a_hundred():
    import fuzzytruth as ft

    truth, runs = {"q": {"a": 100, "b": 1}}, {"s": {"q": {"b": 2.0, "a": 1.0}}}
    assert ft.evaluate(truth, runs, "ERR").values.item() == pytest.approx(0.5)
    truth["q"]["a"] = 2000
    assert ft.evaluate(truth, runs, "ERR").values.item() == pytest.approx(0.5)
    with pytest.raises(ft.MeasureError, match="too large for grade 2000"):
        ft.evaluate(truth, runs, "nDCG(dcg=burges)")


def test_a_perfect_list_has_exactly_one():
    import fuzzytruth as ft

    grades = [2, 2, 1, 1, 1, 1]
    truth = {"q": {f"d{j}": g for j, g in enumerate(grades)}}
    run = {"s": {"q": {f"d{j}": 6.0 - j for j in range(6)}}}
    values = ft.evaluate(truth, run, [f"nDCG@{k}" for k in range(1, 8)]).values
    assert (values == 1).all()

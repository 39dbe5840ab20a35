"""Measures of gain: by their definitions, by hand, SHREC 2006, and gains that a user gives."""

import math

import numpy as np
import pytest
from support.building import batch_of, query
from support.definitions import hold_to_definition
from support.golden import GAINS, IDEAL, N_RELEVANT, SHREC, value
from support.variants import variants_in

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError, OptionError
from fuzzytruth.measures import nDCG

SECOND, FOURTH = 1 / math.log2(3), 1 / math.log2(5)
AT_3 = (2 + 0.5) / (2 + SECOND + 0.5)
TRUTH = {"q": {"a": 1, "b": 2, "c": 0, "d": 3}}
RUNS = {"s": {"q": {"a": 4.0, "b": 3.0, "c": 2.0}}}


@pytest.mark.parametrize("measure", variants_in("gain"), ids=str)
def test_definition(measure) -> None:
    hold_to_definition(measure)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            query([3, None, 1], [2, -1]),
            {"CG": 4, "DCG": 3 + 1 / 2, "DCG(dcg=burges)@2": 7, "nCG@2": 3 / 5}
            | {"DCG(dcg=jarvelin)": 3 + SECOND, "nDCG": 3.5 / (3 + 2 * SECOND + 1 / 2)},
        ),
        (
            query([2, None, 1, 0], [1]),  # ideal 2, 1, 1; the list is too short for Rndcg's end
            {"Rndcg": (1 + AT_3) / 2, "ndcg_rel": (1 + AT_3 + AT_3) / 3, "binG": (1 + SECOND) / 3}
            | {"G": (2 / math.log2(2) + 1 / math.log2(3)) / 4},  # costs 2, 3, 4; gains 2, 2, 3
        ),
        (query([0, 0, 0, 1]), {"Rndcg": (0 + FOURTH) / 2}),  # at the end of a longer list
    ],
)
def test_by_hand(answer, expected: dict[str, float]) -> None:
    found = {text: value(text, batch_of(answer)) for text in expected}
    assert found == pytest.approx(expected, abs=1e-12)


def test_shrec_2006() -> None:
    at = range(1, len(GAINS) + 1)
    names = {"CG": "CG", "nCG": "nCG", "DCG": "DCG(dcg=jarvelin)", "nDCG": "nDCG(dcg=jarvelin)"}
    for key, measure in names.items():
        values = [value(f"{measure}@{k}") for k in at]
        assert values == pytest.approx(SHREC[key], abs=5.1e-7), key
        if not key.startswith("n"):
            values = [value(f"{measure}@{k}", IDEAL) for k in range(1, N_RELEVANT + 1)]
            assert values == pytest.approx(SHREC[f"ideal_{key}"], abs=5.1e-7), key


@pytest.mark.parametrize(
    ("gains", "threshold"),
    [
        ({0: 0, 1: 1}, None),
        ({0: 1}, 0),
        ({1: 0, 2: 1}, 2),
        ({1: 1, 2: 0}, None),
        ({1: 0}, np.nextafter(1, 2)),
    ],
)
def test_threshold(gains: dict, threshold: float | None) -> None:
    assert nDCG(gains=gains).threshold == threshold


def test_gains_as_values_and_what_they_exclude() -> None:
    assert nDCG(gains={2: 3, 0: 0, 1: 1.5}).gains == {0: 0, 1: 1.5, 2: 3}
    for gains in ({}, {1: "x"}, {1: np.inf}, 3):
        with pytest.raises(MeasureError, match=r"gains must be \{grade: gain\}"):
            nDCG(gains=gains)
    with pytest.raises(OptionError, match=r"rel=2: .* nDCG\(gains=\{1:2\}\) set thresholds or gai"):
        ft.evaluate(TRUTH, RUNS, "nDCG(gains={1:2})", rel=2)
    with pytest.raises(MeasureError, match="use dcg=log2 with gains"):
        nDCG(dcg="burges", gains={1: 2})
    with pytest.raises(MeasureError, match="too large for grade 2000"):
        ft.evaluate({"q": {"a": 2000}}, RUNS, "nDCG(dcg=burges)")

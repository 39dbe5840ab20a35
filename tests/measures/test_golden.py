"""The crisp numbers of the source documents (tests/golden), by name."""

from __future__ import annotations

import json

import pytest
from support.building import batch_of, query
from support.golden import GOLDEN, SHREC, value

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


@pytest.mark.parametrize(("part", "rel"), [("highly", 2), ("relevant_all", 1)])
def test_shrec_2006_at_both_thresholds(part: str, rel: int) -> None:
    for key, expected in SHREC[part].items():
        assert value(NAMES[key].format(rel=rel)) == pytest.approx(expected, abs=5.1e-8), key


def test_nist_average_precision() -> None:
    golden = json.loads((GOLDEN / "nist_average_precision.json").read_text())
    ranks = golden["relevant_ranks"]
    batch = batch_of(query([float(j in ranks) for j in range(1, 11)]))
    assert value("AP", batch) == pytest.approx(golden["AP"], abs=5.1e-8)
    assert round(value("AP", batch), 2) == golden["printed"]
    for rank, precision in zip(ranks, golden["precisions"], strict=True):
        assert value(f"P@{rank}", batch) == pytest.approx(precision, abs=5.1e-8)

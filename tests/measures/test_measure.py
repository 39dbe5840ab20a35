"""Measures as values: equality, cut-offs, parameters in canonical form."""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import ADR, AP, RR, IPrecAvg, Measure, P, bpref, nDCG, parse_measure
from fuzzytruth.measures.measure import as_value, print_value, read_value


def test_values_not_types_count() -> None:
    ways = [P(rel=2) @ 5, P(rel=2.0) @ 5.0, P(rel=np.int64(2)) @ np.int32(5), P(rel="2", cutoff=5)]
    assert len(set(ways)) == 1
    assert {str(m) for m in ways} == {"P(rel=2)@5"}
    assert P @ 5 == parse_measure("P@5") == parse_measure(P @ 5)
    assert parse_measure(AP) == AP() != AP(rel=2)
    assert IPrecAvg(levels=(0.25, 0.5)) == IPrecAvg(levels="0.25/.5")


@pytest.mark.parametrize(
    ("given", "kept"),
    [(2.0, 2), (np.int64(3), 3), (np.float32(0.5), 0.5), (True, True), (" 'log2' ", "log2")],
)
def test_canonical_parameters(given, kept) -> None:
    value = as_value(given)
    assert value == kept
    assert type(value) is type(kept)


@pytest.mark.parametrize("value", [None, True, 3, 0.1, 1e300, 5e-324, 1e16, "exp"])
def test_printing_and_reading(value) -> None:
    assert read_value(print_value(value)) == value


def test_a_measure_without_closed_forms_says_none() -> None:
    measure = ADR()
    assert measure.moments(None) is None
    assert measure.exact_distribution(None) is None
    assert measure.bounds(None) is None
    assert measure.hit_weights(None) is None
    with pytest.raises(MeasureError, match="ADR: does not compare lists"):
        measure.compare_lists(None)


def test_cut_offs() -> None:
    assert (nDCG(dcg="jarvelin") @ 10).k == 10
    assert RR().k is None
    assert str(AP @ 5) == "AP@5"
    with pytest.raises(MeasureError, match="takes no cut-off"):
        _ = bpref @ 3
    with pytest.raises(TypeError):
        Measure()
    assert (P @ 2).score(batch_of(query([1, 0]))).item() == 0.5

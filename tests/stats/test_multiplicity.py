"""Families of comparisons."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.contrasts import all_pairs
from fuzzytruth.stats.estimates import estimate
from fuzzytruth.stats.multiplicity import Family, kind_of_interval, resolve
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.settings import Resampling

RNG = np.random.default_rng(0)
OBSERVED = tuple(
    Observations(RNG.normal([[0.0], [0.2], [1.0]], 1, (3, 20)), Cells.of_queries(20))
    for _ in range(2)
)


def family(correction: str) -> Family:
    pairs, over = all_pairs(3), ("query",)
    return Family(("AP", "RR"), OBSERVED, pairs, None, over, correction, 0.95, Resampling(999))


@pytest.mark.parametrize("correction", ["max-t", "permuted labels", "bonferroni", "sidak"])
def test_intervals_exclude_0_where_adjusted_p_is_small(correction: str) -> None:
    whole = family(correction)
    estimates = [estimate(one, whole.pairs, whole.over) for one in OBSERVED]
    for lower, upper, p in whole.adjusted(estimates):
        np.testing.assert_array_equal((lower > 0) | (upper < 0), p <= 0.05)


def test_a_measure_by_itself() -> None:
    alone = family("holm").split()
    assert [one.measures for one in alone] == [("AP",), ("RR",)]
    for one, observed in zip(alone, OBSERVED, strict=True):
        result = estimate(observed, one.pairs, one.over)
        expected = ft.stats.adjust(result.p_value(), "holm")
        np.testing.assert_array_equal(one.adjusted([result])[0][2], expected)


def test_what_fits_the_design() -> None:
    assert resolve(None, "partial", ("query",), 3, False) == "max-t"
    assert resolve(None, "partial", ("query",), 1, False) == "none"
    assert resolve(None, "partial", ("subject",), 3, False) == "bonferroni"
    assert resolve(None, "complete", ("query",), 3, False) == "permuted labels"
    assert kind_of_interval("holm", 3) == "unadjusted"
    assert kind_of_interval("none", 1) == "single"
    assert kind_of_interval("max-t", 3) == "simultaneous"


def test_options_that_do_not_go_together() -> None:
    with pytest.raises(ft.OptionError, match="over subjects more is random"):
        resolve("max-t", "partial", ("subject",), 3, False)
    for options in (
        ("holm", ("query",), False),
        (None, ("subject",), False),
        (None, ("query",), True),
    ):
        with pytest.raises(ft.OptionError, match="null='complete'"):
            resolve(options[0], "complete", options[1], 3, options[2])

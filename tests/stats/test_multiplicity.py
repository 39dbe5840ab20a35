"""Families of comparisons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.multiplicity import Family, kind_of_interval, resolve
from fuzzytruth.stats.observations import Observations, all_pairs
from fuzzytruth.stats.settings import Alternative, Over, Resampling
from fuzzytruth.stats.world_estimates import estimate

RNG = np.random.default_rng(0)
OBSERVED = tuple(
    Observations(RNG.normal([[0.0], [0.2], [1.0]], 1, (3, 20)), Cells.of_queries(20))
    for _ in range(2)
)


def family(correction: str) -> Family:
    pairs, over = all_pairs(3), ("query",)
    using = Resampling(999)
    return Family(("AP", "RR"), OBSERVED, pairs, None, over, correction, "two-sided", 0.95, using)


@pytest.mark.parametrize(
    "correction", ["max-t", "sign-flips", "permuted labels", "bonferroni", "sidak"]
)
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


def chosen(
    correction: str | None = None,
    null: str = "partial",
    over: Over = ("query",),
    tests: int = 3,
    **given: Any,
) -> str:
    plain = {"across": False, "alternative": "two-sided", "grouped": False, "baselines": 0}
    return resolve(correction, null, over, tests, **{**plain, **given})


def test_what_fits_the_design() -> None:
    assert chosen() == "max-t"
    assert chosen(tests=1) == "none"
    assert chosen(over=("subject",)) == "bonferroni"
    assert chosen(null="complete") == "permuted labels"
    assert chosen("sign-flips") == "sign-flips"
    assert chosen(grouped=True, alternative="less", baselines=2) == "max-t"
    assert kind_of_interval("holm", 3) == "unadjusted"
    assert kind_of_interval("none", 1) == "single"
    assert kind_of_interval("max-t", 3) == "simultaneous"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"correction": "max-t", "over": ("subject",)}, "cannot be used over subjects"),
        ({"correction": "sign-flips", "over": ("subject",)}, "cannot be used over subjects"),
        ({"correction": "holm", "null": "complete"}, "null='complete'"),
        ({"over": ("subject",), "null": "complete"}, "null='complete'"),
        ({"across": True, "null": "complete"}, "null='complete'"),
        ({"baselines": 2, "null": "complete"}, "null='complete'"),
        ({"grouped": True, "null": "complete"}, "null='complete': does not go with clusters="),
        ({"alternative": "less", "null": "complete"}, "does not go with alternative='less'"),
        ({"alternative": "less", "correction": "sign-flips"}, "use correction='max-t'"),
        ({"grouped": True, "correction": "sign-flips"}, "does not go with clusters= or strata="),
    ],
)
def test_options_that_do_not_go_together(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ft.OptionError, match=words):
        chosen(**given)


@pytest.mark.parametrize("correction", ["max-t", "bonferroni", "holm", "none"])
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_families(correction: str, alternative: Alternative) -> None:
    whole = replace(family(correction), alternative=alternative)
    estimates = [estimate(one, whole.pairs, whole.over) for one in OBSERVED]
    for (lower, upper, p), one in zip(whole.adjusted(estimates), estimates, strict=True):
        assert (p >= one.p_value(alternative)).all()
        assert np.isinf(upper if alternative == "greater" else lower).all()
        if correction in ("max-t", "bonferroni"):
            np.testing.assert_array_equal((lower > 0) | (upper < 0), p <= 0.05)

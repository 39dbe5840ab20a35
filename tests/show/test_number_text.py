"""Numbers of printed tables."""

from __future__ import annotations

import math

import pytest

from fuzzytruth.show.number_text import (
    digits_for,
    interval_text,
    number_text,
    signed_text,
    with_interval,
)

NAN, INF = math.nan, math.inf


def test_nan_is_a_dash_and_infinity_has_its_sign() -> None:
    assert [number_text(NAN), signed_text(NAN)] == ["–", "–"]
    assert [number_text(-INF), signed_text(INF)] == ["-inf", "+inf"]
    assert [interval_text(NAN, 1.0), interval_text(0.0, NAN)] == ["–", "–"]
    assert with_interval(NAN, 0.0, 1.0) == "–"
    assert with_interval(0.5, NAN, 1.0) == "0.500"
    assert with_interval(0.5, -INF, INF, 1) == "0.5 [-inf, inf]"


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ([], 3),
        ([0.0], 3),
        ([9.999], 3),
        ([-10.0], 2),
        ([99.9, NAN], 2),
        ([100.0, INF], 1),
        ([1234.5], 0),
        ([1e9], 0),
    ],
)
def test_large_numbers_have_fewer_decimals(values: list[float], digits: int) -> None:
    assert digits_for(values) == digits

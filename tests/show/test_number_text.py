"""Numbers of printed tables."""

import math

import fuzzytruth.show.number_text as text

NAN, INF = math.nan, math.inf


def test_nan_is_a_dash_and_infinity_has_its_sign() -> None:
    assert [text.number_text(NAN), text.signed_text(NAN)] == ["–", "–"]
    assert [text.number_text(-INF), text.signed_text(INF)] == ["-inf", "+inf"]
    assert [text.interval_text(NAN, 1.0), text.interval_text(0.0, NAN)] == ["–", "–"]
    assert text.with_interval(NAN, 0.0, 1.0) == "–"
    assert text.with_interval(0.5, NAN, 1.0) == "0.500"
    assert text.with_interval(0.5, -INF, INF, 1) == "0.5 [-inf, inf]"


def test_zero_has_no_sign_of_its_own() -> None:
    assert [text.number_text(-0.00001), text.signed_text(-1e-9, 2)] == ["0.0000", "+0.00"]
    assert text.interval_text(-0.001, -0.6, 1) == "[0.0, -0.6]"


def test_large_numbers_have_fewer_decimals() -> None:
    cases = {(): 3, (0.0,): 3, (9.999,): 3, (-10.0,): 2, (99.9, NAN): 2, (100.0, INF): 1}
    cases |= {(1234.5,): 0, (1e9,): 0}
    assert {values: text.digits_for(values) for values in cases} == cases


def test_formats_of_columns() -> None:
    cases = {(): ".4f", (0.0,): ".4f", (12.0, 0.5): ".3f", (999_999.5,): ".0f", (1e6,): ".3e"}
    cases |= {(1e-3,): ".4f", (9e-4, 0.0): ".3e", (NAN, 0.25): ".4f"}
    assert {values: text.numbers_format(values) for values in cases} == cases
    whole = {(0.0, 3.0): ".0f", (999_999.0,): ".0f", (1e6,): ".3e", (0.5, 1.0): ".4f"}
    assert {values: text.values_format(values) for values in whole} == whole

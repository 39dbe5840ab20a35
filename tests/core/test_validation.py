"""Validated numbers come back as doubles, or the message names the value and its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.core.validation import (
    MOST,
    ascending_pair,
    between_zero_and_one,
    holds_several,
    n_workers,
    number,
    numbers,
    option_flag,
    option_mapping,
    option_text,
    place_of,
    probabilities,
    probability,
    require_same_length,
    several,
    shares,
    whole_number,
)
from fuzzytruth.errors import DataError, OptionError, choice


def test_numbers_of_any_shape() -> None:
    for given in (3, [1, 2], [[True, False]], np.float32(0.1), [np.inf]):
        array = numbers("x", given)
        assert array.dtype == np.float64
        np.testing.assert_array_equal(array, np.asarray(given, dtype=float))
    assert number("x", "2.5") == 2.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["a"], r"^x=\['a'\]: must be numbers$"),
        ([[1], [1, 2]], "must be numbers$"),
        (10**400, "must be numbers$"),
        ([1, np.nan], r"^x\[1\] = nan: must be a number$"),
        ([[0, 1], [2, np.nan]], r"^x\[1, 1\] = nan: must be a number$"),
        (np.nan, "^x = nan: must be a number$"),
    ],
)
def test_what_is_no_number(given: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        numbers("x", given)  # type: ignore[arg-type]


def test_finite_and_single_numbers() -> None:
    with pytest.raises(DataError, match=r"^x\[0\] = inf: must be finite$"):
        numbers("x", [np.inf], finite=True)
    with pytest.raises(DataError, match=r"must be one number, not an array of shape \(2,\)"):
        number("x", [1, 2])
    with pytest.raises(DataError, match="must be finite"):
        number("x", -np.inf)


def test_probabilities_lie_in_the_unit_interval() -> None:
    assert probabilities("p", [0, 1, 0.5]).tolist() == [0, 1, 0.5]
    for bad in (-1e-9, 1 + 1e-9, np.inf):
        with pytest.raises(DataError, match=r"^p\[1\] = .*: a probability must lie in \[0, 1\]$"):
            probabilities("p", [0.5, bad])


def test_shares_add_up_to_one() -> None:
    given = np.array([0.25, 0.75 + 5e-10])
    assert shares("p", given).sum() == 1.0
    with pytest.raises(DataError, match=r"^p: must add up to 1, but add up to 1\.1; why$"):
        shares("p", np.array([0.5, 0.6]), "; why")
    with pytest.raises(DataError, match=r"^p\[0\] = -0.5: must not be negative$"):
        shares("p", np.array([-0.5, 1.5]))
    with pytest.raises(DataError, match="must add up to 1"):
        shares("p", np.array([np.nan]))


def test_two_lists_of_the_same_length() -> None:
    require_same_length("a", np.ones(2), "b", np.ones(2))
    for a, b in ((np.ones(2), np.ones(3)), (np.ones(0), np.ones(0)), (np.ones((2, 1)), np.ones(2))):
        with pytest.raises(DataError, match=r"^a .* and b .*: must be two lists of the same"):
            require_same_length("a", a, "b", b)
    with pytest.raises(DataError, match=r"^a of shape \(\) and b \(length 2\): must be two lists"):
        require_same_length("a", np.array(1.0), "b", np.ones(2))


def test_whole_numbers() -> None:
    assert whole_number("n", np.int32(3)) == 3
    assert type(whole_number("n", np.int32(3))) is int
    for bad in (True, 1.0, "1", None):
        with pytest.raises(OptionError, match=r"^n=.*: must be a whole number$"):
            whole_number("n", bad)
    with pytest.raises(OptionError, match=r"^n=1: must be 2 or more$"):
        whole_number("n", 1, 2)
    assert whole_number("n", 2, 2) == 2


def test_levels_lie_strictly_between_zero_and_one() -> None:
    assert between_zero_and_one("level", np.float32(0.5)) == 0.5
    for bad in (0, 1, -0.1, np.nan):
        with pytest.raises(OptionError, match="must lie between 0 and 1, both excluded"):
            between_zero_and_one("level", bad)
    for wrong in (True, "0.5", None):
        with pytest.raises(OptionError, match=r"must be a number between 0 and 1$"):
            between_zero_and_one("level", wrong)


def test_places_of_names() -> None:
    assert place_of(("a", "b"), "b", "system") == 1
    with pytest.raises(OptionError, match=r"^system 'x' is not among .* a, b$"):
        place_of(("a", "b"), "x", "system")
    with pytest.raises(OptionError, match=r"0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 1 more$"):
        place_of(tuple(map(str, range(11))), "x", "system")


@pytest.mark.parametrize("given", [np.array(["a", "b"]), np.array([]), pd.NA, pd.Series([1, 2])])
def test_arrays_and_missing_values_are_no_names(given: Any) -> None:
    with pytest.raises(OptionError, match=r"is not among these scores; they have a, b$"):
        place_of(("a", "b"), given, "system")
    with pytest.raises(OptionError, match=r"^(?s:by=.*): must be one of 'query', None$"):
        choice("by", given, ("query", None))


def test_largest_whole_number() -> None:
    assert whole_number("k", 7, 1, 7) == 7
    with pytest.raises(OptionError, match=r"^k=8: must be 7 or less$"):
        whole_number("k", np.int64(8), 1, 7)
    with pytest.raises(OptionError, match=r"^k=<int>: must be 1,000 or less$"):
        whole_number("k", 10**5000, 1, 1000)


def test_one_probability() -> None:
    assert probability("level", np.float32(0.5)) == 0.5
    for given, message in (([0.5], "must be one number"), (2, "must lie in"), ("x", "be numbers")):
        with pytest.raises(DataError, match=message):
            probability("level", given)


def test_options_of_one_type() -> None:
    assert option_flag("full", np.True_) is True
    assert option_text("caption", "x") == "x"
    assert option_mapping("labels", None) == {}
    assert option_mapping("labels", {"a": 1}) == {"a": 1}
    for check, given, message in (
        (option_flag, 1, "full=1: must be True or False"),
        (option_flag, pd.NA, "full=<NA>: must be True or False"),
        (option_text, b"x", "full=b'x': must be a text"),
        (option_mapping, [], r"full=\[\]: must be a mapping"),
    ):
        with pytest.raises(OptionError, match=f"^{message}$"):
            check("full", given)


def test_one_value_or_several() -> None:
    assert several("ab") == ["ab"]
    assert several(np.array(3)) == [np.array(3)]
    assert several(3) == [3]
    assert several(np.array([1, 2])) == [1, 2]
    assert several(one for one in "ab") == ["a", "b"]
    assert [holds_several(one) for one in ({}, b"x", None, {1})] == [True, False, False, True]


def test_ascending_pairs() -> None:
    assert ascending_pair("limits", np.array([0, 0.5])) == (0.0, 0.5)
    for given, message in (
        (1, "must be two numbers"),
        ([1, 2, 3], "must be two numbers"),
        ((1, 1), "the first must be less than the second"),
        ((0, np.inf), "must be a finite number"),
    ):
        with pytest.raises(OptionError, match=f"^limits=.*: {message}$"):
            ascending_pair("limits", given)


def test_numbers_of_workers() -> None:
    assert [n_workers(n) for n in (1, -1, 100_000)] == [1, -1, 100_000]
    for given, message in (
        (0, "must be 1 or more, or -1"),
        (10**6, "100,000 or less"),
        (0.5, "wh"),
    ):
        with pytest.raises(OptionError, match=f"^n_jobs={given}: .*{message}"):
            n_workers(given)


def test_numbers_of_options_end_at_a_million_millions() -> None:
    assert whole_number("n", 10**12, 1, MOST) == 10**12
    with pytest.raises(OptionError, match=r"^n=1000000000001: "):
        whole_number("n", 10**12 + 1, 1, MOST)

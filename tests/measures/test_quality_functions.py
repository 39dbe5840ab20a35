"""Quality functions: the library's, and checks of the user's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fuzzytruth.errors import OptionError
from fuzzytruth.measures.weighted_displacement import (
    checked_quality,
    exponential,
    quality,
    rational,
    register_quality,
)

W = np.array([0.0, 1.0, 3.0])


def test_the_two_of_the_library() -> None:
    assert rational(W).tolist() == [1, 0.5, 0.25]
    assert rational(W, power=2).tolist() == [1, 0.25, 0.0625]
    np.testing.assert_allclose(exponential(W, rate=0.5), np.exp(-W / 2), rtol=1e-15)
    assert quality("rational", power=2)(W).tolist() == [1, 0.25, 0.0625]
    np.testing.assert_allclose(quality("exp", rate=2)(W), np.exp(-2 * W), rtol=1e-15)


def test_functions_of_single_numbers_accept_arrays() -> None:
    turned = checked_quality(math.erfc)
    np.testing.assert_allclose(turned(W), [math.erfc(w) for w in W])
    assert checked_quality(lambda w: 1.0)(W).tolist() == [1, 1, 1]


def test_registered_by_name() -> None:
    function = register_quality(lambda w: 1 / (1 + w**2), name="test_bell")
    assert quality("test_bell")(W).tolist() == [1, 0.5, 0.1]
    assert function(2) == 0.2
    register_quality(rational, name="test_bell")  # as when a notebook cell is run again
    assert quality("test_bell")(W).tolist() == [1, 0.5, 0.25]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quality("nobody"), "g='nobody': must be one of rational, exp"),
        (lambda: quality("exp"), "give rate=0.1"),
        (lambda: quality("exp", power=1), "power=1: belongs to g='rational', not to g='exp'"),
        (lambda: quality("rational", rate=1), "rate=1: belongs to g='exp'"),
        (lambda: quality("exp", rate=0), "rate=0: must be a finite number above 0"),
        (lambda: quality("rational", power=math.inf), "power=inf: must be a finite number"),
        (lambda: quality(3), "g=3: must be a name or a function"),
        (lambda: checked_quality(lambda w: w), r"g\(0\) = 0: must be 1"),
        (lambda: checked_quality(np.cos), "must not rise with the displacement"),
        (lambda: checked_quality(lambda w: 1 - w), "must not fall below 0"),
        (lambda: checked_quality(lambda w: w * np.nan), r"g\(0\) is not a number"),
        (lambda: register_quality(rational, name="exp"), "taken by the library"),
        (lambda: register_quality(rational, name="a=b"), "give a name without spaces"),
    ],
)
def test_bad_functions_and_parameters(call, message) -> None:
    with pytest.raises(OptionError, match=message):
        call()

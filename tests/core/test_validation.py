"""Validated numbers come back as doubles, or the message names the value and its place."""

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.core import validation as v
from fuzzytruth.errors import DataError, OptionError, choice

PLACES = tuple(map(str, range(11)))


def test_what_is_valid_comes_back() -> None:
    for given in (3, [1, 2], [[True, False]], np.float32(0.1), [np.inf]):
        array = v.numbers("x", given)
        assert array.dtype == np.float64
        np.testing.assert_array_equal(array, np.asarray(given, dtype=float))
    assert v.number("x", "2.5") == 2.5
    assert v.probabilities("p", [0, 1, 0.5]).tolist() == [0, 1, 0.5]
    assert v.probability("level", np.float32(0.5)) == 0.5
    assert v.shares("p", np.array([0.25, 0.75 + 5e-10])).sum() == 1.0
    v.require_same_length("a", np.ones(2), "b", np.ones(2))
    assert type(v.whole_number("n", np.int32(3))) is int
    assert [v.whole_number("n", 2, 2), v.whole_number("k", 7, 1, 7)] == [2, 7]
    assert v.whole_number("n", 10**12, 1, v.MOST) == 10**12
    assert v.between_zero_and_one("level", np.float32(0.5)) == 0.5
    assert v.place_of(("a", "b"), "b", "system") == 1
    assert v.option_flag("full", np.True_) is True
    assert v.option_text("caption", "x") == "x"
    assert [v.option_mapping("labels", m) for m in (None, {"a": 1})] == [{}, {"a": 1}]
    assert v.ascending_pair("limits", np.array([0, 0.5])) == (0.0, 0.5)
    assert [v.n_workers(n) for n in (1, -1, 100_000)] == [1, -1, 100_000]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: v.numbers("x", ["a"]), r"x=\['a'\]: must be numbers$"),
        (lambda: v.numbers("x", [[1], [1, 2]]), "x=.*: must be numbers$"),
        (lambda: v.numbers("x", 10**400), "x=.*: must be numbers$"),
        (lambda: v.numbers("x", [[0, 1], [2, np.nan]]), r"x\[1, 1\] = nan: must be a number$"),
        (lambda: v.numbers("x", np.nan), "x = nan: must be a number$"),
        (lambda: v.numbers("x", [np.inf], finite=True), r"x\[0\] = inf: must be finite$"),
        (lambda: v.number("x", [1, 2]), r".*must be one number, not an array of shape \(2,\)"),
        (lambda: v.number("x", -np.inf), ".*must be finite"),
        *(
            (
                lambda bad=bad: v.probabilities("p", [0.5, bad]),
                r"p\[1\] = .*: a probability must lie in \[0, 1\]$",
            )
            for bad in (-1e-9, 1 + 1e-9, np.inf)
        ),
        (lambda: v.probability("level", [0.5]), ".*must be one number"),
        (lambda: v.probability("level", 2), ".*must lie in"),
        (lambda: v.probability("level", "x"), ".*must be numbers"),
        (
            lambda: v.shares("p", np.array([0.5, 0.6]), "; why"),
            r"p: must add up to 1, but add up to 1\.1; why$",
        ),
        (lambda: v.shares("p", np.array([-0.5, 1.5])), r"p\[0\] = -0.5: must not be negative$"),
        (lambda: v.shares("p", np.array([np.nan])), ".*must add up to 1"),
        *(
            (
                lambda a=a, b=b: v.require_same_length("a", np.ones(a), "b", np.ones(b)),
                "a .* and b .*: must be two lists of the same",
            )
            for a, b in ((2, 3), (0, 0), ((2, 1), 2), ((), 2))
        ),
    ],
)
def test_wrong_data(call, message: str) -> None:
    with pytest.raises(DataError, match=f"^{message}"):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *(
            (lambda bad=bad: v.whole_number("n", bad), "n=.*: must be a whole number$")
            for bad in (True, 1.0, "1", None)
        ),
        (lambda: v.whole_number("n", 1, 2), "n=1: must be 2 or more$"),
        (lambda: v.whole_number("k", np.int64(8), 1, 7), "k=8: must be 7 or less$"),
        (lambda: v.whole_number("k", 10**5000, 1, 1000), "k=<int>: must be 1,000 or less$"),
        (lambda: v.whole_number("n", 10**12 + 1, 1, v.MOST), "n=1000000000001: "),
        *(
            (lambda bad=bad: v.between_zero_and_one("level", bad), f".*must {rule}$")
            for bad, rule in [
                *((bad, "lie between 0 and 1, both excluded") for bad in (0, 1, -0.1, np.nan)),
                *((bad, "be a number between 0 and 1") for bad in (True, "0.5", None)),
            ]
        ),
        (lambda: v.place_of(("a", "b"), "x", "system"), "system 'x' is not among .* a, b$"),
        (
            lambda: v.place_of(PLACES, "x", "system"),
            ".*0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 1 more$",
        ),
        *(
            (
                lambda bad=bad: choice("by", bad, ("query", None)),
                "(?s:by=.*): must be one of 'query'",
            )
            for bad in (np.array(["a", "b"]), np.array([]), pd.NA, pd.Series([1, 2]))
        ),
        (
            lambda: v.place_of(("a", "b"), np.array(["a", "b"]), "system"),
            ".* is not among these scores; they have a, b$",
        ),
        (lambda: v.option_flag("full", 1), "full=1: must be True or False$"),
        (lambda: v.option_flag("full", pd.NA), "full=<NA>: must be True or False$"),
        (lambda: v.option_text("full", b"x"), "full=b'x': must be a text$"),
        (lambda: v.option_mapping("full", []), r"full=\[\]: must be a mapping$"),
        (lambda: v.ascending_pair("limits", 1), "limits=.*: must be two numbers$"),
        (lambda: v.ascending_pair("limits", [1, 2, 3]), "limits=.*: must be two numbers$"),
        (lambda: v.ascending_pair("limits", (1, 1)), ".*the first must be less than the second$"),
        (lambda: v.ascending_pair("limits", (0, np.inf)), ".*must be a finite number$"),
        (lambda: v.n_workers(0), "n_jobs=0: .*must be 1 or more, or -1"),
        (lambda: v.n_workers(10**6), "n_jobs=1000000: .*100,000 or less"),
        (lambda: v.n_workers(0.5), "n_jobs=0.5: .*wh"),
    ],
)
def test_wrong_options(call, message: str) -> None:
    with pytest.raises(OptionError, match=f"^{message}"):
        call()

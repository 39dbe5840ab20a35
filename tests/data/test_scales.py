"""Thresholds and ranges of each subject's grades."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth.data.grading import reached, shares_of_scale

SUBJECT = pa.array(["ann", "bob", "ann"], pa.large_string())
GRADE = np.array([3.0, 1.0, 5.0])


@pytest.mark.parametrize(
    ("rel", "want"), [(3, [1, 0, 1]), ({"bob": 1, "ann": 4}, [0, 1, 1]), (-1, [1, 1, 1])]
)
def test_thresholds(rel: object, want: list[int]) -> None:
    assert reached(GRADE, SUBJECT, rel).tolist() == want


@pytest.mark.parametrize(
    ("rel", "message"),
    [
        ({"ann": 3}, "rel: no threshold for 1 subject: bob; give every subject one"),
        (
            {"ann": 3, "bop": 1},
            r"rel: 'bop' is not among the subjects \(nearest: 'bob'\): ann, bob",
        ),
        ({"ann": 3, "bob": "low"}, r"rel\['bob'\]='low': must be a finite number"),
        (float("nan"), "rel=nan: must be a finite number"),
    ],
)
def test_wrong_thresholds(rel: object, message: str) -> None:
    with pytest.raises(ft.OptionError, match=message):
        reached(GRADE, SUBJECT, rel)


def test_thresholds_of_nobody() -> None:
    with pytest.raises(ft.OptionError, match="rel: these judgments have no subjects; give one num"):
        reached(GRADE, None, {"ann": 3})


@pytest.mark.parametrize(
    ("scales", "want"),
    [
        ({"bob": (0, 4)}, [0, 0.25, 1]),
        ({"bob": (0, 1), "ann": [1, 5]}, [0.5, 1, 1]),
        ((1, 5), [0.5, 0, 1]),
    ],
)
def test_shares(scales: object, want: list[float]) -> None:
    assert shares_of_scale(GRADE, SUBJECT, scales, nested=False).tolist() == want


@pytest.mark.parametrize(
    ("scales", "error", "message"),
    [
        (
            {"bob": (1, 0)},
            ft.OptionError,
            r"scales\['bob'\]=\(1, 0\): the highest grade must be ab",
        ),
        ({"bob": 1}, ft.OptionError, r"scales\['bob'\]=1: must be the lowest and the highest"),
        ({"bab": (0, 1)}, ft.OptionError, "scales: 'bab' is not among the subjects"),
        ((2, 5), ft.DataError, "1 grade outside the scale, the first 1 of 'all judg.* in row 2"),
        (
            {"bob": (2, 3)},
            ft.DataError,
            "the first 1 of 'bob' in row 2, whose scale is from 2 to 3",
        ),
        (None, ft.DataError, r"one and the same grade throughout.*: bob \(1\)"),
    ],
)
def test_wrong_scales(scales: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        shares_of_scale(GRADE, SUBJECT, scales, nested=False)


def test_scales_of_nobody() -> None:
    assert shares_of_scale(GRADE, None, None, nested=False).tolist() == [0.5, 0, 1]
    with pytest.raises(ft.OptionError, match=r"no subjects; give scales=\(low, high\)"):
        shares_of_scale(GRADE, None, {"ann": (0, 1)}, nested=False)

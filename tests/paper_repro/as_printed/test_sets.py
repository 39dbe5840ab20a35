"""Santini's (1) and (2) as printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzytruth as ft
from paper_repro import as_printed as printed


@given(st.sets(st.integers(0, 9), min_size=1), st.sets(st.integers(0, 9), min_size=1))
def test_unions_are_never_less_than_the_whole(a: set[int], v: set[int]) -> None:
    assert printed.crisp_recall(a, v) == len(a | v) / len(v) >= 1
    assert printed.crisp_precision(a, v) == len(a | v) / len(a) >= 1
    assert printed.crisp_precision(a, a) == 1


def test_sets_that_are_empty() -> None:
    with pytest.raises(ft.errors.DataError, match="relevant: is empty"):
        printed.crisp_recall([1], [])
    with pytest.raises(ft.errors.DataError, match="answered: is empty"):
        printed.crisp_precision([], [1])

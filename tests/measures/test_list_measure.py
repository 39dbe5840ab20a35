"""Measures of whole lists know only single subjects."""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query

import fuzzytruth as ft
from fuzzytruth.measures.list_similarity import ListMeasure

pytestmark = pytest.mark.usefixtures("own_measures")


@pytest.fixture
def lengths():
    class Lengths(ListMeasure):
        """Length of the system's list less that of the subject's."""

        def compare_lists(self, lists):
            return lists.length - np.diff(lists.lists.offsets)

    return ft.register(Lengths)


@pytest.mark.usefixtures("lengths")
def test_one_class_compares_lists() -> None:
    truth = {"q": {"a": 1, "b": 0.5}, "r": {"a": 1}}
    scores = ft.evaluate(truth, {"s": {"q": {"a": 1}, "r": {"a": 1, "b": 2, "c": 3}}}, "Lengths")
    assert scores.values[0, 0].tolist() == [-1, 2]


def test_it_takes_no_batch(lengths) -> None:
    with pytest.raises(ft.MeasureError, match=r"compares whole lists, .* use worlds='subject'"):
        lengths().score(batch_of(query([1])))

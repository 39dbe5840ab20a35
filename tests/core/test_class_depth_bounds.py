"""Bounds of measures of class depth against all ways to judge the unjudged items."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.completions import check, check_long

from fuzzytruth.core.lists.measure_bounds import class_depth_bounds


def hits_within(ranked, depth: float, norm: float) -> float:
    return sum(ranked[: int(depth)]) / norm if norm else 0.0


@pytest.mark.parametrize("classes", [1, 2])
def test_tiers(classes: int) -> None:
    rule = (lambda r: classes * r, lambda r, length: r, classes)

    def value(c) -> float:
        return hits_within(c.ranked, classes * c.n_relevant, c.n_relevant)

    check(lambda lists: class_depth_bounds(lists, *rule), value)
    check_long(lambda lists: class_depth_bounds(lists, *rule), value)


@pytest.mark.parametrize("classes", [1, 2])
def test_tiers_over_the_depth_reached(classes: int) -> None:
    rule = (lambda r: classes * r, lambda r, length: np.minimum(classes * r, length), classes)

    def value(c) -> float:
        depth = min(classes * c.n_relevant, len(c.ranked))
        return hits_within(c.ranked, depth, depth)

    check(lambda lists: class_depth_bounds(lists, *rule), value)
    check_long(lambda lists: class_depth_bounds(lists, *rule), value)


@pytest.mark.parametrize("mult", [0.2, 0.5, 1, 1.5, 2.7])
def test_r_precision_with_a_multiple(mult: float) -> None:
    """Depths that jump by more than one, or stay, so that the value does not grow steadily."""

    def depth(relevant):
        return np.floor(mult * np.asarray(relevant) + 0.9)

    def value(c) -> float:
        d = math.floor(mult * c.n_relevant + 0.9)
        return hits_within(c.ranked, d, d)

    rule = (depth, lambda r, length: depth(r), mult)
    check(lambda lists: class_depth_bounds(lists, *rule), value)
    check_long(lambda lists: class_depth_bounds(lists, *rule), value)

"""The least and the largest value that measures can have."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.errors import MeasureError
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.measures import parse_measure


def range_of(scores: ScoreArrays, measure: int) -> tuple[float, float]:
    """The least and the largest mean that a measure, by its place, can have.

    Infinite where that is not known: of values that were not computed here.
    """
    if scores.ranges:
        return scores.ranges[measure]
    name, made = scores.measures[measure], scores.provenance
    if made and name in made.measures and {one for one, _ in made.runs} >= set(scores.systems):
        return known_range(name, scores.values[:, measure])
    return -np.inf, np.inf


def width_of(scores: ScoreArrays, measure: int) -> float:
    """The largest difference of means of a measure, by its place; infinite if not known."""
    least, most = range_of(scores, measure)
    return most - least


def known_range(name: str, values: Floats) -> tuple[float, float]:
    """Smallest and largest value that a measure can have.

    Infinite where that is not known, or where these values (NaN: none) are on another scale.
    """
    with suppress(MeasureError):
        least, most = parse_measure(name).range
        if not ((values < least - NEAR) | (values > most + NEAR)).any():
            return least, most
    return -np.inf, np.inf

"""Means and spreads of many samples, with missing values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide, without_rounding
from fuzzytruth.core.segments import segment_max, segment_sum


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Moments of many samples.

    Parameters
    ----------
    n : (..., samples) int
        Values that are not missing.
    mean, std : (..., samples) float
        NaN where n < 1; `std` has divisor n - 1, is NaN where n < 2 and 0 where all values agree.
    centred : float, in the shape of the values
        Values minus their mean; 0 where a value is missing, and where all agree.
    """

    n: Ints
    mean: Floats
    std: Floats
    centred: Floats

    @property
    def std_error(self) -> Floats:
        """Standard error of the mean."""
        out: Floats = self.std / np.sqrt(np.maximum(self.n, 1))
        return out


@np.errstate(under="ignore")
def samples(values: Floats, *, scale: ArrayLike = 0.0) -> Samples:
    """Moments of (..., units, samples); NaN is missing.

    Values that differ by less than 1e-12 of the largest agree: they differ by rounding errors. Of
    differences, `scale` (..., samples) is the largest of the values that they are differences of;
    a mean below 1e-12 of it is 0.
    """
    present = ~np.isnan(values)
    n = present.sum(axis=-2)
    filled = np.where(present, values, 0.0)
    largest = np.maximum(np.abs(filled).max(axis=-2, initial=0.0), scale)
    mean = without_rounding(divide(filled.sum(axis=-2), n, fill=np.nan), largest)
    centred = np.where(present, filled - np.nan_to_num(mean)[..., None, :], 0.0)
    noise = ROUNDING * largest
    flat = np.abs(centred).max(axis=-2, initial=0.0) <= noise
    centred[np.broadcast_to(flat[..., None, :], centred.shape)] = 0.0
    return Samples(n, mean, _std((centred**2).sum(axis=-2), n), centred)


@np.errstate(under="ignore")
def segment_samples(values: Floats, offsets: Ints, *, scale: ArrayLike = 0.0) -> Samples:
    """Moments of each segment of (..., n) values, as `samples` has them: (..., segments).

    `scale` (...,) is that of all segments.
    """
    size = np.diff(offsets)
    present = ~np.isnan(values)
    n = segment_sum(present, offsets)
    filled = np.where(present, values, 0.0)
    of_all = np.asarray(scale)[..., None]
    largest = np.maximum(segment_max(np.abs(filled), offsets), of_all)
    mean = without_rounding(divide(segment_sum(filled, offsets), n, fill=np.nan), of_all)
    centre = np.repeat(np.nan_to_num(mean), size, axis=-1)
    centred = np.where(present, filled - centre, 0.0)
    noise = ROUNDING * largest
    flat = segment_max(np.abs(centred), offsets) <= noise
    centred[np.repeat(flat, size, axis=-1)] = 0.0
    return Samples(n, mean, _std(segment_sum(centred**2, offsets), n), centred)


def _std(squares: Floats, n: Ints) -> Floats:
    """Standard deviation of n values from their sum of squares; NaN of fewer than two."""
    return np.where(n > 1, np.sqrt(squares / np.maximum(n - 1, 1)), np.nan)


def pair_differences(values: Floats, first: Ints, second: Ints, *, scale: Floats) -> Floats:
    """Differences of pairs of rows of (rows, ...) values: (pairs, ...).

    0 where less than 1e-12 of `scale` (rows,), the larger of the two: a rounding error.
    """
    out: Floats = np.subtract(values[first], values[second], order="C")
    least = ROUNDING * np.maximum(scale[first], scale[second])
    out[np.abs(out) <= least.reshape(-1, *(1,) * (out.ndim - 1))] = 0.0
    return out


def nan_mean(values: Floats, axis: int) -> Floats:
    """Mean over the values that are not NaN; NaN if there are none."""
    present = ~np.isnan(values)
    total = np.where(present, values, 0.0).sum(axis=axis)
    return divide(total, present.sum(axis=axis), fill=np.nan)


# Bootstrap weights: how often each unit is in each resample.


def drawn_units(seed: np.random.SeedSequence, resamples: int, n: int) -> NDArray[np.intp]:
    """Which unit each draw takes, uniformly with replacement: (resamples, n)."""
    kind = np.uint16 if n <= 2**16 else np.uint32
    rng = np.random.Generator(np.random.SFC64(seed))
    return rng.integers(0, n, size=(resamples, n), dtype=kind).astype(np.intp)


def stratified_counts(seed: np.random.SeedSequence, resamples: int, sizes: Ints) -> Floats:
    """How often each unit was taken, from strata of these sizes one after the other.

    (resamples, units); as many units of each stratum as it has.
    """
    children = seed.spawn(len(sizes))
    drawn = [
        counts(drawn_units(child, resamples, int(size)))
        for child, size in zip(children, sizes, strict=True)
    ]
    return np.concatenate(drawn, axis=1)


def counts(units: NDArray[np.intp]) -> Floats:
    """How often each unit was taken: (resamples, n), multinomial."""
    resamples, n = units.shape
    flat = (units + np.arange(resamples)[:, None] * n).ravel()
    return np.bincount(flat, minlength=resamples * n).reshape(resamples, n).astype(np.float64)


# Bootstrap resamples of subjects, enumerated when few.


#: resamples of the subjects are enumerated up to this many
_MOST_ENUMERATED = 2_000


def subject_resamples(
    n_subjects: int, n_worlds: int, seed: np.random.SeedSequence
) -> tuple[Floats, Floats, bool]:
    """Bootstrap resamples: probabilities, multiplicities, and whether they were drawn.

    All distinct resamples if they are few, else `n_worlds` random ones.

    Returns
    -------
    probability : (worlds,) float
    votes : (worlds, subjects) float
        How often a resample has each subject.
    drawn : bool
    """
    if comb(2 * n_subjects - 1, n_subjects) <= min(_MOST_ENUMERATED, n_worlds):
        return *_all_resamples(n_subjects), False
    rng = np.random.default_rng(seed)
    votes = rng.multinomial(n_subjects, np.full(n_subjects, 1 / n_subjects), size=n_worlds)
    return np.full(n_worlds, 1 / n_worlds), votes.astype(np.float64), True


def _all_resamples(n: int) -> tuple[Floats, Floats]:
    """Every distinct resample of `n` subjects: its probability, and how often it has each."""
    votes = np.array(
        [np.bincount(drawn, minlength=n) for drawn in combinations_with_replacement(range(n), n)]
    )
    n_orders = [factorial(n) // prod(factorial(v) for v in row) for row in votes.tolist()]
    return np.array(n_orders) / float(n) ** n, votes.astype(np.float64)

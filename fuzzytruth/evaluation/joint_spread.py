"""How systems vary together over resamples of the subjects, query by query.

What is added up over queries is, for each pair of systems, the variance over resamples of the
difference of their values in a query; for a single system, that of its value. Each has its query's
factor S / (S - 1), and is free of the noise of inner worlds, as `Uncertainty.std` is. The sum for
two systems is NaN if one has no value in a query or resample in which the other has one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.exact_sums import ExactSum, Moments

# Weighted covariances of series, accumulated block by block without loss of precision.


class CoMoments:
    """Covariances of series over the last axis of all blocks added so far; NaN is left out.

    Blocks are merged as in `Moments`. The bits of a covariance depend on its two series alone, and
    equal series have equal covariances.

    Parameters
    ----------
    shape : tuple of int
        (..., series)
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._weight: Floats = np.zeros(shape)
        self._mean: Floats = np.zeros(shape)
        self._products: Floats = np.zeros((*shape, shape[-1]))
        self._apart: Bools = np.zeros((1, 1), dtype=bool)

    def add(self, values: Floats, weight: Floats) -> None:
        """Add a block of values (..., series, n), each n with its weight (n,)."""
        values = np.ascontiguousarray(values)
        defined = ~np.isnan(values)
        each = np.broadcast_to(weight, values.shape)
        if not defined.all():
            each = weight * defined
            lacks = inner_products(defined.astype(np.float64), (~defined).astype(np.float64)) > 0
            self._apart = self._apart | lacks | lacks.swapaxes(-1, -2)
        total = each.sum(axis=-1)
        # Relative to one of the values: the mean of equal values is then exact.
        first = np.nan_to_num(np.fmax.reduce(values, axis=-1))
        shifted = np.where(defined, values - first[..., None], 0.0)
        block = first + divide((each * shifted).sum(axis=-1), total)
        centred = np.where(defined, values - block[..., None], 0.0)
        both = self._weight + total
        gap = np.where(self._weight > 0, block - self._mean, 0.0)
        share = divide(total, both)
        between = gap * np.sqrt(self._weight * share)
        rows = np.concatenate((centred * np.sqrt(each), between[..., None]), axis=-1)
        self._products += inner_products(rows, rows)
        self._mean = np.where(self._weight > 0, self._mean + gap * share, block)
        self._weight = both

    @property
    def covariance(self) -> Floats:
        """Covariances by the weights: (..., series, series).

        NaN for two series of which one lacks a value where the other has one, 0 where neither has
        any.
        """
        return np.where(self._apart, np.nan, divide(self._products, self._weight[..., None]))


def inner_products(one: Floats, other: Floats) -> Floats:
    """Inner products of all pairs of rows: (..., a, n), (..., b, n) → (..., a, b).

    Each has the same bits whatever the other rows are, which a matrix product does not promise.
    """
    out: Floats = np.einsum("...an,...bn->...ab", one, other, optimize=False)
    return out


_BLOCK = 64  # resamples whose values are added together
_VALUES = 1 << 22  # of a measure in memory at once


class JointSpread:
    """Variances of values and of their differences, gathered block of resamples by block.

    Parameters
    ----------
    shape : (systems, measures, queries)
    """

    def __init__(self, shape: tuple[int, int, int]) -> None:
        systems, measures, queries = shape
        self._moments = CoMoments((measures, queries, systems))
        self._noise: Floats = np.zeros((measures, queries, systems, systems))

    def add(self, values: Floats, weight: Floats) -> None:
        """Add values (resamples, systems, measures, queries), each resample with its weight."""
        self._moments.add(values.transpose(2, 3, 1, 0), weight)

    def add_noise(self, errors: Floats, measures: Ints) -> None:
        """Add errors of inner worlds (n, systems, some measures, queries).

        Their squares add up to the noise of the values, and their products to the noise that
        systems share.
        """
        rows = np.ascontiguousarray(errors.transpose(2, 3, 1, 0))
        self._noise[measures] += inner_products(rows, rows)

    def total(self, noise: Floats, inflation: Floats) -> ExactSum:
        """Sums over the queries: (measures, systems, systems).

        Parameters
        ----------
        noise : (systems, measures, queries) float
            The part of each variance that is the noise of inner worlds.
        inflation : (queries,) or (1,) float
        """
        covariance = self._moments.covariance - self._shared(np.moveaxis(noise, 0, -1))
        variances = _of_differences(covariance) * inflation[:, None, None]
        return ExactSum.of(np.moveaxis(variances, 1, -1))

    def _shared(self, noise: Floats) -> Floats:
        """Covariances of noise, from its variances and the correlations of what was added."""
        own = np.diagonal(self._noise, axis1=-2, axis2=-1)
        correlation = divide(self._noise, _root_products(own))
        _set_diagonal(correlation, np.ones(own.shape))
        return correlation * _root_products(np.nan_to_num(noise))


@dataclass(frozen=True, slots=True, eq=False)
class InnerNoise:
    """Noise of a block of resamples, whose values are means over inner worlds.

    Parameters
    ----------
    joint : JointSpread
        What it is added to.
    weight : (resamples,) float
    known : (systems, measures, queries) bool
        Which values are exact.
    """

    joint: JointSpread
    weight: Floats
    known: Bools

    def add(self, values: Floats, inner: Moments, some: slice) -> None:
        """Add values (inner, some resamples, systems, measures, queries) with these moments."""
        measures = np.flatnonzero(~self.known.all(axis=(0, 2)))
        mean, number = inner.mean[:, :, measures], inner.weight[:, :, measures]
        shares = self.weight[some, None, None, None] / np.maximum(number * (number - 1), 1.0)
        centred = values[:, :, :, measures] - mean
        errors = np.where(np.isnan(centred), 0.0, centred) * np.sqrt(shares)
        self.joint.add_noise(errors.reshape(-1, *errors.shape[2:]), measures)


def of_kept(kept: Floats, weight: Floats, inflation: float) -> Floats:
    """The sums of kept values without noise: (measures, systems, systems).

    Parameters
    ----------
    kept : (resamples, systems, measures, queries) float
    weight : (resamples,) float
    """
    n_worlds, systems, measures, queries = kept.shape
    size = max(1, _VALUES // max(n_worlds * systems, systems**2, 1))
    out = []
    for m in range(measures):
        total = ExactSum.zero((1, systems, systems))
        for start in range(0, queries, size):
            part = kept[:, :, m : m + 1, start : start + size]
            joint = JointSpread(part.shape[1:])
            for world in range(0, n_worlds, _BLOCK):
                joint.add(part[world : world + _BLOCK], weight[world : world + _BLOCK])
            total = total + joint.total(np.zeros(part.shape[1:]), np.array([inflation]))
        out.append(total.value)
    return np.concatenate(out)


def apart(blocks: list[Floats]) -> Floats:
    """Sums (measures, systems, systems) of systems evaluated one after the other: NaN for pairs."""
    sizes = [block.shape[-1] for block in blocks]
    out = np.full((len(blocks[0]), sum(sizes), sum(sizes)), np.nan)
    start = 0
    for block, size in zip(blocks, sizes, strict=True):
        out[:, start : start + size, start : start + size] = block
        start += size
    return out


def _of_differences(covariance: Floats) -> Floats:
    """Variances of differences, of single systems on the diagonal: (..., systems, systems)."""
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    out = own[..., :, None] + own[..., None, :] - 2 * covariance
    _set_diagonal(out, own)
    return np.maximum(out, 0.0)


def _root_products(variance: Floats) -> Floats:
    """Products of two standard deviations: (..., systems) → (..., systems, systems)."""
    out: Floats = np.sqrt(variance[..., :, None] * variance[..., None, :])
    return out


def _set_diagonal(matrices: Floats, diagonal: Floats) -> None:
    place = np.arange(diagonal.shape[-1])
    matrices[..., place, place] = diagonal

"""Bootstrap weights: how often each unit is in each resample."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints


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

"""Seeds and random number generators."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth.errors import OptionError, shown


def seeded(rng: Any) -> np.random.SeedSequence | np.random.Generator:
    """A SeedSequence from a seed; a SeedSequence or Generator is returned as it is.

    Raises
    ------
    OptionError
        `rng` is no whole number from 0, SeedSequence, Generator or None.
    """
    if isinstance(rng, (np.random.Generator, np.random.SeedSequence)):
        return rng
    try:
        if isinstance(rng, (bool, np.bool_, str)):
            raise TypeError
        return np.random.SeedSequence(rng)
    except (TypeError, ValueError):
        raise OptionError(
            f"rng={shown(rng)}: must be None, a whole number from 0, a NumPy SeedSequence or a "
            "Generator"
        ) from None


def check_seed(rng: Any) -> None:
    """Raise as `seeded` does."""
    if type(rng) is not int or rng < 0:  # else NumPy's generators need not be imported
        seeded(rng)


def generator(rng: Any) -> np.random.Generator:
    """A Generator from a seed; a Generator is returned as it is."""
    return np.random.default_rng(seeded(rng))


def uniforms(rng: Any, size: Any) -> Any:
    """Uniform random numbers in [0, 1) of shape `size`; a single one if it is None."""
    source = generator(rng)
    try:
        return source.random(size)
    except (TypeError, ValueError):
        raise OptionError(
            f"size={shown(size)}: must be a whole number from 0 or a tuple of those"
        ) from None


def entropy_of(rng: Any) -> tuple[int, ...]:
    """Four 32-bit numbers that seed the generators of all blocks; fresh ones if `rng` is None.

    Raises
    ------
    OptionError
        `rng` is no whole number from 0, SeedSequence, Generator or None.
    """
    source = seeded(rng)
    if isinstance(source, np.random.Generator):
        return tuple(source.integers(0, 2**32, 4, dtype=np.uint32).tolist())
    return tuple(source.generate_state(4).tolist())

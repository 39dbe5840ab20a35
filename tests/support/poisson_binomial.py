"""The Poisson-binomial pmf with 60 digits, and typical probabilities."""

from decimal import Decimal, localcontext

import numpy as np


def in_decimals(p: np.ndarray) -> np.ndarray:
    """Event by event with 60 digits and no underflow; below 1e-320 it is not a float any more."""
    with localcontext() as context:
        context.prec, context.Emin = 60, -999_999
        out = np.array([Decimal(1)] + [Decimal(0)] * len(p))
        for i, x in enumerate(Decimal(v) for v in p.tolist()):
            happens = out[: i + 1] * x
            out[: i + 1] *= 1 - x
            out[1 : i + 2] += happens
        return out.astype(float)


SKEWS = {
    "uniform": lambda rng, n: rng.random(n),
    "rare": lambda rng, n: rng.random(n) * 1e-4,
    "nearly sure": lambda rng, n: 1 - rng.random(n) * 1e-4,
    "votes of five": lambda rng, n: rng.integers(0, 6, n) / 5,
    "both ends": lambda rng, n: rng.beta(0.05, 0.05, n),
    "decaying": lambda rng, n: 1 / np.arange(1.0, n + 1),
}

"""What one more vote of a subject on a unit would tell."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.stats.votes.models import FittedVotes

_NUMBERS = 2**22  # of a batch of units
_LEAST = 1e-300


def information(fitted: FittedVotes, category: int | None = None) -> Floats:
    """Expected information of each vote: (units, subjects).

    The mutual information of the unit's class and the vote, in nats; or of a `category` the
    expected fall of the variance p (1 - p) of whether the unit is in it.
    """
    errors = np.exp(fitted.log_errors)  # (subjects, said, states)
    s, k, z = errors.shape
    size = max(1, _NUMBERS // (s * k * k))
    now = fitted.posterior
    out = np.empty((len(now), s))
    by_class = np.einsum("slz,zk->slzk", errors, fitted.of_class).reshape(s * k, z, -1)
    for start in range(0, len(now), size):
        states = fitted.states[start : start + size]
        joint = np.einsum("uz,azk->uak", states, by_class).reshape(len(states), s, k, -1)
        chance = joint.sum(axis=3, keepdims=True)  # of each answer of each subject
        after = joint / np.maximum(chance, _LEAST)
        before = now[start : start + size]
        if category is None:
            left = (chance[..., 0] * _entropy(after)).sum(axis=2)
            out[start : start + size] = _entropy(before)[:, None] - left
        else:
            moved = after[..., category] - before[:, None, None, category]
            out[start : start + size] = (chance[..., 0] * moved**2).sum(axis=2)
    return np.maximum(out, 0.0)


def _entropy(p: Floats) -> Floats:
    return np.asarray(-(p * np.log(np.maximum(p, _LEAST))).sum(axis=-1))

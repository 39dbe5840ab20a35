"""Simulated crowds whose truth is known."""

import numpy as np

from fuzzytruth.stats.votes.table import VoteTable


def crowd(
    kind: str, s: int, n: int, m: int, k: int = 2, *, seed: int = 0, accuracy: float = 0.75
) -> tuple[VoteTable, np.ndarray]:
    """Votes of `m` of `s` subjects on each of `n` units, and the truth (units,).

    "coin": accuracies vary (standard deviation .1). "hard": so do units. "copies": three in ten
    subjects say what one of them says, 95 times of 100. "spam": three in ten guess.
    """
    rng = np.random.default_rng([seed, s, n, m, k])
    truth = rng.integers(0, k, n)
    unit = np.repeat(np.arange(n), m)
    subject = np.concatenate([rng.permutation(s)[:m] for _ in range(n)])
    size = accuracy * (1 - accuracy) / 0.01 - 1
    own = rng.beta(accuracy * size, (1 - accuracy) * size, s)
    p = own[subject]
    if kind == "hard":
        odds = rng.normal(1.8, 0.6, s)[subject] + 1.5 * rng.normal(size=n)[unit]
        p = 1 / (1 + np.exp(-odds))
    if kind == "spam":
        p = np.where(rng.random(s)[subject] < 0.3, 1 / k, p)
    wrong = (truth[unit] + rng.integers(1, k, len(unit))) % k
    value = np.where(rng.random(len(unit)) < p, truth[unit], wrong)
    if kind == "copies":
        leader = np.where(rng.random(n) < own[0], truth, (truth + rng.integers(1, k, n)) % k)
        copies = (subject < max(2, round(0.3 * s))) & (rng.random(len(unit)) < 0.95)
        value = np.where(copies, leader[unit], value)
    return VoteTable.of(unit, subject, value, (n, s, k)), truth

"""Rank sets, the systems among the best, and tiers, from which systems differ significantly."""

from __future__ import annotations

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.corrections import CORRECTIONS
from fuzzytruth.stats.multiplicity import MAX_T, SIGN_FLIPS


def rank_sets(table: pd.DataFrame, means: pd.DataFrame, conditions: Conditions) -> pd.DataFrame:
    """See `Comparison.tiers`.

    Raises
    ------
    OptionError
        Not all pairs were compared, or in one direction only, or without a correction that controls
        the family-wise error.
    """
    if conditions.baselines or conditions.alternative != "two-sided":
        raise OptionError(
            "tiers: ranks follow from two-sided comparisons of all pairs; compare without "
            "baseline= and alternative="
        )
    _check_family_wise(conditions)
    out = []
    for measure in conditions.measures:
        above = better_than(table, conditions, measure)
        n_better, n_worse = above.sum(axis=0), above.sum(axis=1)
        frame = pd.DataFrame(
            {
                "measure": measure,
                "system": list(conditions.systems),
                "mean": means[measure].to_numpy(),
                "tier": tiers(above),
                "among_best": n_better == 0,
                "rank_lower": 1 + n_better,
                "rank_upper": len(above) - n_worse,
            }
        )
        by = frame["mean"] if not conditions.better_up(measure) else -frame["mean"]
        order = np.lexsort((by.to_numpy(), frame["tier"].to_numpy()))
        out.append(frame.iloc[order])
    return pd.concat(out, ignore_index=True)


def has_rank_sets(conditions: Conditions) -> bool:
    """Whether a comparison gives rank sets: two-sided, of all pairs, and family-wise."""
    all_pairs = not conditions.baselines and conditions.alternative == "two-sided"
    return all_pairs and _is_family_wise(conditions)


def _is_family_wise(conditions: Conditions) -> bool:
    """Whether all statements together hold with the level's confidence."""
    joint = conditions.correction in (MAX_T, SIGN_FLIPS) or conditions.tests == 1
    return joint or CORRECTIONS.get(conditions.correction, "").startswith("family-wise")


def _check_family_wise(conditions: Conditions) -> None:
    if not _is_family_wise(conditions):
        raise OptionError(
            f"tiers: correction={conditions.correction!r} does not control the family-wise error, "
            "whichever systems differ, so that rank sets would not hold together; use 'max-t', "
            "'holm' or 'bonferroni'"
        )


def better_than(table: pd.DataFrame, conditions: Conditions, measure: str) -> Bools:
    """Whether a system is significantly better than another: (systems, systems)."""
    k = len(conditions.systems)
    place = {system: number for number, system in enumerate(conditions.systems)}
    rows = table[(table["measure"] == measure) & table["significant"]]
    first = rows["system_a"].map(place).to_numpy(dtype=np.intp)
    second = rows["system_b"].map(place).to_numpy(dtype=np.intp)
    a_wins = (rows["difference"].to_numpy() > 0) == conditions.better_up(measure)
    out = np.zeros((k, k), dtype=bool)
    out[np.where(a_wins, first, second), np.where(a_wins, second, first)] = True
    return out


def tiers(above: Bools) -> Ints:
    """1 + the longest chain of systems above each: (systems,).

    Where pairs were compared on different queries there may be cycles; the systems of a cycle
    share a tier.

    Examples
    --------
    >>> tiers(np.array([[0, 1, 1], [0, 0, 0], [0, 1, 0]], dtype=bool)).tolist()
    [1, 3, 2]
    """
    from scipy.sparse.csgraph import connected_components

    count, part = connected_components(above, connection="strong")
    between = np.zeros((count, count), dtype=bool)
    winner, loser = np.nonzero(above)
    between[part[winner], part[loser]] = True
    np.fill_diagonal(between, False)
    tier: Floats = np.ones(count)
    while True:  # as often as the longest chain is long
        lower = np.max(np.where(between, tier[:, None] + 1, 1.0), axis=0, initial=1.0)
        if (lower == tier).all():
            return np.asarray(tier[part].astype(np.int64))
        tier = lower


def rank_range(lower: float, upper: float) -> str:
    """A set of ranks in words.

    Examples
    --------
    >>> rank_range(1, 1), rank_range(2, 4)
    ('1', '2 to 4')
    """
    return f"{lower:.0f}" if lower == upper else f"{lower:.0f} to {upper:.0f}"

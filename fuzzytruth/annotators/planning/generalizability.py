"""Generalizability coefficients of a panel, and what a difference between systems varies by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.random_effects import QUERY, REPLICATE, SUBJECT, SYSTEM

RELATIVE, ABSOLUTE, DISAGREEMENT = "relative", "absolute", "disagreement"
#: shares of the variance of a difference between two systems, by the factors beside the system
SHARES: dict[str, Callable[[int], bool]] = {
    "share of queries": lambda effect: effect | SYSTEM == SYSTEM | QUERY,
    "share of subjects": lambda effect: effect | SYSTEM == SYSTEM | SUBJECT,
    "share of query:subject": lambda effect: effect | SYSTEM == SYSTEM | QUERY | SUBJECT,
    "share of replicates": lambda effect: bool(effect & REPLICATE),
}


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient with its interval; NaN where nothing varies."""

    name: str
    value: float
    lower: float
    upper: float


def coefficients_of(
    effects: tuple[int, ...],
    components: Floats,
    draws: Floats,
    panel: Floats,
    level: float,
    differences: Floats | None = None,
) -> tuple[Coefficient, ...]:
    """Coefficients of a panel; none without several systems.

    Parameters
    ----------
    effects : tuple of int
    components : (effects,) float
        Not negative.
    draws : (points, effects) float
        Of the components' distribution.
    panel : (effects,) float
        Factors of the components in the variance of a system's mean.
    level : float
    differences : (effects,) float, optional
        Half the factors in the variance of a difference between systems; by default those of the
        panel, and 0 of what systems have in common.
    """
    if SYSTEM not in effects:
        return ()
    if differences is None:
        differences = np.where(np.array(effects) & SYSTEM, panel, 0.0)
    points = np.vstack([components, draws])
    of_mean, both = points * panel, points * differences
    signal = both[:, effects.index(SYSTEM)]  # (1 + points,)
    error = _sum(both, effects, lambda effect: effect != SYSTEM)
    every = _sum(of_mean, effects, lambda effect: effect != SYSTEM)
    out = {
        RELATIVE: divide(signal, signal + error, fill=np.nan),
        ABSOLUTE: divide(signal, signal + every, fill=np.nan),
    }
    shares = {
        name: divide(_sum(both, effects, part), error, fill=np.nan)
        for name, part in SHARES.items()
        if any(part(effect) for effect in effects)
    }
    if len(shares) > 1:
        out |= shares
        if any(effect & SUBJECT for effect in effects):
            by_people = _sum(both, effects, _is_of_people)
            out[DISAGREEMENT] = divide(by_people, error, fill=np.nan)
    return tuple(
        Coefficient(name, float(values[0]), *interval(values[1:], level))
        for name, values in out.items()
    )


def interval(draws: Floats, level: float) -> tuple[float, float]:
    """Central interval of the draws that are defined, NaN without any."""
    known = draws[~np.isnan(draws)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _is_of_people(effect: int) -> bool:
    return bool(effect & SUBJECT) and not effect & REPLICATE


def _sum(parts: Floats, effects: tuple[int, ...], chosen: Callable[[int], bool]) -> Floats:
    """Sum of some effects' parts of a variance: (points,)."""
    places = [place for place, effect in enumerate(effects) if chosen(effect)]
    return np.asarray(parts[:, places].sum(axis=1))

"""Generalizability coefficients of a panel, and what a difference between systems varies by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM
from fuzzytruth.core.validation import option_number
from fuzzytruth.errors import OptionError, nearest, shown, shown_all

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


#: components that say how systems differ: of each, whether it is divided by queries, by subjects
#: and by replicates
_OF_SYSTEMS = {
    "system:query": (True, False, False),
    "system:subject": (False, True, False),
    "system:query:subject": (True, True, False),
    "replicate": (False, False, True),
    "replicate:query": (True, False, True),
    "replicate:subject": (False, True, True),
    "residual": (True, True, True),
}
#: those that all systems have in common
_OF_ALL = {
    "query": (True, False, False),
    "subject": (False, True, False),
    "query:subject": (True, True, False),
    "subject(query)": (True, True, False),
}
KNOWN = ("system", *_OF_ALL, *_OF_SYSTEMS)
_REPLICATES = ("replicate", "replicate:query", "replicate:subject")
#: parts of a variance: over queries, subjects, pairs of both, neither
PARTS = ((True, False), (False, True), (True, True), (False, False))


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Variance components.

    Parameters
    ----------
    names : tuple of str
    value : (components,) float
        From 0.
    draws : (points, components) float or None
        Of their distribution given the pilot; None where they were assumed.
    has_subjects : bool
        Whether a query has a value for each of several subjects.
    nested : bool
        Whether each query has subjects of its own.
    """

    names: tuple[str, ...]
    value: Floats
    draws: Floats | None
    has_subjects: bool
    nested: bool = False
    by_name: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        pairs = zip(self.names, self.value.tolist(), strict=True)
        object.__setattr__(self, "by_name", dict(pairs))

    @classmethod
    def assumed(cls, given: Any, *, subjects: bool) -> Components:
        """Components as a user assumes them; `subjects`: whether the plan has any.

        Raises
        ------
        OptionError
            They are no mapping of known components to variances.
        """
        if not isinstance(given, Mapping) or not given:
            raise OptionError(
                f"components={shown(given)}: must be {{component: variance}}, such as "
                "{'system:query': 0.02, 'residual': 0.05}"
            )
        for name in given:
            if name not in KNOWN:
                near = nearest(str(name), KNOWN)
                raise OptionError(
                    f"components: {shown(name)} is no component{near}; they are {shown_all(KNOWN)}"
                )
        value = [option_number(f"components[{name!r}]", one) for name, one in given.items()]
        for name, one in zip(given, value, strict=True):
            if one < 0:
                raise OptionError(f"components[{name!r}]={one:g}: a variance must be 0 or more")
        named = any("subject" in name for name in given)
        nested = "subject(query)" in given
        if nested and any(name in given for name in ("subject", "system:subject", "query:subject")):
            raise OptionError(
                "components: 'subject(query)' is of subjects within queries, and the others of "
                "subjects who judged all queries; give one or the other"
            )
        return cls(tuple(given), np.array(value), None, named or subjects, nested)

    @property
    def has_replicates(self) -> bool:
        """Whether replicates of a system are told apart."""
        return any(name in _REPLICATES for name in self.names)

    def shares(self, replicates: int, *, of_all: bool) -> Floats:
        """What each component is multiplied by in each part of a variance: (parts, components).

        `of_all`: of a system's mean, not of its difference from another one's.
        """
        known = _OF_SYSTEMS | (_OF_ALL if of_all else {})
        out = np.zeros((len(PARTS), len(self.names)))
        for j, name in enumerate(self.names):
            if name not in known:
                continue
            by_query, by_subject, by_replicate = known[name]
            if name == "residual" and not self.has_replicates:
                by_replicate = False
            by_subject &= self.has_subjects
            out[PARTS.index((by_query, by_subject)), j] = 1 / replicates if by_replicate else 1.0
        return out

    def system(self) -> Floats:
        """Which component is that of the systems: (components,)."""
        return np.array([float(name == "system") for name in self.names])

    def limit(self, shares: Floats, side: int, level: float) -> float:
        """End of the central interval of a sum of components: the upper (1) or lower one (-1)."""
        if self.draws is None:
            return float(shares @ self.value)
        return float(np.quantile(self.draws @ shares, (1 + side * level) / 2))

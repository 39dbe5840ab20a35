"""Verdicts about pairs of systems, without each subject or group of them in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.stats.corrections import adjust
from fuzzytruth.stats.estimates import Estimates, estimate
from fuzzytruth.stats.multiplicity import LABELS, MAX_T, NONE, SIGN_FLIPS, Family, significant
from fuzzytruth.stats.observations import Observations

#: how a verdict changes, by number
CHANGES = ("", "lost", "gained", "reversed", "undefined")


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Differences of pairs, and which are significant.

    Parameters
    ----------
    difference, p_adjusted : (..., pairs) float
        NaN where a pair has no query in common.
    verdict : (..., pairs) int
        1 or -1: the difference is significantly above or below 0; 0: neither is shown.
    known : (..., pairs) bool
        Whether there is a difference with a standard error.
    """

    difference: Floats
    p_adjusted: Floats
    verdict: NDArray[np.int8]
    known: Bools

    def changes(self, other: Verdicts) -> Ints:
        """How the verdicts become those of `other`, by their places in `CHANGES`."""
        before, after = self.verdict, other.verdict
        none = self.known & ~other.known
        cases = [none, before == after, after == 0, before == 0]
        return np.select(cases, [4, 0, 1, 2], 3)


def verdicts_of(family: Family) -> Verdicts:
    """Verdicts of a family, each measure adjusted by itself: (measures, pairs)."""
    parts = []
    for single in family.split():
        found = estimate(single.observed[0], single.pairs, single.over)
        p = _adjusted_p(single, found)
        sign = np.where(significant(p, single.level), np.sign(found.value), 0.0)
        known = ~np.isnan(found.value) & ~np.isnan(found.std_error)
        parts.append((found.value, p, np.nan_to_num(sign).astype(np.int8), known))
    return Verdicts(*(np.stack(part) for part in zip(*parts, strict=True)))


def _adjusted_p(family: Family, found: Estimates) -> Floats:
    """Adjusted p of one measure's pairs; intervals, which take longer, only where p needs them."""
    if family.correction in (MAX_T, SIGN_FLIPS, LABELS):
        return family.adjusted([found])[0][2]
    p = found.p_value(family.alternative)
    return p if family.correction == NONE else adjust(p, family.correction, level=family.level)


def verdicts_without(
    family: Family, of_subject: Ints, n_units: int, progress: Callable[[float], object] | None
) -> Verdicts:
    """Verdicts without each unit, by the same test and correction: (units, measures, pairs).

    Parameters
    ----------
    family : Family
    of_subject : (subjects,) int
        The unit of each subject.
    n_units : int
    progress : callable, optional
        Progress callback, given the finished fraction.
    """
    parts = []
    for unit in range(n_units):
        stays = of_subject != unit
        observed = tuple(_without(one, stays) for one in family.observed)
        parts.append(verdicts_of(replace(family, observed=observed)))
        if progress is not None:
            progress((unit + 1) / n_units)
    return Verdicts(
        np.stack([part.difference for part in parts]),
        np.stack([part.p_adjusted for part in parts]),
        np.stack([part.verdict for part in parts]),
        np.stack([part.known for part in parts]),
    )


def _without(observed: Observations, stays: NDArray[np.bool_]) -> Observations:
    """The values of some subjects (subjects,), and of the queries that they judged."""
    kept = observed.of_cells(stays[observed.cells.subject_codes])
    return replace(kept, cells=kept.cells.compressed())

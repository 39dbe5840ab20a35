"""The least number of queries that meets all targets, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, log

from scipy.special import ndtri

from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets
from fuzzytruth.core.least_number import least_enough

#: targets count as met within rounding
_ROUNDING = 1e-9
#: the most subjects that are tried where few are not enough
MOST_SUBJECTS = 10_000

MET, FLOOR, MORE, COSTLY, PAID = (
    "met",
    "too few subjects",
    "too few queries",
    "over budget",
    "within budget",
)


@dataclass(frozen=True, slots=True)
class Planned:
    """A row of the plan.

    Parameters
    ----------
    design : Design or None
        None where no number of queries is enough.
    least, most : Design or None
        The same for the favourable and the unfavourable end of the components.
    status : str
    """

    subjects: int
    replicates: int
    design: Design | None
    least: Design | None
    most: Design | None
    status: str


def excess(
    estimator: Estimator, targets: Targets, design: Design, side: int = 0, level: float = 0.95
) -> float:
    """By how much a design misses the target that it misses most; 0 or less: it meets all.

    `side`: at the unfavourable (1) or favourable (-1) end of an interval of the components.
    """
    ratio = estimator.ratio(design, side, level) if side else 1.0
    if ratio == inf:
        return inf
    out = -inf
    if targets.half_width is not None or targets.difference is not None:
        errors = estimator.errors(design)
        if targets.half_width is not None:
            out = max(out, _log_ratio(errors.half_width * ratio**0.5, targets.half_width))
        if targets.difference is not None and targets.power is not None:
            power = errors.power(targets.difference / ratio**0.5 if ratio > 0 else inf)
            out = max(out, float(ndtri(targets.power) - ndtri(power)))
    if targets.coefficient is not None:
        out = max(out, estimator.excess_error(design, targets.coefficient, side, level))
    return out - _ROUNDING


def floor_excess(estimator: Estimator, targets: Targets, design: Design) -> float:
    """The same with infinitely many queries, of half-width and power."""
    errors = estimator.limit(design)
    out = -inf
    if targets.half_width is not None:
        out = max(out, _log_ratio(errors.half_width, targets.half_width))
    if targets.difference is not None and targets.power is not None:
        out = max(out, float(ndtri(targets.power) - ndtri(errors.power(targets.difference))))
    if targets.coefficient is not None:
        far = replace(design, queries=10**12)
        out = max(out, estimator.excess_error(far, targets.coefficient))
    return out - _ROUNDING


def least_queries(
    estimator: Estimator, targets: Targets, start: Design, queries: Sequence[int], level: float
) -> Planned:
    """The least numbers of queries for some subjects and replicates."""

    def find(side: int) -> Design | None:
        found = least_enough(
            queries, lambda n: excess(estimator, targets, replace(start, queries=n), side, level)
        )
        return None if found is None else replace(start, queries=found)

    best = find(0)
    least = most = None
    if estimator.components.draws is not None:
        least, most = find(-1), find(1)
    status = MET
    if best is None:
        status = FLOOR if floor_excess(estimator, targets, start) > 0 else MORE
    return Planned(start.subjects, start.replicates, best, least, most, status)


def most_queries(
    costs: Costs, budget: float, start: Design, queries: Sequence[int], *, nested: bool
) -> Planned:
    """The most queries that a budget pays for."""

    def pays(n: int) -> bool:
        return costs.of(replace(start, queries=n), nested=nested) <= budget * (1 + _ROUNDING)

    low, high = -1, len(queries)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if pays(queries[middle]) else (low, middle)
    design = None if low < 0 else replace(start, queries=queries[low])
    status = COSTLY if design is None else PAID
    return Planned(start.subjects, start.replicates, design, None, None, status)


def least_subjects(estimator: Estimator, targets: Targets, replicates: int) -> int | None:
    """The least subjects with which some number of queries is enough; None: more than many."""
    return least_enough(
        range(1, MOST_SUBJECTS + 1),
        lambda n: floor_excess(estimator, targets, Design(1, n, replicates)),
    )


def _log_ratio(value: float, target: float) -> float:
    if value <= 0:
        return -inf
    return log(value / target) if value < inf else inf

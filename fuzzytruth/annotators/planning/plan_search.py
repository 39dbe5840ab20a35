"""The least number of queries that meets all targets, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log

from scipy.special import ndtri

from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets

# The least of many ordered numbers that is enough.


def least_enough(numbers: Sequence[int], excess: Callable[[int], float]) -> int | None:
    """The first of ascending positive numbers at which `excess` is 0 or less; None if none is.

    `excess` falls from each number to the next. It is interpolated over the logarithm of the
    numbers, every other step halves their logarithms instead, and the answer is exact: its excess
    is 0 or less, and that of the number before is not.

    Examples
    --------
    >>> least_enough(range(1, 1000), lambda n: 100 - n * n), least_enough([1, 2], lambda n: 1)
    (10, None)
    """
    low, high = -1, len(numbers) - 1  # what is before the first is not enough
    if high < 0:
        return None
    at_high = excess(numbers[high])
    if not at_high <= 0:
        return None
    at_low, halve = inf, False
    while high - low > 1:
        share = 0.5
        if not halve and isfinite(at_low) and isfinite(at_high):
            share = at_low / (at_low - at_high)
        middle = _between(numbers, low, high, share)
        value = excess(numbers[middle])
        if value <= 0:
            high, at_high = middle, value
        else:
            low, at_low = middle, value
        halve = not halve
    return numbers[high]


def _between(numbers: Sequence[int], low: int, high: int, share: float) -> int:
    """Index about so far between two others, by the logarithm of the numbers."""
    first, last = log(numbers[max(low, 0)]), log(numbers[high])
    wanted = first + share * (last - first)
    left, right = low + 1, high - 1
    while left < right:
        middle = (left + right) // 2
        if log(numbers[middle]) < wanted:
            left = middle + 1
        else:
            right = middle
    return left


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

"""What a design of a collection would give: half-widths, power, coefficients and costs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, inf, isfinite, log, prod
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd, special
from fuzzytruth._typing import Floats
from fuzzytruth.annotators.planning.plan_components import PARTS, Components
from fuzzytruth.core import student
from fuzzytruth.errors import DegenerateWarning, OptionError, warn
from fuzzytruth.stats.settings import Over

# Intervals and tests of data that are not yet there: what to expect of their half-widths.
#
# Scores are normal, tables complete. The half-width of an interval then depends on the future sums
# of squares alone, which are variances times independent χ²; and the estimate is independent of
# them. Expectations are sums over nodes of the χ², by Gauss-Hermite quadrature of their normal
# scores. An interval over queries and subjects is the generalised pivotal one (`core.pivotal`),
# which is a quadrature of its own at each node.


#: most degrees of freedom, and nodes, of the future sums of squares of queries, subjects, the rest
_FUTURE = (
    ((2, 6), (4, 5), (np.inf, 4)),
    ((2, 10), (4, 7), (9, 5), (np.inf, 4)),
    ((9, 4), (np.inf, 2)),
)
#: most degrees of freedom, and step of the finer nodes that half-widths are interpolated to; where
#: these end
_FINE = ((2, 0.05), (9, 0.1), (np.inf, 0.0))
_END = 4.25
#: step and end of the nodes of one χ² alone
_ALONE = (0.05, 7.0)
#: nodes of the pivotal χ² of queries and of the rest
_PIVOTAL = (6, 4)
#: distance of the nodes of the subjects' one, by its degrees of freedom, and where they end
_STEPS = ((1, 0.3, 7.2), (4, 0.5, 7.0), (8, 0.75, 6.75), (np.inf, 1.0, 6.0))
#: the same for queries, where these are as few; collections have more
_STEPS_OF_FEW = ((1, 0.5, 7.0), (4, 0.8, 6.4))
_SMALLEST = 1e-150
_STEPS_AT_MOST = 50
_CONVERGED = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class FutureErrors:
    """The errors of an estimate of data to come, and the half-widths of its interval.

    Parameters
    ----------
    variance : float
        Of the estimate.
    half : (nodes,) float
        Half-widths; infinite where there are no degrees of freedom.
    weight : (nodes,) float
        Their probabilities.
    alpha : float
        1 - level of the interval.
    """

    variance: float
    half: Floats
    weight: Floats
    alpha: float

    @property
    def half_width(self) -> float:
        """The expected half-width."""
        return float(self.half @ self.weight)

    def power(self, difference: float) -> float:
        """Probability that the interval of a true difference excludes 0.

        A difference of 0 has no power, and one without variance has all.
        """
        if not np.isfinite(self.half).all() or difference == 0:
            return 0.0
        if self.variance <= 0:
            return 1.0
        error = np.sqrt(self.variance)
        above = special.ndtr((abs(difference) - self.half) / error)
        below = special.ndtr((-abs(difference) - self.half) / error)
        return float((above + below) @ self.weight)


def student_errors(variance: float, df: int, alpha: float) -> FutureErrors:
    """Errors of a mean with Student's interval; `variance` is the mean's."""
    if df <= 0:
        return _without_end(variance, alpha)
    chi2, weight = _even_chi2(float(df), *_ALONE)
    half = student.quantile(1 - alpha, df) * np.sqrt(variance * chi2 / df)
    return FutureErrors(variance, half, weight, alpha)


@lru_cache(maxsize=256)
def crossed_errors(
    query: float, subject: float, residual: float, queries: int, subjects: int, alpha: float
) -> FutureErrors:
    """Errors of a mean over queries and subjects, both random, of a complete table.

    Parameters
    ----------
    query, subject, residual : float
        Variances: of y_qs = μ + α_q + β_s + ε_qs.
    queries, subjects : int
    alpha : float
    """
    variance = query / queries + subject / subjects + residual / (queries * subjects)
    df = (queries - 1, subjects - 1, (queries - 1) * (subjects - 1))
    if min(df) <= 0 or not np.isfinite(variance):
        return _without_end(variance, alpha)
    if variance <= 0:
        return FutureErrors(0.0, np.zeros(1), np.ones(1), alpha)
    unit = variance * queries * subjects  # whose multiples neither overflow nor vanish
    squares = [
        (residual + subjects * query) / unit,
        (residual + queries * subject) / unit,
        residual / unit,
    ]
    counts = [next(n for most, n in each if d <= most) for d, each in zip(df, _FUTURE, strict=True)]
    nodes = [hermite_chi2(float(d), n) for d, n in zip(df, counts, strict=True)]
    grid = np.meshgrid(*(s * n[0] for s, n in zip(squares, nodes, strict=True)), indexing="ij")
    half = _half_widths([one.ravel() for one in grid], df, alpha) * np.sqrt(variance)
    return FutureErrors(variance, *_finer(half, counts, df, nodes[2][1]), alpha)


def _finer(
    half: Floats, counts: Sequence[int], df: tuple[int, int, int], weight: Floats
) -> tuple[Floats, Floats]:
    """Half-widths at more nodes of queries and subjects, on which power depends steeply.

    `half` is at (queries, subjects, rest) nodes, whose numbers are `counts`; `weight` is of the
    last.
    """
    (to_q, of_q), (to_s, of_s) = (
        _interpolation(count, next(step for most, step in _FINE if d <= most))
        for count, d in zip(counts[:2], df[:2], strict=True)
    )
    coarse = np.log(half).reshape(counts)
    fine = np.exp(np.einsum("aq,bs,qse->abe", to_q, to_s, coarse, optimize=True))
    return fine.ravel(), np.einsum("a,b,e->abe", of_q, of_s, weight).ravel()


@lru_cache(maxsize=32)
def _interpolation(count: int, step: float) -> tuple[Floats, Floats]:
    """Factors that interpolate a polynomial from Hermite nodes to even ones, and their weights.

    A step of 0 leaves the nodes as they are.
    """
    coarse, weight = np.polynomial.hermite_e.hermegauss(count)
    if not step:
        return np.eye(count), weight / weight.sum()
    fine = np.arange(-_END, _END + step / 2, step)
    same = np.eye(count, dtype=bool)
    apart = np.where(same, 1.0, coarse[:, None] - coarse)
    ratios = np.where(same, 1.0, (fine[:, None, None] - coarse) / apart)  # (fine, coarse, others)
    weight = np.exp(-fine * fine / 2)
    return ratios.prod(axis=2), weight / weight.sum()


def _half_widths(squares: list[Floats], df: tuple[int, int, int], alpha: float) -> Floats:
    """Half-widths for future sums of squares (rows,) each, in units of the root of a variance."""
    (u_q, w_q), (u_s, w_s) = _pivotal_chi2(df[0], _STEPS_OF_FEW), _pivotal_chi2(df[1], _STEPS)
    u_e, w_e = hermite_chi2(float(df[2]), _PIVOTAL[1])
    q, s, e = (
        one[:, None] / u for one, u in zip(squares, (u_q, u_s, u_e), strict=True)
    )  # (rows, nodes of each)
    from_q = np.maximum(q[:, :, None] - e[:, None, :], 0.0)
    from_s = np.maximum(s[:, :, None] - e[:, None, :], 0.0) + e[:, None, :]
    variance = (from_q[:, :, None, :] + from_s[:, None, :, :]).reshape(len(q), -1)
    std = np.sqrt(np.maximum(variance, _SMALLEST))
    weight = np.einsum("i,j,k->ijk", w_q, w_s, w_e).ravel()
    size = np.sqrt(sum(one / d for one, d in zip(squares, df, strict=True)))
    return _quantiles(std, weight, alpha, size * student.quantile(1 - alpha, min(df)))


@np.errstate(divide="ignore", invalid="ignore", under="ignore")
def _quantiles(std: Floats, weight: Floats, alpha: float, start: Floats) -> Floats:
    """Sizes that |X| reaches with probability `alpha`, X being mixtures of normal laws: (rows,).

    By Newton's method on log P(|X| ≥ size), which is concave in log size, or nearly. That of
    `NormalMixtures` is exact to more digits, and takes several times as long.
    """
    x = np.log(start)
    for _ in range(_STEPS_AT_MOST):
        z = np.exp(x)[:, None] / std
        p = 2 * (special.ndtr(-z) @ weight)
        slope = 2 / np.sqrt(2 * np.pi) * ((np.exp(-z * z / 2) * z) @ weight)  # -dp / dx
        step = p * np.log(p / alpha) / slope
        step = np.clip(np.nan_to_num(step, nan=-1.0), -1.0, 1.0)
        x = x + step
        if np.abs(step).max(initial=0.0) < _CONVERGED:
            break
    return np.asarray(np.exp(x))


def _pivotal_chi2(df: int, steps: tuple[tuple[float, float, float], ...]) -> tuple[Floats, Floats]:
    """Nodes of a pivotal χ², many in the tails where its degrees of freedom are few."""
    for most, step, end in steps:
        if df <= most:
            return _even_chi2(float(df), step, end)
    return hermite_chi2(float(df), _PIVOTAL[0])


@lru_cache(maxsize=1024)
def hermite_chi2(df: float, count: int) -> tuple[Floats, Floats]:
    """χ² at Gauss-Hermite nodes of its normal score, and their weights.

    Examples
    --------
    >>> chi2, weight = hermite_chi2(3.0, 6)
    >>> round(float(chi2 @ weight), 3), round(float(weight.sum()), 12)
    (3.0, 1.0)
    """
    z, weight = np.polynomial.hermite_e.hermegauss(count)
    return _chi2_of_score(df, z), weight / weight.sum()


@lru_cache(maxsize=1024)
def _even_chi2(df: float, step: float, end: float) -> tuple[Floats, Floats]:
    """χ² at even nodes of its normal score, which reach far into the tails."""
    z = np.arange(-end, end + step / 2, step)
    weight = np.exp(-z * z / 2)
    return _chi2_of_score(df, z), weight / weight.sum()


def _chi2_of_score(df: float, z: Floats) -> Floats:
    """The χ² below which lies as much as a normal variable has below z."""
    below = special.gammaincinv(df / 2, special.ndtr(np.minimum(z, 0.0)))
    above: Any = special.gammainccinv(df / 2, special.ndtr(-np.maximum(z, 0.0)))
    return np.asarray(2 * np.where(z < 0, below, above))


def _without_end(variance: float, alpha: float) -> FutureErrors:
    """Those of one unit, or of an unknown variance: an interval that is the whole line."""
    return FutureErrors(float(variance), np.full(1, np.inf), np.ones(1), alpha)


@dataclass(frozen=True, slots=True)
class Design:
    """Numbers of queries, of subjects a query, and of replicates of each system."""

    queries: int
    subjects: int = 1
    replicates: int = 1


@dataclass(frozen=True, slots=True)
class Targets:
    """What a design has to meet; None: not asked for.

    Parameters
    ----------
    half_width : float or None
        Largest expected half-width.
    difference, power : float or None
        A true difference, and the least probability that it is significant.
    coefficient : float or None
        Least coefficient.
    """

    half_width: float | None = None
    difference: float | None = None
    power: float | None = None
    coefficient: float | None = None

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return {self.half_width, self.difference, self.coefficient} != {None}


@dataclass(frozen=True, slots=True)
class Costs:
    """What judgments, subjects and queries cost."""

    judgment: float = 0.0
    subject: float = 0.0
    query: float = 0.0
    judgments_per_query: float = 1.0

    @property
    def any(self) -> bool:
        """Whether anything costs."""
        return self.judgment > 0 or self.subject > 0 or self.query > 0

    def judgments(self, design: Design) -> float:
        """Number of judgments."""
        return design.queries * design.subjects * self.judgments_per_query

    def of(self, design: Design, *, nested: bool) -> float:
        """Cost of a design; without any price, its judgments."""
        if not self.any:
            return self.judgments(design)
        people = design.subjects * (design.queries if nested else 1)
        return (
            self.judgment * self.judgments(design)
            + self.subject * people
            + self.query * design.queries
        )


@dataclass(frozen=True, slots=True, eq=False)
class Estimator:
    """What is estimated, from which components.

    Parameters
    ----------
    components : Components
    of_all : bool
        A system's mean, and not the difference of two.
    over : tuple of str
    alpha : float
        1 - level of each interval, corrected for the size of the family.
    absolute : bool
        Which coefficient.
    n_systems : int
        In the study.
    """

    components: Components
    of_all: bool
    over: Over
    alpha: float
    absolute: bool = False
    n_systems: int | None = None

    @property
    def by_query(self) -> bool:
        """Whether queries alone are random, or subjects with their query."""
        return "query" in self.over and ("subject" not in self.over or self.components.nested)

    @property
    def factor(self) -> float:
        """Systems in the estimate."""
        return 1.0 if self.of_all else 2.0

    @property
    def with_runs(self) -> bool:
        """Whether the runs of systems are random."""
        return "replicate" in self.over

    def errors(self, design: Design) -> FutureErrors:
        """The errors of the estimate and the half-widths of its interval."""
        if self.with_runs:
            return self._with_runs(design, design.queries)
        q, s, e, _ = self._parts(design)
        n, m = design.queries, design.subjects
        if self.by_query:
            return student_errors((q + e / m) / n, n - 1, self.alpha)
        if "query" not in self.over:
            return student_errors((s + e / n) / m, m - 1, self.alpha)
        return crossed_errors(q, s, e, n, m, self.alpha)

    def _with_runs(self, design: Design, n: float) -> FutureErrors:
        """Those over `n` queries, perhaps infinitely many, and runs."""
        from fuzzytruth.annotators.planning.planned_runs import errors_with_runs

        q, s, e, own = self._parts(design)
        of_q, of_s, of_e, _ = self.components.of_runs(design.replicates)
        m, own = design.subjects, own / self.factor
        inner = (of_q + of_e / m) / n
        if self.by_query:  # the subjects are fixed, or come with their query
            own, q, s, e, m = own + of_s / m, q + e / m, 0.0, 0.0, 1
        else:
            inner += of_s / m
        runs = own, inner, design.replicates
        systems = int(self.factor), self.n_systems or 2
        return errors_with_runs((q, s, e), (n, m), runs, systems, self.alpha)

    def variance(self, design: Design) -> float:
        """Variance of the estimate: that of its errors, without their half-widths."""
        return float(self.factor * self._shares(design, of_all=self.of_all) @ self.components.value)

    def limit(self, design: Design) -> FutureErrors:
        """The same with infinitely many queries."""
        if self.with_runs:
            return self._with_runs(design, inf)
        _, s, _, _ = self._parts(design)
        m = design.subjects
        if self.by_query:
            s, m = 0.0, 2
        return student_errors(s / m, m - 1, self.alpha)

    def ratio(self, design: Design, side: int, level: float) -> float:
        """Upper (1) or lower (-1) end of the variance of the estimate, over its value."""
        shares = self._shares(design, of_all=self.of_all)
        value = float(shares @ self.components.value)
        end = self.components.limit(shares, side, level)
        return end / value if value > 0 else 1.0 if end <= 0 else inf

    def excess_error(
        self, design: Design, coefficient: float, side: int = 0, level: float = 0.95
    ) -> float:
        """How much the errors exceed those of such a coefficient, in units of their variance.

        `side`: at the unfavourable (1) or favourable (-1) end of their interval.
        """
        error, universe = self._error_and_universe(design)
        shares = error - (1 - coefficient) / coefficient * universe
        value = float(shares @ self.components.value)
        if side:
            value = self.components.limit(shares, side, level)
        unit = float(error @ self.components.value)
        if unit > 0:
            return value / unit
        return inf if value > 0 else -inf

    def coefficient(self, design: Design) -> float:
        """Share of the variance of the means of systems that is not error; NaN without any."""
        error, universe = (x @ self.components.value for x in self._error_and_universe(design))
        return float(universe / (universe + error)) if universe + error > 0 else float("nan")

    def coefficient_limit(self, design: Design, side: int, level: float) -> float:
        """Upper (1) or lower (-1) end of the coefficient; NaN where components were assumed."""
        if self.components.draws is None:
            return float("nan")
        error, universe = (self.components.draws @ x for x in self._error_and_universe(design))
        some = universe + error > 0
        if not some.any():
            return float("nan")
        drawn = universe[some] / (universe[some] + error[some])
        return float(np.quantile(drawn, (1 + side * level) / 2))

    @property
    def knows_systems(self) -> bool:
        """Whether the components say how systems differ, which coefficients need."""
        return bool(self.components.system() @ self.components.value > 0)

    def _parts(self, design: Design) -> Floats:
        """Variances over queries, subjects, both, and of neither."""
        shares = self.components.shares(design.replicates, of_all=self.of_all)
        return np.asarray(self.factor * (shares @ self.components.value))

    def _shares(self, design: Design, *, of_all: bool) -> Floats:
        """Factors of the components in the variance of a mean, from what is random."""
        parts = self.components.shares(design.replicates, of_all=of_all)
        return np.asarray(self._weights(design, random=True) @ parts)

    def _error_and_universe(self, design: Design) -> tuple[Floats, Floats]:
        """Factors of the components in the error variance, and in that of systems' true means."""
        parts = self.components.shares(design.replicates, of_all=False)
        universe = self._weights(design, random=False) @ parts + self.components.system()
        return self._shares(design, of_all=self.absolute), np.asarray(universe)

    def _weights(self, design: Design, *, random: bool) -> Floats:
        """1 over the number of units of each part; 0 for those that are not (are) random."""
        axes = {"query", "subject"} if self.components.nested else {*self.over}
        size = {"query": design.queries, "subject": design.subjects}
        weights = [1 / prod(size[axis] for axis in part) for part in PARTS]
        chosen = [bool(part & axes if part else self.with_runs) == random for part in PARTS]
        return np.where(chosen, weights, 0.0)


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
    return bisect_left(numbers, first + share * (last - first), low + 1, high - 1, key=log)


#: targets count as met within rounding
_ROUNDING = 1e-9
#: the most subjects that are tried where few are not enough
MOST_SUBJECTS = 10_000

MET, FLOOR, MORE = "met", "too few subjects", "too few queries"
COSTLY, PAID = "over budget", "within budget"
#: columns of a plan that are predictions
_PREDICTED = ("judgments", "cost", "half_width", "power", "coefficient", "std_error")
#: multiples of the least subjects that can be enough, where the default ones are not
_MORE_SUBJECTS = (1, 1.2, 1.5, 2, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Planner:
    """Search for designs that meet targets, or that a budget pays for.

    Parameters
    ----------
    estimator : Estimator
    targets : Targets
    costs : Costs
    budget : float or None
    queries : sequence of int
        Numbers considered, ascending.
    level : float
        Of the intervals of a pilot's variance components.
    """

    estimator: Estimator
    targets: Targets
    costs: Costs
    budget: float | None
    queries: Sequence[int]
    level: float

    def excess(self, design: Design, side: int = 0) -> float:
        """By how much a design misses the target that it misses most; 0 or less: it meets all.

        With a `side` at that end of the interval of the variances.
        """
        ratio = self.estimator.ratio(design, side, self.level) if side else 1.0
        if ratio == inf:
            return inf
        return self._excess(self.estimator.errors, design, ratio, side)

    def floor_excess(self, design: Design) -> float:
        """The same with infinitely many queries."""
        return self._excess(self.estimator.limit, replace(design, queries=10**12))

    def _excess(
        self,
        errors_of: Callable[[Design], FutureErrors],
        design: Design,
        ratio: float = 1.0,
        side: int = 0,
    ) -> float:
        """Of all targets, with variances times a ratio."""
        out, targets = -inf, self.targets
        if targets.half_width is not None:
            half = errors_of(design).half_width * ratio**0.5
            far = log(half / targets.half_width) if 0 < half < inf else inf
            out = -inf if half <= 0 else far
        if targets.difference is not None and targets.power is not None:
            power = errors_of(design).power(targets.difference / ratio**0.5 if ratio > 0 else inf)
            out = max(out, float(special.ndtri(targets.power) - special.ndtri(power)))
        if targets.coefficient is not None:
            wanted = targets.coefficient
            out = max(out, self.estimator.excess_error(design, wanted, side, self.level))
        return out - _ROUNDING

    def least_queries(self, start: Design, side: int = 0) -> int | None:
        """The least number of queries for some subjects and replicates; None: none is enough.

        With a `side` as far as the variances at that end of their interval say.
        """
        return least_enough(self.queries, lambda n: self.excess(replace(start, queries=n), side))

    def most_queries(self, start: Design) -> int | None:
        """The most queries that the budget pays for; None: not even the fewest."""
        limit = (self.budget or 0.0) * (1 + _ROUNDING)
        paid = bisect_right(self.queries, limit, key=lambda n: self.cost(replace(start, queries=n)))
        return self.queries[paid - 1] if paid else None

    def least_subjects(self, replicates: int) -> int | None:
        """The least subjects with which some number of queries is enough; None: more than many."""
        numbers = range(1, MOST_SUBJECTS + 1)
        return least_enough(numbers, lambda n: self.floor_excess(Design(1, n, replicates)))

    def cost(self, design: Design) -> float:
        """What a design costs."""
        return self.costs.of(design, nested=self.estimator.components.nested)

    def predicted(self, design: Design, difference: float | None = None) -> dict[str, Any]:
        """What a design would give, by name; power by default to find the target difference."""
        estimator, unknown = self.estimator, float("nan")
        errors = estimator.errors(design)
        given = self.targets.difference if difference is None else difference
        return {
            "half_width": errors.half_width,
            "std_error": float(np.sqrt(errors.variance)),
            "power": unknown if given is None else errors.power(given),
            "coefficient": estimator.coefficient(design) if estimator.knows_systems else unknown,
            "judgments": self.costs.judgments(design),
            "cost": self.cost(design),
        }

    def check(self, starts: Sequence[Design]) -> None:
        """Raise where components do not say what is asked for, and warn where nothing varies."""
        estimator, coefficient = self.estimator, self.targets.coefficient
        several = any(one.replicates > 1 for one in starts)
        if several and not estimator.components.has_replicates:
            raise OptionError(
                "replicates: nothing says how replicates of a system differ; give a pilot with "
                "replicate_of=, or components 'replicate', 'replicate:query', ..."
            )
        if coefficient is not None and not estimator.knows_systems:
            raise OptionError(
                f"coefficient={coefficient:g}: the variance of systems is 0 or not known; "
                "coefficients take a component 'system' above 0"
            )
        if not estimator.variance(Design(2, 2, 1)) > 0:
            warn(
                "all variances that errors consist of are 0: any number of queries will do; plan "
                "from a pilot where scores vary",
                DegenerateWarning,
            )

    def with_enough(self, starts: Sequence[Design]) -> Sequence[Design]:
        """Numbers of subjects by default, and where all are too few some that are enough."""
        if not (self.targets.any and self.estimator.components.has_subjects):
            return starts
        out, most = list(starts), max(one.subjects for one in starts)
        for replicates in sorted({one.replicates for one in starts}):
            least = self.least_subjects(replicates)
            if least is not None and least > most:
                more = {ceil(least * factor) for factor in _MORE_SUBJECTS}
                out += [Design(1, n, replicates) for n in sorted(more)]
        return out

    def table(self, starts: Sequence[Design]) -> pd.DataFrame:
        """See `Plan.table`: a row for each number of subjects and replicates."""
        rows, any_target = [], self.targets.any
        for start in starts:
            least = most = None
            if any_target:
                found, status = self.least_queries(start), MET
                if self.estimator.components.draws is not None:
                    least, most = self.least_queries(start, -1), self.least_queries(start, 1)
                if found is None:
                    status = FLOOR if self.floor_excess(start) > 0 else MORE
            else:
                found = self.most_queries(start)
                status = COSTLY if found is None else PAID
            numbers = dict.fromkeys(_PREDICTED, float("nan"))
            if found is not None:
                numbers = self.predicted(replace(start, queries=found))
            if status == MET and self.budget is not None and numbers["cost"] > self.budget:
                status = COSTLY
            rows.append(
                {"subjects": start.subjects, "replicates": start.replicates, "queries": found}
                | {"lower": least, "upper": most}
                | {name: numbers[name] for name in _PREDICTED}
                | {"floor": self.estimator.limit(start).half_width, "status": status}
            )
        table = pd.DataFrame(rows).astype(dict.fromkeys(("queries", "lower", "upper"), "Int64"))
        if (table["judgments"].dropna() % 1 == 0).all():
            table["judgments"] = table["judgments"].astype("Int64")
        by = ["cost", "half_width"] if any_target else ["half_width", "cost"]
        within = table[table["queries"].notna() & (table["status"] != COSTLY)]
        first = within.sort_values(by, kind="stable").index[:1]
        return table.assign(best=table.index.isin(first))

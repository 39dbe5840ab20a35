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
from fuzzytruth.annotators.planning import future_errors
from fuzzytruth.annotators.planning.future_errors import FutureErrors, hermite_chi2
from fuzzytruth.annotators.planning.plan_components import PARTS, Components
from fuzzytruth.core.bootstrap_maxima import MIN_VARIANCES
from fuzzytruth.core.pivotal import CrossedSquares, Variances, chi2_nodes, error_mixtures, scaled
from fuzzytruth.errors import DegenerateWarning, OptionError, warn
from fuzzytruth.stats.settings import Over


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

    def check(self, budget: float | None, of: str) -> None:
        """Raise if there is neither a target nor a budget, or one that is not `of` the estimate."""
        if not self.any and budget is None:
            raise OptionError(
                "plan: name a target: half_width=, difference=, coefficient= or budget="
            )
        if of == "mean" and self.difference is not None:
            raise OptionError(
                f"difference={self.difference:g}: is of two systems, and of='mean' plans for one; "
                "use half_width="
            )

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
    n_systems : int or None
        In the family, whose runs steady each other; None: a single interval.
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

    def errors(self, design: Design) -> future_errors.FutureErrors:
        """The errors of the estimate and the half-widths of its interval."""
        if self.with_runs:
            return self._with_runs(design, design.queries)
        q, s, e, _ = self._parts(design)
        n, m = design.queries, design.subjects
        if self.by_query:
            return future_errors.student_errors((q + e / m) / n, n - 1, self.alpha)
        if "query" not in self.over:
            return future_errors.student_errors((s + e / n) / m, m - 1, self.alpha)
        return future_errors.crossed_errors(q, s, e, n, m, self.alpha)

    def _with_runs(self, design: Design, n: float) -> future_errors.FutureErrors:
        """Those over `n` queries, perhaps infinitely many, and runs."""
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

    def limit(self, design: Design) -> future_errors.FutureErrors:
        """The same with infinitely many queries."""
        if self.with_runs:
            return self._with_runs(design, inf)
        _, s, _, _ = self._parts(design)
        m = design.subjects
        if self.by_query:
            s, m = 0.0, 2
        return future_errors.student_errors(s / m, m - 1, self.alpha)

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
        errors_of: Callable[[Design], future_errors.FutureErrors],
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
        if any(one.replicates > 1 for one in starts) and not estimator.components.has_replicates:
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


# Numbers of a plan as they are shown.


def number(value: Any) -> str:
    """A number, whole from 100 on; a dash where there is none."""
    if pd.isna(value):
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 100 else f"{value:,.2f}"


def range_text(low: Any, high: Any) -> str:
    """An interval of numbers of queries, without an upper end where no number is enough."""
    return "–" if pd.isna(low) else f"[{number(low)}, {'∞' if pd.isna(high) else number(high)}]"


# What runs of systems add to the errors of data to come.

_BASE, _RUNS = 4, 5  # nodes of future sums of squares
_BINS = 96


@lru_cache(maxsize=256)
def errors_with_runs(
    parts: tuple[float, float, float],
    sizes: tuple[float, int],
    runs: tuple[float, float, int],
    systems: tuple[int, int],
    alpha: float,
) -> FutureErrors:
    """Errors of a mean over queries, subjects perhaps, and the runs of each system.

    Parameters
    ----------
    parts : (float, float, float)
        Variances over queries, subjects and both of y_qs = μ + α_q + β_s + ε_qs.
    sizes : (float, int)
        Numbers of queries (perhaps infinite) and of subjects; 1 subject: these are fixed, or come
        with their query.
    runs : (float, float, int)
        What runs add to the variance of a system's mean, what their interactions have in it, and
        their number.
    systems : (int, int)
        How many are in the estimate, and in the study, where three or more of three runs or more
        steady each other.
    alpha : float
    """
    (own, inner, n_runs), (in_estimate, n_systems) = runs, systems
    base, weight, variance = _without_runs(parts, sizes)
    variance += in_estimate * own
    if n_runs < 2 or not len(weight):
        return FutureErrors(variance, np.full(1, np.inf), np.ones(1), alpha)
    if variance <= 0:
        return FutureErrors(0.0, np.zeros(1), np.ones(1), alpha)
    prior = n_runs - 1 if n_systems >= MIN_VARIANCES and n_runs > 2 else 0
    chi2, chance = hermite_chi2(n_runs - 1.0, _RUNS)
    inverse, share = chi2_nodes(n_runs - 1.0 + prior)
    of_runs = np.maximum((own + inner) * (chi2 + prior)[:, None] * inverse - inner, 0.0)
    part = Variances(of_runs, np.broadcast_to(share, of_runs.shape))
    if in_estimate == 2:
        a, b = np.triu_indices(len(chi2))
        part = part.take(a).plus(part.take(b))
        chance = chance[a] * chance[b] * np.where(a == b, 1, 2)
    rows = np.indices((len(weight), len(chance))).reshape(2, -1)
    half = base.take(rows[0]).plus(part.take(rows[1]), _BINS).mixtures().quantile(alpha)
    return FutureErrors(variance, half, weight[rows[0]] * chance[rows[1]], alpha)


def _without_runs(
    parts: tuple[float, float, float], sizes: tuple[float, int]
) -> tuple[Variances, Floats, float]:
    """Variances over queries and subjects at nodes, their probabilities, and their expectation.

    No nodes where a single unit tells nothing.
    """
    (query, subject, both), (n, m) = parts, sizes
    alone = m < 2  # queries alone are random
    variance = query / n + both / (n * m) + (0.0 if alone else subject / m)
    df_q, df_s = n - 1.0, m - 1.0
    if df_q <= 0:
        return Variances.zero(0), np.zeros(0), variance
    if variance <= 0:
        return Variances.zero(1), np.ones(1), 0.0
    if alone or np.isinf(n):
        df = df_q if alone else df_s
        chi2, weight = hermite_chi2(df, _BASE)
        return scaled(variance * chi2, df), weight, variance
    chi2, weight = hermite_chi2(df_s, _BASE)
    ones = np.ones(len(chi2))
    squares = CrossedSquares(
        (both + m * query) * df_q * ones,
        (both + n * subject) * chi2,
        both * df_q * df_s * ones,
        (df_q, df_s, df_q * df_s),
        (1 / (n * m),) * 3,
    )
    mixtures = error_mixtures(squares, _BINS)
    return Variances(mixtures.std**2, mixtures.weight), weight, variance

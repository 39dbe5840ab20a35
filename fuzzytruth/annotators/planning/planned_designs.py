"""What a design of a collection would give: half-widths, power, coefficients and costs."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.planning.design_variances import PARTS, Components
from fuzzytruth.core.future_errors import FutureErrors, crossed_errors, student_errors
from fuzzytruth.stats.axes import Over


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
        return not (
            self.half_width is None and self.difference is None and self.coefficient is None
        )


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
    """

    components: Components
    of_all: bool
    over: Over
    alpha: float
    absolute: bool = False

    @property
    def by_query(self) -> bool:
        """Whether queries alone are random, or subjects with their query."""
        return "query" in self.over and ("subject" not in self.over or self.components.nested)

    @property
    def factor(self) -> float:
        """Systems in the estimate."""
        return 1.0 if self.of_all else 2.0

    def errors(self, design: Design) -> FutureErrors:
        """The errors of the estimate and the half-widths of its interval."""
        q, s, e, known = self._parts(design)
        n, m = design.queries, design.subjects
        if self.by_query:
            out = student_errors((q + e / m) / n, n - 1, self.alpha)
        elif "query" not in self.over:
            out = student_errors((s + e / n) / m, m - 1, self.alpha)
        else:
            out = crossed_errors(q, s, e, n, m, self.alpha)
        return out.with_more(known) if known > 0 else out

    def variance(self, design: Design) -> float:
        """Variance of the estimate: that of its errors, without their half-widths."""
        return float(self.factor * self._shares(design, of_all=self.of_all) @ self.components.value)

    def limit(self, design: Design) -> FutureErrors:
        """The same with infinitely many queries."""
        _, s, _, known = self._parts(design)
        m = design.subjects
        if self.by_query:
            s, m = 0.0, 2
        return student_errors(s / m, m - 1, self.alpha).with_more(known)

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
        error = self._shares(design, of_all=self.absolute)
        shares = error - (1 - coefficient) / coefficient * self._universe(design)
        value = float(shares @ self.components.value)
        if side:
            value = self.components.limit(shares, side, level)
        unit = float(error @ self.components.value)
        if unit > 0:
            return value / unit
        return inf if value > 0 else -inf

    def coefficient(self, design: Design) -> float:
        """Share of the variance of the means of systems that is not error; NaN without any."""
        error = float(self._shares(design, of_all=self.absolute) @ self.components.value)
        universe = float(self._universe(design) @ self.components.value)
        return universe / (universe + error) if universe + error > 0 else float("nan")

    def coefficient_limit(self, design: Design, side: int, level: float) -> float:
        """Upper (1) or lower (-1) end of the coefficient; NaN where components were assumed."""
        draws = self.components.draws
        if draws is None:
            return float("nan")
        error = draws @ self._shares(design, of_all=self.absolute)
        universe = draws @ self._universe(design)
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

    def _universe(self, design: Design) -> Floats:
        """Factors of the components in the variance of the true means of systems."""
        parts = self.components.shares(design.replicates, of_all=False)
        return np.asarray(self._weights(design, random=False) @ parts + self.components.system())

    def _weights(self, design: Design, *, random: bool) -> Floats:
        """1 over the number of units of each part; 0 for those that are not (are) random."""
        axes = {axis for axis in ("query", "subject") if axis in self.over}
        if self.components.nested:
            axes = {"query", "subject"}
        sizes = {"query": design.queries, "subject": design.subjects}
        out = np.zeros(len(PARTS))
        for j, part in enumerate(PARTS):
            among = {axis for axis, is_in in zip(sizes, part, strict=True) if is_in}
            if (not among or bool(among & axes)) == random:
                out[j] = 1 / np.prod([sizes[axis] for axis in among])
        return out

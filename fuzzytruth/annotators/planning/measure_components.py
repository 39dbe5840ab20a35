"""Variance components of one measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.planning.estimated_components import estimated_components
from fuzzytruth.core import crossed
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM, EffectsLayout
from fuzzytruth.errors import DataError, DegenerateWarning, counted, require, warn
from fuzzytruth.evaluation.scores.replicates import Replicates, systems_of_runs
from fuzzytruth.evaluation.scores.scores import Scores

# The values of scores as levels of random effects: systems, replicates, queries, subjects.


@dataclass(frozen=True, slots=True, eq=False)
class ComponentTable:
    """The values of one measure, and the level of each by factor.

    Parameters
    ----------
    names : mapping of int to str
        Names of the effects in their order, the residual last.
    factors : mapping of int to (values,) int
        Systems, replicates, queries and subjects, those that have several levels.
    values : (values,) float
        Those that are present.
    system, run, query : (values,) int
    n_missing : int
        Values that systems lack in cells that exist.
    """

    names: Mapping[int, str]
    factors: Mapping[int, Ints]
    values: Floats
    system: Ints
    run: Ints
    query: Ints
    n_missing: int

    def layout(self) -> EffectsLayout:
        """The levels of all effects."""
        residual = [*self.names][-1]
        codes = {effect: self._levels(effect) for effect in self.names if effect != residual}
        return EffectsLayout.of(codes | {residual: np.arange(len(self.values))})

    def panel(self, layout: EffectsLayout) -> Floats:
        """Factors of the components in the variance of a system's mean: (effects,).

        The mean of the means of its replicates, each over queries, of each query's mean over its
        subjects.
        """
        return crossed.variance_of_mean(layout, self._weight(), self.system)

    def differences(self, layout: EffectsLayout) -> Floats:
        """Half those in the variance of the difference of two systems' means: (effects,).

        What systems have in common cancels, unless they lack different values.
        """
        return crossed.variance_of_difference(layout, self._weight(), self.system)

    def _weight(self) -> Floats:
        """Weight of each value in its system's mean: (values,)."""
        subjects = _sizes(self.run, self.query)
        queries = _distinct(self.run, self.query)[self.run]
        runs = _distinct(self.system, self.run)[self.system]
        return np.asarray(1 / (subjects * queries * runs))

    def size(self, factor: int) -> int:
        """Number of levels of a factor; 1 where it is none."""
        return len(np.unique(self.factors[factor])) if factor in self.factors else 1

    def sizes(self, *factors: int) -> str:
        """Numbers of levels of some factors, as "8 systems, 12 queries"."""
        named = {SYSTEM: "system", REPLICATE: "replicate", QUERY: "query", SUBJECT: "subject"}
        return ", ".join(counted(self.size(factor), named[factor]) for factor in factors)

    def _levels(self, effect: int) -> Ints:
        """Level of each value of an effect."""
        code = np.zeros(len(self.values), dtype=np.int64)
        for factor, levels in self.factors.items():
            if effect & factor:
                code = code * (int(levels.max()) + 1) + levels
        return code


def component_table(
    scores: Scores, measure: int, of_system: Ints, *, nested: bool
) -> ComponentTable:
    """The table of a measure; `of_system` is the system of each row of the scores."""
    values = scores.values[:, measure]
    run, cell = np.nonzero(~np.isnan(values))
    system, query = of_system[run], scores.cells.query[cell]
    rows = _varying({SYSTEM: system, REPLICATE: run})
    if SYSTEM in rows and (_distinct(system, run) <= 1).all():
        rows = {SYSTEM: system}
    columns = {QUERY: query}
    if scores.subjects is not None:
        columns[SUBJECT] = cell if nested else scores.cells.subject_codes[cell]
    columns = _varying(columns)
    if nested and QUERY in columns and (_distinct(query, cell) <= 1).all():
        columns = {QUERY: query}  # subjects are not to be told from queries
    return ComponentTable(
        _effects([*rows], [*columns], nested=nested),
        rows | columns,
        values[run, cell],
        system,
        run,
        query,
        values.size - len(run),
    )


def _varying(factors: dict[int, Ints]) -> dict[int, Ints]:
    """Those with several levels."""
    return {factor: levels for factor, levels in factors.items() if len(np.unique(levels)) > 1}


def _effects(rows: list[int], columns: list[int], *, nested: bool) -> dict[int, str]:
    """Effects and their names, the parts of each before it."""
    down = {SYSTEM: "system", SYSTEM | REPLICATE: "replicate"}
    of_rows = {
        sum(rows[: k + 1]): down[SYSTEM if row == SYSTEM else SYSTEM | REPLICATE]
        for k, row in enumerate(rows)
    }
    of_columns = {QUERY: "query", SUBJECT: "subject"}
    of_columns = {factor: name for factor, name in of_columns.items() if factor in columns}
    both: dict[int, str] = {}
    if len(columns) == 2 and nested:
        of_columns = {QUERY: "query", QUERY | SUBJECT: "subject(query)"}
    elif len(columns) == 2:
        both = {QUERY | SUBJECT: "query:subject"}
    out = of_rows | of_columns
    for inner in (of_columns, both):
        if inner is both:
            out |= both
        out |= {r | c: f"{x}:{y}" for c, y in inner.items() for r, x in of_rows.items()}
    if out:
        out[[*out][-1]] = "residual"
    return out


def runs_of(scores: Scores, replicate_of: Any) -> tuple[Scores, Ints]:
    """Scores of single runs, and which system each of them is a replicate of: (runs,).

    Raises
    ------
    OptionError
        `replicate_of` is no mapping, names a system that there is not, or gives none two.
    """
    known = scores.replicates
    if replicate_of is not None:
        require("replicate_of", replicate_of, known is None, "the scores name their runs already")
        known = Replicates(scores, tuple(systems_of_runs(replicate_of, scores.systems).values()))
    return (known.runs, known.code) if known else (scores, np.arange(len(scores.systems)))


def _sizes(outer: Ints, inner: Ints) -> Ints:
    """How many share each one's outer and inner codes."""
    code = outer * (int(inner.max(initial=0)) + 1) + inner
    _, which, count = np.unique(code, return_inverse=True, return_counts=True)
    return np.asarray(count[which.reshape(-1)])


def _distinct(outer: Ints, inner: Ints) -> Ints:
    """Number of different inner codes by outer code."""
    width = int(inner.max(initial=0)) + 1
    return np.bincount(np.unique(outer * width + inner) // width)


# Generalizability coefficients of a panel, and what a difference between systems varies by.


RELATIVE, ABSOLUTE, DISAGREEMENT = "relative", "absolute", "disagreement"
#: shares of the variance of a difference between two systems, by the factors beside the system
SHARES: dict[str, Callable[[int], bool]] = {
    "share of queries": lambda effect: effect | SYSTEM == SYSTEM | QUERY,
    "share of subjects": lambda effect: effect | SYSTEM == SYSTEM | SUBJECT,
    "share of query:subject": lambda effect: effect | SYSTEM == SYSTEM | QUERY | SUBJECT,
    "share of replicates": lambda effect: bool(effect & REPLICATE),
}


def coefficients_of(
    effects: tuple[int, ...],
    components: Floats,
    draws: Floats,
    panel: Floats,
    level: float,
    differences: Floats | None = None,
) -> dict[str, tuple[float, float, float]]:
    """Coefficients of a panel by name, with their intervals; none without several systems.

    NaN where nothing varies.

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
        return {}
    if differences is None:
        differences = np.where(np.array(effects) & SYSTEM, panel, 0.0)
    points = np.vstack([components, draws])
    of_mean, both = points * panel, points * differences
    signal = both[:, effects.index(SYSTEM)]  # (1 + points,)

    def total(parts: Floats, chosen: Callable[[int], bool]) -> Floats:
        """Sum of some effects' parts of a variance: (1 + points,)."""
        places = [place for place, effect in enumerate(effects) if chosen(effect)]
        return np.asarray(parts[:, places].sum(axis=1))

    error = total(both, lambda effect: effect != SYSTEM)
    every = total(of_mean, lambda effect: effect != SYSTEM)
    out = {
        RELATIVE: divide(signal, signal + error, fill=np.nan),
        ABSOLUTE: divide(signal, signal + every, fill=np.nan),
    }
    chosen = {name: part for name, part in SHARES.items() if any(map(part, effects))}
    if len(chosen) > 1:
        if any(effect & SUBJECT for effect in effects):
            chosen[DISAGREEMENT] = _is_of_people
        out |= {n: divide(total(both, part), error, fill=np.nan) for n, part in chosen.items()}
    return {name: (float(x[0]), *interval(x[1:], level)) for name, x in out.items()}


def interval(draws: Floats, level: float) -> tuple[float, float]:
    """Central interval of the draws that are defined, NaN without any."""
    known = draws[~np.isnan(draws)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _is_of_people(effect: int) -> bool:
    return bool(effect & SUBJECT) and not effect & REPLICATE


_LARGEST = 1e140
SCORE, DIFFERENCE = "a single score", "the error of a difference of two systems' means"


@dataclass(frozen=True, slots=True, eq=False)
class MeasureComponents:
    """Components of one measure.

    Parameters
    ----------
    measure : str
    names : tuple of str
    variance, lower, upper, mean_square : (components,) float
        Variances as estimated, negative ones included; ends of intervals are 0 or more.
    draws : (draws, components) float
        Of the generalised pivotal distribution of the variances, none negative.
    coefficients : dict of str to (float, float, float)
        See `coefficients_of`.
    table : ComponentTable
    layout : EffectsLayout
    """

    measure: str
    names: tuple[str, ...]
    variance: Floats
    lower: Floats
    upper: Floats
    mean_square: Floats
    draws: Floats
    coefficients: dict[str, tuple[float, float, float]]
    table: ComponentTable
    layout: EffectsLayout

    @property
    def share(self) -> Floats:
        """Of the variance of a single score; 0 throughout where nothing varies: (components,)."""
        positive = self.variance.clip(min=0.0)
        total = positive.sum()
        return positive / total if total > 0 else positive

    @property
    def negative(self) -> list[str]:
        """Names of the components whose estimates are below 0."""
        return [name for name, value in zip(self.names, self.variance, strict=True) if value < 0]

    def shares(self, level: float) -> pd.DataFrame:
        """See `VarianceComponents.shares`."""
        factors = {SCORE: np.ones(len(self.names))}
        if any("system" in name for name in self.names):
            is_error = [name != "system" for name in self.names]
            factors[DIFFERENCE] = self.table.differences(self.layout) * is_error
        parts = []
        for of, factor in factors.items():
            part, drawn = self.variance * factor, self.draws * factor
            draws = divide(drawn, drawn.sum(axis=1, keepdims=True), fill=np.nan)
            draws = draws[~np.isnan(draws).any(axis=1)]
            ends = np.full((2, len(part)), np.nan)
            if len(draws):
                ends = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
            columns = {
                "measure": self.measure,
                "component": self.names,
                "of": of,
                "share": divide(part, part.clip(min=0.0).sum(), fill=np.nan),
                "lower": ends[0],
                "upper": ends[1],
            }
            parts.append(pd.DataFrame(columns)[factor > 0])
        return pd.concat(parts, ignore_index=True)


def components_of(measure: str, table: ComponentTable, level: float) -> MeasureComponents:
    """Components of one measure with their intervals."""
    layout = table.layout()
    _check_separate(measure, table, layout)
    unit = _unit(measure, table.values)
    values = table.values / unit
    mean_squares = layout.mean_squares(values)
    if not mean_squares.any():
        warn(
            f"{measure}: all values agree: variance components are 0, and coefficients unknown",
            DegenerateWarning,
        )
    components, draws = estimated_components(layout, values, mean_squares)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    positive = components.clip(min=0.0)
    return MeasureComponents(
        measure,
        tuple(table.names.values()),
        components * unit**2,
        low * unit**2,
        high * unit**2,
        mean_squares * unit**2,
        draws * unit**2,
        coefficients_of(
            layout.effects, positive, draws, table.panel(layout), level, table.differences(layout)
        ),
        table,
        layout,
    )


def _unit(measure: str, values: Floats) -> float:
    """The largest size of the values, whose square is a number."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest and not 1 / _LARGEST < largest < _LARGEST:
        raise DataError(
            f"{measure}: the largest value is {largest:g}, whose square is no number; give the "
            "scores in other units"
        )
    return largest or 1.0


def _check_separate(measure: str, table: ComponentTable, layout: EffectsLayout) -> None:
    """Raise if two components are not to be told apart."""
    names = [*table.names.values()]
    unclear = [names[place] for place in layout.confounded()]
    if unclear:
        raise DataError(
            f"{measure}: {' and '.join(unclear)} vary together in these scores, so that their "
            "variances are not to be told apart; more values that systems, queries and subjects "
            "share would"
        )

"""The result of `variance_components`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.annotators.planning.generalizability import ABSOLUTE, RELATIVE, SHARES, Coefficient
from fuzzytruth.annotators.planning.measure_components import MeasureComponents
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.random_effects import QUERY, REPLICATE, SUBJECT, SYSTEM
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    MeasureError,
    OptionError,
    counted,
    first_few,
    require,
    shown_all,
    warn,
)
from fuzzytruth.measures import parse_measure
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import (
    level_text,
    number_text,
    numbers_format,
    with_interval,
    written,
    written_interval,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What is printed of variance components.


_MOST_MEASURES = 2
_FROM = {
    "share of queries": "queries",
    "share of subjects": "who judged",
    "share of query:subject": "both together",
    "share of replicates": "replicates",
}


def component_answer(result: VarianceComponents) -> Printed:
    """What `print` shows: what a difference varies by, then a table for each measure."""
    shown = result.of_measures[:_MOST_MEASURES]
    measures = [one.measure for one in result.of_measures]
    rest = f", the first of {counted(len(measures), 'measure')}" if len(measures) > 1 else ""
    return Printed.of(
        f"Variance components of {_size(shown[0])}: {first_few(measures, _MOST_MEASURES)}",
        *(Sentences.of(*_words(one)) for one in shown),
        _table(shown[0], result.level, rest),
        _legend(shown[0], result.level),
        Sentences.of("More: .to_frame(full=True), .coefficients(), .variances(measure), .reml()"),
    )


def _size(one: MeasureComponents) -> str:
    """Number of levels of each factor."""
    sizes = [
        counted(one.table.size(factor), name)
        for factor, name in (
            (SYSTEM, "system"),
            (REPLICATE, "replicate"),
            (QUERY, "query"),
            (SUBJECT, "subject"),
        )
        if factor in one.table.factors
    ]
    return ", ".join(sizes)


def _words(one: MeasureComponents) -> list[str]:
    """What is found, in sentences."""
    found = {each.name: each for each in one.coefficients}
    if not found:
        return [f"{one.measure}: of a single system; how systems differ is not known."]
    if not one.share.any():
        return [f"{one.measure}: all values agree, so that coefficients are unknown."]
    return [_of_differences(one, found), _of_order(found), *_of_negatives(one)]


def _of_differences(one: MeasureComponents, found: Mapping[str, Coefficient]) -> str:
    """What a difference between two systems varies by."""
    shares = [found[name] for name in SHARES if name in found]
    what = "of the variance of a difference between two systems,"
    if found[RELATIVE].value == 1:
        return f"{one.measure}: systems differ by the same everywhere, with no error."
    if not shares:
        source = "queries" if QUERY in one.table.factors else "who judged"
        return f"{one.measure}: {what} all comes from {source}, as nothing else is random."
    listed = [f"{100 * share.value:.0f} % from {_FROM[share.name]}" for share in shares]
    listed[0] = listed[0].replace("from", "comes from")
    return f"{one.measure}: {what} {', '.join(listed[:-1])} and {listed[-1]}."


def _of_order(found: Mapping[str, Coefficient]) -> str:
    """Both generalizability coefficients."""
    order, means = (
        with_interval(found[name].value, found[name].lower, found[name].upper, 2)
        for name in (RELATIVE, ABSOLUTE)
    )
    return (
        f"Generalizability of the systems' order (relative) {order}, of their means (absolute) "
        f"{means}."
    )


def _of_negatives(one: MeasureComponents) -> list[str]:
    """Which estimates are below 0, and which so far that it is not chance."""
    below = [name for name, value in zip(one.names, one.variance, strict=True) if value < 0]
    far = [name for name in below if one.upper[one.names.index(name)] == 0]
    lines = []
    if below:
        what = "estimate counts" if len(below) == 1 else "estimates count"
        lines.append(f"Negative {what} as 0: {', '.join(below)}.")
    if far:
        lines.append(
            f"{', '.join(far)}: further below 0 than chance explains, as where scores must add "
            "up to a constant."
        )
    return lines


def _table(one: MeasureComponents, level: float, rest: str) -> Table:
    """Component, variance, interval, share."""
    style = numbers_format(one.variance)
    ends = zip(one.lower, one.upper, strict=True)
    return Table(
        (
            Column.label("component", one.names),
            Column("variance", tuple(written(value, style) for value in one.variance)),
            Column(
                f"{level_text(level)} interval",
                tuple(written_interval(low, high, style) for low, high in ends),
            ),
            Column("share", tuple(number_text(share, 3) for share in one.share)),
        ),
        one.measure + rest,
    )


def _legend(one: MeasureComponents, level: float) -> Sentences:
    """What intervals and shares are."""
    how = "generalised pivotal" if one.layout.is_balanced else "approximate (unbalanced data)"
    residual = [*one.table.names][-1]
    holds = "" if residual & REPLICATE else _in_residual(residual)
    return Sentences.of(
        f"Brackets: {level_text(level)} {how} intervals; all effects are taken as random samples.",
        f"Share: of the variance of a single score.{holds}",
    )


def _in_residual(residual: int) -> str:
    factors = [(SYSTEM, "system"), (QUERY, "query"), (SUBJECT, "subject")]
    names = ":".join(name for factor, name in factors if residual & factor)
    return f" The residual includes {names}: a cell has one value."


# Shares of the components in the variance of a score, and in that of a difference of means.


SCORE, DIFFERENCE = "a single score", "the error of a difference of two systems' means"


def share_rows(one: MeasureComponents, level: float) -> pd.DataFrame:
    """See `VarianceComponents.shares`."""
    factors = {SCORE: np.ones(len(one.names))}
    if any("system" in name for name in one.names):
        is_error = [name != "system" for name in one.names]
        factors[DIFFERENCE] = one.table.differences(one.layout) * is_error
    return pd.concat(
        [_rows(one, level, name, factor) for name, factor in factors.items()], ignore_index=True
    )


def _rows(one: MeasureComponents, level: float, of: str, factor: Floats) -> pd.DataFrame:
    parts = one.variance * factor
    share = divide(parts, np.full(len(parts), parts.clip(min=0.0).sum()), fill=np.nan)
    drawn = one.draws * factor
    totals = np.broadcast_to(drawn.sum(axis=1, keepdims=True), drawn.shape)
    draws = divide(drawn, totals, fill=np.nan)
    some = ~np.isnan(draws).any(axis=1)
    ends = np.full((2, len(parts)), np.nan)
    if some.any():
        ends = np.quantile(draws[some], [(1 - level) / 2, (1 + level) / 2], axis=0)
    return pd.DataFrame(
        {
            "measure": one.measure,
            "component": one.names,
            "of": of,
            "share": share,
            "lower": ends[0],
            "upper": ends[1],
        }
    )[factor > 0]


def shares_figure(one: MeasureComponents, level: float) -> PlotData:
    """Shares of one measure, and what they are of."""
    sizes = [
        counted(one.table.size(factor), name)
        for factor, name in ((SYSTEM, "system"), (QUERY, "query"), (SUBJECT, "subject"))
        if factor in one.table.factors
    ]
    below = [name for name, value in zip(one.names, one.variance, strict=True) if value < 0]
    note = f"\nEstimates below 0: {', '.join(below)}" if below else ""
    return PlotData(
        share_rows(one, level),
        f"{one.measure}: shares of the variance ({', '.join(sizes)})\n"
        f"Lines: {level_text(level)} intervals{note}",
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VarianceComponents(Result):
    """Variance components of scores, and generalizability coefficients.

    Parameters
    ----------
    of_measures : tuple of MeasureComponents
        VarianceComponents of each measure, with intervals.
    level : float
        Of the intervals.
    """

    of_measures: tuple[MeasureComponents, ...]
    level: float

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(one.measure for one in self.of_measures)

    def __repr__(self) -> str:
        first = self.of_measures[0]
        return (
            f"VarianceComponents({counted(len(self.of_measures), 'measure')}, "
            f"{', '.join(first.names)})"
        )

    def _answer(self) -> Printed:
        return component_answer(self)

    def variances(self, measure: str | None = None) -> dict[str, float]:
        """Variance of each component by its name, negative estimates as 0.

        Parameters
        ----------
        measure : str, optional
            In any spelling; may be left out where there is one.

        Raises
        ------
        OptionError
            There is no such measure, or there are several and none is named.
        """
        one = components_of_measure(self, measure)
        return dict(zip(one.names, one.variance.clip(min=0.0).tolist(), strict=True))

    def reml(self, measure: str | None = None) -> pd.DataFrame:
        """Restricted maximum likelihood estimates beside ours, by statsmodels' `MixedLM`.

        A check of another method: equal to rounding in balanced tables without negative
        estimates, close to it elsewhere. Its estimates are never negative.

        Parameters
        ----------
        measure : str, optional
            In any spelling; may be left out where there is one.

        Returns
        -------
        DataFrame
            One row a component: measure, component, variance (as in `to_frame`), reml.

        Raises
        ------
        OptionError
            There is no such measure, or there are several and none is named.
        DataError
            There are more than 3,000 values or 800 levels of effects, for which the fit takes
            minutes; or all values agree.

        Warns
        -----
        DegenerateWarning
            The search did not converge.
        """
        one = components_of_measure(self, measure)
        return pd.DataFrame(
            {
                "measure": one.measure,
                "component": one.names,
                "variance": one.variance,
                "reml": reml_variances(one),
            }
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a measure and component: measure, component, variance, lower, upper, share.

        `variance` is as estimated and may be negative, which counts as 0 in `share`, the share of
        the variance of a single score; `lower` and `upper` are the ends of its interval, 0 or
        more. With ``full=True`` also `std`, the root of the variance, and `df` and `mean_square`
        of the analysis of variance (in unbalanced tables of its analogue, whose mean squares are
        not adjusted for one another and may be negative). Intervals may take fewer degrees of
        freedom.
        """
        frames = []
        for one in self.of_measures:
            columns = {
                "measure": one.measure,
                "component": one.names,
                "variance": one.variance,
                "lower": one.lower,
                "upper": one.upper,
                "share": one.share,
            }
            if option_flag("full", full):
                columns |= {
                    "std": one.variance.clip(min=0.0) ** 0.5,
                    "df": one.layout.df,
                    "mean_square": one.mean_square,
                }
            frames.append(pd.DataFrame(columns))
        return pd.concat(frames, ignore_index=True)

    def shares(self) -> pd.DataFrame:
        """Share of each component in the variance of a score, and in the error of a difference.

        One row a measure, component and variance: measure, component, of ("a single score", or "the
        error of a difference of two systems' means" over the queries, subjects and replicates there
        are, to which only components of systems contribute; left out for a single system), share,
        lower, upper. `share` is negative where the estimate is, and relative to the sum of the
        others; `lower` and `upper` are the ends of its interval of `level`, 0 or more. NaN where
        nothing varies.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]}))
        >>> shares = ft.variance_components(scores).shares()
        >>> shares[["component", "share"]].round(2).values.tolist()[:3]
        [['system', 0.43], ['query', 0.5], ['residual', 0.07]]
        """
        parts = [share_rows(one, self.level) for one in self.of_measures]
        return pd.concat(parts, ignore_index=True)

    def plot(self, ax: Axes | None = None, *, measure: str | None = None) -> Axes:
        """Draw the shares of one measure; see `plots.variance_components`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str, optional
            In any spelling; by default the first.

        Raises
        ------
        OptionError
            There is no such measure.
        """
        from fuzzytruth.plots import variance_components

        name = self.measures[0] if measure is None else components_of_measure(self, measure).measure
        return variance_components(self, ax, measure=name)

    _figures: ClassVar[tuple[str, ...]] = ("variance_components",)

    def _plot_data(self, figure: str, *, measure: str | None = None) -> PlotData:
        return shares_figure(components_of_measure(self, measure or self.measures[0]), self.level)

    def coefficients(self) -> pd.DataFrame:
        """One row a measure and coefficient: measure, coefficient, value, lower, upper.

        All are of means over the queries, subjects and replicates there are, from 0 to 1:

        - relative: Eρ², σ²_system over itself and the error variance of a system's mean within
          the same queries and subjects, which may change the systems' order; where systems lack
          different values, also what those have in common, which then does not cancel;
        - absolute: Φ, likewise with all that changes the means, such as easier queries;
        - share of queries, subjects, query:subject, replicates: what part of the variance of a
          difference between two systems (twice the relative error variance) is from
          system:query, system:subject, system:query:subject (with the residual of single values)
          and whatever replicates do;
        - disagreement: of subjects, and query:subject, together.

        Shares are left out where there is one source only, and all without several systems. NaN
        where nothing varies.

        References
        ----------
        Brennan 2001, Generalizability theory, chapters 2 and 4.
        """
        rows = [
            (one.measure, each.name, each.value, each.lower, each.upper)
            for one in self.of_measures
            for each in one.coefficients
        ]
        return pd.DataFrame(rows, columns=["measure", "coefficient", "value", "lower", "upper"])


def components_of_measure(found: VarianceComponents, measure: str | None) -> MeasureComponents:
    """The components of one measure, named in any spelling; None: of the only one.

    Raises
    ------
    OptionError
        There is no such measure, or there are several and none is named.
    """
    if measure is None and len(found.of_measures) == 1:
        return found.of_measures[0]
    if measure is None:
        raise OptionError(f"measure: name one of {shown_all(found.measures)}")
    require("measure", measure, isinstance(measure, str), "must be the name of a measure")
    name = measure
    if measure not in found.measures:
        with suppress(MeasureError):  # a name that the library does not know may be a typo
            name = str(parse_measure(measure))
    return found.of_measures[place_of(found.measures, name, "measure")]


# Restricted maximum likelihood estimates of variance components, by statsmodels.


#: values and levels beyond which a dense fit takes minutes
MOST_VALUES = 3_000
MOST_LEVELS = 800
_SMALLEST = 1e-4  # share of the residual at which a component that is 0 starts


def reml_variances(one: MeasureComponents) -> Floats:
    """Components of one measure, none negative: (components,).

    Raises
    ------
    DataError
        The table is too large for it, or nothing varies.

    Warns
    -----
    DegenerateWarning
        The search did not converge.
    """
    layout = one.layout
    levels = int(layout.n_levels[:-1].sum())
    if layout.n > MOST_VALUES or levels > MOST_LEVELS:
        raise DataError(
            f"reml: {one.measure} has {counted(layout.n, 'value')} and {counted(levels, 'level')} "
            f"of random effects, more than {MOST_VALUES:,} and {MOST_LEVELS:,}, for which the fit "
            "takes minutes; select fewer queries (Scores.select)"
        )
    unit = float(np.std(one.table.values))
    if not one.mean_square.any() or unit == 0:
        raise DataError(f"reml: all values of {one.measure} agree, so that there is nothing to fit")
    model = _model(one, one.table.values / unit)
    start = np.maximum(one.variance / unit**2, 0.0)
    residual = max(float(start[-1]), 1e-6)
    relative = np.maximum(start[:-1] / residual, _SMALLEST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of components at 0, which are ordinary here
        fit = model.fit(
            reml=True, start_params=_packed(model, relative), method=["lbfgs", "powell"]
        )
    if not fit.converged:
        warn(f"reml: the search for {one.measure} did not converge", DegenerateWarning)
    return np.append(fit.vcomp, fit.scale) * unit**2


def _model(one: MeasureComponents, values: Floats) -> Any:
    """The model of one group, whose variance components are the effects."""
    from scipy.sparse import csr_array
    from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

    n = len(values)
    levels = [
        csr_array((np.ones(n), (np.arange(n), code))).toarray() for code in one.layout.codes[:-1]
    ]
    names = list(one.names[:-1])
    columns = [[[f"{j}" for j in range(level.shape[1])]] for level in levels]
    spec = VCSpec(names, columns, [[level] for level in levels])
    return MixedLM(values, np.ones((n, 1)), groups=np.zeros(n), exog_vc=spec)


def _packed(model: Any, relative: Floats) -> Any:
    """Where the search starts."""
    from statsmodels.regression.mixed_linear_model import MixedLMParams

    return MixedLMParams.from_components(
        fe_params=np.array([model.endog.mean()]), cov_re=np.zeros((0, 0)), vcomp=relative
    )

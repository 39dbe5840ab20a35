"""`variance_components`: how much scores vary by system, query and subject."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.annotators.planning import measure_components
from fuzzytruth.annotators.planning.measure_components import ABSOLUTE, RELATIVE, MeasureComponents
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM
from fuzzytruth.core.validation import between_zero_and_one, option_flag, place_of
from fuzzytruth.errors import DataError, choice, counted, first_few, require, shown_all, warn
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.measures import parse_measure
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import level_text, numbers_format, with_interval

_MOST_MEASURES = 2
_FROM = {
    "share of queries": "queries",
    "share of subjects": "who judged",
    "share of query:subject": "both together",
    "share of replicates": "replicates",
}


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
        return (
            f"VarianceComponents({counted(len(self.of_measures), 'measure')}, "
            f"{', '.join(self.of_measures[0].names)})"
        )

    _more = ".to_frame(full=True), .coefficients(), .variances(measure), .reml()"

    def _title(self) -> str:
        table = self.of_measures[0].table
        factors = (f for f in (SYSTEM, REPLICATE, QUERY, SUBJECT) if f in table.factors)
        named = first_few(self.measures, _MOST_MEASURES)
        return f"Variance components of {table.sizes(*factors)}: {named}"

    def _parts(self) -> Parts:
        """What a difference varies by, then the components of the first measure."""
        one, level = self.of_measures[0], level_text(self.level)
        n = len(self.of_measures)
        rest = f", the first of {counted(n, 'measure')}" if n > 1 else ""
        style = numbers_format(one.variance)
        table = printed_table(
            self.to_frame().iloc[: len(one.names)],
            {
                "component": "component",
                "variance": ("variance", style),
                ("lower", "upper"): (f"{level} interval", style),
                "share": ("share", ".3f"),
            },
            title=one.measure + rest,
        )
        how = "generalised pivotal" if one.layout.is_balanced else "approximate (unbalanced data)"
        effect, holds = [*one.table.names][-1], ""
        if not effect & REPLICATE:
            factors = {SYSTEM: "system", QUERY: "query", SUBJECT: "subject"}
            names = ":".join(name for factor, name in factors.items() if effect & factor)
            holds = f" The residual includes {names}: a cell has one value."
        return [
            *(Sentences.of(*_words(each)) for each in self.of_measures[:_MOST_MEASURES]),
            table,
            Sentences.of(
                f"Brackets: {level} {how} intervals; all effects are taken as random samples.",
                f"Share: of the variance of a single score.{holds}",
            ),
        ]

    def of_measure(self, measure: str | None) -> MeasureComponents:
        """The components of one measure, named in any spelling; None: of the only one.

        Raises
        ------
        OptionError
            There is no such measure, or there are several and none is named.
        """
        if measure is None and len(self.of_measures) == 1:
            return self.of_measures[0]
        if measure is None:
            raise errors.OptionError(f"measure: name one of {shown_all(self.measures)}")
        require("measure", measure, isinstance(measure, str), "must be the name of a measure")
        name = measure
        if measure not in self.measures:
            with suppress(
                errors.MeasureError
            ):  # a name that the library does not know may be a typo
                name = str(parse_measure(measure))
        return self.of_measures[place_of(self.measures, name, "measure")]

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
        one = self.of_measure(measure)
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
        one = self.of_measure(measure)
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
        option_flag("full", full)
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
            if full:
                columns["std"] = one.variance.clip(min=0.0) ** 0.5
                columns |= {"df": one.layout.df, "mean_square": one.mean_square}
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
        return pd.concat([one.shares(self.level) for one in self.of_measures], ignore_index=True)

    def plot(
        self, ax: Axes | None = None, *, measure: str | None = None, title: Title = True
    ) -> Axes:
        """Draw the shares of one measure; see `plots.variance_components`.

        Parameters
        ----------
        ax, title
            As in `plots.variance_components`.
        measure : str, optional
            In any spelling; by default the first.

        Raises
        ------
        OptionError
            There is no such measure.
        """
        name = self.measures[0] if measure is None else self.of_measure(measure).measure
        return plots.variance_components(self, ax, measure=name, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("variance_components",)

    def _plot_data(self, figure: str, *, measure: str | None = None) -> PlotData:
        """Shares of one measure, and what they are of."""
        one = self.of_measure(measure or self.measures[0])
        factors = (factor for factor in (SYSTEM, QUERY, SUBJECT) if factor in one.table.factors)
        note = f"\nEstimates below 0: {', '.join(one.negative)}" if one.negative else ""
        return PlotData(
            one.shares(self.level),
            f"{one.measure}: shares of the variance ({one.table.sizes(*factors)})\n"
            f"Lines: {level_text(self.level)} intervals{note}",
        )

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
            (one.measure, name, *numbers)
            for one in self.of_measures
            for name, numbers in one.coefficients.items()
        ]
        return pd.DataFrame(rows, columns=["measure", "coefficient", "value", "lower", "upper"])


def _words(one: MeasureComponents) -> Iterator[str]:
    """What is found of a measure, in sentences."""
    found = one.coefficients
    if not found:
        yield f"{one.measure}: of a single system; how systems differ is not known."
        return
    if not one.share.any():
        yield f"{one.measure}: all values agree, so that coefficients are unknown."
        return
    shares = [
        f"{100 * found[name][0]:.0f} % from {source}"
        for name, source in _FROM.items()
        if name in found
    ]
    varies = f"{one.measure}: of the variance of a difference between two systems,"
    if found[RELATIVE][0] == 1:
        yield f"{one.measure}: systems differ by the same everywhere, with no error."
    elif not shares:
        source = "queries" if QUERY in one.table.factors else "who judged"
        yield f"{varies} all comes from {source}, as nothing else is random."
    else:
        first = shares[0].replace("from", "comes from")
        yield f"{varies} {', '.join([first, *shares[1:-1]])} and {shares[-1]}."
    order, means = (with_interval(*found[name], 2) for name in (RELATIVE, ABSOLUTE))
    yield (
        f"Generalizability of the systems' order (relative) {order}, of their means (absolute) "
        f"{means}."
    )
    if below := one.negative:
        what = "estimate counts" if len(below) == 1 else "estimates count"
        yield f"Negative {what} as 0: {', '.join(below)}."
    far = [name for name in below if one.upper[one.names.index(name)] == 0]
    if far:
        yield (
            f"{', '.join(far)}: further below 0 than chance explains, as where scores must add "
            "up to a constant."
        )


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
    from statsmodels.regression.mixed_linear_model import MixedLMParams

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
    relative = np.maximum(start[:-1] / max(float(start[-1]), 1e-6), _SMALLEST)
    packed = MixedLMParams.from_components(
        fe_params=np.array([model.endog.mean()]), cov_re=np.zeros((0, 0)), vcomp=relative
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of components at 0, which are ordinary here
        fit = model.fit(reml=True, start_params=packed, method=["lbfgs", "powell"])
    if not fit.converged:
        warn(f"reml: the search for {one.measure} did not converge", errors.DegenerateWarning)
    return np.append(fit.vcomp, fit.scale) * unit**2


def _model(one: MeasureComponents, values: Floats) -> Any:
    """The model of one group, whose variance components are the effects."""
    from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

    levels = [np.eye(code.max() + 1)[code] for code in one.layout.codes[:-1]]
    columns = [[[f"{j}" for j in range(level.shape[1])]] for level in levels]
    spec = VCSpec(list(one.names[:-1]), columns, [[level] for level in levels])
    ones = np.ones((len(values), 1))
    return MixedLM(values, ones, groups=np.zeros(len(values)), exog_vc=spec)


Design = Literal["crossed", "nested"]


def variance_components(
    scores: Scores,
    *,
    measures: Iterable[str] | str | None = None,
    replicate_of: Mapping[str, str] | None = None,
    level: float = 0.95,
    design: Design | None = None,
) -> VarianceComponents:
    """How much scores vary by system, query and subject, and what they then generalise to.

    All effects are random: y = μ + system + query + subject + their interactions, with one
    variance each. Systems, queries and subjects are taken as samples of those there might be.

    Parameters
    ----------
    scores : Scores
        Of several systems, or of one (with a warning); with or without subjects. Values may be
        missing, and subjects may have judged few queries each.
    measures : str or sequence of str, optional
        By default all.
    replicate_of : mapping of system to name, optional
        Several runs or seeds of one system: ``{"dense-1": "dense", "dense-2": "dense"}``. Systems
        that are not named are their own single replicates.
    level : float
        Of the intervals.
    design : {"crossed", "nested"}, optional
        Whether a subject's name is the same person in all queries; by default as the scores say,
        and nested where no subject judged two queries.

    Returns
    -------
    VarianceComponents
        Components "system", "query", "subject", "system:query", "system:subject", "query:subject"
        and "residual", which includes system:query:subject. Without subjects "system", "query"
        and "residual" (with system:query). Nested subjects: "system", "query", "subject(query)",
        "system:query" and "residual". With replicates also "replicate" (within systems),
        "replicate:query", "replicate:subject", and the highest interaction of the system under
        its own name; the residual is then that of replicates.

    Raises
    ------
    DataError
        Fewer than two of systems, queries and subjects have several levels; the values do not
        tell two components apart; or they are so large or small that their squares are no numbers.
    OptionError
        A measure or system is unknown, or the design cannot be that of these scores.

    Warns
    -----
    DegenerateWarning
        There is a single system, query or subject, whose components are part of others (its mean,
        or the effect that it goes with); or all values agree.
    MissingCellWarning
        Systems lack values that others have: components are of the values there are.

    Notes
    -----
    In balanced tables estimates are those of the analysis of variance, unbiased whatever the
    distribution. Elsewhere they are minimum variance quadratic unbiased ones (MIVQUE), one step
    from a guess by group means (Henderson's first method), which is close to REML; the step needs
    no more than sums over levels, so that large crowds with few values each are ordinary. A
    negative estimate is one that chance took below 0, or a sign that effects are no sample, such
    as shares of wins that add up to 1: it is shown, and counts as 0 in shares and coefficients.

    Intervals are generalised pivotal ones of the mean squares in balanced tables; otherwise each
    estimate is taken as a shifted χ² of the estimate's variance. Where single queries, systems or
    subjects stand out, as in real scores, mean squares have fewer degrees of freedom than for
    normal effects. The interval of a factor with few levels is wide: two subjects have one degree
    of freedom. docs/evidence/validity.md has the coverage.

    References
    ----------
    Brennan 2001, Generalizability theory; Bodoff & Li 2007, Test theory for assessing IR test
    collections, SIGIR; Urbano, Marrero & Martín 2013, On the measurement of test collection
    reliability, SIGIR; Henderson 1953; Rao 1971 (MINQUE); Weerahandi
    1993, Generalized confidence intervals; Box 1953 and Cameron, Gelbach & Miller 2011 (degrees
    of freedom).

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.variance_components(scores).to_frame()[["component", "variance", "share"]].round(3)
      component  variance  share
    0    system     0.018  0.344
    1     query     0.030  0.562
    2  residual     0.005  0.094
    """
    places = measure_places(scores, measures)
    level = between_zero_and_one("level", level)
    nested = _nested(scores, design)
    scores, of_system = measure_components.runs_of(scores, replicate_of)
    tables = [
        measure_components.component_table(scores, place, of_system, nested=nested)
        for place in places
    ]
    for place, table in zip(places, tables, strict=True):
        _check_factors(scores.measures[place], table)
    missing = sum(table.n_missing for table in tables)
    if missing:
        warn(
            f"{counted(missing, 'value is', 'values are')} missing that other systems have: "
            "variance components are of the values there are",
            errors.MissingCellWarning,
        )
    _warn_of_single(scores, tables[0])
    named = zip((scores.measures[place] for place in places), tables, strict=True)
    found = tuple(measure_components.components_of(*one, level) for one in named)
    return VarianceComponents(found, level)


def _nested(scores: Scores, design: Design | None) -> bool:
    """Whether subjects are nested in queries."""
    if design is None:
        return scores._are_nested
    choice("design", design, ("crossed", "nested"))
    errors.require("design", design, scores.subjects is not None, "these scores have no subjects")
    if design == "crossed" and scores.cells.look_nested:
        raise errors.OptionError(
            "design='crossed': every subject judged a single query, so that nothing tells subjects "
            "from queries; leave it out, or say design='nested'"
        )
    return design == "nested"


def _check_factors(measure: str, table: measure_components.ComponentTable) -> None:
    """Raise unless two factors have several levels."""
    if len(table.names) < 2:
        raise DataError(
            f"{measure}: variance components take values of two or more systems and queries, or of "
            "two or more queries and subjects of one system; these are of "
            f"{table.sizes(SYSTEM, QUERY, SUBJECT)}"
        )


def _warn_of_single(scores: Scores, table: measure_components.ComponentTable) -> None:
    """Warn of factors that have one level."""
    single = {
        SYSTEM: "there is a single system, so that nothing is known of how systems vary; "
        "components are those of its values",
        QUERY: "there is a single query, so that nothing is known of how queries vary; components "
        "are those for this query",
        SUBJECT: "every query has a single subject, who is not to be told from it; components of "
        "queries include those of subjects",
    }
    for factor, said in single.items():
        if factor not in table.factors and (factor != SUBJECT or scores.subjects is not None):
            warn(f"variance_components: {said}", errors.DegenerateWarning)

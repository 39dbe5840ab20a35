"""`variance_components`: how much scores vary by system, query and subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from fuzzytruth.annotators.planning.component_result import (
    VarianceComponents,
    components_of_measure,
)
from fuzzytruth.annotators.planning.generalizability import Components
from fuzzytruth.annotators.planning.measure_components import (
    ComponentTable,
    component_table,
    components_of,
    systems_of,
)
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.core.crossed import QUERY, SUBJECT, SYSTEM
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    MissingCellWarning,
    OptionError,
    choice,
    counted,
    shown_all,
    warn,
)
from fuzzytruth.evaluation.scores.axes import are_nested, check_over, looks_nested
from fuzzytruth.evaluation.scores.score_arrays import check_scores
from fuzzytruth.stats.settings import Over

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


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
    of_system = systems_of(scores, replicate_of)
    tables = [component_table(scores, place, of_system, nested=nested) for place in places]
    for place, table in zip(places, tables, strict=True):
        _check_factors(scores.measures[place], table)
    _warn_of_missing(tables)
    _warn_of_single(scores, tables[0])
    found = [
        components_of(scores.measures[place], table, level)
        for place, table in zip(places, tables, strict=True)
    ]
    return VarianceComponents(tuple(found), level)


def _nested(scores: Scores, design: Design | None) -> bool:
    """Whether subjects are nested in queries."""
    if design is None:
        return are_nested(scores)
    choice("design", design, ("crossed", "nested"))
    if scores.subjects is None:
        raise OptionError(f"design={design!r}: these scores have no subjects")
    if design == "crossed" and looks_nested(scores):
        raise OptionError(
            "design='crossed': every subject judged a single query, so that nothing tells subjects "
            "from queries; leave it out, or say design='nested'"
        )
    return design == "nested"


def _check_factors(measure: str, table: ComponentTable) -> None:
    """Raise unless two factors have several levels."""
    if len(table.names) < 2:
        raise DataError(
            f"{measure}: variance components take values of two or more systems and queries, or of "
            "two or more queries and subjects of one system; these are of "
            f"{table.size_in_words()}"
        )


def _warn_of_missing(tables: list[ComponentTable]) -> None:
    missing = sum(table.n_missing for table in tables)
    if missing:
        warn(
            f"{counted(missing, 'value is', 'values are')} missing that other systems have: "
            "variance components are of the values there are",
            MissingCellWarning,
        )


def _warn_of_single(scores: Scores, table: ComponentTable) -> None:
    """Warn of factors that have one level."""
    if SYSTEM not in table.factors:
        warn(
            "variance_components: there is a single system, so that nothing is known of how "
            "systems vary; components are those of its values",
            DegenerateWarning,
        )
    if QUERY not in table.factors:
        warn(
            "variance_components: there is a single query, so that nothing is known of how "
            "queries vary; components are those for this query",
            DegenerateWarning,
        )
    if scores.subjects is not None and SUBJECT not in table.factors:
        warn(
            "variance_components: every query has a single subject, who is not to be told from "
            "it; components of queries include those of subjects",
            DegenerateWarning,
        )


# Where the variance components of a plan come from: a pilot, or assumptions.


#: of the components' distribution; a prefix of their lattice fills space as evenly
_POINTS = 4096


@dataclass(frozen=True, slots=True)
class Pilot:
    """Components, and what they are of.

    Parameters
    ----------
    components : Components
    measure : str or None
    n_systems : int or None
        None where it is not known.
    n_subjects : int
        0 where there are none.
    sizes : str
        Numbers of systems, queries and subjects; "" where components were assumed.
    """

    components: Components
    measure: str | None = None
    n_systems: int | None = None
    n_subjects: int = 0
    sizes: str = ""


def pilot_of(
    pilot: Scores | None,
    components: Any,
    *,
    measure: str | None,
    systems: Iterable[str] | None,
    replicate_of: Mapping[str, str] | None,
    over: Over | None,
    subjects: bool,
    of_all: bool,
) -> Pilot:
    """Components of a pilot, or those given.

    `subjects`: whether numbers of subjects are given; `of_all`: whether a plan for the mean of a
    single system will do.
    """
    if (pilot is None) == (components is None):
        raise OptionError(
            "plan: give the scores of a pilot, or variances, components={'residual': 0.05}"
            + (", and not both" if components is not None else "")
        )
    if pilot is not None:
        return _of_scores(pilot, measure, systems, replicate_of, over, of_all=of_all)
    for name, value in (("systems", systems), ("replicate_of", replicate_of)):
        if value is not None:
            raise OptionError(f"{name}: is of a pilot, and these are components")
    if isinstance(components, VarianceComponents):
        found = _of_components(components, measure, of_all=of_all)
    else:
        if measure is not None:
            raise OptionError(f"measure={measure!r}: is of a pilot, and these are components")
        named = "subject" in over if over is not None else False
        found = Pilot(Components.assumed(components, subjects=subjects or named))
    if over is not None and "subject" in over and not found.components.has_subjects:
        raise OptionError("over='subject': these components are of scores without subjects")
    return found


def _of_scores(
    scores: Scores,
    measure: str | None,
    systems: Iterable[str] | None,
    replicate_of: Mapping[str, str] | None,
    over: Over | None,
    *,
    of_all: bool,
) -> Pilot:
    """Components of a pilot's scores."""
    check_scores(scores)
    if over is not None:
        check_over(over, scores)
    if measure is None and len(scores.measures) > 1:
        raise OptionError(
            f"measure=: the pilot has {len(scores.measures)}; name one of "
            f"{shown_all(scores.measures)}"
        )
    if systems is not None:
        scores = scores.select(systems=systems)
    if len(scores.queries) < 2:
        raise DataError(
            "plan: the pilot has a single query, so that nothing says how queries differ; plan "
            "from several, or from components="
        )
    name = scores.measures[0 if measure is None else scores.measure_place(str(measure))]
    found = variance_components(scores, measures=name, replicate_of=replicate_of)
    out = _of_components(found, name, of_all=of_all)
    if out.components.has_subjects:  # of a crowd, those who judged the same query
        out = replace(out, n_subjects=round(float(scores.cells.sizes.mean())))
    return out


def _of_components(found: VarianceComponents, measure: str | None, *, of_all: bool) -> Pilot:
    """Components of one measure as estimated."""
    one = components_of_measure(found, measure)
    if "system" not in one.names and not of_all:
        raise DataError(
            "plan: these components are of a single system, so that nothing says how differences "
            "vary; use of='mean', or plan from two or more systems"
        )
    values = one.variance.clip(min=0.0)
    nested = "subject(query)" in one.names
    people = any("subject" in name for name in one.names)
    panel = {SUBJECT: one.table.size(SUBJECT), SYSTEM: one.table.size(SYSTEM)}
    components = Components(one.names, values, one.draws[:_POINTS], people, nested)
    n_subjects = panel[SUBJECT] if people else 0
    return Pilot(components, one.measure, panel[SYSTEM], n_subjects, one.table.size_in_words())

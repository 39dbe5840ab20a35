"""Where the variance components of a plan come from: a pilot, or assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fuzzytruth.annotators.planning.component_result import (
    VarianceComponents,
    components_of_measure,
)
from fuzzytruth.annotators.planning.components import variance_components
from fuzzytruth.annotators.planning.design_variances import Components
from fuzzytruth.core.random_effects import SUBJECT, SYSTEM
from fuzzytruth.errors import DataError, OptionError, shown_all
from fuzzytruth.evaluation.axes import check_over
from fuzzytruth.evaluation.score_arrays import check_scores
from fuzzytruth.stats.axes import Over

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


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

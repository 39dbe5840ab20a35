"""The difference of two systems by one measure, of which higher is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.comparison.pairs import no_common_query
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.validation import place_of
from fuzzytruth.errors import OptionError, shown
from fuzzytruth.evaluation.observations import observations_of
from fuzzytruth.evaluation.query_groups import Grouping, check_strata, query_groups
from fuzzytruth.stats.axes import Over
from fuzzytruth.stats.contrasts import Contrasts
from fuzzytruth.stats.estimates import Estimates, estimate

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True)
class Asked:
    """Which systems are compared, over what; groups of queries.

    Parameters
    ----------
    systems : tuple of str
        The system and the other one.
    over : tuple of str
    clusters, strata : grouping of queries, or None
    """

    systems: tuple[str, str]
    over: Over
    clusters: Grouping = None
    strata: Grouping = None


@dataclass(frozen=True, slots=True, eq=False)
class OrientedDifference:
    """An estimated difference, of which higher is better.

    Parameters
    ----------
    fitted : Estimates
        One row: `sign` times the system minus the other.
    sign : float
        1 if higher is better by the measure, -1 if lower.
    identical : bool
        Whether the systems have the same values wherever both have one, up to rounding; their means
        may be the same without that.
    """

    fitted: Estimates
    sign: float
    identical: bool


def oriented_difference(
    scores: Scores, measure: int, asked: Asked, *, quiet: bool = False
) -> OrientedDifference:
    """The estimated mean difference by the measure at this place; `quiet` as in `query_groups`.

    Raises
    ------
    OptionError
        A system is unknown, both are the same, or what is random is no sample.
    DataError
        The systems have no value in common, or a stratum has a single query.
    """
    _check(scores, asked)
    groups = query_groups(scores, asked.clusters, asked.strata, asked.over, quiet=quiet)
    observed = observations_of(scores, measure, groups)
    places = [place_of(scores.systems, system, "system") for system in asked.systems]
    up = scores.higher_is_better[measure]
    first, second = places if up else places[::-1]
    contrast = Contrasts(np.array([first]), np.array([second]))
    check_strata(observed, contrast, scores.systems)
    fitted = estimate(observed, contrast, asked.over)
    if np.isnan(fitted.value[0]):
        raise no_common_query(*asked.systems, scores.measures[measure])
    return OrientedDifference(fitted, 1.0 if up else -1.0, _identical(observed.values[places]))


def _identical(values: Floats) -> bool:
    """Whether two rows have the same values wherever both have one: (2, cells)."""
    both = values[:, ~np.isnan(values).any(axis=0)]
    differences = without_rounding(both[0] - both[1], np.abs(both).max(initial=0.0))
    return not differences.any()


def _check(scores: Scores, asked: Asked) -> None:
    """Raise unless there are two systems and something that is a sample."""
    first, second = (place_of(scores.systems, system, "system") for system in asked.systems)
    if first == second:
        raise OptionError(f"system, other: {shown(asked.systems[0])} is both; name two systems")
    spread = scores.uncertainty
    if asked.over == ("world",) and spread is not None and spread.worlds == "independent":
        raise OptionError(
            "over='world': independent worlds are no sample, so that nothing can be tested over "
            "them; use over='query', or worlds='subject' or 'population'"
        )

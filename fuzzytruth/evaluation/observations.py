"""What `stats` needs of scores: the values of all systems by one measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._typing import Floats
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.observations import Observations, WorldMeans

if TYPE_CHECKING:
    from fuzzytruth.evaluation.score_arrays import ScoreArrays
    from fuzzytruth.stats.observations import QueryGroups


def observations_of(
    scores: ScoreArrays, measure: int, groups: QueryGroups | None = None
) -> Observations:
    """Values by the measure at this place; `groups` are those of the queries."""
    worlds = None
    spread = scores.uncertainty if scores.subjects is None else None
    if spread is not None and spread.has_means:
        worlds = WorldMeans(
            Lazy(lambda: spread.joint_means()[:, :, measure]),
            spread.weight,
            spread.inflation,
            resampled=spread.worlds == "population",
            lazy_within=Lazy(lambda: _of_measure(spread.within, measure)),
        )
    return Observations(
        scores.values[:, measure],
        scores.cells,
        nested=scores.design == "nested",
        worlds=worlds,
        groups=groups,
    )


def _of_measure(within: Floats | None, measure: int) -> Floats | None:
    return None if within is None else within[measure]

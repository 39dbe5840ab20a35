"""Tables of means with intervals, of systems or of differences of two."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.validation import between_zero_and_one, option_flag
from fuzzytruth.errors import DegenerateWarning, MeasureError, choice, counted, warn
from fuzzytruth.evaluation.scores.axes import check_over
from fuzzytruth.evaluation.scores.query_groups import (
    IMAGE,
    PSEUDO_VALUES,
    Grouping,
    check_strata,
    query_groups,
)
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.measures import parse_measure
from fuzzytruth.show.number_text import level_text
from fuzzytruth.stats.effects import Statistic
from fuzzytruth.stats.intervals import IntervalMethod, intervals
from fuzzytruth.stats.observations import (
    Contrasts,
    Observations,
    QueryGroups,
    WorldMeans,
    least_draws,
)
from fuzzytruth.stats.settings import Over, Resampling, in_words


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


def range_of(scores: ScoreArrays, measure: int) -> tuple[float, float]:
    """The least and the largest mean that a measure, by its place, can have.

    Infinite where that is not known: of values that were not computed here.
    """
    if scores.ranges:
        return scores.ranges[measure]
    name, made = scores.measures[measure], scores.provenance
    if made and name in made.measures and {one for one, _ in made.runs} >= set(scores.systems):
        return known_range(name, scores.values[:, measure])
    return -np.inf, np.inf


def width_of(scores: ScoreArrays, measure: int) -> float:
    """The largest difference of means of a measure, by its place; infinite if not known."""
    least, most = range_of(scores, measure)
    return most - least


def known_range(name: str, values: Floats) -> tuple[float, float]:
    """Smallest and largest value that a measure can have.

    Infinite where that is not known, or where these values (NaN: none) are on another scale.
    """
    with suppress(MeasureError):
        least, most = parse_measure(name).range
        if not ((values < least - NEAR) | (values > most + NEAR)).any():
            return least, most
    return -np.inf, np.inf


# Whether there are enough independent worlds for intervals over them to be finite.


def few_worlds(scores: ScoreArrays, over: Over, level: float) -> str:
    """Why intervals of means are infinite and what to do; "" where they are finite."""
    spread = scores.uncertainty
    if over != ("world",) or spread is None or spread.worlds != "independent":
        return ""
    return few_worlds_text(spread.n_worlds, least_draws(level), f"{level_text(level)} intervals")


def few_worlds_text(n_worlds: int, needed: int, intervals: str) -> str:
    """How many worlds finite intervals take; "" where there are so many.

    Examples
    --------
    >>> few_worlds_text(20, 39, "95 % intervals")
    '20 worlds are too few for 95 % intervals: n_worlds=39 or more gives finite ones'
    >>> few_worlds_text(39, 39, "95 % intervals")
    ''
    """
    if n_worlds >= needed:
        return ""
    return (
        f"{counted(n_worlds, 'world is', 'worlds are')} too few for {intervals}: "
        f"n_worlds={needed:,} or more gives finite ones"
    )


def interval_table(
    scores: ScoreArrays,
    contrasts: Contrasts,
    *,
    over: Iterable[str] | str,
    level: float,
    method: IntervalMethod,
    statistic: str | Statistic,
    resampling: Resampling,
    clusters: Grouping = None,
    strata: Grouping = None,
    full: bool = False,
) -> pd.DataFrame:
    """One row a contrast and measure, all measures of a contrast one below the other.

    The columns are those of `Scores.summary`; of pairs, system_a and system_b.
    """
    names = np.array(scores.systems, dtype=object)
    labels = {"system": names[contrasts.first]}
    if contrasts.second is not None:
        labels = {"system_a": names[contrasts.first], "system_b": names[contrasts.second]}
    columns = interval_columns(
        scores,
        contrasts,
        over=over,
        level=level,
        method=method,
        statistic=statistic,
        resampling=resampling,
        clusters=clusters,
        strata=strata,
    )
    tables = [
        pd.DataFrame({**labels, "measure": measure, **of_measure})
        for measure, of_measure in zip(scores.measures, columns, strict=True)
    ]
    out = pd.concat(tables, ignore_index=True)
    order = np.arange(len(out)).reshape(len(scores.measures), -1).T.ravel()
    out = out.iloc[order].reset_index(drop=True).astype(dict.fromkeys(labels, str))
    if option_flag("full", full):
        return out
    unused = [] if (out["n_subjects"] > 0).any() else ["n_subjects"]
    return out.drop(columns=["std_error", "df", "method", *unused])


def interval_columns(
    scores: ScoreArrays,
    contrasts: Contrasts,
    *,
    over: Iterable[str] | str,
    level: float,
    method: IntervalMethod = "auto",
    statistic: str | Statistic = "mean",
    resampling: Resampling,
    clusters: Grouping = None,
    strata: Grouping = None,
) -> list[dict[str, Any]]:
    """For each measure, columns by name, (contrasts,) each; without pandas."""
    axes = check_over(over, scores)
    level = between_zero_and_one("level", level)
    choice("method", method, get_args(IntervalMethod))
    groups = query_groups(scores, clusters, strata, axes)
    out = []
    for m, name in enumerate(scores.measures):
        observed = observations_of(scores, m, groups)
        check_strata(observed, contrasts, scores.systems)
        out.append(
            intervals(
                observed,
                contrasts,
                axes,
                level=level,
                method=method,
                statistic=statistic,
                using=resampling,
                bounds=range_of(scores, m),
                of_queries=IMAGE not in scores.query_attributes or name not in PSEUDO_VALUES,
            )
        )
    _warn_of_unknown(sum(int(np.isnan(one["std_error"]).sum()) for one in out), axes)
    if few := few_worlds(scores, axes, level):
        warn(few, DegenerateWarning)
    return out


def _warn_of_unknown(count: int, over: Over) -> None:
    """Say how many standard errors are unknown."""
    if count:
        warn(
            f"{counted(count, 'standard error')} over {in_words(over)} cannot be known, for "
            f"{'it rests' if count == 1 else 'they rest'} on a single unit or on none, or on units "
            "that nothing connects: intervals are (-inf, inf), those of means the whole range of a "
            "measure whose range is known, and NaN where there is no value",
            DegenerateWarning,
        )

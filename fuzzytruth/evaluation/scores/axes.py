"""Which of queries, subjects and worlds can be random for given scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, get_args

import numpy as np

from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import OptionError, require, shown
from fuzzytruth.evaluation.scores.score_arrays import check_scores
from fuzzytruth.stats.settings import Axis, Over

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays


def check_over(over: Iterable[str] | str, scores: ScoreArrays) -> Over:
    """The axes named, in one order.

    Raises
    ------
    OptionError
        No axis, an unknown one, one that the scores lack (it names the ``worlds=`` that gives it),
        subjects that are called crossed and judged one query each, worlds after a selection of
        queries whose means in each world are not known, or queries with worlds that are no sample
        of people.
    """
    check_scores(scores)
    require("over", over, isinstance(over, Iterable), "must be 'query', 'subject' or 'world'")
    named = (over,) if isinstance(over, str) else tuple(over)
    known = get_args(Axis)
    for axis in named:
        if axis not in known:
            raise OptionError(
                f"over={shown(axis)}: must be 'query', 'subject', 'world', or several of them"
            )
    if not named:
        raise OptionError("over=(): name what is random: 'query', 'subject', 'world', or several")
    if "subject" in named and scores.subjects is None:
        raise OptionError(
            "over='subject': these scores have no subjects; evaluate with worlds='subject', which "
            "keeps each subject's truth apart" + _instead(scores)
        )
    if "subject" in named and scores.design == "crossed" and looks_nested(scores):
        raise OptionError(
            "over='subject': every subject judged a single query, so that nothing tells subjects "
            "from queries; if a name is another person in another query, say design='nested'"
        )
    if "world" in named and (scores.uncertainty is None or scores.subjects is not None):
        has = " (they have subjects: over='subject')" if scores.subjects is not None else ""
        raise OptionError(
            f"over='world': these scores have no worlds{has}; evaluate with "
            "worlds='independent', which draws each item's truth from its votes, or "
            "worlds='population', which resamples the subjects"
        )
    if "world" in named and scores.uncertainty is not None:
        scores.uncertainty.check_means()
        refused = why_not_crossed(scores) if "query" in named else None
        if refused is not None:
            raise OptionError(refused)
    return tuple(axis for axis in known if axis in named)


def why_not_crossed(scores: ScoreArrays) -> str | None:
    """Why these worlds cannot be random together with the queries; None: they can."""
    spread = scores.uncertainty
    if spread is not None and spread.worlds != "population":
        return (
            f"over=('query', 'world'): {spread.worlds} worlds say how uncertain one realised score "
            "is, and are no sample of people; evaluate with worlds='population', or with "
            "worlds='subject' for over=('query', 'subject'); over='query' is for queries alone"
        )
    if spread is not None and not spread.has_within and scores.design == "crossed":
        return (
            "over=('query', 'world'): how single queries vary over worlds is not known, as these "
            "scores were saved before it was; evaluate again"
        )
    return None


def over_people(scores: ScoreArrays) -> Over | None:
    """Queries with those who judged, where these are a sample, too; None where they are not.

    Several subjects that are crossed with the queries, or resampled ones.
    """
    if scores.subjects is not None:
        several = len(scores.subjects) > 1 and not are_nested(scores)
        return ("query", "subject") if several else None
    spread = scores.uncertainty
    return ("query", "world") if spread is not None and spread.worlds == "population" else None


def are_nested(scores: ScoreArrays) -> bool:
    """Whether subjects are nested in queries, by name or because each judged a single one."""
    return scores.design == "nested" or (scores.subjects is not None and looks_nested(scores))


def people(scores: ScoreArrays) -> int:
    """Number of subjects with a value; one name in two queries is two people if they are nested."""
    if scores.subjects is None:
        return 0
    if not are_nested(scores):
        return len(scores.subjects)
    return int((~np.isnan(scores.values)).any(axis=(0, 1)).sum())


def resampled_subjects(scores: ScoreArrays) -> int:
    """Of how many subjects population worlds are resamples; 0 for others, or where it varies."""
    spread = scores.uncertainty
    if spread is None or spread.worlds != "population" or scores.design == "nested":
        return 0
    return round(spread.inflation / (spread.inflation - 1)) if 1 < spread.inflation < np.inf else 0


def looks_nested(scores: ScoreArrays) -> bool:
    """Whether no subject judged two queries, of several."""
    return cells_look_nested(scores.cells)


def cells_look_nested(cells: Cells) -> bool:
    """Whether no subject has two of these cells, of several queries."""
    return cells.n_queries > 1 and int(cells.subject_sizes.max(initial=0)) <= 1


def _instead(scores: ScoreArrays) -> str:
    if scores.uncertainty is not None and scores.uncertainty.worlds == "population":
        return "; these have resampled subjects: over='world'"
    return ""

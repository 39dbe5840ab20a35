"""What scores can answer."""

from __future__ import annotations

from fuzzytruth.evaluation.axes import looks_nested, why_not_crossed
from fuzzytruth.evaluation.score_arrays import ScoreArrays


def answers_of(scores: ScoreArrays) -> tuple[str, ...]:
    """See `Scores.answers`."""
    spread = scores.uncertainty if scores.subjects is None else None
    has_subjects, nested = scores.subjects is not None, scores.design == "nested"
    over_subjects = has_subjects and (nested or not looks_nested(scores))
    joint = spread is None or spread.has_means
    over_worlds = spread is not None and joint
    can = {
        "mean": True,
        "mean by subject": has_subjects and not nested,
        "summary over query": True,
        "summary over subject": over_subjects,
        "summary over query and subject": over_subjects,
        "summary over world": over_worlds,
        "summary over query and world": over_worlds and why_not_crossed(scores) is None,
        "distribution": _single_queries(scores),
        "mean_distribution": joint and not (has_subjects and nested),
        "bounds": scores.lower is not None,
    }
    return tuple(name for name, answered in can.items() if answered)


def _single_queries(scores: ScoreArrays) -> bool:
    """Whether every score of a single query has a distribution."""
    spread = scores.uncertainty
    if spread is None or scores.subjects is not None or spread.has_kept:
        return True
    return spread.sources is not None and spread.sources.complete

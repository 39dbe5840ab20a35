"""Which of queries, subjects and worlds can be random for given scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, get_args

from fuzzytruth.errors import OptionError, require, shown
from fuzzytruth.evaluation.score_arrays import check_scores
from fuzzytruth.stats.axes import Axis, Over

if TYPE_CHECKING:
    from fuzzytruth.evaluation.score_arrays import ScoreArrays


def check_over(over: Iterable[str] | str, scores: ScoreArrays) -> Over:
    """The axes named, in one order.

    Raises
    ------
    OptionError
        No axis, an unknown one, one that the scores lack (it names the ``worlds=`` that gives it),
        subjects that are called crossed and judged one query each, or worlds after a selection of
        queries whose means in each world are not known.
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
            "worlds='independent', which draws each item's truth from its votes, or 'population', "
            "which resamples the subjects"
        )
    if "world" in named and scores.uncertainty is not None:
        scores.uncertainty.check_means()
    return tuple(axis for axis in known if axis in named)


def looks_nested(scores: ScoreArrays) -> bool:
    """Whether no subject judged two queries, of several."""
    return len(scores.queries) > 1 and int(scores.cells.subject_sizes.max(initial=0)) <= 1


def _instead(scores: ScoreArrays) -> str:
    if scores.uncertainty is not None and scores.uncertainty.worlds == "population":
        return "; these have resampled subjects: over='world'"
    return ""

"""What is random: queries, subjects, worlds, as the user names them and as scores have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, get_args

from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

Axis = Literal["query", "subject", "world"]
Over = tuple[Axis, ...]

_WORDS = {"query": "queries", "subject": "subjects", "world": "worlds"}


def check_over(over: Iterable[str] | str, scores: Scores) -> Over:
    """The axes named, in one order.

    Raises
    ------
    OptionError
        No axis, an unknown one, one that the scores lack (it names the ``worlds=`` that gives it),
        or subjects that are called crossed and judged one query each.
    """
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
            "which draws the subjects anew"
        )
    return tuple(axis for axis in known if axis in named)


def looks_nested(scores: Scores) -> bool:
    """Whether no subject judged two queries, of several."""
    return len(scores.queries) > 1 and bool((scores.judged.sum(axis=1) <= 1).all())


def _instead(scores: Scores) -> str:
    found = scores.uncertainty
    if found is not None and found.worlds == "population":
        return "; these have subjects drawn anew: over='world'"
    return ""


def in_words(over: Over) -> str:
    """Such as "queries and subjects"."""
    return " and ".join(_WORDS[axis] for axis in over)

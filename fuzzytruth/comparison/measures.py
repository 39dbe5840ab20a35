"""Measures of scores, looked up by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fuzzytruth.errors import OptionError, require
from fuzzytruth.evaluation.score_arrays import check_scores

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


def measure_places(scores: Scores, measures: Iterable[str] | str | None) -> tuple[int, ...]:
    """Indices of measures named in any spelling; of all by default."""
    check_scores(scores)
    if measures is None:
        return tuple(range(len(scores.measures)))
    require("measures", measures, isinstance(measures, Iterable), "must be names of measures")
    named = [measures] if isinstance(measures, str) else list(measures)
    if not named:
        raise OptionError("measures: name at least one, or leave it out for all")
    return tuple(dict.fromkeys(scores.measure_place(str(name)) for name in named))

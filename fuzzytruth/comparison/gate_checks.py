"""What a gate refuses, and what it warns of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    MissingCellWarning,
    OptionError,
    counted,
    first_few,
    nearest,
    shown,
    warn,
)
from fuzzytruth.stats.margins import check_margin

if TYPE_CHECKING:
    from fuzzytruth.comparison.gate_result import Gate
    from fuzzytruth.evaluation.scores import Scores


def check_names(scores: Scores, new: str, old: str) -> None:
    """Raise unless these are two systems of the scores.

    Raises
    ------
    OptionError
        A name is unknown, or both are the same.
    """
    for what, name in (("new", new), ("old", old)):
        place_of(scores.systems, name, what)
    if new == old:
        raise OptionError(f"new, old: {shown(new)} is both; name two systems")


def margins_of(
    scores: Scores, places: Sequence[int], given: Any, *, better: bool
) -> tuple[float, ...]:
    """The margin of each measure; 0 where the new system has to be better.

    Raises
    ------
    OptionError
        There is none, one is not above 0, or a mapping lacks a measure or names another one.
    """
    names = [scores.measures[place] for place in places]
    if option_flag("better", better):
        if given is not None:
            raise OptionError(
                f"margin={shown(given)}: is for a gate that asks for not worse; leave it out with "
                "better=True"
            )
        return (0.0,) * len(names)
    if given is None:
        raise OptionError(
            "margin=None: name the loss that is too much, in units of the measure, such as "
            "margin=0.01; or ask for better=True"
        )
    if not isinstance(given, Mapping):
        return (check_margin(given),) * len(names)
    margins = {scores.measure_name(name): value for name, value in given.items()}
    unknown = [name for name in margins if name not in names]
    if unknown or len(margins) < len(given):
        what = f"{shown(unknown[0])} is no measure of the gate" if unknown else "a measure is twice"
        near = nearest(str(unknown[0]), names) if unknown else ""
        raise OptionError(
            f"margin={shown(dict(given))}: {what}{near}; name each of {', '.join(names)} once"
        )
    lost = [name for name in names if name not in margins]
    if lost:
        raise OptionError(
            f"margin={shown(dict(given))}: must have one number for each of {', '.join(names)}; "
            f"{lost[0]} has none"
        )
    return tuple(check_margin(margins[name]) for name in names)


def refuse_wide_margins(
    scores: Scores, places: Sequence[int], margins: Sequence[float], old: str
) -> None:
    """Refuse margins that a system of which every value is 0 would keep.

    Raises
    ------
    OptionError
        Higher is better, no value is negative, and a margin is the mean of `old` or more.
    """
    row = place_of(scores.systems, old, "old")
    for place, margin in zip(places, margins, strict=True):
        values = scores.values[:, place]
        of_queries = scores.cells.mean_by_query(values[row][None])[0]
        known = of_queries[~np.isnan(of_queries)]
        if not (margin and len(known) and scores.higher_is_better[place]):
            continue
        if margin >= known.mean() and np.nanmin(values) >= 0:
            raise OptionError(
                f"margin={margin:g}: the mean {scores.measures[place]} of {old} is "
                f"{known.mean():.4g}, so that a system that finds nothing would pass; choose a "
                "smaller one, in units of the measure"
            )


def refuse_missing(scores: Scores, places: Sequence[int], new: str, old: str) -> None:
    """Refuse a new system that leaves out what the old one has; warn of the opposite.

    Raises
    ------
    DataError
        `new` lacks a value that `old` has.
    """
    first, second = (place_of(scores.systems, name, "system") for name in (new, old))
    dropped = 0
    for place in places:
        lost, unmatched = (
            np.isnan(scores.values[one, place]) & ~np.isnan(scores.values[other, place])
            for one, other in ((first, second), (second, first))
        )
        if lost.any():
            query = scores.queries[scores.cells.query[np.flatnonzero(lost)[0]]]
            values = counted(int(lost.sum()), "value is", "values are")
            raise DataError(
                f"{new}: {values} missing of {scores.measures[place]} where {old} has one (the "
                f"first: query {shown(query)}); score them, 0 where there is no answer, or leave "
                "them out of both"
            )
        dropped += int(unmatched.sum())
    if dropped:
        warn(
            f"{old}: {counted(dropped, 'value is', 'values are')} missing where {new} has one; the "
            "gate rests on what both have",
            MissingCellWarning,
        )


def warn_of_identical(gate: Gate) -> None:
    """Warn of measures by which the systems do not differ anywhere."""
    same = [test.measure for test in gate.deciding if test.outcome == "identical"]
    if same:
        pair = f"{gate.conditions.new} and {gate.conditions.old}"
        warn(
            f"{pair} have the same values of {first_few(same)} everywhere: "
            "nothing was tested; are they the same run?",
            DegenerateWarning,
        )

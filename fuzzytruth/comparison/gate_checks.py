"""What a gate refuses, and what it warns of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fuzzytruth import errors
from fuzzytruth.core.validation import option_flag, option_number, place_of
from fuzzytruth.errors import counted, nearest, shown, warn
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.stats.multiplicity import check_margin


def checked_old(scores: Scores, new: str, old: Any, places: Sequence[int]) -> str | float:
    """The old system, or a number, its mean by the only measure.

    Raises
    ------
    OptionError
        A name is unknown, both are the same, or there is one mean and several measures, or one that
        the measure cannot have.
    """
    place_of(scores.systems, new, "new=")
    if isinstance(old, (int, float, np.number)) and not isinstance(old, bool):
        mean = option_number("old", old)
        if len(places) > 1:
            raise errors.OptionError(
                f"old {mean:g}: is a mean by one measure; name it, of "
                f"{', '.join(scores.measures[place] for place in places)}"
            )
        least, most = scores._range_of(places[0])
        if not least <= mean <= most:
            raise errors.OptionError(
                f"old {mean:g}: {scores.measures[places[0]]} is between {least:g} and {most:g}"
            )
        return mean
    place_of(scores.systems, old, "old=")
    if new == old:
        raise errors.OptionError(f"new, old: {shown(new)} is both; name two systems")
    return str(old)


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
            raise errors.OptionError(
                f"margin={shown(given)}: is for a gate that asks for not worse; leave it out with "
                "better=True"
            )
        return (0.0,) * len(names)
    if given is None:
        raise errors.OptionError(
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
        raise errors.OptionError(
            f"margin={shown(dict(given))}: {what}{near}; name each of {', '.join(names)} once"
        )
    lost = [name for name in names if name not in margins]
    if lost:
        raise errors.OptionError(
            f"margin={shown(dict(given))}: must have one number for each of {', '.join(names)}; "
            f"{lost[0]} has none"
        )
    return tuple(check_margin(margins[name]) for name in names)


def refuse_wide_margins(
    scores: Scores, places: Sequence[int], margins: Sequence[float], old: str | float
) -> None:
    """Refuse margins that a system of which every value is 0 would keep.

    Raises
    ------
    OptionError
        Higher is better, no value is negative, and a margin is the mean of `old` or more.
    """
    for place, margin in zip(places, margins, strict=True):
        values = scores.values[:, place]
        if isinstance(old, str):
            row = place_of(scores.systems, old, "old=")
            of_queries = scores.cells.mean_by_query(values[row][None])[0]
        else:
            of_queries = np.array([old])
        known = of_queries[~np.isnan(of_queries)]
        if not (margin and len(known) and scores.higher_is_better[place]):
            continue
        if margin >= known.mean() and np.nanmin(values) >= 0:
            name = scores.measures[place]
            what = f"mean {name} of {old}" if isinstance(old, str) else f"old mean {name}"
            raise errors.OptionError(
                f"margin={margin:g}: the {what} is {known.mean():.4g}, so that a system that finds "
                "nothing would pass; choose a smaller one, in units of the measure"
            )


def refuse_missing(scores: Scores, places: Sequence[int], new: str, old: str | float) -> None:
    """Refuse a new system that leaves out what the old one has; warn of the opposite.

    Of an old one whose mean alone is known, every value that any system has.

    Raises
    ------
    DataError
        `new` lacks a value that `old` has.
    """
    first, is_pair, dropped = place_of(scores.systems, new, "new="), isinstance(old, str), 0
    rows = [place_of(scores.systems, str(old), "old=")] if is_pair else slice(None)
    whose = old if is_pair else "another system"
    for place in places:
        lacks = np.isnan(scores.values[first, place])
        old_lacks = np.isnan(scores.values[rows, place]).all(axis=0)
        lost, unmatched = lacks & ~old_lacks, ~lacks & old_lacks
        if lost.any():
            query = scores.queries[scores.cells.query[np.flatnonzero(lost)[0]]]
            values = counted(int(lost.sum()), "value is", "values are")
            raise errors.DataError(
                f"{new}: {values} missing of {scores.measures[place]} where {whose} has one (the "
                f"first: query {shown(query)}); score them, 0 where there is no answer, or leave "
                "them out of both"
            )
        dropped += int(unmatched.sum())
    if dropped:
        warn(
            f"{old}: {counted(dropped, 'value is', 'values are')} missing where {new} has one; the "
            "gate rests on what both have",
            errors.MissingCellWarning,
        )

"""Options of `plan`, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import numpy as np

from fuzzytruth.annotators.planning.design_variances import Components
from fuzzytruth.annotators.planning.planned_designs import Costs, Targets
from fuzzytruth.core.validation import MOST, between_zero_and_one, option_number, whole_number
from fuzzytruth.errors import OptionError, shown
from fuzzytruth.stats.axes import Axis, Over

FAMILIES = ("all pairs", "baseline", "one")

_LARGEST = 1e100  # whose square is finite


def sizes(name: str, given: Any) -> Sequence[int]:
    """Ascending whole numbers from 1, without repeats.

    Raises
    ------
    OptionError
        They are no numbers, or there is none.
    """
    if isinstance(given, range) and given.step > 0 and len(given) and given.start >= 1:
        return given
    whole = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    if not whole and (isinstance(given, (str, bytes)) or not isinstance(given, Iterable)):
        raise OptionError(
            f"{name}={shown(given)}: must be a whole number, or several, such as range(10, 201)"
        )
    listed = [given] if whole else list(given)
    if not listed:
        raise OptionError(f"{name}={shown(given)}: name at least one number")
    return sorted({whole_number(name, one, 1, MOST) for one in listed})


def targets_of(half_width: Any, difference: Any, power: Any, coefficient: Any) -> Targets:
    """Targets, each in its range."""
    width = None if half_width is None else _positive("half_width", half_width)
    gap = None if difference is None else _positive("difference", difference)
    chance = between_zero_and_one("power", power)
    share = None if coefficient is None else between_zero_and_one("coefficient", coefficient)
    return Targets(width, gap, None if gap is None else chance, share)


def costs_of(judgment: Any, judgments_per_query: Any, subject: Any, query: Any) -> Costs:
    """Prices, from 0, and judgments of a query by each subject."""
    given = {
        "cost_per_judgment": judgment,
        "cost_per_subject": subject,
        "cost_per_query": query,
    }
    prices = []
    for name, one in given.items():
        price = option_number(name, 0.0 if one is None else one)
        if price < 0:
            raise OptionError(f"{name}={price:g}: must be 0 or more")
        prices.append(price)
    return Costs(
        prices[0], prices[1], prices[2], _positive("judgments_per_query", judgments_per_query)
    )


def budget_of(given: Any) -> float | None:
    """A budget above 0."""
    return None if given is None else _positive("budget", given)


def comparisons(family: Any, systems: int | None, *, of_all: bool) -> int:
    """How many intervals hold together.

    Raises
    ------
    OptionError
        The family is unknown, or of systems whose number is not.
    """
    if family is None:
        family = "one" if of_all or systems is None else "all pairs"
    if isinstance(family, (int, np.integer)) and not isinstance(family, bool):
        return whole_number("family", family, 1, MOST)
    if not isinstance(family, str) or family not in FAMILIES:
        raise OptionError(
            f"family={shown(family)}: must be 'all pairs', 'baseline', 'one', or a number of "
            "comparisons"
        )
    if family == "one":
        return 1
    if of_all:
        raise OptionError(f"family={family!r}: is of differences, and of='mean' has none")
    if systems is None:
        raise OptionError(f"family={family!r}: give n_systems=, how many there will be")
    return max(systems - 1 if family == "baseline" else systems * (systems - 1) // 2, 1)


def axes_of(over: Any) -> Over:
    """Queries, subjects or both.

    Raises
    ------
    OptionError
        Something else.
    """
    named = [over] if isinstance(over, str) else list(over) if isinstance(over, Iterable) else []
    if not named or any(axis not in ("query", "subject") for axis in named):
        given = named[0] if len(named) == 1 else over
        raise OptionError(f"over={shown(given)}: must be 'query', 'subject', or both")
    return tuple(axis for axis in get_args(Axis) if axis in named)


def by_default(components: Components) -> Over:
    """What is random if nothing is said: subjects where there are any."""
    return ("query", "subject") if components.has_subjects else ("query",)


def numbers_of_subjects(
    given: Any, components: Components, over: Over, panel: int
) -> Sequence[int]:
    """Numbers of subjects to consider, by default up to 10 and those of the pilot."""
    if not components.has_subjects:
        wanted = (1,) if given is None else tuple(sizes("subjects", given))
        if wanted != (1,):
            raise OptionError(
                f"plan: {shown(list(wanted)[:3])} subjects are asked for, and the pilot has not "
                "several, so that nothing says how they differ; plan from components="
            )
        return wanted
    if given is not None:
        return sizes("subjects", given)
    first = 2 if "subject" in over and not components.nested else 1
    return sorted({*range(first, 11), *((panel,) if panel >= first else ())})


def _positive(name: str, given: Any) -> float:
    value = option_number(name, given)
    if value <= 0:
        raise OptionError(f"{name}={value:g}: must be above 0")
    if value > _LARGEST:
        raise OptionError(f"{name}={value:g}: must be {_LARGEST:g} or less")
    return value

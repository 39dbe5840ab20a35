"""Ratings made ready for coefficients: whose votes, which categories, what is left out together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.segments import offsets_of, ragged
from fuzzytruth.core.votes.unit_votes import Removed, UnitVotes
from fuzzytruth.data.repeats import groups_of as equal_rows
from fuzzytruth.errors import DataError, OptionError, nearest, require, shown

Axis = Literal["item", "query", "subject"]
Over = tuple[Axis, ...]
_WORDS = {"item": "items", "query": "queries", "subject": "subjects"}


def in_words(over: Over) -> str:
    """Name axes, such as "items and subjects"."""
    return " and ".join(_WORDS[axis] for axis in over)


def unit_word(ratings: Ratings) -> str:
    """What a unit is called; of intents, and where some categories were asked, no item."""
    if "intent" in ratings.units:
        return "item-intent pair"
    return "question" if ratings.sets is not None and ratings.cluster is not None else "item"


def n_queries(ratings: Ratings) -> int:
    """Number of queries; 0 where votes have none."""
    if "query" not in ratings.units or ratings.cluster is None:
        return 0
    return int(ratings.cluster.max(initial=-1)) + 1


def default_axis(ratings: Ratings) -> Literal["item", "query"]:
    """Queries where there are several, whose items vary together; else items."""
    return "query" if n_queries(ratings) > 1 else "item"


def check_over(over: Iterable[str] | str | None, ratings: Ratings) -> Over:
    """The axes named, in one order; None: `default_axis`.

    Raises
    ------
    OptionError
        None, an unknown one, or one that the votes lack.
    DataError
        Subjects, of whom nobody is named.
    """
    if over is None:
        return (default_axis(ratings),)
    known = get_args(Axis)
    rule = "must be 'item', 'query', 'subject', or one of the first two with 'subject'"
    require("over", over, isinstance(over, (str, list, tuple, set, frozenset)), rule)
    named = (over,) if isinstance(over, str) else tuple(over)
    require("over", over, bool(named) and all(axis in known for axis in named), rule)
    if "item" in named and "query" in named:
        raise OptionError(
            "over=('item', 'query'): queries are clusters of items; 'query' resamples them whole, "
            "'item' takes items for independent"
        )
    if "query" in named and n_queries(ratings) == 0:
        raise OptionError("over='query': these votes have no queries; take over='item'")
    if "subject" in named:
        ratings.named("over='subject'")
    return tuple(axis for axis in known if axis in named)


def of_subjects(ratings: Ratings, names: Iterable[str] | str | None) -> Ratings:
    """The votes of some subjects, who are numbered in the order named.

    Raises
    ------
    OptionError
        One is not among those who voted, or named twice.
    """
    if names is None:
        return ratings
    known = ratings.named("subjects")
    require("subjects", names, isinstance(names, Iterable), "must be names of subjects")
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in known:
            near = nearest(str(name), known)
            raise OptionError(f"subject {shown(name)} is not among those who voted{near}")
    if len(set(wanted)) < len(wanted):
        raise OptionError("the name of a subject is given twice; keep one")
    place = {name: number for number, name in enumerate(wanted)}
    new = np.array([place.get(name, -1) for name in known], dtype=np.int64)
    subject = new[ratings.subject]
    rows = np.flatnonzero(subject >= 0)
    rows = rows[np.lexsort((subject[rows], ratings.unit[rows]))]
    return _given_values(_rows(replace(ratings, subject=subject, subjects=wanted), rows))


def _given_values(ratings: Ratings) -> Ratings:
    """Without the values that nobody gave."""
    given, value = np.unique(ratings.value, return_inverse=True)
    if len(given) == len(ratings.names):
        return ratings
    grades, sets = ratings.grades, ratings.sets
    if sets is not None:
        _, places = ragged(sets.offsets, given)
        sets = LabelSets(offsets_of(np.diff(sets.offsets)[given]), sets.label[places])
    return replace(
        ratings,
        value=value.reshape(-1),
        names=tuple(ratings.names[place] for place in given.tolist()),
        grades=None if grades is None else grades[given],
        sets=sets,
    )


def with_whole_grades(ratings: Ratings, scale: tuple[float, float] | None) -> Ratings:
    """With the whole numbers of the scale among the grades, though nobody gave some of them."""
    grades = ratings.grades
    if scale is None or grades is None or not np.array_equal(grades, np.round(grades)):
        return ratings
    every = np.union1d(grades, np.arange(np.ceil(scale[0]), np.floor(scale[1]) + 1))
    place = np.searchsorted(every, grades)
    names = tuple(f"{grade:g}" for grade in every.tolist())
    return replace(ratings, grades=every, names=names, value=place[ratings.value])


def _rows(ratings: Ratings, rows: Ints) -> Ratings:
    return replace(
        ratings,
        unit=ratings.unit[rows],
        subject=ratings.subject[rows],
        value=ratings.value[rows],
        weight=ratings.weight[rows],
    )


def unit_votes(ratings: Ratings) -> UnitVotes:
    """The votes as sparse arrays.

    Raises
    ------
    DataError
        There are no two people, or no unit with two votes.
    """
    subject = None if ratings.subjects is None else ratings.subject
    votes = UnitVotes.of(
        ratings.unit, subject, ratings.value, ratings.weight, ratings.n_units, len(ratings.names)
    )
    if subject is not None:
        people = np.unique(subject)
        if len(people) < 2:
            who = f" ({shown(ratings.named('')[people[0]])})" if len(people) else ""
            raise DataError(
                f"agreement: all votes are of one subject{who}; agreement takes two or more"
            )
    if not (votes.n >= 2).any():
        raise DataError(
            "agreement: no item has votes of two people, so that nobody can agree; give votes of "
            "several people on the same items"
        )
    return votes


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """What is left out at a time: items or queries, subjects, and what both have in common.

    Parameters
    ----------
    units, subjects, cells : Removed or None
        None where that is not random; `cells` where both are.
    """

    units: Removed | None
    subjects: Removed | None
    cells: Removed | None


def groups_of(ratings: Ratings, votes: UnitVotes, used: Bools, over: Over) -> Groups:
    """Groups of the units (units,) that are `used`."""
    unit = np.flatnonzero(used)
    # Of votes for categories, clusters are the items about which several questions were asked.
    whole = "query" in over or ratings.sets is not None
    cluster = ratings.cluster if whole else _items_of_intents(ratings)
    code = np.arange(len(used)) if cluster is None else cluster
    units = subjects = cells = None
    group, n = _numbered(code[unit])
    if "item" in over or "query" in over:
        units = Removed(group, n, unit, None)
    if "subject" in over:
        cell = np.flatnonzero(used[votes.unit])
        who, n_who = _numbered(votes.subject[cell])
        subjects = Removed(who, n_who, votes.unit[cell], cell)
        if units is not None:
            both, n_both = _numbered(code[votes.unit[cell]] * (int(who.max()) + 1) + who)
            cells = Removed(both, n_both, votes.unit[cell], cell)
    return Groups(units, subjects, cells)


def _items_of_intents(ratings: Ratings) -> Ints | None:
    """The item of each unit (units,), where an item has several intents; else None."""
    if "intent" not in ratings.units:
        return None
    return equal_rows([ratings.units["query"], ratings.units["item"]])


def several_queries(ratings: Ratings) -> bool:
    """Whether units are of two or more queries, whose items vary together."""
    return ratings.sets is None and ratings.cluster is not None and bool(np.ptp(ratings.cluster))


def _numbered(code: Any) -> tuple[Ints, int]:
    """Codes numbered from 0, and how many there are."""
    known, number = np.unique(code, return_inverse=True)
    return number.reshape(-1), len(known)

"""Weighted displacement of a system's list from each subject's, and its quality."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide, segment_of, segment_sum
from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.lists.weighted_displacement import UNLIMITED, DisplacedLists, Hypothesis
from fuzzytruth.core.validation import MOST
from fuzzytruth.errors import DataError, MeasureError, OptionError, choice, counted, require, shown
from fuzzytruth.measures.list_similarity import ListMeasure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.inputs import AlignedLists

# Rules of weighted displacement: options, checks of lists, and the values that follow.
#
# `WD` and `WDQ` apply them to the lists of all subjects at once, `fuzzytruth.displacement` to one.


ListTies = Literal["interval", "position"]
Order = Literal["error", "sort"]

#: hypotheses that need the size of the collection
NEED_N = ("pessimist", "pessimist-tail", "worst")


@dataclass(frozen=True, slots=True, eq=False)
class GivenLists:
    """Subjects' lists as given, end to end.

    Parameters
    ----------
    offsets : (lists + 1,) int
    relevance : (rows,) float
        In the order of `position`, then descending.
    position : (rows,) float or None
        Ascending within each list; None: lists are ordered by relevance.
    name : callable
        A list's name in error messages, by its number.
    item : callable
        A row's item in error messages, by its number.
    """

    offsets: Ints
    relevance: Floats
    position: Floats | None
    name: Callable[[int], str]
    item: Callable[[int], object]


@dataclass(frozen=True, slots=True, eq=False)
class ArrangedLists:
    """Subjects' lists in an order of non-increasing relevance.

    Parameters
    ----------
    given : GivenLists
    ranked : RankedLists
    rows : (rows,) int, or slice
        Index that orders the given rows; the whole slice where their order stays.
    """

    given: GivenLists
    ranked: RankedLists
    rows: Ints | slice


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplacementRules:
    """Options of weighted displacement; see `fuzzytruth.displacement` for their meaning.

    Raises
    ------
    OptionError
        An option has a value that it does not take.
    """

    unseen: Hypothesis = "optimist"
    N: int | None = None
    ties: ListTies | None = None
    order: Order = "error"
    normalised: bool = False

    def __post_init__(self) -> None:
        choice("unseen", self.unseen, get_args(Hypothesis))
        choice("ties", self.ties, (None, *get_args(ListTies)))
        choice("order", self.order, get_args(Order))
        choice("normalised", self.normalised, (True, False))
        if self.N is not None:
            whole = isinstance(self.N, (int, np.integer)) and not isinstance(self.N, bool)
            rule = "the size of the collection must be a whole number from 1"
            require("N", self.N, whole and 1 <= self.N <= MOST, rule)

    def require_size(self) -> None:
        """Raise `OptionError` if the hypothesis needs N and it is missing."""
        if self.unseen in NEED_N and self.N is None:
            raise OptionError(f"unseen={self.unseen!r}: needs N, the size of the collection")

    def arrange(self, given: GivenLists) -> ArrangedLists:
        """Order lists by relevance, and find their ties.

        Raises
        ------
        DataError
            A relevance is outside [0, 1], or relevances rise along a list and `order` is "error".
        OptionError
            ``ties="position"`` and there are no positions.
        """
        _check_relevances(given)
        rows = self._falling(given, given.position)
        keys = [given.relevance[rows]]
        ties = self.ties or ("interval" if given.position is None else "position")
        if ties == "position":
            if given.position is None:
                raise OptionError(
                    "ties='position': these lists have no positions; add a column 'position', or "
                    "use ties='interval'"
                )
            keys.append(given.position[rows])
        first, last = tied_places(given.offsets, *keys)
        return ArrangedLists(given, RankedLists(given.offsets, keys[0], first, last), rows)

    def _falling(self, given: GivenLists, position: Floats | None) -> Ints | slice:
        """Rows in an order of non-increasing relevance."""
        if position is None:
            return slice(None)
        relevance, own = given.relevance, segment_of(given.offsets)
        rises = np.flatnonzero((relevance[1:] > relevance[:-1]) & (own[1:] == own[:-1]))
        if not len(rises):
            return slice(None)
        if self.order == "sort":
            return np.lexsort((position, -relevance, own))
        row = int(rises[0])
        raise DataError(
            f"{given.name(int(own[row]))}: relevance rises from {relevance[row]:g} of item "
            f"{shown(given.item(row))} to {relevance[row + 1]:g} of the next, "
            f"{shown(given.item(row + 1))} ({len(rises):,} such places); correct the order, or "
            "sort by relevance with order='sort'"
        )

    def displace(self, arranged: ArrangedLists, rank: Ints, length: Ints) -> DisplacedLists:
        """Put the ranks that a system gave the items beside the subjects' lists.

        Parameters
        ----------
        rank : (rows,) int
            Of the arranged rows; 0 where the system does not list the item.
        length : (lists,) int

        Raises
        ------
        DataError
            N is smaller than the number of different items in both lists, or a full ranking
            ("incremental") lacks items.
        """
        collection = self._collection(arranged, rank, length)
        return DisplacedLists(arranged.ranked, rank, length, self.unseen, collection)

    def _collection(self, arranged: ArrangedLists, rank: Ints, length: Ints) -> Ints:
        """Size of the collection for each list."""
        size, given = arranged.ranked.size, arranged.given
        different = length + segment_sum(rank == 0, given.offsets)
        least = np.where(size > 0, different, 0)
        if self.unseen == "incremental":
            lacking = np.flatnonzero(least > length)
            if len(lacking):
                j = int(lacking[0])
                missing = np.flatnonzero(rank[given.offsets[j] : given.offsets[j + 1]] == 0)
                row = np.arange(len(rank))[arranged.rows][given.offsets[j] + missing[0]]
                such = f", such as {shown(given.item(int(row)))}"
                raise DataError(
                    f"{given.name(j)}: the system returns {counted(int(length[j]), 'item')}, "
                    f"without {len(missing):,} of the subject's items{such}{_such_lists(lacking)}; "
                    "unseen='incremental' needs the system's full ranking"
                )
        if self.N is None:
            return length if self.unseen == "incremental" else np.full(len(least), UNLIMITED)
        small = np.flatnonzero(least > self.N)
        if len(small):
            j = int(small[0])
            raise DataError(
                f"{given.name(j)}: N={self.N}: the system lists "
                f"{counted(int(length[j]), 'item')} and the subject "
                f"{counted(int(least[j] - length[j]), 'other')}{_such_lists(small)}; "
                f"N, the size of the collection, must be {int(least.max()):,} or more"
            )
        return np.where(size > 0, self.N, np.maximum(self.N, length))


def _check_relevances(given: GivenLists) -> None:
    bad = np.flatnonzero((given.relevance < 0) | (given.relevance > 1))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{given.name(int(segment_of(given.offsets)[row]))}, item {shown(given.item(row))}: "
            f"relevance {given.relevance[row]:g} is outside [0, 1] ({len(bad):,} such); divide the "
            "grades by the largest of the scale"
        )


def _such_lists(lists: Ints) -> str:
    return f" ({len(lists):,} such lists)" if len(lists) > 1 else ""


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class DisplacementMeasure(ListMeasure):
    """Base class of WD and WDQ: their common parameters, with defaults filled in."""

    unseen: str | None = None
    N: int | None = None
    ties: str | None = None
    normalised: bool = False
    order: str = "error"
    reference = "Santini, Benchmarking without ground truth"

    def __post_init__(self) -> None:
        # Printed even if left out, since the meaning of the number depends on it.
        object.__setattr__(self, "unseen", self.unseen or "optimist")
        super().__post_init__()
        try:
            _ = self._rules
        except OptionError as error:
            raise MeasureError(f"{self}: {error}") from None
        if self.unseen == "incremental":
            self.require(self.cutoff is None, "a full ranking is not cut; leave the cut-off out")

    @property
    def _rules(self) -> DisplacementRules:
        given: dict[str, Any] = {
            f.name: getattr(self, f.name) for f in dataclasses.fields(DisplacementRules)
        }
        return DisplacementRules(**given)

    def displacement(self, lists: AlignedLists) -> Array:
        """Weighted displacement, divided by the largest one if `normalised`: (lists,) float."""
        rules = self._rules
        try:
            rules.require_size()
        except OptionError as error:
            hint = dataclasses.replace(self, N=1000)
            raise MeasureError(f"{self}: {error}, as in {hint}") from None
        aligned = lists.within(self.k)
        subjects = aligned.lists
        given = GivenLists(
            subjects.offsets, subjects.relevance, subjects.position, subjects.name, subjects.item
        )
        try:
            arranged = rules.arrange(given)
            rank = aligned.rank_of[subjects.entry[arranged.rows]]
            displaced = rules.displace(arranged, rank, aligned.length)
        except DataError as error:
            raise DataError(f"{self}: {error}") from None
        weighted = arranged.ranked.relevance * displaced.displacements()
        total: Array = segment_sum(weighted, given.offsets)
        return divide(total, displaced.largest()) if self.normalised else total


@define("weighted_displacement")
class WD(DisplacementMeasure):
    """Weighted displacement: how far items are from where the subject wants them, by relevance.

    The sum of relevance × distance of an item's places in the two lists. `unseen` says where the
    subject's items are that the system does not list: "optimist" (next), "pessimist" (displaced by
    N), "pessimist-tail" (at the end of the collection), "worst" (where they are displaced most),
    "incremental" (the run is the full ranking). `N` is the size of the collection.
    ``ties="interval"``: items of equal relevance may be in any order; "position": they are in the
    subject's order; by default "position" where positions are given. ``normalised`` divides by the
    largest value of all answers of this length. ``order="sort"`` sorts lists in which relevance
    rises.
    """

    formula = r"w = \sum_x u(x) \, d(x)"
    higher_is_better = False
    range = (0.0, math.inf)

    def compare_lists(self, lists: AlignedLists) -> Array:
        return self.displacement(lists)

    def quality(self, g: str, *, power: float | None = None, rate: float | None = None) -> WDQ:
        """The quality g of this displacement, as a measure."""
        shared = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return WDQ(**shared, g=g, power=power, rate=rate)


@define("displacement_quality")
class WDQ(DisplacementMeasure):
    """Quality g(w) of the weighted displacement w.

    It is 1 where nothing is displaced. `g` is "rational", 1 / (1 + w)^power, "exp", exp(-rate · w),
    or the name under which a function was registered by `register_quality`. The other parameters
    are those of `WD`.
    """

    g: str | None = None
    power: float | None = None
    rate: float | None = None
    formula = r"g(w) = \frac{1}{(1 + w)^{\text{power}}}, \quad w = \sum_x u(x) \, d(x)"

    def __post_init__(self) -> None:
        object.__setattr__(self, "g", self.g or "rational")
        if self.g == "rational" and self.power is None:
            object.__setattr__(self, "power", 1)
        super().__post_init__()
        _ = self._quality

    @property
    def _quality(self) -> Quality:
        try:
            return quality(str(self.g), power=self.power, rate=self.rate)
        except OptionError as error:
            raise MeasureError(f"{self}: {error}") from None

    def compare_lists(self, lists: AlignedLists) -> Array:
        return np.asarray(self._quality(self.displacement(lists)), dtype=np.float64)


# Quality functions g of a displacement: g(0) = 1, non-increasing, non-negative.


Quality = Callable[[Any], Any]

#: points at which a user's function is checked: 0, and 181 points from 1e-6 to 1e12
_GRID = np.concatenate(([0.0], np.logspace(-6, 12, 181)))
_SLACK = 1e-12
_REGISTERED: dict[str, Quality] = {}


def rational(x: Floats, *, power: float = 1.0) -> Floats:
    """Santini's 1 / (1 + x)^power."""
    return (1.0 + x) ** -power


def exponential(x: Floats, *, rate: float) -> Floats:
    """Santini's exp(-rate · x)."""
    return np.exp(-rate * x)


def quality(g: str | Quality, *, power: float | None = None, rate: float | None = None) -> Quality:
    """Quality function by name, or the caller's own one after a check.

    Parameters
    ----------
    g : {"rational", "exp"}, registered name or callable
    power, rate : float, optional
        Parameter of "rational" (1 by default) and of "exp" (required).

    Raises
    ------
    OptionError
        The name is unknown, a parameter does not belong to g, or the function breaks a rule.

    Examples
    --------
    >>> quality("exp", rate=0.1)(np.array([0.0, 10.0])).round(3).tolist()
    [1.0, 0.368]
    """
    allowed = {"rational": "power", "exp": "rate"}.get(g) if isinstance(g, str) else None
    for parameter, value in (("power", power), ("rate", rate)):
        if value is not None and parameter != allowed:
            owner = "rational" if parameter == "power" else "exp"
            raise OptionError(f"{parameter}={value!r}: belongs to g='{owner}', not to g={g!r}")
        if value is not None and not (np.isfinite(value) and value > 0):
            raise OptionError(f"{parameter}={value!r}: must be a finite number above 0")
    if isinstance(g, str) and g == "rational":
        return partial(rational, power=1.0 if power is None else float(power))
    if isinstance(g, str) and g == "exp":
        if rate is None:
            raise OptionError("g='exp': needs a rate; give rate=0.1")
        return partial(exponential, rate=float(rate))
    if isinstance(g, str):
        if g not in _REGISTERED:
            known = ", ".join(("rational", "exp", *_REGISTERED))
            raise OptionError(f"g={g!r}: must be one of {known}; register other functions first")
        return _REGISTERED[g]
    return checked_quality(g)


def register_quality(function: Quality, *, name: str | None = None) -> Quality:
    """Register a quality function, so that ``WDQ(g=name)`` and ``displacement`` accept its name.

    Parameters
    ----------
    function : callable
        From displacements (an array, or one number at a time) to qualities: 1 at 0,
        non-increasing and non-negative. It is checked at 182 points from 0 to 1e12.
    name : str, optional
        By default the function's own. A name may be registered again.

    Returns
    -------
    callable
        The function, so that `register_quality` may be used as a decorator.

    Raises
    ------
    OptionError
        The function breaks a rule, the name belongs to the library, or it has characters that
        the spelling of measures does not allow.

    References
    ----------
    Santini, Benchmarking without ground truth, §5.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> _ = ft.measures.register_quality(lambda w: 1 / (1 + (w / 10) ** 2), name="bell")
    >>> ft.displacement(["a", "b"], [1, 1], ["x", "a", "b"], ties="position", g="bell").value
    0.961...
    """
    label = str(name or getattr(function, "__name__", ""))
    if not label or any(c.isspace() or c in "()@=,<>'\"" for c in label):
        raise OptionError(f"name={label!r}: give a name without spaces, quotes and ( ) @ = , < >")
    if label in ("rational", "exp"):
        raise OptionError(f"name={label!r}: taken by the library; choose another")
    _REGISTERED[label] = checked_quality(function)
    return function


def checked_quality(function: Quality) -> Quality:
    """The function, made to accept arrays, after a check of the rules."""
    if not callable(function):
        raise OptionError(f"g={shown(function)}: must be a name or a function")

    def over_arrays(x: Floats) -> Floats:
        return np.broadcast_to(np.asarray(function(x), dtype=np.float64), np.shape(x))

    one_by_one = np.vectorize(function, otypes=[np.float64])
    with np.errstate(all="ignore"):
        try:
            values, vectorised = over_arrays(_GRID), over_arrays
        except (TypeError, ValueError):  # it accepts one number at a time
            values, vectorised = one_by_one(_GRID), one_by_one
    if np.isnan(values).any():
        raise OptionError(f"g({_GRID[np.isnan(values)][0]:g}) is not a number")
    if abs(values[0] - 1) > _SLACK:
        raise OptionError(
            f"g(0) = {values[0]:g}: must be 1, the quality where nothing is displaced"
        )
    rises = np.flatnonzero(np.diff(values) > _SLACK)
    if len(rises):
        at = rises[0]
        raise OptionError(
            f"g({_GRID[at]:g}) = {values[at]:g} and g({_GRID[at + 1]:g}) = {values[at + 1]:g}: a "
            "quality must not rise with the displacement"
        )
    if values[-1] < -_SLACK:
        raise OptionError(f"g({_GRID[-1]:g}) = {values[-1]:g}: a quality must not fall below 0")
    return vectorised

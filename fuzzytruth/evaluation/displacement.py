"""One subject's list against one system's: where each item is, and how far that is off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Array
from fuzzytruth.core.largest_displacement import largest_displacement
from fuzzytruth.core.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.validation import numbers
from fuzzytruth.core.weighted_displacement import (
    UNLIMITED,
    Hypothesis,
    assumed_ranks,
    displacements,
    n_different,
)
from fuzzytruth.errors import DataError, OptionError, choice, shown
from fuzzytruth.evaluation.displacement_result import Displacement, Item
from fuzzytruth.measures.quality_functions import Quality, quality
from fuzzytruth.truth.subject_lists import ListTies, Order

#: a ranking: its items, best first, or a function from n to the first n of them
Ranked = Iterable[Item] | Callable[[int], Sequence[Item]]


def displacement(
    subject_items: Iterable[Item],
    relevances: ArrayLike,
    system_items: Ranked,
    *,
    unseen: Hypothesis = "optimist",
    N: int | None = None,  # noqa: N803 - the paper's name
    positions: ArrayLike | None = None,
    ties: ListTies | None = None,
    order: Order = "error",
    normalised: bool = False,
    g: str | Quality | None = None,
    power: float | None = None,
    rate: float | None = None,
) -> Displacement:
    """Compare one system's list with one subject's by weighted displacement.

    The displacement of an item is the distance between its places in the two lists; w is the sum
    of relevance × displacement over the subject's items. What only the system lists is of no
    relevance to the subject, and does not count.

    Parameters
    ----------
    subject_items : iterable of items
        Best first.
    relevances : (items,) float in [0, 1]
        How relevant each is to the subject, never rising.
    system_items : iterable of items, or callable
        The system's list, best first. For ``unseen="incremental"`` its full ranking: a list or an
        iterator, read only as far as needed, or a function that returns the first n items for
        ever larger n (fewer than n: there are no more).
    unseen : {"optimist", "pessimist", "pessimist-tail", "worst", "incremental"}
        Where the subject's items are that the system does not list (the set B): next to come, in
        the subject's order, which is a lower bound of w; nowhere, displaced by N each; at the end
        of the collection, in the subject's order; wherever they are displaced most, an upper
        bound; or in the full ranking.
    N : int, optional
        Size of the collection; every hypothesis but the first and the last needs it. It must hold
        what both list.
    positions : (items,) float, optional
        The subject's places, from which the order is taken; equal ones are ties if the relevances
        are equal too. The places themselves are counted from 1.
    ties : {"interval", "position"}, optional
        Items of equal relevance may stand in any order, and are displaced by their distance to the
        places of all of them; or stand as given. By default "position" if there are `positions`.
    order : {"error", "sort"}
        What to do if relevances rise: refuse, or sort by relevance.
    normalised : bool
        Divide by the largest w that an answer of the system's length can have under the same
        hypothesis; 0 where all have w = 0.
    g : {"rational", "exp"}, registered name or callable, optional
        Turns that into a quality: 1 / (1 + w)^power, exp(-rate · w), or a function that is 1 at 0
        and never rises.
    power, rate : float, optional
        Parameter of g: `power` is 1 by default, `rate` has no default.

    Returns
    -------
    Displacement

    Raises
    ------
    DataError
        A relevance is outside [0, 1], NaN, or rises along the list; an item stands twice in a
        list; N is smaller than the number of items seen; a full ranking lacks an item.
    OptionError
        An option has a value that it does not take, or N or `rate` is missing.

    References
    ----------
    Santini, Benchmarking without ground truth, §5: equations (17), (18), (21)–(23).

    Examples
    --------
    The system has a at rank 3 and b at rank 1; c is next to come at best, so that 1 × 2 + 0.8 × 1
    are for sure and 0.3 × 1 is assumed:

    >>> import fuzzytruth as ft
    >>> ft.displacement(["a", "b", "c"], [1, .8, .3], ["b", "x", "a"], unseen="optimist")
    Displacement(value=3.1, w_A=2.8, w_B=0.3, A=['a', 'b'], B=['c'], C=['x'], unseen=optimist,
    ties=interval)
    """
    choice("unseen", unseen, get_args(Hypothesis))
    choice("order", order, get_args(Order))
    choice("ties", ties, (None, *get_args(ListTies)))
    _check_size(N, unseen)
    turn = _turn(g, power, rate)
    ties = ties or ("interval" if positions is None else "position")
    items, lists = _subject_list(subject_items, relevances, positions, ties, order)
    listed = _system_list(system_items, items, unseen, N)
    rank_of = {item: j for j, item in enumerate(listed, start=1)}
    rank = np.array([rank_of.get(item, 0) for item in items], dtype=np.int64)
    length = np.array([len(listed)])
    collection = _collection(lists, rank, length, unseen, N)
    away = displacements(lists, rank, length, unseen, collection)
    weighted = lists.relevance * away
    w_a, w_b = float(weighted[rank > 0].sum()), float(weighted[rank == 0].sum())
    value, most = w_a + w_b, None
    if normalised:
        most = float(largest_displacement(lists, length, unseen, collection)[0])
        value = value / most if most > 0 else 0.0
    mine = set(items)
    return Displacement(
        value=value if turn is None else float(turn(np.array([value]))[0]),
        w_A=w_a,
        w_B=w_b,
        A=tuple(item for item in items if item in rank_of),
        B=tuple(item for item in items if item not in rank_of),
        C=tuple(item for item in listed if item not in mine),
        items=items,
        relevances=lists.relevance,
        first=lists.first,
        last=lists.last,
        ranks=assumed_ranks(lists, rank, length, unseen, collection),
        displacements=away,
        unseen=unseen,
        ties=ties,
        length=len(listed),
        N=N,
        w_max=most,
    )


def _check_size(size: int | None, unseen: str) -> None:
    if size is None:
        if unseen in ("pessimist", "pessimist-tail", "worst"):
            raise OptionError(f"unseen={unseen!r}: needs N, the size of the collection")
    elif isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
        raise OptionError(f"N={size!r}: the size of the collection is a whole number from 1")


def _turn(g: str | Quality | None, power: float | None, rate: float | None) -> Quality | None:
    if g is None:
        if power is not None or rate is not None:
            raise OptionError("power, rate: belong to a quality; give g='rational' or g='exp'")
        return None
    return quality(g, power=power, rate=rate)


def _subject_list(
    given: Iterable[Item], relevances: ArrayLike, positions: ArrayLike | None, ties: str, order: str
) -> tuple[tuple[Item, ...], RankedLists]:
    """The subject's items in order, and their places."""
    items = _listed(given, "subject_items")
    relevance = numbers("relevances", relevances, finite=True)
    keys = [relevance]
    if positions is not None:
        keys.append(numbers("positions", positions, finite=True))
    elif ties == "position":
        keys.append(np.arange(float(len(items))))
    for name, key in zip(("relevances", "positions"), keys, strict=False):
        if key.shape != (len(items),):
            raise DataError(
                f"{name}: has shape {key.shape}, but subject_items has {len(items)} items; give "
                "one number an item"
            )
    bad = np.flatnonzero((relevance < 0) | (relevance > 1))
    if len(bad):
        raise DataError(
            f"relevances[{bad[0]}] = {relevance[bad[0]]:g}, of item {shown(items[bad[0]])}: a "
            "relevance must lie in [0, 1]"
        )
    by = np.arange(len(items)) if positions is None else np.lexsort((-relevance, keys[1]))
    rises = np.flatnonzero(np.diff(relevance[by]) > 0)
    if len(rises):
        if order == "error":
            low, high = by[rises[0]], by[rises[0] + 1]
            raise DataError(
                f"relevances rise from {relevance[low]:g} of item {shown(items[low])} to "
                f"{relevance[high]:g} of the next, {shown(items[high])}; correct the order, or "
                "sort by relevance with order='sort'"
            )
        by = by[np.argsort(-relevance[by], kind="stable")]
    offsets = np.array([0, len(items)])
    keys = [key[by] for key in keys]
    used = keys if ties == "position" else keys[:1]
    first, last = tied_places(offsets, *used)
    return tuple(items[j] for j in by.tolist()), RankedLists(offsets, relevance[by], first, last)


def _system_list(
    given: Ranked, items: tuple[Item, ...], unseen: str, size: int | None
) -> tuple[Item, ...]:
    """The system's list, as far as it has to be read."""
    if unseen != "incremental":
        if callable(given):
            raise OptionError(
                "system_items: a function is asked for more items only if unseen='incremental'"
            )
        return _listed(given, "system_items")
    wanted: set[Item] = set(items)
    out: list[Item] = []
    for more in _requests(given, max(1, len(items))):
        out += more
        wanted.difference_update(more)
        if not wanted:
            break
    if wanted:
        lost = next(item for item in items if item in wanted)
        raise DataError(
            f"system_items: {len(wanted):,} of the subject's items, such as {shown(lost)}, are not "
            f"among all {len(out):,} that the system returns; unseen='incremental' needs its full "
            "ranking"
        )
    return _listed(out, "system_items")


def _requests(given: Ranked, step: int) -> Iterator[list[Item]]:
    """Parts of a ranking, one after the other, each twice as deep as before."""
    if not callable(given):
        source = iter(given)
        while part := list(islice(source, step)):
            yield part
        return
    seen, depth = 0, step
    while True:
        answer = list(given(depth))
        yield answer[seen:depth]
        if len(answer) < depth:
            return
        seen, depth = depth, 2 * depth


def _listed(given: Iterable[Item], name: str) -> tuple[Item, ...]:
    """A list of items, each once."""
    if isinstance(given, str):
        raise DataError(f"{name}={shown(given)}: must be a list of items, not one text")
    if isinstance(given, (Set, Mapping)) or not isinstance(given, Iterable):
        raise DataError(
            f"{name}={shown(given)}: must be a list of items, best first; a "
            f"{type(given).__name__} has no such order"
        )
    items = tuple(getattr(given, "tolist", lambda: given)())
    if name == "subject_items" and not items:
        raise DataError("subject_items: is empty; a subject who listed nothing has no displacement")
    first: dict[Item, int] = {}
    for place, item in enumerate(items, start=1):
        if first.setdefault(item, place) != place:
            raise DataError(
                f"{name}: {shown(item)} is listed twice, at places {first[item]} and {place}; an "
                "item stands in a list once"
            )
    return items


def _collection(
    lists: RankedLists, rank: Array, length: Array, unseen: str, size: int | None
) -> Array:
    least = int(n_different(lists, rank, length)[0])
    if size is None:
        return length if unseen == "incremental" else np.array([UNLIMITED])
    if size < least:
        raise DataError(
            f"N={size}: the system lists {length[0]} items and the subject {least - length[0]} "
            f"others, so that the collection holds {least} or more"
        )
    return np.array([size])

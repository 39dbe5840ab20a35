"""Weighted displacement of one system's list from one subject's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats, Ints
from fuzzytruth.core.lists.weighted_displacement import Hypothesis
from fuzzytruth.core.validation import numbers
from fuzzytruth.errors import DataError, OptionError, counted, shown
from fuzzytruth.evaluation.lists.list_similarity import Item, check_not_text, check_once
from fuzzytruth.measures import weighted_displacement
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.answer_rows import short_id
from fuzzytruth.show.number_text import numbers_format

# Result of `displacement`.


_MOST_ITEMS = 12
_OF_W = " (w normalised, or a function g of it)"
_HYPOTHESES = {
    "optimist": "come next, in the subject's order",
    "pessimist": "are nowhere, displaced by N each",
    "pessimist-tail": "are at the end of the collection, in the subject's order",
    "worst": "are where they are displaced most",
    "incremental": "have their rank in the full ranking",
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Displacement(Result):
    """Weighted displacement of one system's list from one subject's.

    Parameters
    ----------
    value : float
        w, or w / w_max if `normalised`, or g of that.
    w_A, w_B : float
        Weighted displacement of the items that both list, and of those that only the subject lists.
    A, B, C : tuple of items
        Listed by both, only by the subject (both in the subject's order), and only by the system
        (in its own order).
    items : tuple of items
        The subject's list.
    relevances : (items,) float
    first, last : (items,) int
        Places (from 1) over which each item is tied in the subject's list.
    ranks : (items,) int
        Rank in the system's list; for items of B the rank that `unseen` assumes, 0 if it assumes
        none ("pessimist").
    displacements : (items,) float
        Displacement of each item, not weighted by relevance.
    unseen, ties : str
        The hypothesis, and which items are tied.
    length : int
        Number of items that the system listed, or was asked for.
    N : int or None
        Size of the collection.
    w_max : float or None
        Largest w of any answer of this length, if `normalised`.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> result = ft.displacement(["a", "b"], [1, 0.5], ["b", "a"])
    >>> result.w, result.A
    (1.5, ('a', 'b'))
    >>> result.to_frame()["weighted"].tolist()
    [1.0, 0.5]
    """

    value: float
    w_A: float  # noqa: N815 - the paper's names
    w_B: float  # noqa: N815
    A: tuple[Item, ...]
    B: tuple[Item, ...]
    C: tuple[Item, ...]
    items: tuple[Item, ...]
    relevances: Floats
    first: Ints
    last: Ints
    ranks: Ints
    displacements: Floats
    unseen: str
    ties: str
    length: int
    N: int | None = None
    w_max: float | None = None

    @property
    def w(self) -> float:
        """The weighted displacement, w_A + w_B."""
        return self.w_A + self.w_B

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        sets = [f"{name}={shown(list(getattr(self, name)))}" for name in "ABC"]
        collection = "" if self.N is None else f", N={self.N}"
        most = "" if self.w_max is None else f", w_max={self.w_max:.6g}"
        return (
            f"Displacement(value={self.value:.6g}, w_A={self.w_A:.6g}, w_B={self.w_B:.6g}{most}, "
            f"{', '.join(sets)}, unseen={self.unseen}{collection}, ties={self.ties})"
        )

    def _title(self) -> str:
        value = f"w = {self.value:.6g}" if self.value == self.w else f"{self.value:.6g}{_OF_W}"
        return (
            f"Weighted displacement of a list of {counted(self.length, 'item')} from a subject's "
            f"list of {len(self.items):,}: {value}"
        )

    def _parts(self) -> Parts:
        of_largest = "" if self.w_max is None else f"; the largest possible w is {self.w_max:.6g}"
        size = "" if self.N is None else f", in a collection of {counted(self.N, 'item')}"
        yield Sentences.of(
            f"w = {self.w:.6g}: {self.w_A:.6g} from the {counted(len(self.A), 'item')} that both "
            f"list (A), and {self.w_B:.6g} from the {counted(len(self.B), 'item')} that only the "
            f"subject lists (B){of_largest}",
            f"Only in the system's list (C): {counted(len(self.C), 'item')}",
        )
        yield self._items()
        yield Sentences.of(
            f"Items of B, by the hypothesis {self.unseen!r}{size}, {_HYPOTHESES[self.unseen]}. "
            f"Ties: {self.ties}.",
            "0: the same order; larger is worse." if self.value == self.w else "",
            "More: .to_frame(), .A, .B, .C",
        )

    def _items(self) -> Table:
        """The first items of the subject's list."""
        frame = self.to_frame().astype({"rank": float})
        first = frame.head(_MOST_ITEMS)
        columns: FrameColumns = {
            "item": ("item", short_id, "label"),
            "set": "set",
            "relevance": ("relevance", numbers_format(first["relevance"], 3)),
            "rank": ("rank", ".0f"),
            "displacement": ("displacement", numbers_format(first["displacement"], 3)),
            "weighted": ("weighted", numbers_format(first["weighted"], 3)),
        }
        cut = "The first {shown} of {rows:,} items"
        return printed_table(frame, columns, limit=_MOST_ITEMS, cut=cut)

    def plot(self, ax: Axes | None = None, *, n_items: int = 30, title: Title = True) -> Axes:
        """Draw the places of the subject's items in both lists; see `plots.displaced_items`.

        `plots.displacement` draws several subjects and systems.

        Parameters
        ----------
        ax, title
            As in `plots.displaced_items`.
        n_items : int
            The most items that are drawn, the first of the subject's list.
        """
        from fuzzytruth.plots import displaced_items

        return displaced_items(self, ax, n_items=n_items, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("displaced_items",)

    def _plot_data(self, figure: str) -> PlotData:
        size = "" if self.N is None else f", of {counted(self.N, 'item')}"
        lost = f"items not in the system's list ({len(self.B):,})"
        assumed = f"\nAssumed: {lost} {_HYPOTHESES[self.unseen]}{size}" if self.B else ""
        return PlotData(
            self.to_frame(),
            f"Weighted displacement w = {self.w:.6g}, the sum of places moved × relevance{assumed}",
        )

    def to_frame(self) -> pd.DataFrame:
        """One row for each item of the subject's list.

        Columns: item, set ("A" or "B"), relevance, first, last (places), rank (NA where none is
        assumed), displacement, weighted (displacement × relevance).
        """
        common = set(self.A)
        frame = pd.DataFrame(
            {
                "item": list(self.items),
                "set": ["A" if item in common else "B" for item in self.items],
                "relevance": self.relevances,
                "first": self.first,
                "last": self.last,
                "rank": pd.array(self.ranks, dtype="Int64"),
                "displacement": self.displacements,
                "weighted": self.relevances * self.displacements,
            }
        )
        frame["rank"] = frame["rank"].mask(frame["rank"] == 0)
        return frame


#: items of a ranking, best first, or a function from n to the first n of them
Ranked = Iterable[Item] | Callable[[int], Sequence[Item]]


def displacement(
    subject_items: Iterable[Item],
    relevances: ArrayLike,
    system_items: Ranked,
    *,
    unseen: Hypothesis = "optimist",
    N: int | None = None,  # noqa: N803 - the paper's name
    positions: ArrayLike | None = None,
    ties: weighted_displacement.ListTies | None = None,
    order: weighted_displacement.Order = "error",
    normalised: bool = False,
    g: str | weighted_displacement.Quality | None = None,
    power: float | None = None,
    rate: float | None = None,
) -> Displacement:
    """Compare one system's list with one subject's by weighted displacement.

    The displacement of an item is the distance between its places in the two lists; w is the sum
    of relevance × displacement over the subject's items. Items that only the system lists do not
    count.

    Parameters
    ----------
    subject_items : iterable of items
        Best first.
    relevances : (items,) float in [0, 1]
        Relevance of each item to the subject, non-increasing.
    system_items : iterable of items, or callable
        The system's list, best first. For ``unseen="incremental"`` its full ranking: a list or an
        iterator, read only as far as needed, or a function that returns the first n items for
        any n (fewer than n if there are no more).
    unseen : {"optimist", "pessimist", "pessimist-tail", "worst", "incremental"}
        Where the subject's items are that the system does not list (the set B): next, in the
        subject's order (a lower bound of w); nowhere, displaced by N each; at the end of the
        collection, in the subject's order; where they are displaced most (an upper bound); or in
        the full ranking.
    N : int, optional
        Number of items in the collection; pessimist, pessimist-tail and worst need it. At least the
        number of different items in both lists.
    positions : (items,) float, optional
        Positions in the subject's list, which give the order; items of equal position and
        relevance are tied. Places are counted from 1, whatever the positions are.
    ties : {"interval", "position"}, optional
        "interval": items of equal relevance may be in any order, and are displaced by their
        distance to the interval of their places; "position": items are in the order given. By
        default "position" if there are `positions`.
    order : {"error", "sort"}
        A list in which relevance rises: raise an error, or sort it by relevance.
    normalised : bool
        Divide by the largest w that an answer of the system's length can have. That is under the
        same hypothesis; 0/0 is 0.
    g : {"rational", "exp"}, registered name or callable, optional
        Give the quality 1 / (1 + w)^power or exp(-rate · w) instead of w. A function has to be 1 at
        0, and never rise.
    power : float, optional
        For `g` "rational"; by default 1.
    rate : float, optional
        For `g` "exp", which needs it.

    Returns
    -------
    Displacement
        With the value, its parts and the displacement of each item.

    Raises
    ------
    DataError
        A relevance is outside [0, 1], NaN, or rises along the list; an item is listed twice; N is
        smaller than the number of different items; a full ranking lacks an item.
    OptionError
        An option has a value that it does not take, or N or `rate` is missing.

    References
    ----------
    Santini, Benchmarking without ground truth, §5: equations (17), (18), (21)–(23).

    Examples
    --------
    The system has a at rank 3 and b at rank 1, which gives w_A = 1 × 2 + 0.8 × 1; c is at rank 4
    at best, which gives w_B = 0.3 × 1:

    >>> import fuzzytruth as ft
    >>> ft.displacement(["a", "b", "c"], [1, .8, .3], ["b", "x", "a"], unseen="optimist")
    Displacement(value=3.1, w_A=2.8, w_B=0.3, A=['a', 'b'], B=['c'], C=['x'], unseen=optimist,
    ties=interval)
    """
    rules = weighted_displacement.DisplacementRules(
        unseen=unseen,
        N=N,
        ties=("interval" if positions is None else "position") if ties is None else ties,
        order=order,
        normalised=normalised,
    )
    rules.require_size()
    if g is None and (power is not None or rate is not None):
        raise OptionError("power, rate: parameters of g; give g='rational' or g='exp'")
    quality_of = None if g is None else weighted_displacement.quality(g, power=power, rate=rate)
    given, by_position = _given_list(subject_items, relevances, positions)
    arranged = rules.arrange(given)
    rows = np.arange(len(by_position))[arranged.rows]
    items = tuple(by_position[row] for row in rows.tolist())
    listed = _system_list(system_items, items, unseen)
    rank_of = {item: j for j, item in enumerate(listed, start=1)}
    rank = np.array([rank_of.get(item, 0) for item in items], dtype=np.int64)
    displaced = rules.displace(arranged, rank, np.array([len(listed)]))
    away, lists = displaced.displacements(), arranged.ranked
    weighted = lists.relevance * away
    w_a, w_b = float(weighted[rank > 0].sum()), float(weighted[rank == 0].sum())
    value, most = w_a + w_b, None
    if rules.normalised:
        most = float(displaced.largest()[0])
        value = value / most if most > 0 else 0.0
    if quality_of is not None:
        value = float(quality_of(np.array([value]))[0])
    own = set(items)
    return Displacement(
        value=value,
        w_A=w_a,
        w_B=w_b,
        A=tuple(item for item in items if item in rank_of),
        B=tuple(item for item in items if item not in rank_of),
        C=tuple(item for item in listed if item not in own),
        items=items,
        relevances=lists.relevance,
        first=lists.first,
        last=lists.last,
        ranks=displaced.assumed_ranks(),
        displacements=away,
        unseen=rules.unseen,
        ties=str(rules.ties),
        length=len(listed),
        N=rules.N,
        w_max=most,
    )


def _given_list(
    given: Iterable[Item], relevances: ArrayLike, positions: ArrayLike | None
) -> tuple[weighted_displacement.GivenLists, tuple[Item, ...]]:
    """The subject's list by position, and its items."""
    items = _listed(given, "subject_items")
    if not items:
        raise DataError("subject_items: is empty; a subject who listed nothing has no displacement")
    relevance = numbers("relevances", relevances, finite=True)
    position = np.arange(float(len(items)))
    if positions is not None:
        position = numbers("positions", positions, finite=True)
    for name, values in (("relevances", relevance), ("positions", position)):
        if values.shape != (len(items),):
            raise DataError(
                f"{name}: has shape {values.shape}, but subject_items has "
                f"{counted(len(items), 'item')}; give one number for each item"
            )
    by = np.lexsort((-relevance, position))
    items = tuple(items[row] for row in by.tolist())
    offsets = np.array([0, len(items)])
    lists = weighted_displacement.GivenLists(
        offsets, relevance[by], position[by], lambda _: "subject_items", items.__getitem__
    )
    return lists, items


def _system_list(given: Ranked, items: tuple[Item, ...], unseen: str) -> tuple[Item, ...]:
    """The system's list, read as far as needed."""
    if unseen != "incremental":
        if callable(given):
            raise OptionError(
                "system_items: a function of n is read only if unseen='incremental'; give a list"
            )
        return _listed(given, "system_items")
    missing: set[Item] = set(items)
    out: list[Item] = []
    for more in _requests(given, len(items)):
        out += more
        missing.difference_update(more)
        if not missing:
            break
    return _listed(out, "system_items")


def _requests(given: Ranked, step: int) -> Iterator[list[Item]]:
    """Successive parts of a ranking; a function is asked for twice as many items each time."""
    if not callable(given):
        rest = iter(given)
        while part := list(islice(rest, step)):
            yield part
        return
    read, depth = 0, step
    while True:
        answer = list(given(depth))
        yield answer[read:depth]
        if len(answer) < depth:
            return
        read, depth = depth, 2 * depth


def _listed(given: Iterable[Item], name: str) -> tuple[Item, ...]:
    """A list of items, each once."""
    check_not_text(given, name)
    if isinstance(given, (Set, Mapping)) or not isinstance(given, Iterable):
        raise DataError(
            f"{name}={shown(given)}: must be a list of items, best first; a "
            f"{type(given).__name__} has no such order"
        )
    items = tuple(getattr(given, "tolist", lambda: given)())
    check_once(items, name)
    return items

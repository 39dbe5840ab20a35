"""Result of `displacement`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.errors import counted, shown
from fuzzytruth.evaluation.item_lists import Item
from fuzzytruth.io.answer import Answer, Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import short_id
from fuzzytruth.io.number_text import numbers_format, written

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData

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
class Displacement(Answer):
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

    def _answer(self) -> Printed:
        n, is_w = len(self.items), self.value == self.w
        of_largest = "" if self.w_max is None else f"; the largest possible w is {self.w_max:.6g}"
        size = "" if self.N is None else f", in a collection of {counted(self.N, 'item')}"
        return Printed.of(
            f"Weighted displacement of a list of {counted(self.length, 'item')} from a subject's "
            f"list of {n:,}: {'w = ' if is_w else ''}{self.value:.6g}{'' if is_w else _OF_W}",
            Sentences.of(
                f"w = {self.w:.6g}: {self.w_A:.6g} from the {counted(len(self.A), 'item')} that "
                f"both list (A), and {self.w_B:.6g} from the {counted(len(self.B), 'item')} that "
                f"only the subject lists (B){of_largest}",
                f"Only in the system's list (C): {counted(len(self.C), 'item')}",
            ),
            self._items(),
            Sentences.of(
                f"Items of B, by the hypothesis {self.unseen!r}{size}, "
                f"{_HYPOTHESES[self.unseen]}. Ties: {self.ties}.",
                "0: the same order; larger is worse." if is_w else "",
                "More: .to_frame(), .A, .B, .C",
            ),
        )

    def _items(self) -> Table:
        """The first items of the subject's list."""
        frame = self.to_frame().head(_MOST_ITEMS)
        columns = [
            Column.label("item", map(short_id, frame["item"])),
            Column.label("set", frame["set"]),
        ]
        for name in ("relevance", "rank", "displacement", "weighted"):
            values = frame[name].to_numpy(dtype=float, na_value=float("nan")).tolist()
            style = ".0f" if name == "rank" else numbers_format(values, 3)
            columns.append(Column(name, tuple(written(value, style) for value in values)))
        left_out = len(self.items) > _MOST_ITEMS
        title = f"The first {_MOST_ITEMS} of {len(self.items):,} items" if left_out else ""
        return Table(tuple(columns), title)

    def plot(self, ax: Axes | None = None, *, n_items: int = 30) -> Axes:
        """Draw the places of the subject's items in both lists; see `plots.displaced_items`.

        `plots.displacement` draws several subjects and systems.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        n_items : int
            The most items that are drawn, the first of the subject's list.
        """
        from fuzzytruth.plots import displaced_items

        return displaced_items(self, ax, n_items=n_items)

    _figures: ClassVar[tuple[str, ...]] = ("displaced_items",)

    def _plot_data(self, figure: str) -> PlotData:
        from fuzzytruth.plots.frames import PlotData

        size = "" if self.N is None else f" of {counted(self.N, 'item')}"
        return PlotData(
            self.to_frame(),
            f"Weighted displacement w = {self.w:.6g}: {self.w_A:.6g} of items that both list, "
            f"{self.w_B:.6g} of those that only the subject lists\n"
            f"These {_HYPOTHESES[self.unseen]}{size}; the numbers are each item's part of w",
        )

    def to_frame(self) -> pd.DataFrame:
        """One row for each item of the subject's list.

        Columns: item, set ("A" or "B"), relevance, first, last (places), rank (NA where none is
        assumed), displacement, weighted (displacement × relevance).
        """
        import pandas as pd

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

"""Similarity of two ranked lists: rank-biased overlap, Kendall's distance and the footrule."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Ints
from fuzzytruth.core.lists import ranked_lists
from fuzzytruth.core.lists.ranked_lists import MissingPlace, Norm, RankedLists
from fuzzytruth.core.validation import between_zero_and_one, holds_several, number
from fuzzytruth.errors import DataError, choice, require, shown
from fuzzytruth.show.answer import Parts, Result, printed_table
from fuzzytruth.show.number_text import number_text

# Checks of ranked lists that users hand in.


Item = Hashable


def check_not_text(given: object, name: str) -> None:
    """Raise `DataError` for a single text where a list of items is needed."""
    if isinstance(given, str):
        raise DataError(f"{name}={shown(given)}: must be a list of items, not one text")


def check_once(items: Sequence[Item], name: str) -> None:
    """Raise `DataError` if an item is listed twice, or is no id."""
    for place, item in enumerate(items, start=1):
        if not isinstance(item, Hashable):
            raise DataError(f"{name}, place {place}: {shown(item)} cannot be the id of an item")
    if len(set(items)) == len(items):
        return
    first: dict[Item, int] = {}
    for place, item in enumerate(items, start=1):
        if first.setdefault(item, place) != place:
            raise DataError(
                f"{name}: {shown(item)} is listed twice, at places {first[item]} and {place}; "
                "remove one"
            )


#: items, best first, with tied items in a list or set within it; or items with their scores
Ranked = Iterable[Any] | Mapping[Any, float]


@dataclass(frozen=True, slots=True)
class RankBiasedOverlap(Result):
    """Result of `rank_biased_overlap`.

    Parameters
    ----------
    ext : float
        Extrapolated overlap: the unseen rest of the lists agrees as much as what is seen.
    min, max : float
        Lowest and highest overlap that the unseen rest allows.
    p : float
    ties : {"a", "b", "w"}

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> overlap = ft.lists.rank_biased_overlap(["a", "b"], ["a", "c"], p=0.5)
    >>> float(overlap) == overlap.ext, round(overlap.res, 3)
    (True, 0.182)
    """

    ext: float
    min: float
    max: float
    p: float
    ties: str

    @property
    def res(self) -> float:
        """The residual, max - min."""
        return self.max - self.min

    def __float__(self) -> float:
        return self.ext

    def _title(self) -> str:
        value = number_text(self.ext)
        return f"Rank-biased overlap of two lists: {value} (p = {self.p:g}, ties {self.ties!r})"

    def _parts(self) -> Parts:
        yield printed_table(
            self.to_frame(),
            {
                "ext": ("extrapolated", ".4f"),
                ("min", "max"): ("[lowest, highest]", ".4f"),
                "res": ("residual", ".4f"),
            },
        )
        yield (
            "Extrapolated: the unseen rest of the lists agrees as much as what is seen. "
            "Brackets: what any rest of the lists could give; no confidence interval. "
            "1: the same order; 0: no common item."
        )

    def to_frame(self) -> pd.DataFrame:
        """One row: ext, min, max, res, p, ties."""
        names = ("ext", "min", "max", "res", "p", "ties")
        return pd.DataFrame({name: [getattr(self, name)] for name in names})


def rank_biased_overlap(
    a: Ranked, b: Ranked, *, p: float = 0.9, ties: ranked_lists.OverlapTies = "a"
) -> RankBiasedOverlap:
    """Rank-biased overlap of two lists, which may differ in length and items and have ties.

    The share of common items among the first d of both, averaged over depths d with weights
    (1 - p) · p^(d - 1).

    Parameters
    ----------
    a, b : iterable or mapping
        Items, best first; a list or set in the place of an item holds tied items. Or a mapping
        from items to scores, best first by score, equal scores tied.
    p : float in (0, 1)
        Probability that a reader goes on to the next rank. At p = 0.9 the first 10 ranks have
        0.86 of the weight.
    ties : {"a", "b", "w"}
        "a": ties are uncertain, and the value is the mean over all orders of the tied items. "b":
        the same, corrected so that a list with ties has overlap 1 with itself. "w": tied items
        have equal ranks, as in sports.

    Returns
    -------
    RankBiasedOverlap
        The extrapolated value, which ``float`` returns, and its bounds, all in [0, 1].

    Raises
    ------
    DataError
        A list is empty or has an item twice, or a score is not a number.
    OptionError
        p or `ties` has another value.

    References
    ----------
    Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings; Corsi & Urbano 2024,
    The treatment of ties in rank-biased overlap.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> one, other = ["red", {"blue", "green"}, "pink"], ["red", "pink"]
    >>> overlap = ft.lists.rank_biased_overlap(one, other, p=0.9)
    >>> round(overlap.ext, 4), round(overlap.min, 4), round(overlap.max, 4)
    (0.7322, 0.3397, 0.928)
    """
    choice("ties", ties, get_args(ranked_lists.OverlapTies))
    p = between_zero_and_one("p", p)
    lists, other, row_in_b = _pair(a, b)
    common = np.flatnonzero(row_in_b >= 0)
    depths = int(max(lists.size[0], other.size[0]))
    one = ranked_lists.OverlapSide.of(lists, common, depths)
    two = ranked_lists.OverlapSide.of(other, row_in_b[common], depths)
    offsets = np.array([0, len(common)])
    ext, low, high = ranked_lists.rank_biased_overlap(one, two, offsets, p, ties)
    return RankBiasedOverlap(float(ext[0]), float(low[0]), float(high[0]), p, ties)


def kendall_distance(
    a: Ranked, b: Ranked, *, penalty: float = 0.5, norm: Norm | None = None
) -> float:
    """Kendall's distance K^(p) of two lists, which may differ in length and items and have ties.

    The number of pairs of items that the lists order differently; a pair tied in one of them
    counts `penalty`, a pair tied in both counts nothing. Items that a list lacks are tied behind
    those that it has.

    Parameters
    ----------
    a, b : iterable or mapping
        As in `rank_biased_overlap`.
    penalty : float in [0, 1]
        1/2 gives Fagin et al.'s K_prof; below 1/2 the distance is not a metric.
    norm : {"union", "disjoint"}, optional
        Divide by the number of pairs of all items, or by the distance of two such lists without a
        common item. 0/0 is 0.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    DataError
        A list is empty or has an item twice, or a score is not a number.
    OptionError
        The penalty is outside [0, 1], or `norm` has another value.

    References
    ----------
    Fagin, Kumar & Sivakumar 2003, Comparing top k lists; Fagin, Kumar, Mahdian, Sivakumar & Vee
    2006, Comparing partial rankings.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.lists.kendall_distance(["a", "b", "c"], ["c", ["a", "b"]])
    2.5
    """
    require("penalty", penalty, 0 <= number("penalty", penalty) <= 1, "must lie in [0, 1]")
    choice("norm", norm, (None, *get_args(Norm)))
    return float(ranked_lists.kendall_distances(*_seen_from(a, b), penalty, norm)[0])


def footrule(
    a: Ranked, b: Ranked, *, missing: MissingPlace = "tied", norm: Norm | None = None
) -> float:
    """Spearman's footrule of two lists, which may differ in length and items and have ties.

    The sum over all items of the distance of their places; tied items have their mean place.

    Parameters
    ----------
    a, b : iterable or mapping
        As in `rank_biased_overlap`.
    missing : {"tied", "next"}
        Place of an item that a list of length k lacks: tied with all others that it lacks
        (Fagin et al.'s F_prof), or k + 1 (their F with ℓ = k + 1).
    norm : {"union", "disjoint"}, optional
        Divide by the footrule of a ranking of all items and its reverse, ⌊n²/2⌋, or by that of two
        such lists without a common item. 0/0 is 0.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    DataError
        A list is empty or has an item twice, or a score is not a number.
    OptionError
        `missing` or `norm` has another value.

    References
    ----------
    Fagin, Kumar & Sivakumar 2003, Comparing top k lists; Fagin, Kumar, Mahdian, Sivakumar & Vee
    2006, Comparing partial rankings.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.lists.footrule(["a", "b", "c"], ["c", ["a", "b"]])
    4.0
    """
    choice("missing", missing, get_args(MissingPlace))
    choice("norm", norm, (None, *get_args(Norm)))
    return float(ranked_lists.footrules(*_seen_from(a, b), missing, norm)[0])


def _pair(a: Ranked, b: Ranked) -> tuple[RankedLists, RankedLists, Ints]:
    """Both lists, and the row in b of each item of a, -1 where b lacks it."""
    (items_a, lists_a), (items_b, lists_b) = _ranked(a, "a"), _ranked(b, "b")
    row_in_b = {item: row for row, item in enumerate(items_b)}
    rows = np.array([row_in_b.get(item, -1) for item in items_a], dtype=np.int64)
    return lists_a, lists_b, rows


def _seen_from(a: Ranked, b: Ranked) -> tuple[RankedLists, ranked_lists.OtherLists]:
    """The first list, and the places of its items in the second."""
    lists, other, rows = _pair(a, b)
    first, last = (np.where(rows >= 0, place[rows], 0) for place in (other.first, other.last))
    return lists, ranked_lists.OtherLists(first, last, other.size, other)


def _ranked(given: Ranked, name: str) -> tuple[tuple[Item, ...], RankedLists]:
    """Items in order, and their places with ties."""
    groups = [group for group in _groups(given, name) if group]
    items = tuple(item for group in groups for item in group)
    if not items:
        raise DataError(f"{name}: is empty; give at least one item")
    check_once(items, name)
    size = np.array([len(group) for group in groups])
    end = np.cumsum(size)
    first, last = np.repeat(end - size + 1, size), np.repeat(end, size)
    return items, RankedLists(np.array([0, len(items)]), np.zeros(len(items)), first, last)


def _groups(given: Ranked, name: str) -> list[tuple[Item, ...]]:
    """The tie groups, best first."""
    check_not_text(given, name)
    if not holds_several(given):
        raise DataError(f"{name}={shown(given)}: must be a list of items, best first")
    if isinstance(given, Mapping):
        out: dict[float, list[Item]] = {}
        for item, score in given.items():
            out.setdefault(number(f"{name}[{shown(item)}]", score), []).append(item)
        return [tuple(out[score]) for score in sorted(out, reverse=True)]
    tied = (list, set, frozenset, np.ndarray)
    return [tuple(g) if isinstance(g, tied) else (g,) for g in given]

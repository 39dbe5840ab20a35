"""How alike two ranked lists are: rank-biased overlap, Kendall's distance and the footrule."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core import overlap
from fuzzytruth.core.partial_orders import disagreements, disjoint_disagreements
from fuzzytruth.core.ranked_lists import RankedLists
from fuzzytruth.core.validation import number
from fuzzytruth.errors import DataError, OptionError, choice, shown

Item = Hashable
#: items best first, those in a list or set within it being tied; or items with their scores
Ranked = Iterable[Any] | Mapping[Any, float]
Norm = Literal["union", "disjoint"]


@dataclass(frozen=True, slots=True)
class RankBiasedOverlap:
    """What `rank_biased_overlap` found.

    Parameters
    ----------
    ext : float
        The overlap if the unseen rest of the lists agreed as much as what is seen.
    min, max : float
        The least and the largest it can be, whatever the rest is.
    p : float
    ties : {"a", "b", "w"}
    """

    ext: float
    min: float
    max: float
    p: float
    ties: str

    @property
    def res(self) -> float:
        """The residual, max - min: what the lists leave open."""
        return self.max - self.min

    def __float__(self) -> float:
        return self.ext


def rank_biased_overlap(
    a: Ranked, b: Ranked, *, p: float = 0.9, ties: overlap.OverlapTies = "a"
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
        How far down a reader goes: the weight of the first 10 ranks is .86 at p = 0.9.
    ties : {"a", "b", "w"}
        "a": ties are uncertain, and the value is the mean over all orders of the tied items. "b":
        that, corrected for what ties hide, so that a list has overlap 1 with itself. "w": ties
        are equal ranks, as in sports.

    Returns
    -------
    RankBiasedOverlap
        With the extrapolated value, which ``float`` gives, and its bounds.

    Raises
    ------
    DataError
        A list is empty or has an item twice, or a score is no number.
    OptionError
        p or `ties` is something else.

    References
    ----------
    Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings; Corsi & Urbano 2024,
    The treatment of ties in rank-biased overlap.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> found = ft.rank_biased_overlap(["red", {"blue", "green"}, "pink"], ["red", "pink"], p=0.9)
    >>> round(found.ext, 4), round(found.min, 4), round(found.max, 4)
    (0.7322, 0.3397, 0.928)
    """
    choice("ties", ties, get_args(overlap.OverlapTies))
    if not 0 < number("p", p) < 1:
        raise OptionError(f"p={p!r}: must lie between 0 and 1, both excluded")
    sides, common = _pair(a, b)
    depths = int(max(lists.size[0] for lists, _ in sides))
    one, two = (overlap.Side.of(lists, rows, depths) for lists, rows in sides)
    ext, low, high = overlap.rank_biased_overlap(one, two, np.array([0, common]), float(p), ties)
    return RankBiasedOverlap(float(ext[0]), float(low[0]), float(high[0]), float(p), ties)


def kendall_distance(
    a: Ranked, b: Ranked, *, penalty: float = 0.5, norm: Norm | None = None
) -> float:
    """Kendall's distance K^(p) of two lists, which may differ in length and items and have ties.

    The number of pairs of items that the lists order differently; a pair tied in one of them
    counts `penalty`, and one tied in both nothing. Items that a list lacks are tied behind those
    that it has.

    Parameters
    ----------
    a, b : iterable or mapping
        As in `rank_biased_overlap`.
    penalty : float in [0, 1]
        1/2 makes it Fagin et al.'s K_prof; below 1/2 it is no metric.
    norm : {"union", "disjoint"}, optional
        Divide by the number of pairs of all items, or by the distance of two such lists without a
        common item. 0/0 is 0.

    Returns
    -------
    float

    Raises
    ------
    DataError
        A list is empty or has an item twice, or a score is no number.
    OptionError
        The penalty is outside [0, 1], or `norm` is something else.

    References
    ----------
    Fagin, Kumar & Sivakumar 2003, Comparing top k lists; Fagin, Kumar, Mahdian, Sivakumar & Vee
    2006, Comparing partial rankings.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.kendall_distance(["a", "b", "c"], ["c", ["a", "b"]])
    2.5
    """
    if not 0 <= number("penalty", penalty) <= 1:
        raise OptionError(f"penalty={penalty!r}: must lie in [0, 1]")
    choice("norm", norm, (None, *get_args(Norm)))
    one, two = _positions(a, b)
    size = np.array([len(one.here)])
    places = [x.at("next", len(one.here))[None] for x in (one, two)]
    value = disagreements(places[0], places[1], size, penalty)[0]
    if norm is None:
        return float(value)
    most = size[0] * (size[0] - 1) / 2
    if norm == "disjoint":
        untied = np.array(one.untied_pairs + two.untied_pairs)
        sizes = (np.array(one.size), np.array(two.size))
        most = disjoint_disagreements(untied, sizes, penalty)
    return float(value / most) if most > 0 else 0.0


def footrule(
    a: Ranked,
    b: Ranked,
    *,
    missing: Literal["tied", "next"] = "tied",
    norm: Norm | None = None,
) -> float:
    """Spearman's footrule of two lists, which may differ in length and items and have ties.

    The sum over all items of the distance of their positions; tied items have the mean of theirs.

    Parameters
    ----------
    a, b : iterable or mapping
        As in `rank_biased_overlap`.
    missing : {"tied", "next"}
        Position of an item that a list of length k lacks: tied with all others that it lacks
        (Fagin et al.'s F_prof), or k + 1 (their F with ℓ = k + 1).
    norm : {"union", "disjoint"}, optional
        Divide by the footrule of a ranking of all items and its reverse, ⌊n²/2⌋, or by that of two
        such lists without a common item. 0/0 is 0.

    Returns
    -------
    float

    Raises
    ------
    DataError
        A list is empty or has an item twice, or a score is no number.
    OptionError
        `missing` or `norm` is something else.

    References
    ----------
    Fagin, Kumar & Sivakumar 2003, Comparing top k lists; Fagin, Kumar, Mahdian, Sivakumar & Vee
    2006, Comparing partial rankings.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.footrule(["a", "b", "c"], ["c", ["a", "b"]])
    4.0
    """
    choice("missing", missing, ("tied", "next"))
    choice("norm", norm, (None, *get_args(Norm)))
    one, two = _positions(a, b)
    n = len(one.here)
    value = np.abs(one.at(missing, n) - two.at(missing, n)).sum()
    if norm is None:
        return float(value)
    most = float(n * n // 2)
    if norm == "disjoint":
        together = one.size + two.size
        most = sum(
            float(np.abs(mine.listed - other.behind(missing, together)).sum())
            for mine, other in ((one, two), (two, one))
        )
    return float(value / most) if most > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Positions:
    """Where the items of both lists stand in one of them."""

    here: Floats  # (items of both,); those that it lacks behind all others
    listed: Floats  # (items of this list,)

    @property
    def size(self) -> int:
        return len(self.listed)

    @property
    def untied_pairs(self) -> float:
        _, count = np.unique(self.listed, return_counts=True)
        return float(self.size * (self.size - 1) - (count * (count - 1)).sum()) / 2

    def behind(self, missing: str, n: int) -> Floats | float:
        """The position of what is missing, if there are n items."""
        return self.size + 1.0 if missing == "next" else (self.size + 1 + n) / 2

    def at(self, missing: str, n: int) -> Floats:
        return np.where(np.isinf(self.here), self.behind(missing, n), self.here)


def _positions(a: Ranked, b: Ranked) -> tuple[_Positions, _Positions]:
    lists = [_ranked(a, "a"), _ranked(b, "b")]
    union = dict.fromkeys(item for items, _ in lists for item in items)
    out = []
    for items, ranked in lists:
        mean = (ranked.first + ranked.last) / 2
        place = dict(zip(items, mean.tolist(), strict=True))
        out.append(_Positions(np.array([place.get(item, np.inf) for item in union]), mean))
    return out[0], out[1]


def _pair(
    a: Ranked, b: Ranked
) -> tuple[tuple[tuple[RankedLists, Array], tuple[RankedLists, Array]], int]:
    """Both lists with the rows of their common items in one order, and the number of these."""
    (items_a, lists_a), (items_b, lists_b) = _ranked(a, "a"), _ranked(b, "b")
    row_in_b = {item: row for row, item in enumerate(items_b)}
    rows_a = [row for row, item in enumerate(items_a) if item in row_in_b]
    rows_b = [row_in_b[items_a[row]] for row in rows_a]
    sides = (
        (lists_a, np.array(rows_a, dtype=np.int64)),
        (lists_b, np.array(rows_b, dtype=np.int64)),
    )
    return sides, len(rows_a)


def _ranked(given: Ranked, name: str) -> tuple[tuple[Item, ...], RankedLists]:
    """Items in order, and the places over which each is tied."""
    groups = [group for group in _groups(given, name) if group]
    items = tuple(item for group in groups for item in group)
    if not items:
        raise DataError(f"{name}: is empty; there is nothing to compare")
    seen: set[Item] = set()
    for item in items:
        if item in seen:
            raise DataError(f"{name}: {shown(item)} is listed twice; an item stands in a list once")
        seen.add(item)
    size = np.array([len(group) for group in groups])
    end = np.cumsum(size)
    first, last = np.repeat(end - size + 1, size), np.repeat(end, size)
    return items, RankedLists(np.array([0, len(items)]), np.zeros(len(items)), first, last)


def _groups(given: Ranked, name: str) -> list[tuple[Item, ...]]:
    """The tie groups, best first."""
    if isinstance(given, str):
        raise DataError(f"{name}={shown(given)}: must be a list of items, not one text")
    if isinstance(given, Mapping):
        out: dict[float, list[Item]] = {}
        for item, score in given.items():
            out.setdefault(number(f"{name}[{shown(item)}]", score), []).append(item)
        return [tuple(out[score]) for score in sorted(out, reverse=True)]
    tied = (list, set, frozenset, np.ndarray)
    return [tuple(g) if isinstance(g, tied) else (g,) for g in given]

"""How alike a system's list and each subject's are: overlap, Kendall's distance, footrule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core import overlap
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.partial_orders import disagreements, disjoint_disagreements, distance_to_all
from fuzzytruth.core.ranked_lists import RankedLists, padded
from fuzzytruth.core.segments import offsets_of, segment_sum
from fuzzytruth.measures.list_measure import ListMeasure
from fuzzytruth.measures.registry import define

if TYPE_CHECKING:
    from fuzzytruth.truth.subject_lists import AlignedLists


@define("rank_biased_overlap")
class RBO(ListMeasure):
    """Rank-biased overlap of the system's list and the subject's.

    `p` is how far down a reader goes. `ties` of the subject: "a" (mean over all orders), "b"
    (corrected for ties) or "w" (equal ranks). `kind`: "ext" (extrapolated), "min" and "max" (the
    bounds), or "res", their difference. A system that lists nothing has 0.
    """

    p: float = 0.9
    ties: str = "a"
    kind: str = "ext"
    name: ClassVar[str] = "RBO"
    meaning: ClassVar[str] = "share of common items among the first d, top ranks weighing most"
    reference: ClassVar[str] = "Webber, Moffat & Zobel 2010; Corsi & Urbano 2024"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_number("p", above=0, below=1)
        self.require_choice("ties", get_args(overlap.OverlapTies))
        self.require_choice("kind", ("ext", "min", "max", "res"))

    def compare_lists(self, lists: AlignedLists) -> Array:
        met = lists.within(self.k)
        ranked, entry = met.lists.by_position()
        rank = met.rank_of[entry]
        longest = np.maximum(ranked.size, met.length)
        out, at = [np.empty(0)], 0
        for block in overlap.blocks(longest):
            part = ranked.between(block)
            rows = slice(at, at := at + len(part.relevance))
            out.append(self._of_block(part, rank[rows], met.length[block], longest[block]))
        return np.concatenate(out)

    def _of_block(self, ranked: RankedLists, rank: Array, length: Array, longest: Array) -> Array:
        common = np.flatnonzero(rank)
        offsets = offsets_of(np.bincount(ranked.list_of[common], minlength=len(length)))
        depths = int(longest.max(initial=1))
        subject = overlap.Side.of(ranked, common, depths)
        system = overlap.Side.untied(length, rank[common], depths)
        ties: Any = self.ties
        ext, low, high = overlap.rank_biased_overlap(subject, system, offsets, self.p, ties)
        found: Array = {"ext": ext, "min": low, "max": high, "res": high - low}[self.kind]
        return found


@define("kendall_distance")
class Kendall(ListMeasure):
    """Kendall's distance K^(p) of the system's list and the subject's.

    Pairs of items of either list that the two order differently; a pair tied in one of them counts
    `penalty`. Items that a list lacks are tied behind those that it has. `norm="union"` divides by
    the number of pairs, "disjoint" by the distance of two such lists without a common item.
    """

    penalty: float = 0.5
    norm: str | None = None
    name: ClassVar[str] = "Kendall"
    meaning: ClassVar[str] = "pairs of items that the system and the subject order differently"
    reference: ClassVar[str] = "Fagin et al. 2003, 2006"
    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_number("penalty")
        self.require(0 <= self.penalty <= 1, "penalty must lie in [0, 1]")
        self.require(self.norm in (None, "union", "disjoint"), "norm must be union or disjoint")

    def compare_lists(self, lists: AlignedLists) -> Array:
        met = lists.within(self.k)
        ranked, entry = met.lists.by_position()
        rank = met.rank_of[entry]
        length, size, own = met.length, ranked.size, ranked.list_of
        there = rank > 0
        common = segment_sum(there, ranked.offsets)
        placed = np.where(there, rank, length[own] + 1)  # all that is not listed is tied
        value = disagreements(
            padded(ranked.first, ranked.offsets),
            padded(placed, ranked.offsets),
            size,
            self.penalty,
        )
        # Items that only the system has are tied for the subject, behind all of the list. With
        # one that the subject alone has, such an item is in the wrong order; with a common one,
        # if the system has it first.
        alone = length - common
        in_system = np.lexsort((placed, own))  # common ones first, by rank
        ahead = np.where(there[in_system], placed[in_system] - ranked.place, 0)
        value += segment_sum(ahead, ranked.offsets) + alone * (size - common)
        value += self.penalty * alone * (alone - 1) / 2
        if self.norm is None:
            return value
        if self.norm == "union":
            n = length + size - common
            return divide(value, n * (n - 1) / 2)
        tied = segment_sum(ranked.last - ranked.first, ranked.offsets)
        untied = (size * (size - 1) - tied + length * (length - 1)) / 2
        return divide(value, disjoint_disagreements(untied, (size, length), self.penalty))


@define("spearman_footrule")
class Footrule(ListMeasure):
    """Spearman's footrule of the system's list and the subject's.

    Sum over the items of either list of the distance of their positions, tied items having the
    mean of theirs. `missing`: an item that a list lacks is tied with the others that it lacks
    ("tied"), or at the length + 1 ("next"). `norm="union"` divides by ⌊n²/2⌋, "disjoint" by the
    footrule of two such lists without a common item.
    """

    missing: str = "tied"
    norm: str | None = None
    name: ClassVar[str] = "Footrule"
    meaning: ClassVar[str] = "how far items of either list are from their place in the other"
    reference: ClassVar[str] = "Fagin et al. 2003, 2006"
    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_choice("missing", ("tied", "next"))
        self.require(self.norm in (None, "union", "disjoint"), "norm must be union or disjoint")

    def compare_lists(self, lists: AlignedLists) -> Array:
        met = lists.within(self.k)
        ranked, entry = met.lists.by_position()
        rank = met.rank_of[entry]
        length, size, own = met.length, ranked.size, ranked.list_of
        there = rank > 0
        n = length + size - segment_sum(there, ranked.offsets)
        mean = (ranked.first + ranked.last) / 2
        behind_system, behind_subject = self._behind(length, n), self._behind(size, n)
        far = np.abs(np.where(there, rank, behind_system[own]) - mean)
        # All of the system's ranks are as far from there as if none was common.
        far -= np.where(there, np.abs(rank - behind_subject[own]), 0)
        value = segment_sum(far, ranked.offsets) + distance_to_all(length, behind_subject)
        if self.norm is None:
            return value
        if self.norm == "union":
            return divide(value, n * n // 2)
        together = length + size
        most = distance_to_all(length, self._behind(size, together))
        alone = np.abs(self._behind(length, together)[own] - mean)
        most += segment_sum(alone, ranked.offsets)
        return divide(value, most)

    def _behind(self, size: Array, n: Array) -> Array:
        """The position of what a list lacks."""
        out: Array = size + 1.0 if self.missing == "next" else (size + 1 + n) / 2
        return out

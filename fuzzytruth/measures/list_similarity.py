"""Similarity of a system's list and each subject's: overlap, Kendall's distance, footrule."""

from __future__ import annotations

import dataclasses
import math
from typing import NoReturn, get_args

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.lists import ranked_lists
from fuzzytruth.core.lists.ranked_lists import RankedLists
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure, one_of, real
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.inputs import AlignedLists

# Base class of measures that compare a system's list with each subject's.


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class ListMeasure(Measure):
    """A measure whose ground truth is a subject's whole ranked list.

    Subclasses define `compare_lists`. Items that a subject did not list are not missing judgments.
    Only ``worlds="subject"`` (or one list a query) makes sense: other worlds take lists apart.
    """

    compares_lists = True
    takes_judged_only = False
    stops_at_cutoff = False

    def score(self, batch: Batch) -> NoReturn:
        raise MeasureError(
            f"{self}: compares whole lists, which only single subjects have; use worlds='subject'"
        )


@define("rank_biased_overlap")
class RBO(ListMeasure):
    """Rank-biased overlap: share of common items among the first d, top ranks weighing most.

    The lists are the system's and the subject's. `p` is the probability that a reader goes on to
    the next rank. `ties` of the subject: "a" (mean over all orders), "b" (corrected for ties) or
    "w" (equal ranks). `kind`: "ext" (extrapolated), "min" and "max" (the bounds), or "res", their
    difference. An empty list of the system has 0.
    """

    p: float = real(0.9, above=0, below=1)
    ties: ranked_lists.OverlapTies = one_of(*get_args(ranked_lists.OverlapTies))
    kind: str = one_of("ext", "min", "max", "res")
    formula = r"(1 - p) \sum_{d=1}^{\infty} p^{d-1} \frac{|S_d \cap T_d|}{d}"
    reference = "Webber, Moffat & Zobel 2010; Corsi & Urbano 2024"

    def compare_lists(self, lists: AlignedLists) -> Array:
        aligned = lists.within(self.k)
        ranked, entry = aligned.lists.by_position()
        rank = aligned.rank_of[entry]
        longest = np.maximum(ranked.size, aligned.length)
        out, start = [np.empty(0)], 0
        for block in ranked_lists.blocks(longest):
            part = ranked.between(block)
            rows = slice(start, start := start + len(part.relevance))
            out.append(self._of_block(part, rank[rows], aligned.length[block], longest[block]))
        return np.concatenate(out)

    def _of_block(self, ranked: RankedLists, rank: Array, length: Array, longest: Array) -> Array:
        common = np.flatnonzero(rank)
        offsets = offsets_of(np.bincount(ranked.list_of[common], minlength=len(length)))
        depths = int(longest.max(initial=1))
        subject = ranked_lists.OverlapSide.of(ranked, common, depths)
        system = ranked_lists.OverlapSide.untied(length, rank[common], depths)
        ext, low, high = ranked_lists.rank_biased_overlap(
            subject, system, offsets, self.p, self.ties
        )
        return {"ext": ext, "min": low, "max": high, "res": high - low}[self.kind]


@define("kendall_distance")
class Kendall(ListMeasure):
    """Kendall's distance: pairs of items that the system and the subject order differently.

    K^(p), the number of pairs of items of either list that the two order differently; a pair tied
    in one of them counts `penalty`. Items that a list lacks are tied behind those that it has.
    ``norm="union"`` divides by the number of pairs, ``"disjoint"`` by the distance of two such
    lists without a common item.
    """

    penalty: float = real(0.5)
    norm: ranked_lists.Norm | None = one_of(None, *get_args(ranked_lists.Norm))
    formula = (
        r"\left| \{ \text{pairs in opposite order} \} \right| "
        r"+ \text{penalty} \cdot \left| \{ \text{pairs tied in one list} \} \right|"
    )
    reference = "Fagin et al. 2003, 2006"
    higher_is_better = False
    range = (0.0, math.inf)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0 <= self.penalty <= 1, "penalty must lie in [0, 1]")

    def compare_lists(self, lists: AlignedLists) -> Array:
        pairs = _pairs(lists.within(self.k))
        return ranked_lists.kendall_distances(*pairs, self.penalty, self.norm)


@define("spearman_footrule")
class Footrule(ListMeasure):
    """Spearman's footrule: how far items of either list are from their place in the other.

    The lists are the system's and the subject's; the sum is over the items of either, of the
    distance of their places, tied items having their mean place. `missing`: an item that a list
    lacks is tied with the others that it lacks ("tied"), or at length + 1 ("next").
    ``norm="union"`` divides by ⌊n²/2⌋, ``"disjoint"`` by the footrule of two such lists without a
    common item.
    """

    missing: ranked_lists.MissingPlace = one_of(*get_args(ranked_lists.MissingPlace))
    norm: ranked_lists.Norm | None = one_of(None, *get_args(ranked_lists.Norm))
    formula = r"\sum_x | S(x) - T(x) |"
    reference = "Fagin et al. 2003, 2006"
    higher_is_better = False
    range = (0.0, math.inf)

    def compare_lists(self, lists: AlignedLists) -> Array:
        return ranked_lists.footrules(*_pairs(lists.within(self.k)), self.missing, self.norm)


def _pairs(aligned: AlignedLists) -> tuple[RankedLists, ranked_lists.OtherLists]:
    """Each subject's list, and the system's beside it."""
    ranked, entry = aligned.lists.by_position()
    rank = aligned.rank_of[entry]
    return ranked, ranked_lists.OtherLists(rank, rank, aligned.length)

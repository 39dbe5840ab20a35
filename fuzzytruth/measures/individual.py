"""Individual comparison: a system's list against a subject's, by weighted displacement."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.largest_displacement import largest_displacement
from fuzzytruth.core.ranked_lists import RankedLists
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.core.weighted_displacement import UNLIMITED, Hypothesis, displacements, n_different
from fuzzytruth.errors import DataError, MeasureError, OptionError
from fuzzytruth.measures.list_measure import ListMeasure
from fuzzytruth.measures.quality_functions import Quality, quality
from fuzzytruth.measures.registry import define

if TYPE_CHECKING:
    from fuzzytruth.truth.subject_lists import AlignedLists

#: hypotheses that cannot do without the size of the collection
NEED_N = ("pessimist", "pessimist-tail", "worst")


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class _Displacement(ListMeasure):
    """Parameters that the two have in common; those left out get their value here."""

    unseen: str | None = None
    N: int | None = None
    ties: str | None = None
    normalised: bool = False
    order: str = "error"
    reference: ClassVar[str] = "Santini, Benchmarking without ground truth"

    def __post_init__(self) -> None:
        # Printed even if left out: what the number means depends on it.
        object.__setattr__(self, "unseen", self.unseen or "optimist")
        super().__post_init__()
        self.require_choice("unseen", get_args(Hypothesis))
        self.require_choice("order", ("error", "sort"))
        self.require(self.normalised in (True, False), "normalised must be True or False")
        if self.ties is not None:
            self.require_choice("ties", ("interval", "position"))
        if self.N is not None:
            whole = isinstance(self.N, int) and not isinstance(self.N, bool)
            self.require(whole and self.N >= 1, "N, the size of the collection, is a number from 1")
        if self.unseen == "incremental":
            self.require(self.cutoff is None, "a full ranking is not cut; leave the cut-off out")

    def weighted(self, lists: AlignedLists) -> Array:
        """The displacement, normalised if that is asked for: (lists,)."""
        if self.unseen in NEED_N and self.N is None:
            raise MeasureError(
                f"{self}: needs the size of the collection, as in "
                f"{dataclasses.replace(self, N=1000)}"
            )
        lists.lists.check_relevances()
        met = lists.within(self.k)
        unseen: Any = self.unseen
        ties: Any = self.ties
        order: Any = self.order
        ranked, entry = met.lists.ranked(ties, order)
        rank = met.rank_of[entry]
        collection = self._collection(met, ranked, rank)
        away = displacements(ranked, rank, met.length, unseen, collection)
        out: Array = segment_sum(ranked.relevance * away, ranked.offsets)
        if not self.normalised:
            return out
        # Where nothing can be displaced, nothing is.
        return divide(out, largest_displacement(ranked, met.length, unseen, collection))

    def _collection(self, met: AlignedLists, ranked: RankedLists, rank: Array) -> Array:
        """The size of the collection for each list, after a check that it can hold both lists."""
        least = np.where(ranked.size > 0, n_different(ranked, rank, met.length), 0)
        if self.unseen == "incremental":
            lacking = np.flatnonzero(least > met.length)
            if len(lacking):
                j = int(lacking[0])
                raise DataError(
                    f"{self}: {met.lists.name(j)}: {least[j] - met.length[j]:,} items of the "
                    f"subject's list are not among the system's {met.length[j]:,} "
                    f"({len(lacking):,} such lists); give the system's full ranking"
                )
        if self.N is None:
            return met.length if self.unseen == "incremental" else np.full(len(least), UNLIMITED)
        small = np.flatnonzero(least > self.N)
        if len(small):
            j = int(small[0])
            raise DataError(
                f"{self}: {met.lists.name(j)}: the system lists {met.length[j]:,} items and the "
                f"subject {least[j] - met.length[j]:,} others ({len(small):,} such lists); N, the "
                f"size of the collection, must be {int(least.max()):,} or more"
            )
        return np.where(ranked.size > 0, self.N, np.maximum(self.N, met.length))


@define("weighted_displacement")
class WD(_Displacement):
    """Weighted displacement: sum of relevance × distance of the subject's and the system's rank.

    `unseen` says where the items are that the system does not list: "optimist" (next to come),
    "pessimist" (displaced by N), "pessimist-tail" (the last of the collection), "worst" (where
    they are displaced most), "incremental" (nowhere else: the run is the full ranking). `N` is the
    size of the collection. `ties="interval"`: items of equal relevance may stand in any order;
    "position": as the subject has them; by default "position" where positions are given.
    `normalised`: divided by the largest value of all answers of this length. `order="sort"` sorts
    lists in which relevance rises.
    """

    name: ClassVar[str] = "WD"
    meaning: ClassVar[str] = "how far items are from where the subject wants them, by relevance"
    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    def compare_lists(self, lists: AlignedLists) -> Array:
        return self.weighted(lists)

    def quality(self, g: str, *, power: float | None = None, rate: float | None = None) -> WDQ:
        """The quality of this displacement."""
        shared = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return WDQ(**shared, g=g, power=power, rate=rate)


@define("displacement_quality")
class WDQ(_Displacement):
    """Quality g(w) of a list, from 1 where nothing is displaced.

    `g`: "rational", 1 / (1 + w)^power, "exp", exp(-rate · w), or a function's name under which
    `register_quality` knows it. Everything else as in WD.
    """

    g: str | None = None
    power: float | None = None
    rate: float | None = None
    name: ClassVar[str] = "WDQ"
    meaning: ClassVar[str] = "quality g(w) of the weighted displacement w"

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
        out: Array = np.asarray(self._quality(self.weighted(lists)), dtype=np.float64)
        return out

"""Weighted displacement of a system's list from each subject's, and its quality."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.errors import DataError, MeasureError, OptionError
from fuzzytruth.measures.displacement_rules import DisplacementRules, GivenLists
from fuzzytruth.measures.list_measure import ListMeasure
from fuzzytruth.measures.quality_functions import Quality, quality
from fuzzytruth.measures.registry import define

if TYPE_CHECKING:
    from fuzzytruth.truth.subject_lists import AlignedLists


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class DisplacementMeasure(ListMeasure):
    """Base class of WD and WDQ: their common parameters, with defaults filled in."""

    unseen: str | None = None
    N: int | None = None
    ties: str | None = None
    normalised: bool = False
    order: str = "error"
    reference: ClassVar[str] = "Santini, Benchmarking without ground truth"

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
        return displaced.normalised(total) if self.normalised else total


@define("weighted_displacement")
class WD(DisplacementMeasure):
    """Weighted displacement: sum of relevance × distance of an item's places in the two lists.

    `unseen` says where the subject's items are that the system does not list: "optimist" (next),
    "pessimist" (displaced by N), "pessimist-tail" (at the end of the collection), "worst" (where
    they are displaced most), "incremental" (the run is the full ranking). `N` is the size of the
    collection. ``ties="interval"``: items of equal relevance may be in any order; "position": they
    are in the subject's order; by default "position" where positions are given. ``normalised``
    divides by the largest value of all answers of this length. ``order="sort"`` sorts lists in
    which relevance rises.
    """

    name: ClassVar[str] = "WD"
    meaning: ClassVar[str] = "how far items are from where the subject wants them, by relevance"
    formula: ClassVar[str] = r"w = \sum_x u(x) \, d(x)"
    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    def compare_lists(self, lists: AlignedLists) -> Array:
        return self.displacement(lists)

    def quality(self, g: str, *, power: float | None = None, rate: float | None = None) -> WDQ:
        """The quality g of this displacement, as a measure."""
        shared = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return WDQ(**shared, g=g, power=power, rate=rate)


@define("displacement_quality")
class WDQ(DisplacementMeasure):
    """Quality g(w) of the weighted displacement w: 1 where nothing is displaced.

    `g` is "rational", 1 / (1 + w)^power, "exp", exp(-rate · w), or the name under which a function
    was registered by `register_quality`. The other parameters are those of `WD`.
    """

    g: str | None = None
    power: float | None = None
    rate: float | None = None
    name: ClassVar[str] = "WDQ"
    meaning: ClassVar[str] = "quality g(w) of the weighted displacement w"
    formula: ClassVar[str] = (
        r"g(w) = \frac{1}{(1 + w)^{\text{power}}}, \quad w = \sum_x u(x) \, d(x)"
    )

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
        out: Array = np.asarray(self._quality(self.displacement(lists)), dtype=np.float64)
        return out

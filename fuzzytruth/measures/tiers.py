"""Nearest neighbour, first tier and second tier: the measures of 3D shape benchmarks."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.class_depth_bounds import ClassDepth, class_depth_bounds
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems

NORMS = ("class", "depth")


@define("nearest_neighbor", "nearest_neighbour")
class NN(Measure):
    """Nearest neighbour: 1 if the first item is relevant."""

    rel: float = 1
    name: ClassVar[str] = "NN"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "whether the first item is relevant"
    formula: ClassVar[str] = r"r_1"
    linear: ClassVar[bool] = True
    reference: ClassVar[str] = "Shilane et al. 2004"
    cutoff_use: ClassVar[str] = "none"
    expects_ties: ClassVar[bool] = True

    @property
    def depth(self) -> int:
        return 1

    def score(self, batch: Batch) -> Array:
        return batch.hits(1, self.rel).astype(np.float64)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return exact.hit_moments(probabilities, self.rel, 1)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms:
        pmf = exact.hit_pmf(probabilities, self.rel, 1)
        return np.arange(len(pmf)) * 1.0, pmf

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        first = lists.within(1)
        hit = first.relevant(self.rel)[..., 0]
        return hit * 1.0, (hit | first.unjudged[..., 0]) * 1.0


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Tier(Measure):
    """Base class of the tiers: share of the C relevant items among the first `classes` · C."""

    rel: float = 1
    norm: str = "class"
    classes: ClassVar[int]
    reference: ClassVar[str] = "Shilane et al. 2004; SHREC 2006 (norm=depth)"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_choice("norm", NORMS)

    def score(self, batch: Batch) -> Array:
        relevant = batch.n_relevant(self.rel)  # (worlds, queries)
        hits = batch.hits(self._depth(relevant), self.rel)
        return divide(hits, self._norm(relevant, batch.length))

    def _depth(self, relevant: Array) -> Array:
        return self.classes * relevant

    def _norm(self, relevant: Array | int, length: Array) -> Array:
        """Denominator: the number of relevant items, or the depth that was examined."""
        if self.norm == "class":
            return np.asarray(relevant)
        return np.asarray(np.minimum(self.classes * relevant, length))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, None] | None:
        mean = exact.mean_over_class_size(probabilities, self.rel, self._depth, self._norm)
        return None if mean is None else (mean, None)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms | None:
        return exact.class_size_distribution(probabilities, self.rel, self._depth, self._norm)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        rule = ClassDepth(self._depth, self._norm, self.classes)
        low, high = class_depth_bounds(lists.binary(self.rel), rule)
        return low[None], high[None]


@define("first_tier")
class FT(Tier):
    """First tier: relevant items among the first C, over C, the number of relevant items.

    ``norm="depth"`` stops at the list's end and divides by the depth reached, as SHREC 2006 does.
    A query that is itself in the collection must not be among its judged items.
    """

    name: ClassVar[str] = "FT"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "share of the C relevant items that are among the first C"
    formula: ClassVar[str] = r"\frac{h_R}{R}"
    classes: ClassVar[int] = 1


@define("second_tier")
class ST(Tier):
    """Second tier: relevant items among the first 2C, over C, the number of relevant items.

    ``norm="depth"`` stops at the list's end and divides by the depth reached (2C or less), as
    SHREC 2006 does: a perfect list then has only 1/2.
    """

    name: ClassVar[str] = "ST"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "share of the C relevant items that are among the first 2C"
    formula: ClassVar[str] = r"\frac{h_{2R}}{R}"
    classes: ClassVar[int] = 2

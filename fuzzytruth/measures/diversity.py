"""Measures of novelty and diversity, from judgments by intent of the query, as in TREC's ndeval.

All intents of a query with a relevant item weigh the same, and the others play no part. Relevance
is binary: a grade of `rel` or more. An item not judged for an intent is not relevant to it.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.gain import discounts
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.intents import Intents


class IntentMeasure(Measure):
    """Base class of the measures that need judgments by intent."""

    rel: float
    needs_intents = True
    needs_relevant = True

    def intents_of(self, batch: Batch) -> Intents:
        """The lists and the truth by intent."""
        if batch.intents is None:
            raise MeasureError(
                f"{self}: needs judgments by intent of the query, in a column 'intent'"
            )
        return batch.intents

    def require_share(self, parameter: str) -> None:
        """Require that `parameter` is a number from 0 to 1."""
        self.require_number(parameter)
        self.require(0 <= getattr(self, parameter) <= 1, f"{parameter} must be from 0 to 1")


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class NoveltyMeasure(IntentMeasure):
    """Base class of the measures that an intent adds less to each time it is covered again.

    An item adds, for each intent to which it is relevant, (1 - alpha) to the power of the number of
    better items that are relevant to the intent.
    """

    alpha: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_share("alpha")

    def discount(self, rank: Array) -> Floats:
        """Discount of each rank, from 1."""
        return np.asarray(1.0 / rank)

    def list_gain(self, intents: Intents) -> Array:
        """Discounted gain of the list."""
        return intents.gain(self.rel, 1 - self.alpha, self._discounts(intents.longest()))

    def _discounts(self, depth: int) -> Floats:
        """Discounts of no rank and of the first ones, up to `depth` or the cut-off."""
        depth = depth if self.k is None else min(depth, self.k)
        return np.append(0.0, self.discount(np.arange(1, depth + 1)))


class PerBound(NoveltyMeasure):
    """Base class of gains over that of a list each of whose items is relevant to every intent."""

    cutoff_use = "required"

    def score(self, batch: Batch) -> Array:
        intents = self.intents_of(batch)
        rank = np.arange(1, (self.k or 1) + 1)
        bound = (np.power(1 - self.alpha, rank - 1.0) * self.discount(rank)).sum()
        return divide(self.list_gain(intents), bound * intents.n_intents(self.rel))


class PerIdeal(NoveltyMeasure):
    """Base class of gains over that of the greedy order of all judged items."""

    range = (0.0, math.inf)

    def score(self, batch: Batch) -> Array:
        intents = self.intents_of(batch)
        ideal = intents.ideal_gain(self.rel, 1 - self.alpha, self._discounts(intents.most()))
        share = divide(self.list_gain(intents), ideal)
        return np.where(np.abs(share - 1) < 1e-14, 1.0, share)


class _Logarithmic(NoveltyMeasure):
    def discount(self, rank: Array) -> Floats:
        return discounts("log2", rank)


@define("α_dcg")
class alpha_DCG(_Logarithmic, PerBound):
    """Discounted gain of new intents, over that of all intents at each rank.

    An intent adds (1 - alpha)^c to the gain of an item, where c better items are relevant to it;
    gains are discounted by log2(rank + 1). Divided by the value of a list all of whose items are
    relevant to every intent; `ndeval` does not divide at a cut-off of 1.
    """

    rel: float = 1
    formula = (
        r"\frac{\sum_{i=1}^{k} a_i / \log_2(i + 1)}"
        r"{|T| \sum_{i=1}^{k} (1 - \alpha)^{i-1} / \log_2(i + 1)}"
    )
    reference = "Clarke et al. 2008; ndeval"


@define("α_ndcg")
class alpha_nDCG(_Logarithmic, PerIdeal):
    """Discounted gain of new intents, as a share of that of the ideal order.

    The gain is that of `alpha_DCG`. The ideal order takes, at each rank, the judged item that gains
    most there; of several, the one whose id comes last. It need not be the best order, which is
    NP-hard to find, so that values slightly above 1 are possible.
    """

    rel: float = 1
    formula = r"\frac{\sum_{i=1}^{k} a_i / \log_2(i + 1)}{\sum_{i=1}^{k} a^*_i / \log_2(i + 1)}"
    reference = "Clarke et al. 2008; ndeval"


@define()
class ERR_IA(PerBound):
    """Intent-aware ERR: expected 1 / rank of satisfaction, mean over intents, normalised.

    The user of an intent is satisfied by an item that is relevant to it with probability `alpha`,
    as in `ndeval`, where an item of a higher grade does not satisfy more. Divided by the value of a
    list all of whose items are relevant to every intent; `ndeval` does not divide at a cut-off of
    1.
    """

    rel: float = 1
    formula = r"\frac{\sum_{i=1}^{k} a_i / i}{|T| \sum_{i=1}^{k} (1 - \alpha)^{i-1} / i}"
    reference = "Chapelle et al. 2009; ndeval"


@define()
class nERR_IA(PerIdeal):
    """Intent-aware ERR, as a share of that of the ideal order.

    The ideal order is that of `alpha_nDCG`.
    """

    rel: float = 1
    formula = r"\frac{\sum_{i=1}^{k} a_i / i}{\sum_{i=1}^{k} a^*_i / i}"
    reference = "Chapelle et al. 2009; ndeval"


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class _Geometric(NoveltyMeasure):
    beta: float = 0.5
    cutoff_use = "none"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_share("beta")

    def discount(self, rank: Array) -> Floats:
        return np.asarray(np.power(self.beta, rank - 1.0))


@define()
class NRBP(_Geometric):
    """NRBP: gain of new intents for a user who continues with probability beta.

    Novelty- and rank-biased precision: the gain of `alpha_DCG`, discounted by beta^(rank - 1).
    `beta` is the probability that a user goes on to the next item. Divided by the value of an
    endless list all of whose items are relevant to every intent.
    """

    rel: float = 1
    formula = r"\frac{1 - (1 - \alpha) \beta}{|T|} \sum_{i=1}^{n} \beta^{i-1} a_i"
    reference = "Clarke et al. 2009; ndeval"

    def score(self, batch: Batch) -> Array:
        intents = self.intents_of(batch)
        bound = 1 - (1 - self.alpha) * self.beta
        return divide(self.list_gain(intents) * bound, intents.n_intents(self.rel))


@define()
class nNRBP(_Geometric, PerIdeal):
    """NRBP as a share of that of the ideal order.

    The ideal order is that of `alpha_nDCG`.
    """

    rel: float = 1
    formula = r"\frac{\sum_{i=1}^{n} \beta^{i-1} a_i}{\sum_i \beta^{i-1} a^*_i}"
    reference = "Clarke et al. 2009; ndeval"


@define("MAP_IA")
class AP_IA(IntentMeasure):
    """Intent-aware AP: average precision for each intent, mean over intents."""

    rel: float = 1
    cutoff_use = "none"
    formula = r"\frac{1}{|T|} \sum_{t \in T} \mathrm{AP}^t"
    reference = "Agrawal et al. 2009; ndeval"

    def score(self, batch: Batch) -> Array:
        return self.intents_of(batch).mean_average_precision(self.rel)


@define("precision_IA")
class P_IA(IntentMeasure):
    """Intent-aware precision: precision for each intent, mean over intents.

    It is the precision among the first k; a list shorter than k is still divided by k. Without a
    cut-off: among all retrieved.
    """

    rel: float = 1
    formula = r"\frac{1}{|T|} \sum_{t \in T} \frac{h^t_k}{k}"
    reference = "Agrawal et al. 2009; ndeval"

    def score(self, batch: Batch) -> Array:
        intents = self.intents_of(batch)
        retrieved = self.k or batch.length
        return divide(intents.n_hits(self.rel, self.k), retrieved * intents.n_intents(self.rel))


@define("strec", "subtopic_recall", "s_recall")
class StRecall(IntentMeasure):
    """Subtopic recall: share of the intents covered by the first k items.

    An intent is covered if one of the items is relevant to it.
    """

    rel: float = 1
    formula = r"\frac{1}{|T|} \left| \{ t \in T : h^t_k > 0 \} \right|"
    reference = "Zhai et al. 2003; ndeval"

    def score(self, batch: Batch) -> Array:
        intents = self.intents_of(batch)
        return divide(intents.n_covered(self.rel, self.k), intents.n_intents(self.rel))

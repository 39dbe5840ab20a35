"""Groups of queries: clusters, which are a sample, or strata, which are fixed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.cells import grouped_mean, grouped_sum
from fuzzytruth.core.clusters import clustered_means
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.core.strata import stratified_means
from fuzzytruth.errors import DataError, shown

Kind = Literal["clusters", "strata"]


@dataclass(frozen=True, slots=True, eq=False)
class QueryGroups:
    """Which group each query is in.

    Parameters
    ----------
    kind : {"clusters", "strata"}
        Clusters are drawn whole, and the estimand is the mean over queries; strata are fixed, their
        queries are drawn, and the estimand is the mean of their means.
    code : (queries,) int
        From 0 to `n` - 1.
    n : int
    names : tuple of str
        Of the groups, for messages; empty where they have none.
    """

    kind: Kind
    code: Ints
    n: int
    names: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """How intervals over queries are computed."""
        return f"t over {self.kind} of queries"

    @property
    def sizes(self) -> Ints:
        """Queries of each group: (n,)."""
        return np.bincount(self.code, minlength=self.n)

    def select(self, chosen: Bools) -> QueryGroups:
        """Groups of some of the queries (queries,), numbered anew."""
        kept, code = np.unique(self.code[chosen], return_inverse=True)
        names = tuple(self.names[group] for group in kept) if self.names else ()
        return QueryGroups(self.kind, code, len(kept), names)

    def mean(self, values: Floats) -> Floats:
        """The estimand's mean of (..., queries) values; NaN is missing."""
        if self.kind == "strata":
            values = grouped_mean(values, self.code, self.n)
        return nan_mean(values, -1)

    def estimate(self, values: Floats, *, scale: ArrayLike = 0.0) -> tuple[Floats, Floats, Floats]:
        """Mean, standard error and degrees of freedom of (rows, queries) values: (rows,) each.

        `scale` (rows,) is the largest of the values that these are differences of.

        The standard error is NaN where a row has values in one cluster alone, or a single value in
        a stratum.
        """
        estimator = clustered_means if self.kind == "clusters" else stratified_means
        return estimator(values, self.code, self.n, scale=scale)

    def units(self, values: Floats) -> Ints:
        """Clusters, or queries of strata, that each of (rows, queries) values has: (rows,)."""
        present = ~np.isnan(values)
        if self.kind == "strata":
            return np.asarray(present.sum(axis=1))
        return np.asarray(self.present(values).sum(axis=1))

    def present(self, values: Floats) -> Bools:
        """Groups in which each of (rows, queries) values has any: (rows, n)."""
        return np.asarray(grouped_sum(~np.isnan(values), self.code, self.n) > 0)

    def singles(self, values: Floats) -> Bools:
        """Groups in which a row of (rows, queries) values has a single one: (rows, n)."""
        return np.asarray(grouped_sum(~np.isnan(values), self.code, self.n) == 1)


def stratum_of_one(name: str, whose: str = "") -> DataError:
    """The error of a stratum with a single value."""
    return DataError(
        f"strata: stratum {shown(name)} is a stratum of one{whose}: nothing is known of the spread "
        "within it; merge it with another, or leave it out"
    )

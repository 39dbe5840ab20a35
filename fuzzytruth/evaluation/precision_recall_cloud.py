"""The precision–recall cloud of a query: the joint distribution of both at each rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.prefixes import joint_pmfs
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import counted, printable
from fuzzytruth.evaluation.cloud_answer import cloud_answer
from fuzzytruth.io.answer import Answer, Printed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cloud(Answer):
    """Joint distribution of recall and precision at every rank.

    Parameters
    ----------
    system, query : str
    rank : (points,) int
        From 1, ascending.
    recall, precision : (points,) float
        In [0, 1]; recall is 0 where no item is relevant.
    probability : (points,) float
        Sums to 1 at each rank.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4: the precision–recall curve becomes a
    cloud.
    """

    system: str
    query: str
    rank: Array
    recall: Array
    precision: Array
    probability: Array

    def __repr__(self) -> str:
        counts = f"{counted(len(self.rank), 'point')}, {counted(self._n_ranks, 'rank')}"
        return printable(f"Cloud({self.system}, query {self.query}: {counts})")

    def _answer(self) -> Printed:
        return cloud_answer(repr(self), self.rank, self.recall, self.precision, self.probability)

    @property
    def _n_ranks(self) -> int:
        return int(self.rank.max(initial=0))

    def to_frame(self) -> pd.DataFrame:
        """One row for each point: rank, recall, precision, probability."""
        import pandas as pd

        return pd.DataFrame(
            {
                "rank": self.rank,
                "recall": self.recall,
                "precision": self.precision,
                "probability": self.probability,
            }
        )

    def mean_curve(self) -> pd.DataFrame:
        """Expected recall and precision at each rank: columns rank, recall, precision."""
        import pandas as pd

        n = self._n_ranks + 1
        means = {
            name: np.bincount(self.rank, weights=values * self.probability, minlength=n)[1:]
            for name, values in (("recall", self.recall), ("precision", self.precision))
        }
        return pd.DataFrame({"rank": np.arange(1, n), **means})

    def bands(self, level: float = 0.95) -> pd.DataFrame:
        """Central intervals of recall and of precision at each rank.

        Columns: rank, recall_lower, recall_upper, precision_lower, precision_upper.
        """
        import pandas as pd

        rows = []
        for rank in range(1, self._n_ranks + 1):
            at = self.rank == rank
            recall, precision = (
                Distribution.from_atoms(values[at], self.probability[at]).interval(level)
                for values in (self.recall, self.precision)
            )
            rows.append((rank, *recall, *precision))
        ends = ["recall_lower", "recall_upper", "precision_lower", "precision_upper"]
        return pd.DataFrame(rows, columns=["rank", *ends])

    def plot(self, ax: Axes | None = None, *, level: float = 0.95) -> Axes:
        """Draw the points, darker where more probable, the mean curve and the band of precision.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        level : float
            Level of the band.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        MissingPackageError
            Matplotlib is not installed.
        """
        from fuzzytruth.plots import precision_recall

        return precision_recall(
            self.to_frame(),
            ax,
            mean=self.mean_curve(),
            bands=self.bands(level),
            level=level,
            title=f"{self.system}, query {self.query}",
        )


def make_cloud(components: list[tuple[float, Array, Array]], name: tuple[str, str]) -> Cloud:
    """Mix the joint distributions of all components.

    Parameters
    ----------
    components : list
        Weight of each, probability of relevance of the items at ranks 1 to depth, and of all
        others; see `RankDistributions.components`.
    name : (str, str)
        System and query.
    """
    by_rank: dict[int, list[tuple[Array, Array, Array]]] = {}
    for weight, ranked, rest in components:
        for rank, (hit_pmf, rest_pmf) in enumerate(joint_pmfs(ranked, rest[rest > 0]), start=1):
            hits, others = np.nonzero(np.outer(hit_pmf > 0, rest_pmf > 0))
            n_relevant = np.maximum(hits + others, 1)
            probability = weight * hit_pmf[hits] * rest_pmf[others]
            by_rank.setdefault(rank, []).append((hits / n_relevant, hits / rank, probability))
    columns: list[tuple[Array, Array, Array, Array]] = []
    for rank, parts in by_rank.items():
        recall, precision, probability = map(np.concatenate, zip(*parts, strict=True))
        points, which = np.unique(
            np.round(np.stack((recall, precision)), 12), axis=1, return_inverse=True
        )
        total = np.bincount(which.reshape(-1), weights=probability)
        columns.append((np.full(len(total), rank), points[0], points[1], total))
    return Cloud(*name, *map(np.concatenate, zip(*columns, strict=True)))

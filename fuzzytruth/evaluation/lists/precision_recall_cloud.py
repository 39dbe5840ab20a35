"""The precision–recall cloud of a query: the joint distribution of both at each rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array
from fuzzytruth.core.lists.relevant_counts import joint_pmfs
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import OptionError, counted, printable, shown
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.answer_rows import few_ranks
from fuzzytruth.show.number_text import level_text, with_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What is printed of a cloud of precision and recall, and of their distributions by rank.


LEVEL = 0.95  # of printed intervals


def cloud_answer(
    name: str, rank: Array, recall: Array, precision: Array, probability: Array
) -> Printed:
    """What `print` shows: expected precision and recall at a few ranks, with intervals.

    `name` is the repr of the `Cloud`, the arrays are its points.
    """
    ranks = few_ranks(int(rank.max(initial=0)), 8)
    both = []
    for values in (precision, recall):
        at = (rank == k for k in ranks)
        both.append([Distribution.from_atoms(values[k], probability[k]) for k in at])
    columns = (Column.label("rank", ranks), *precision_and_recall(*both))
    return Printed.of(
        f"Precision and recall together: {name.partition('(')[2].removesuffix(')')}",
        Table(columns),
        legend(),
        Sentences.of("More: .to_frame(), .mean_curve(), .bands(), .plot()"),
    )


def precision_and_recall(
    precision: Sequence[Distribution], recall: Sequence[Distribution]
) -> tuple[Column, ...]:
    """Expected values and intervals."""
    return tuple(
        Column(
            name, tuple(with_interval(one.mean(), *one.interval(LEVEL)) for one in distributions)
        )
        for name, distributions in (("precision", precision), ("recall", recall))
    )


def legend() -> Sentences:
    """What the numbers and brackets are."""
    return Sentences.of(
        f"Expected values. Brackets: the central interval that holds {level_text(LEVEL)} of the "
        "worlds of this query's uncertain truth; they say nothing about other queries or people."
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cloud(Result):
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
    category : str
        Given that the query has this category; empty: over all it may have.
    share : float
        Probability of that category.
    parts : tuple of Cloud
        The clouds given each category that the query may have, of which this one is the mixture;
        empty where the query has no category.

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
    category: str = ""
    share: float = 1.0
    parts: tuple[Cloud, ...] = ()

    def __repr__(self) -> str:
        counts = f"{counted(len(self.rank), 'point')}, {counted(self._n_ranks, 'rank')}"
        given = f" given {self.category}" if self.category else ""
        return printable(f"Cloud({self.system}, query {self.query}{given}: {counts})")

    def _answer(self) -> Printed:
        return cloud_answer(repr(self), self.rank, self.recall, self.precision, self.probability)

    @property
    def _n_ranks(self) -> int:
        return int(self.rank.max(initial=0))

    def to_frame(self) -> pd.DataFrame:
        """One row for each point: rank, recall, precision, probability."""
        return pd.DataFrame(
            {
                "rank": self.rank,
                "recall": self.recall,
                "precision": self.precision,
                "probability": self.probability,
            }
        )

    def mean_curve(self) -> pd.DataFrame:
        """Expected recall and precision at each rank: columns rank, recall, precision.

        Expectations at one rank, over the same worlds at all ranks: recall never falls.
        """
        n = self._n_ranks + 1
        means: dict[str, Array] = {
            name: np.bincount(self.rank, weights=values * self.probability, minlength=n)[1:]
            for name, values in (("recall", self.recall), ("precision", self.precision))
        }
        means["recall"] = np.maximum.accumulate(means["recall"])  # rounding
        return pd.DataFrame({"rank": np.arange(1, n), **means})

    def bands(self, level: float = 0.95) -> pd.DataFrame:
        """Central intervals of recall and of precision at each rank.

        Columns: rank, recall_lower, recall_upper, precision_lower, precision_upper.
        """
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

    def by_category(self, level: float = 0.95) -> pd.DataFrame:
        """Mean curve and band of precision given each category that the query may have.

        Columns: category, share (its probability), rank, recall and precision (expected, given the
        category), precision_lower and precision_upper. No rows where the query has no category.
        """
        frames = []
        for part in self.parts:
            ends = part.bands(level)[["precision_lower", "precision_upper"]]
            frame = pd.concat([part.mean_curve(), ends], axis=1)
            frame.insert(0, "share", part.share)
            frame.insert(0, "category", part.category)
            frames.append(frame)
        columns = ["category", "share", "rank", "recall", "precision"]
        columns += ["precision_lower", "precision_upper"]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)

    def plot(
        self, ax: Axes | None = None, *, level: float = 0.95, by_category: bool | None = None
    ) -> Axes:
        """Draw the points, darker where more probable, the mean curve and bands of precision.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        level : float
            Level of the bands.
        by_category : bool, optional
            Whether there is a band and a mean curve for each category that the query may have,
            or one band over all. A band over categories that differ much holds nearly every
            precision there is. By default, where there are several categories.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        OptionError
            ``by_category=True`` and the query has no category.
        """
        from fuzzytruth.plots import precision_recall

        return precision_recall(self, ax, level=level, by_category=by_category)

    _figures: ClassVar[tuple[str, ...]] = ("precision_recall",)

    def _plot_data(
        self, figure: str, level: float = 0.95, by_category: bool | None = None
    ) -> PlotData:
        """Points, and curves with bands, of `plots.precision_recall`."""
        if by_category and not self.parts:
            raise OptionError(
                f"by_category=True: query {shown(self.query)} has no category; only queries by "
                "example have"
            )
        curves = pd.concat([self.mean_curve(), self.bands(level).drop(columns="rank")], axis=1)
        curves.insert(0, "share", 1.0)
        curves.insert(0, "category", "")
        if len(self.parts) > 1 if by_category is None else by_category:
            curves = pd.concat([curves, self.by_category(level)], ignore_index=True)
        given = f" given {self.category}" if self.category else ""
        title = f"{self.system}, query {self.query}{given}, ranks 1 to {self._n_ranks:,}"
        return PlotData(self.to_frame(), f"{title}, over independent worlds", curves)


def make_cloud(
    components: list[tuple[float, Array, Array]],
    name: tuple[str, str],
    categories: tuple[str, ...] = (),
) -> Cloud:
    """Mix the joint distributions of all components.

    Parameters
    ----------
    components : list
        Weight of each, probability of relevance of the items at ranks 1 to depth, and of all
        others; see `RankDistributions.components`.
    name : (str, str)
        System and query.
    categories : tuple of str
        The category of each component, if they have one.
    """
    points = [_points(ranked, rest) for _, ranked, rest in components]
    weights = [weight for weight, _, _ in components]
    parts = tuple(
        Cloud(*name, *_merged([one], [1.0]), category=category, share=weight)
        for category, one, weight in zip(categories, points, weights, strict=False)
    )
    return Cloud(*name, *_merged(points, weights), parts=parts)


#: rank, recall, precision and probability of some points: (points,) each
Points = tuple[Array, Array, Array, Array]


def _points(ranked: Array, rest: Array) -> Points:
    """The joint distribution of recall and precision at every rank, of independent items."""
    columns: list[Points] = []
    for rank, (hit_pmf, rest_pmf) in enumerate(joint_pmfs(ranked, rest[rest > 0]), start=1):
        hits, others = np.nonzero(np.outer(hit_pmf > 0, rest_pmf > 0))
        n_relevant = np.maximum(hits + others, 1)
        probability = hit_pmf[hits] * rest_pmf[others]
        columns.append((np.full(len(hits), rank), hits / n_relevant, hits / rank, probability))
    rank_of, recall, precision, chance = map(np.concatenate, zip(*columns, strict=True))
    return rank_of, recall, precision, chance


def _merged(parts: list[Points], weights: list[float]) -> Points:
    """A mixture of points, each (rank, recall, precision) once, in this order."""
    rank, recall, precision = (
        np.concatenate([part[column] for part in parts]) for column in range(3)
    )
    chance = np.concatenate([weight * part[3] for part, weight in zip(parts, weights, strict=True)])
    place = np.stack((rank, np.round(recall, 12), np.round(precision, 12)))
    points, which = np.unique(place, axis=1, return_inverse=True)
    total = np.bincount(which.reshape(-1), weights=chance)
    return points[0].astype(np.int64), points[1], points[2], total

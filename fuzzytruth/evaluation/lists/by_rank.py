"""Precision and recall at every rank as distributions: `by_rank`, and the cloud of a query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Axes
from fuzzytruth.core import validation
from fuzzytruth.core.arithmetic import padded, segment_sum
from fuzzytruth.core.lists import relevant_counts
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.data.named_distributions import Size
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import DataError, OptionError, choice, counted, shown
from fuzzytruth.evaluation.validation import as_truth, check_truth
from fuzzytruth.measures import P
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, printed_table
from fuzzytruth.show.answer_rows import few_ranks, short_id
from fuzzytruth.show.number_text import level_text, with_interval
from fuzzytruth.truth import AlignedTruth, align
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import as_given

LEVEL = 0.95  # of printed intervals
#: what the numbers and brackets of printed distributions are
LEGEND = (
    f"Expected values. Brackets: the central interval that holds {level_text(LEVEL)} of the worlds "
    "of this query's uncertain truth; they say nothing about other queries or people."
)


def _law_text(law: Distribution) -> str:
    return with_interval(law.mean(), *law.interval(LEVEL))


#: how columns of distributions are printed
LAWS: FrameColumns = {name: (name, _law_text) for name in ("precision", "recall")}
MOST_LISTS = 4  # that are printed
#: items from which a single list is shown, for recall takes longer the more items there are
MANY_ITEMS = 20_000
FanMeasure = Literal["precision", "recall", "f"]
LEVELS = (0.5, 0.8, 0.95)


def by_rank(
    truth: Any, runs: Any, *, depth: int = 100, rel: float = 1.0, ties: Ties = "trec"
) -> RankDistributions:
    """Precision, recall and F at every rank, under a truth whose items are independent.

    Parameters
    ----------
    truth : Judgments or ByExample
        With several subjects or probabilities; a crisp truth gives distributions of one atom.
    runs : Runs
        Or what makes them.
    depth : int
        Deepest rank.
    rel : float
        Grade from which an item is relevant.
    ties : {"trec", "order"}
        Order of items with equal scores.

    Returns
    -------
    RankDistributions
        Exact distributions, computed on demand.

    Raises
    ------
    DataError, OptionError
        As `evaluate`.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eqs. (10) to (14).

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_probabilities(["q"] * 3, list("abc"), [1.0, 0.5, 0.5])
    >>> ranks = ft.by_rank(truth, {"sys": {"q": {"a": 3, "b": 2}}}, depth=2)
    >>> ranks.precision("sys", "q", 2).to_frame().values.tolist()
    [[0.5, 0.5], [1.0, 0.5]]
    >>> ranks.to_frame()[["rank", "precision", "recall"]].round(3).values.tolist()
    [[1.0, 1.0, 0.583], [2.0, 0.75, 0.792]]
    """
    choice("ties", ties, ("trec", "order"))
    depth = validation.whole_number("depth", depth, 1)
    rel = validation.number("rel", rel)
    aligned = align(as_truth(truth), as_runs(runs), ties=ties)
    kind = check_truth(aligned.facts, (P(rel=rel),), worlds=None, ties=ties, missing="error")
    if kind not in ("independent", "crisp"):
        raise OptionError(
            f"by_rank: needs independent items, and the worlds of this truth are {kind!r}"
        )
    return RankDistributions(aligned.facts.systems, aligned.facts.queries, depth, rel, aligned)


@dataclass(frozen=True, eq=False, repr=False)
class RankDistributions(Result):
    """Distributions of precision and recall at every rank.

    Parameters
    ----------
    systems, queries : tuple of str
    depth : int
        Deepest rank.
    rel : float
        Grade from which an item is relevant.
    aligned : AlignedTruth
        The truth and the runs.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    depth: int
    rel: float
    aligned: AlignedTruth

    _more: ClassVar[str] = ".to_frame(full=True), .mean_curve(), .precision(system, query, k)"
    _figures: ClassVar[tuple[str, ...]] = ("by_rank",)

    @property
    def _size(self) -> str:
        systems = counted(len(self.systems), "system")
        return f"{systems}, {counted(len(self.queries), 'query')}, ranks 1 to {self.depth:,}"

    def __repr__(self) -> str:
        return f"RankDistributions({self._size})"

    def _title(self) -> str:
        return f"Precision and recall as distributions: {self._size}"

    def _parts(self) -> Parts:
        """Expected precision and recall of a few lists at a few ranks."""
        n_lists = len(self.systems) * len(self.queries)
        shown = min(n_lists, MOST_LISTS if self.aligned.facts.n_items < MANY_ITEMS else 1)
        lists = [(s, q) for q, s in islice(product(self.queries, self.systems), shown)]
        rows = [(s, q, k) for s, q in lists for k in few_ranks(self.depth, 12 // shown)]
        values = [(*row, self.precision(*row), self.recall(*row)) for row in rows]
        frame = pd.DataFrame(values, columns=["system", "query", "rank", *LAWS])
        title = f"The first {shown} of {counted(n_lists, 'list')}" if shown < n_lists else ""
        columns: FrameColumns = {
            "system": ("system", short_id, "label"),
            "query": ("query", short_id, "label"),
            "rank": "rank",
            **LAWS,
        }
        return [printed_table(frame, columns, title=title), LEGEND]

    def precision(
        self, system: str, query: str, k: int, *, category: str | None = None
    ) -> Distribution:
        """Distribution of precision at rank k, over the categories the query may have.

        Given one of `categories`, it is that of a query that has this category.
        """
        return self._mixed(system, query, k, category, _precision)

    def recall(
        self, system: str, query: str, k: int, *, size: Size = "random", category: str | None = None
    ) -> Distribution:
        """Distribution of recall at rank k; see `recall_distribution` for `size`."""
        choice("size", size, get_args(Size))
        return self._mixed(system, query, k, category, partial(Distribution.recall, size=size))

    def f(
        self, system: str, query: str, k: int, *, beta: float = 1.0, category: str | None = None
    ) -> Distribution:
        """Distribution of the F-measure at rank k."""
        return self._mixed(system, query, k, category, partial(Distribution.f_measure, beta=beta))

    def fan(
        self,
        measure: FanMeasure = "precision",
        *,
        system: Iterable[str] | str | None = None,
        query: str | None = None,
        category: str | None = None,
        levels: Iterable[float] | float = LEVELS,
    ) -> pd.DataFrame:
        """Mean, median and nested central intervals of a measure at every rank, of one query.

        Parameters
        ----------
        measure : {"precision", "recall", "f"}
        system : str or sequence of str, optional
            By default the first.
        query : str, optional
            By default the first.
        category : str, optional
            Given that the query has this category; by default over all it may have.
        levels : float or sequence of float
            Levels of the intervals.

        Returns
        -------
        DataFrame
            One row for each system, rank and level: system, query, rank, mean, median, level,
            lower, upper.

        Raises
        ------
        OptionError
            No such measure, system, query or category, or a level outside 0 to 1.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q"] * 3, list("abc"), [1.0, 0.5, 0.5])
        >>> ranks = ft.by_rank(truth, {"sys": {"q": {"a": 3, "b": 2}}}, depth=2)
        >>> ranks.fan(levels=0.9).drop(columns=["system", "query"]).values.tolist()
        [[1.0, 1.0, 1.0, 0.9, 1.0, 1.0], [2.0, 0.75, 0.5, 0.9, 0.5, 1.0]]
        """
        choice("measure", measure, get_args(FanMeasure))
        each = validation.several(levels)
        checked = sorted({validation.between_zero_and_one("levels", level) for level in each})
        if not checked:
            raise OptionError("levels: name at least one, such as 0.95")
        names = [self.systems[0]] if system is None else system
        asked = self.queries[0] if query is None else str(query)
        rows = []
        for name in (
            self.systems[place] for place in validation.places_of(self.systems, names, "system")
        ):
            for rank in range(1, self.depth + 1):
                law = getattr(self, measure)(name, asked, rank, category=category)
                middle = (name, asked, rank, law.mean(), law.median())
                rows += [(*middle, level, *law.interval(level)) for level in checked]
        columns = ["system", "query", "rank", "mean", "median", "level", "lower", "upper"]
        return pd.DataFrame(rows, columns=columns)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: FanMeasure = "precision",
        system: Iterable[str] | str | None = None,
        query: str | None = None,
        category: str | None = None,
        levels: Iterable[float] | float = LEVELS,
        title: Title = True,
    ) -> Axes:
        """Draw a measure of one query against the cut-off, as a fan of intervals over worlds.

        Parameters
        ----------
        ax, title
            As in `plots.by_rank`.
        measure, system, query, category, levels
            As in `fan`. Several systems have a fan each.

        Raises
        ------
        OptionError
            As `fan`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q"] * 3, list("abc"), [1.0, 0.5, 0.5])
        >>> ft.by_rank(truth, {"sys": {"q": list("abc")}}, depth=3).plot().get_title(loc="left")
        'Precision at each rank, query q, over independent worlds'
        """
        given: dict[str, Any] = {"query": query, "category": category, "levels": levels}
        return plots.by_rank(self, ax, measure=measure, system=system, **given, title=title)

    def _plot_data(self, figure: str, measure: FanMeasure = "precision", **given: Any) -> PlotData:
        """Frame of `plots.by_rank`."""
        frame = self.fan(measure, **given)
        frame["measure"] = "F" if measure == "f" else measure
        name = frame["measure"].iloc[0].capitalize()
        category = given.get("category")
        has = "" if category is None else f" given {category}"
        query = frame["query"].iloc[0]
        return PlotData(frame, f"{name} at each rank, query {query}{has}, over independent worlds")

    def cloud(self, system: str, query: str) -> Cloud:
        """Joint distribution of recall and precision at every rank."""
        names = self.categories(system, query)
        return make_cloud(self.components(system, query), (system, query), names)

    def categories(self, system: str, query: str) -> tuple[str, ...]:
        """The categories that a query by example may have, one a component; else empty."""
        mixture, place = self._of_query(system, query)
        return mixture.names_of_query(place)

    def components(self, system: str, query: str) -> list[tuple[float, Array, Array]]:
        """Weight of each component, chances of ranks 1 to depth, and of all other items."""
        mixture, place = self._of_query(system, query)
        out = []
        for weight, m in mixture.of_query(place):
            p = m.hits.at_least(self.rel).reshape(-1)
            within = m.rank <= self.depth
            rest = m.rest.at_least(self.rel).reshape(-1)
            if m.rest.count is not None:
                rest = np.repeat(rest, m.rest.count.reshape(-1).astype(np.int64))
            ranked = np.zeros(self.depth)
            ranked[m.rank[within] - 1] = p[within]
            out.append((weight, ranked, np.concatenate((p[~within], rest))))
        return out

    def hit_pmfs(self, system: str) -> Array:
        """Pmf of the number of relevant items among the first k, for all queries and ranks.

        Returns
        -------
        (queries, depth · (depth + 3) / 2) float
            Packed: for each query the pmf of rank 1 (0 or 1 hits), then that of rank 2 (0 to 2),
            and so on; see `hits_at`. Ten thousand queries to rank 100 take 412 MB.
        """
        out = np.empty((len(self.queries), relevant_counts.packed_size(self.depth)))
        for queries, packed in self._packed(validation.place_of(self.systems, system, "system")):
            out[queries] = packed.T
        return out

    def hits_at(self, pmfs: Array, k: int) -> Array:
        """Pmf at rank k, out of those that `hit_pmfs` returns: (queries, k + 1)."""
        validation.whole_number("k", k, 1, self.depth)
        return pmfs[:, relevant_counts.packed_rank(k)]

    def to_frame(self, *, level: float = 0.95, full: bool = False) -> pd.DataFrame:
        """One row for each system, query and rank.

        Columns: system, query, rank, precision and recall (both expected); with ``full=True`` also
        precision_std, precision_lower and precision_upper (the central interval of its
        distribution).
        """
        validation.option_flag("full", full)
        tail = round((1 - validation.probability("level", level)) / 2, 15)
        parts = []
        for s, system in enumerate(self.systems):
            table = np.stack((*self._statistics(s, tail), self._recalls(s)), axis=-1)
            frame = pd.DataFrame(table.reshape(-1, 5), columns=list(_COLUMNS))
            frame.insert(0, "rank", np.tile(np.arange(1, self.depth + 1), len(self.queries)))
            frame.insert(0, "query", np.repeat(np.array(self.queries, object), self.depth))
            frame.insert(0, "system", system)
            parts.append(frame if full else frame.drop(columns=list(_COLUMNS[1:4])))
        return pd.concat(parts, ignore_index=True)

    def mean_curve(self) -> pd.DataFrame:
        """Expected precision and recall at each rank, averaged over queries: the mean curve."""
        frame = self.to_frame()
        means = frame.groupby(["system", "rank"], sort=False)[["recall", "precision"]].mean()
        return means.reset_index()

    def _statistics(self, system: int, tail: float) -> Array:
        """Mean, deviation and interval of precision: (4, queries, depth)."""
        out = np.empty((4, len(self.queries), self.depth))
        for queries, packed in self._packed(system):
            for rank in range(1, self.depth + 1):
                chance = packed[relevant_counts.packed_rank(rank)]  # (hits, queries)
                value = np.arange(rank + 1) / rank
                mean = value @ chance
                std = np.sqrt(np.maximum(value**2 @ chance - mean**2, 0.0))
                running = np.cumsum(chance, axis=0)
                running[-1] = np.inf  # rounding must not leave the last atom out
                ends = ((running < at - _ULPS).sum(axis=0) / rank for at in (tail, 1 - tail))
                out[:, queries, rank - 1] = mean, std, *ends
        return out

    def _recalls(self, system: int) -> Array:
        """Expected recall: (queries, depth)."""
        out = np.empty((len(self.queries), self.depth))
        for queries in self._blocks:
            mixture = self._mixture(queries, system)
            m = mixture.probabilities
            p, deeper = self._by_rank(mixture)
            others = padded(m.rest.at_least(self.rel), m.rest.offsets)
            others = others.reshape(len(p), -1) if others.size else np.zeros((len(p), 0))
            rest = np.concatenate((deeper, others), axis=-1)
            count = None
            if m.rest.count is not None:
                together = padded(m.rest.count, m.rest.offsets)
                count = np.concatenate((np.ones_like(deeper), together), axis=-1)
            recalls = relevant_counts.expected_recalls(p, rest, count)  # (components, depth)
            out[queries] = self._sum(mixture, recalls.T).T
        return out

    def _packed(self, system: int) -> Iterator[tuple[slice, Array]]:
        """For each block of queries the packed pmfs, queries last: (numbers, queries)."""
        for queries in self._blocks:
            mixture = self._mixture(queries, system)
            packed = relevant_counts.packed_prefix_pmfs(self._by_rank(mixture)[0])
            yield queries, self._sum(mixture, packed)

    def _by_rank(self, mixture: Mixture) -> tuple[Array, Array]:
        """Chances at ranks 1 to depth, and of the hits beyond: (components, ...) both."""
        m = mixture.probabilities
        p = m.hits.at_least(self.rel).reshape(-1)
        within = m.rank <= self.depth
        component = np.repeat(np.arange(m.n_queries), np.diff(m.hits.offsets))
        out = np.zeros((m.n_queries, self.depth))
        out[component[within], m.rank[within] - 1] = p[within]
        return out, padded(np.where(within, 0.0, p), m.hits.offsets)

    @staticmethod
    def _sum(mixture: Mixture, values: Array) -> Array:
        """Mix over components, the last axis."""
        if mixture.offsets is None or mixture.weight is None:
            return values
        return segment_sum(values * mixture.weight.reshape(-1), mixture.offsets)

    @cached_property
    def _blocks(self) -> list[slice]:
        return list(self.aligned.blocks("independent"))

    def _mixture(self, queries: slice, system: int) -> Mixture:
        mixture = self.aligned.outcomes(queries, as_given()).probabilities(system)
        if isinstance(mixture, str):
            raise DataError(f"by_rank: {mixture}")
        assert mixture.probabilities.last is None  # by_rank resolves ties
        return mixture

    def _mixed(
        self, system: str, query: str, k: int, category: str | None, distribution: Any
    ) -> Distribution:
        validation.whole_number("k", k, 1, self.depth)
        components = self.components(system, query)
        if category is not None:
            names = self.categories(system, query)
            if not errors.is_among(category, names):
                raise OptionError(
                    f"category={shown(category)}: must be one that query {shown(query)} may have: "
                    f"{errors.shown_all(names)}"
                )
            components = [(1.0, *components[names.index(category)][1:])]
        each = [
            distribution(retrieved=ranked[:k], rest=np.concatenate((ranked[k:], rest)))
            for _, ranked, rest in components
        ]
        return Distribution.mixture(each, [weight for weight, _, _ in components])

    def _of_query(self, system: str, query: str) -> tuple[Mixture, int]:
        """What holds the components of a query, and its place there."""
        q = validation.place_of(self.queries, str(query), "query")
        s = validation.place_of(self.systems, system, "system")
        queries = next(block for block in self._blocks if block.start <= q < block.stop)
        return self._mixture(queries, s), q - queries.start


def _precision(retrieved: Array, rest: Array) -> Distribution:
    return Distribution.precision(retrieved)


_COLUMNS = ("precision", "precision_std", "precision_lower", "precision_upper", "recall")
_ULPS = 4 * float(np.finfo(np.float64).eps)  # rounding of a running sum


# The cloud of a query: the joint distribution of precision and recall at each rank.


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

    _more: ClassVar[str] = ".to_frame(), .mean_curve(), .bands(), .plot()"
    _figures: ClassVar[tuple[str, ...]] = ("precision_recall",)

    @property
    def _list(self) -> str:
        return f"{self.system}, query {self.query}{self.category and f' given {self.category}'}"

    @property
    def _size(self) -> str:
        counts = f"{counted(len(self.rank), 'point')}, {counted(self._n_ranks, 'rank')}"
        return f"{self._list}: {counts}"

    def __repr__(self) -> str:
        return errors.printable(f"Cloud({self._size})")

    def _title(self) -> str:
        return f"Precision and recall together: {self._size}"

    def _parts(self) -> Parts:
        """Expected precision and recall at a few ranks, with intervals."""
        ranks = few_ranks(self._n_ranks, 8)
        both = {"precision": self.precision, "recall": self.recall}
        laws = {name: [self._law(x, rank) for rank in ranks] for name, x in both.items()}
        frame = pd.DataFrame({"rank": ranks, **laws})
        return [printed_table(frame, {"rank": "rank", **LAWS}), LEGEND]

    def _law(self, values: Array, rank: int) -> Distribution:
        """Distribution of recall, or precision, at a rank."""
        at = self.rank == rank
        return Distribution.from_atoms(values[at], self.probability[at])

    @property
    def _n_ranks(self) -> int:
        return int(self.rank.max(initial=0))

    def to_frame(self) -> pd.DataFrame:
        """One row for each point: rank, recall, precision, probability."""
        names = ("rank", "recall", "precision", "probability")
        return pd.DataFrame({name: getattr(self, name) for name in names})

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
        both = (self.recall, self.precision)
        rows = [
            (rank, *(end for values in both for end in self._law(values, rank).interval(level)))
            for rank in range(1, self._n_ranks + 1)
        ]
        ends = ["recall_lower", "recall_upper", "precision_lower", "precision_upper"]
        return pd.DataFrame(rows, columns=["rank", *ends])

    def by_category(self, level: float = 0.95) -> pd.DataFrame:
        """Mean curve and band of precision given each category that the query may have.

        Columns: category, share (its probability), rank, recall and precision (expected, given the
        category), precision_lower and precision_upper. No rows where the query has no category.
        """
        columns = ["category", "share", "rank", "recall", "precision"]
        columns += ["precision_lower", "precision_upper"]
        if not self.parts:
            return pd.DataFrame(columns=columns)
        each = [part._curve(part.category, part.share, level) for part in self.parts]
        return pd.concat(each, ignore_index=True)[columns]

    def _curve(self, category: str, share: float, level: float) -> pd.DataFrame:
        """Mean curve and bands, with columns category and share."""
        curve = pd.concat([self.mean_curve(), self.bands(level).drop(columns="rank")], axis=1)
        curve.insert(0, "share", share)
        curve.insert(0, "category", category)
        return curve

    def plot(
        self,
        ax: Axes | None = None,
        *,
        level: float = 0.95,
        by_category: bool | None = None,
        title: Title = True,
    ) -> Axes:
        """Draw the points, darker where more probable, the mean curve and bands of precision.

        Parameters
        ----------
        ax, title
            As in `plots.precision_recall`.
        level : float
            Level of the bands.
        by_category : bool, optional
            Whether there is a band and a mean curve for each category that the query may have,
            or one band over all. A band over categories that differ much holds nearly every
            precision there is. By default, where there are several categories.

        Raises
        ------
        OptionError
            ``by_category=True`` and the query has no category.
        """
        return plots.precision_recall(self, ax, level=level, by_category=by_category, title=title)

    def _plot_data(
        self, figure: str, level: float = 0.95, by_category: bool | None = None
    ) -> PlotData:
        """Points, and curves with bands, of `plots.precision_recall`."""
        if by_category and not self.parts:
            raise OptionError(
                f"by_category=True: query {shown(self.query)} has no category; only queries by "
                "example have"
            )
        curves = self._curve("", 1.0, level)
        if len(self.parts) > 1 if by_category is None else by_category:
            curves = pd.concat([curves, self.by_category(level)], ignore_index=True)
        title = f"{self._list}, ranks 1 to {self._n_ranks:,}, over independent worlds"
        return PlotData(self.to_frame(), title, curves)


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


def _points(ranked: Array, rest: Array) -> Array:
    """Rank, recall, precision and probability of the joint distributions of independent items.

    (4, points)
    """
    columns = []
    pmfs = relevant_counts.joint_pmfs(ranked, rest[rest > 0])
    for rank, (hit_pmf, rest_pmf) in enumerate(pmfs, start=1):
        hits, others = np.nonzero(np.outer(hit_pmf > 0, rest_pmf > 0))
        n_relevant = np.maximum(hits + others, 1)
        probability = hit_pmf[hits] * rest_pmf[others]
        points = (np.full(len(hits), rank), hits / n_relevant, hits / rank, probability)
        columns.append(np.stack(points))
    return np.concatenate(columns, axis=1)


def _merged(parts: list[Array], weights: list[float]) -> tuple[Array, Array, Array, Array]:
    """A mixture of points, each (rank, recall, precision) once, in this order."""
    rank, recall, precision, _ = np.concatenate(parts, axis=1)
    chance = np.concatenate([weight * part[3] for part, weight in zip(parts, weights, strict=True)])
    place = np.stack((rank, np.round(recall, 12), np.round(precision, 12)))
    points, which = np.unique(place, axis=1, return_inverse=True)
    total = np.bincount(which.reshape(-1), weights=chance)
    return points[0].astype(np.int64), points[1], points[2], total

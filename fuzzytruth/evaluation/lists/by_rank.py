"""Precision and recall at every rank as distributions: `by_rank`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array
from fuzzytruth.core import validation
from fuzzytruth.core.lists import relevant_counts
from fuzzytruth.core.segments import padded, segment_sum
from fuzzytruth.core.validation import several
from fuzzytruth.data import named_distributions as laws
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.data.named_distributions import Size
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import DataError, OptionError, choice, counted, is_among, shown, shown_all
from fuzzytruth.evaluation.lists.precision_recall_cloud import LAWS, LEGEND
from fuzzytruth.evaluation.validation import as_truth, check_truth
from fuzzytruth.measures import P
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import FrameColumns, Parts, Result, printed_table
from fuzzytruth.show.answer_rows import few_ranks, short_id
from fuzzytruth.truth import AlignedTruth, align
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import as_given

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.evaluation.lists.precision_recall_cloud import Cloud


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
        recall = partial(laws.recall_distribution, size=size)
        return self._mixed(system, query, k, category, recall)

    def f(
        self, system: str, query: str, k: int, *, beta: float = 1.0, category: str | None = None
    ) -> Distribution:
        """Distribution of the F-measure at rank k."""
        return self._mixed(system, query, k, category, partial(laws.f_distribution, beta=beta))

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
        checked = sorted(
            {validation.between_zero_and_one("levels", level) for level in several(levels)}
        )
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
    ) -> Axes:
        """Draw a measure of one query against the cut-off, as a fan of intervals over worlds.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.
        measure, system, query, category, levels
            As in `fan`. Several systems have a fan each.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        OptionError
            As `fan`.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q"] * 3, list("abc"), [1.0, 0.5, 0.5])
        >>> ft.by_rank(truth, {"sys": {"q": list("abc")}}, depth=3).plot().get_title(loc="left")
        'Precision at each rank, query q, over independent worlds'
        """
        from fuzzytruth.plots import by_rank

        given: dict[str, Any] = {"query": query, "category": category, "levels": levels}
        return by_rank(self, ax, measure=measure, system=system, **given)

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
        from fuzzytruth.evaluation.lists.precision_recall_cloud import make_cloud

        names = self.categories(system, query)
        return make_cloud(self.components(system, query), (system, query), names)

    def categories(self, system: str, query: str) -> tuple[str, ...]:
        """The categories that a query by example may have, one a component; else empty."""
        s, q = self._indices(system, query)
        queries = self._block_of(q)
        return self._mixture(queries, s).names_of_query(q - queries.start)

    def components(self, system: str, query: str) -> list[tuple[float, Array, Array]]:
        """Weight of each component, chances of ranks 1 to depth, and of all other items."""
        s, q = self._indices(system, query)
        queries = self._block_of(q)
        mixture = self._mixture(queries, s)
        out = []
        for weight, m in mixture.of_query(q - queries.start):
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

    def _block_of(self, query: int) -> slice:
        return next(block for block in self._blocks if block.start <= query < block.stop)

    def _mixture(self, queries: slice, system: int) -> Mixture:
        mixture = self.aligned.outcomes(queries, as_given()).probabilities(system)
        if isinstance(mixture, str):
            raise DataError(f"by_rank: {mixture}")
        assert mixture.ranked is None  # by_rank resolves ties
        return mixture

    def _mixed(
        self, system: str, query: str, k: int, category: str | None, distribution: Any
    ) -> Distribution:
        validation.whole_number("k", k, 1, self.depth)
        components = self.components(system, query)
        if category is not None:
            names = self.categories(system, query)
            if not is_among(category, names):
                raise OptionError(
                    f"category={shown(category)}: must be one that query {shown(query)} may have: "
                    f"{shown_all(names)}"
                )
            components = [(1.0, *components[names.index(category)][1:])]
        each = [
            distribution(retrieved=ranked[:k], rest=np.concatenate((ranked[k:], rest)))
            for _, ranked, rest in components
        ]
        return Distribution.mixture(each, [weight for weight, _, _ in components])

    def _indices(self, system: str, query: str) -> tuple[int, int]:
        q = validation.place_of(self.queries, str(query), "query")
        return validation.place_of(self.systems, system, "system"), q


def _precision(retrieved: Array, rest: Array) -> Distribution:
    return laws.precision_distribution(retrieved)


_COLUMNS = ("precision", "precision_std", "precision_lower", "precision_upper", "recall")
_ULPS = 4 * float(np.finfo(np.float64).eps)  # rounding of a running sum

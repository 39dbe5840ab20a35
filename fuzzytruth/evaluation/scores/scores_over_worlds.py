"""Scores as distributions over worlds: the part of `Scores` that gives them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import place_of, places_of
from fuzzytruth.errors import OptionError, counted
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.evaluation.scores.score_distributions import of_difference, of_mean, of_query

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.data.distribution import Distribution
    from fuzzytruth.evaluation.scores.query_differences import QueryDifferences


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoresOverWorlds(ScoreArrays):
    """Distributions of scores, of their means and of their differences."""

    def distribution(self, system: str, query: str, measure: str) -> Distribution:
        """Distribution of one score over worlds; a single atom where the truth is crisp.

        Exact where the measure has an exact distribution for independent items; else of the worlds
        drawn, which are drawn again from the seed. All subjects who judged the query have the same
        weight. Under ``worlds="population"`` it is the distribution of the resamples: its variance
        is not multiplied by S / (S - 1), as `std` in `to_frame` is, and for few subjects its
        quantiles are too narrow for an interval.

        Parameters
        ----------
        system, query : str
        measure : str
            In any spelling.

        Returns
        -------
        Distribution

        Raises
        ------
        OptionError
            There is no such system, query or measure; the score is undefined in every world; or
            these scores were loaded and the worlds of single queries were not kept.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.5, 0.5])
        >>> scores = ft.evaluate(truth, {"sys": {"q": {"a": 2, "b": 1}}}, ["P@2"], rng=0)
        >>> scores.distribution("sys", "q", "P@2").to_frame()["probability"].tolist()
        [0.25, 0.5, 0.25]
        """
        from fuzzytruth.evaluation.scores.score_distributions import of_query

        if query is None:
            raise OptionError("query=None: name a query; mean_distribution is of their mean")
        return of_query(self, (*self._index(system, measure), self._query(query)))

    def mean_distribution(self, system: str, measure: str) -> Distribution:
        """Distribution over worlds of the mean over queries, all queries in the same worlds.

        Under ``worlds="population"`` it is that of the resamples, see `distribution`.

        Parameters
        ----------
        system : str
        measure : str
            In any spelling.

        Returns
        -------
        Distribution

        Raises
        ------
        OptionError
            There is no such system or measure; or subjects are nested in queries.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "r"], ["a", "a"], [1, 0])
        >>> scores = ft.evaluate(truth, {"sys": {"q": {"a": 1}, "r": {"a": 1}}}, ["P@1"], rng=0)
        >>> scores.mean_distribution("sys", "P@1").support()
        (0.5, 0.5)
        """
        from fuzzytruth.evaluation.scores.score_distributions import of_mean

        return of_mean(self, (*self._index(system, measure), None))

    def difference(
        self, system: str, other: str, measure: str, *, query: str | None = None
    ) -> Distribution:
        """Distribution of the score of `system` minus that of `other`, in the same worlds.

        Both systems share the truth of each world, so that this is not the difference of two
        independent scores. The share of worlds in which `system` has the larger score is
        ``.sf(0)``. Under ``worlds="population"`` it is that of the resamples, see `distribution`.

        Parameters
        ----------
        system, other : str
        measure : str
            In any spelling.
        query : str, optional
            One query's scores; by default the means over queries.

        Returns
        -------
        Distribution

        Raises
        ------
        OptionError
            As `distribution` and `mean_distribution`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
        >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
        >>> gap = ft.evaluate(truth, runs, ["P@1"]).difference("x", "y", "P@1", query="q")
        >>> round(float(gap.sf(0)), 9)
        0.45
        """
        from fuzzytruth.evaluation.scores.score_distributions import of_difference

        place = None if query is None else self._query(query)
        first = (*self._index(system, measure), place)
        return of_difference(self, first, (*self._index(other, measure), place))

    def plot_distributions(
        self,
        ax: Axes | None = None,
        *,
        measure: str | None = None,
        query: str | None = None,
        systems: Iterable[str] | str | None = None,
        against: str | None = None,
        kind: Literal["pmf", "cdf"] = "pmf",
        interval: float | None = None,
    ) -> Axes:
        r"""Draw the distribution over worlds of each system's score, or of its difference.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.
        measure : str, optional
            By default the first.
        query : str, optional
            One query's scores; by default the means over queries.
        systems : str or sequence of str, optional
            By default all.
        against : str, optional
            Draw the differences from this system, in the same worlds, with a line at zero.
        kind, interval
            As in `plots.distribution`.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        OptionError
            As `distribution`, `mean_distribution` and `difference`.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
        >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
        >>> scores = ft.evaluate(truth, runs, ["P@1"])
        >>> scores.plot_distributions(query="q").get_xlabel()
        'P@1 of query q\nover independent worlds'
        """
        from fuzzytruth.plots import distribution

        frame, of = distributions_of(self, measure, query, systems, against)
        zero = against is not None
        return distribution(frame, ax, kind=kind, interval=interval, zero=zero, xlabel=of)

    def query_differences(
        self, system: str, other: str, measure: str | None = None, *, level: float | None = 0.95
    ) -> QueryDifferences:
        """Differences of two systems query by query, with intervals over worlds or subjects.

        Parameters
        ----------
        system, other : str
            Differences are of `system` minus `other`.
        measure : str, optional
            In any spelling; may be left out where there is one.
        level : float or None
            Of the central interval of each query's difference over worlds (over subjects where the
            scores have those), both systems in the same worlds. None: no intervals, which take
            the time to draw each query's worlds again.

        Returns
        -------
        QueryDifferences
            With `to_frame` and `plot`.

        Raises
        ------
        OptionError
            There is no such system or measure, both systems are the same, several measures and none
            is named; or these scores were loaded and the worlds of single queries were not kept.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
        >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
        >>> each = ft.evaluate(truth, runs, ["P@1"], rng=0).query_differences("x", "y")
        >>> each.to_frame().round(3).values.tolist()
        [['q', 0.4, -1.0, 1.0]]
        """
        from fuzzytruth.evaluation.scores.query_differences import query_differences

        return query_differences(self, system, other, measure, level)

    def _index(self, system: str, measure: str) -> tuple[int, int]:
        """Places of a system, and of a measure in any spelling."""
        return place_of(self.systems, system, "system"), self.measure_place(measure)

    def _query(self, query: str) -> int:
        """Place of a query."""
        return place_of(self.queries, str(query), "query")


# What a figure of the distributions of scores shows.


def distributions_of(
    scores: ScoreArrays,
    measure: str | None,
    query: str | None,
    systems: Iterable[str] | str | None,
    against: str | None,
) -> tuple[pd.DataFrame, str]:
    """One distribution a system, or of its difference from another, and what the values are."""
    m = 0 if measure is None else scores.measure_place(measure)
    q = None if query is None else place_of(scores.queries, str(query), "query")
    other = None if against is None else place_of(scores.systems, against, "system")
    parts = []
    for s in places_of(scores.systems, systems, "system"):
        if s == other and systems is None:
            continue
        if other is not None:
            found = of_difference(scores, (s, m, q), (other, m, q))
        else:
            found = of_mean(scores, (s, m, None)) if q is None else of_query(scores, (s, m, q))
        parts.append(found.to_frame().assign(system=scores.systems[s]))
    if not parts:
        raise OptionError(f"against={against!r}: there is no other system to compare with it")
    name = scores.measures[m]
    of = f"{name} of query {query}"
    if q is None:
        of = f"mean {name} of {counted(len(scores.queries), 'query')}"
    drawn = dict.fromkeys(part["system"].iloc[0] for part in parts)
    if len(drawn) == 1:
        of = f"{of}, {next(iter(drawn))}"
    gap = (
        "" if other is None else f"{' minus' if len(drawn) == 1 else ', difference from'} {against}"
    )
    spread = scores.uncertainty
    worlds = "" if spread is None else f"\nover {spread.worlds} worlds"
    return pd.concat(parts, ignore_index=True), f"{of}{gap}{worlds}"

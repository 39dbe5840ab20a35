"""Scores as distributions over worlds: of one query, of the mean, of a difference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Axes, Floats
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.lists.poisson_binomial import weighted_counts
from fuzzytruth.core.validation import between_zero_and_one, place_of, places_of
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import OptionError, counted, require
from fuzzytruth.evaluation.scores.score_tables import ScoreTables
from fuzzytruth.evaluation.worlds.setting import Setting, Source, Sources
from fuzzytruth.evaluation.worlds.simulation import certain_values, run_block, without_noise
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_distribution, seen_by
from fuzzytruth.truth.inputs import ItemProbabilities
from fuzzytruth.truth.protocol import Mixture

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.query_differences import QueryDifferences
    from fuzzytruth.plots.frames import Title

#: system, measure, query (None: the mean over queries)
Cell = tuple[int, int, int | None]
#: what a query's difference varies over, by the kind of worlds
_OVER = {"population": "resamples of the subjects", "independent": "worlds", "community": "worlds"}
NO_WORLDS = (
    "these scores were loaded from a file, which holds no worlds of single queries, or unpickled "
    "where their measures or truth are unknown; evaluate again, or save what "
    "evaluate(..., keep_worlds=True) gives"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoresOverWorlds(ScoreTables):
    """Distributions of scores, of their means and of their differences."""

    @property
    def answers(self) -> tuple[str, ...]:
        """What these scores can answer, which depends on the truth and on what was saved.

        Some of "mean", "mean by subject", "summary over query", "... subject", "... query and
        subject", "... world", "... query and world", "distribution" (of single queries, and of
        differences between two systems), "mean_distribution" (and of differences of means) and
        "bounds".

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q"], ["a"], [0.5])
        >>> ft.evaluate(truth, {"sys": {"q": {"a": 1}}}, ["P@1"], rng=0).answers
        ('mean', 'summary over query', 'summary over world', 'distribution', 'mean_distribution')
        """
        spread = self.uncertainty if self.subjects is None else None
        has_subjects, nested = self.subjects is not None, self.design == "nested"
        over_subjects = has_subjects and (nested or not self.cells.look_nested)
        joint = spread is None or spread.has_means
        over_worlds = spread is not None and joint
        drawable = spread is None or spread.has_kept
        if spread is not None and spread.sources is not None:
            drawable = drawable or spread.sources.complete
        can = {
            "mean": True,
            "mean by subject": has_subjects and not nested,
            "summary over query": True,
            "summary over subject": over_subjects,
            "summary over query and subject": over_subjects,
            "summary over world": over_worlds,
            "summary over query and world": over_worlds and self._why_not_crossed is None,
            "distribution": drawable,
            "mean_distribution": joint and not (has_subjects and nested),
            "bounds": self.lower is not None,
        }
        return tuple(name for name, answered in can.items() if answered)

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
        if query is None:
            raise OptionError("query=None: name a query; mean_distribution is of their mean")
        return self._of_cell((*self._index(system, measure), self._query(query)))

    def mean_distribution(self, system: str, measure: str) -> Distribution:
        """Distribution over worlds of the mean over queries, all queries in the same worlds.

        Of several queries, it is that of the worlds drawn. Under ``worlds="population"`` it is that
        of the resamples, see `distribution`.

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
        return self._of_cell((*self._index(system, measure), None))

    def difference(
        self, system: str, other: str, measure: str, query: str | None = None
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
        >>> gap = ft.evaluate(truth, runs, ["P@1"]).difference("x", "y", "P@1", "q")
        >>> round(gap.sf(0), 9)
        0.45
        """
        place = None if query is None else self._query(query)
        first = (*self._index(system, measure), place)
        return self._of_cells(first, (*self._index(other, measure), place))

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
        title: Title = True,
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
        kind, interval, title
            As in `plots.distribution`.

        Raises
        ------
        OptionError
            As `distribution`, `mean_distribution` and `difference`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
        >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
        >>> scores = ft.evaluate(truth, runs, ["P@1"])
        >>> scores.plot_distributions(query="q").get_xlabel()
        'P@1 of query q\nover independent worlds'
        """
        from fuzzytruth.plots import distribution

        m = 0 if measure is None else self.measure_place(measure)
        q = None if query is None else self._query(query)
        other = None if against is None else place_of(self.systems, against, "system")
        parts = []
        for s in places_of(self.systems, systems, "system"):
            if s == other and systems is None:
                continue
            cell = s, m, q
            found = self._of_cell(cell) if other is None else self._of_cells(cell, (other, m, q))
            parts.append(found.to_frame().assign(system=self.systems[s]))
        require("against", against, bool(parts), "there is no other system to compare with it")
        of = f"{self.measures[m]} of query {query}"
        if q is None:
            of = f"mean {self.measures[m]} of {counted(len(self.queries), 'query')}"
        drawn = dict.fromkeys(part["system"].iloc[0] for part in parts)
        alone = len(drawn) == 1
        of += f", {next(iter(drawn))}" if alone else ""
        if other is not None:
            of += f"{' minus' if alone else ', difference from'} {against}"
        if self.uncertainty is not None:
            of += f"\nover {self.uncertainty.worlds} worlds"
        frame = pd.concat(parts, ignore_index=True)
        options: dict[str, Any] = {"kind": kind, "interval": interval, "title": title}
        return distribution(frame, ax, **options, zero=other is not None, xlabel=of)

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
        from fuzzytruth.evaluation.scores.query_differences import QueryDifferences

        first, second = (
            place_of(self.systems, name, label)
            for name, label in ((system, "system"), (other, "other"))
        )
        if first == second:
            raise OptionError(f"other={other!r}: is the same system")
        if measure is None and len(self.measures) > 1:
            raise OptionError(f"measure=None: name one of {', '.join(self.measures)}")
        m = 0 if measure is None else self.measure_place(measure)
        a, b = self.values[[first, second], m]
        scale = np.nanmax(np.abs(np.stack((a, b))), initial=0.0)
        values: Floats = self.cells.mean_by_query(without_rounding(a - b, scale)[None, :])[0]
        ends = np.full((2, len(values)), np.nan)
        over, n_subjects = "", None
        if level is not None and (self.subjects is not None or self.uncertainty is not None):
            level = between_zero_and_one("level", level)
            if "distribution" not in self.answers:
                raise OptionError(f"query_differences: {NO_WORLDS}; or give level=None")
            for j in np.flatnonzero(~np.isnan(values)).tolist():
                ends[:, j] = self._of_cells((first, m, j), (second, m, j)).interval(level)
            over = "subjects"
            if self.subjects is None and self.uncertainty is not None:
                over = _OVER[self.uncertainty.worlds]
            else:
                sizes = self.cells.sum_by_query((~np.isnan(a - b)).astype(np.float64))
                some = sizes[sizes > 0]
                n_subjects = (int(some.min()), int(some.max())) if some.size else None
        lower, upper = ends
        table = {"query": self.queries, "difference": values, "lower": lower, "upper": upper}
        return QueryDifferences(
            pd.DataFrame(table),
            system,
            other,
            self.measures[m],
            self.higher_is_better[m],
            level if over else None,
            over,
            n_subjects,
        )

    def _index(self, system: str, measure: str) -> tuple[int, int]:
        """Places of a system, and of a measure in any spelling."""
        return place_of(self.systems, system, "system"), self.measure_place(measure)

    def _single(self, query: int | None) -> int | None:
        """Place of a query, or of the only one where the mean is over one; None: over several."""
        return 0 if query is None and len(self.queries) == 1 else query

    def _query(self, query: str) -> int:
        """Place of a query."""
        return place_of(self.queries, str(query), "query")

    def _of_cell(self, cell: Cell) -> Distribution:
        """Distribution of the score of one query, or of the mean over queries."""
        spread, (system, measure, query) = self.uncertainty, cell
        single = self._single(query)
        if single is not None and spread is not None and spread.sources is not None:
            exact = exact_values(spread.sources, system, measure, single)
            if exact is not None:
                return Distribution.from_atoms(*exact)
        values, weight = self._values((system,), measure, query)
        return self._distribution(cell, values[:, 0], weight)

    def _of_cells(self, cell: Cell, other: Cell) -> Distribution:
        """Distribution of a difference of two systems, in the same worlds."""
        spread, (system, measure, query) = self.uncertainty, cell
        systems = system, other[0]
        single = self._single(query)
        if single is not None and spread is not None and spread.sources is not None:
            exact = exact_difference(spread.sources, systems, measure, single)
            if exact is not None:
                return Distribution.from_atoms(*exact)
        both, weight = self._values(systems, measure, query)
        values, others = both.T
        gap = values - others
        # Equal scores are equal, whatever rounding makes of their difference.
        gap[np.abs(gap) <= NEAR * np.maximum(np.abs(values), np.abs(others))] = 0.0
        drawn = [c for c in (cell, other) if not self._is_exact(c)]
        return self._distribution(drawn[0] if drawn else cell, gap, weight)

    def _values(
        self, systems: tuple[int, ...], measure: int, query: int | None
    ) -> tuple[Floats, Floats]:
        """Values in all worlds (or of all subjects), (worlds, systems), and their weights."""
        spread = self.uncertainty
        if spread is None or self.subjects is not None:
            values = self._values_by_subject(systems, measure, query)
            return values, np.full(len(values), 1 / len(values))
        if query is None:
            return spread.joint_means()[:, systems, measure], spread.weight
        if spread.kept is not None:
            return spread.kept[:, systems, measure, query], spread.weight
        if spread.sources is None:
            raise OptionError(NO_WORLDS)
        return query_values(spread.sources, systems, measure, query), spread.weight

    def _values_by_subject(
        self, systems: tuple[int, ...], measure: int, query: int | None
    ) -> Floats:
        """Values of each subject: (subjects, systems); NaN where a subject has none."""
        values, cells = self.values[systems, measure], self.cells
        if query is not None:
            out = np.full((cells.n_subjects, len(systems)), np.nan)
            some = self._cells_of(query)
            out[cells.subject_codes[some]] = values[:, some].T
            return out
        if self.subjects is not None and self.design == "nested":
            raise OptionError(
                "the subjects are nested in queries: a name is another person in another query, "
                "and has no mean over queries"
            )
        return cells.mean_by_subject(values).T

    def _cells_of(self, query: int | None) -> slice:
        return slice(None) if query is None else slice(*self.cells.offsets[query : query + 2])

    def _is_exact(self, cell: Cell) -> bool:
        """Whether the value of each world is exact (worlds may be drawn all the same)."""
        spread, (system, measure, query) = self.uncertainty, cell
        if spread is None:
            return True
        if self.subjects is not None:
            return not np.nan_to_num(spread.mc_error[system, measure, self._cells_of(query)]).any()
        return bool(spread.exact[system, measure, self._cells_of(query)].all())

    def _distribution(self, cell: Cell, values: Floats, weight: Floats) -> Distribution:
        """Of the worlds that have a value; where worlds are drawn, it is a sample."""
        defined = ~np.isnan(values)
        if not defined.any():
            raise OptionError(
                "this score is undefined in every world drawn, so that it has no distribution"
            )
        values, weight = values[defined], weight[defined]
        weight = weight / weight.sum()
        spread = self.uncertainty
        if spread is not None and spread.drawn and self.subjects is None:
            return Distribution.from_samples(values)
        if spread is None or self._is_exact(cell):
            return Distribution.from_atoms(values, weight)
        return Distribution(values, weight, spread.n_worlds, self._error(spread.mc_error, cell))

    def _error(self, mc_error: Floats, cell: Cell) -> float:
        """Monte Carlo standard error of a mean of values, each estimated by itself."""
        system, measure, query = cell
        squares = mc_error[system, measure] ** 2
        n = self.cells.sum_by_query((~np.isnan(squares)).astype(np.float64))
        of_query = self.cells.sum_by_query(np.nan_to_num(squares)) / np.maximum(n, 1) ** 2
        if query is not None:
            return float(np.sqrt(of_query[query]))
        return float(np.sqrt(of_query[n > 0].sum()) / max(1, (n > 0).sum()))


# Scores of one query: its worlds drawn again from the seed, or its exact distribution.


def query_values(sources: Sources, systems: tuple[int, ...], measure: int, query: int) -> Array:
    """Values of one query in all worlds, drawn as before: (worlds, systems).

    Raises
    ------
    OptionError
        There is no setting to draw them with.
    """
    found = [sources.find(system, measure, query) for system in systems]
    known = [source for source in found if source is not None]
    if len(known) < len(systems):
        raise OptionError(NO_WORLDS)
    one = known[0]
    if all(source._replace(run=one.run) == one for source in known):  # one drawing serves all
        return _drawn_again(one, tuple(source.run for source in known))
    return np.concatenate([_drawn_again(source, (source.run,)) for source in known], axis=1)


def _drawn_again(source: Source, runs: tuple[int, ...]) -> Array:
    """Values of some runs of a setting: (worlds, runs)."""
    setting = source.setting
    queries = _block_of(setting, source.query)
    only = (setting.measures[source.measure],)
    block = run_block(replace(setting, keep=True, measures=only, systems=runs), queries)
    assert block.kept is not None
    assert block.kept_noise is not None
    index = source.query - queries.start
    kept, noise = block.kept[:, :, 0, index], block.kept_noise[:, :, 0, index]
    return without_noise(kept, noise, setting.votes.weight)


def exact_values(
    sources: Sources, system: int, measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values of one query and their probabilities, where items are independent."""
    source = sources.find(system, measure, query)
    if source is None:
        return None
    certain = _certain(source)
    if certain is not None:
        return certain
    measured = source.setting.measures[source.measure]
    parts = ((weight, checked_distribution(measured, p)) for weight, p in _components(source) or ())
    return _mixed(parts)


def exact_difference(
    sources: Sources, systems: tuple[int, int], measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values and probabilities of the difference of two systems that share their truth.

    Known where both values are weighted counts of relevant items: the weights of an item that both
    systems list are subtracted, and items are independent. Also where a component makes all grades
    certain.
    """
    found = [sources.find(system, measure, query) for system in systems]
    if found[0] is None or found[1] is None:
        return None
    first, second = _certain(found[0]), _certain(found[1])
    if first is not None and second is not None:
        return first[0] - second[0], first[1]
    ours, theirs = (_components(source) for source in found if source is not None)
    measured = found[0].setting.measures[found[0].measure]
    if ours is None or theirs is None:
        return None
    pairs = zip(ours, theirs, strict=True)
    return _mixed(
        (weight, _difference(measured, one, other)) for (weight, one), (_, other) in pairs
    )


def _mixed(parts: Iterable[tuple[float, tuple[Array, Array] | None]]) -> tuple[Array, Array] | None:
    """Values and probabilities over all components; None where those of one are not known."""
    values, chances = [], []
    for weight, distribution in parts:
        if distribution is None:
            return None
        values.append(distribution[0])
        chances.append(weight * distribution[1])
    return (np.concatenate(values), np.concatenate(chances)) if values else None


def _difference(
    measure: Measure, one: ItemProbabilities, other: ItemProbabilities
) -> tuple[Array, Array] | None:
    """Distribution of the difference, given the component."""
    first, second = seen_by(measure, one), seen_by(measure, other)
    if first is None or second is None:
        return None
    one, other = first, second
    sums = [measure.hit_weights(one), measure.hit_weights(other)]
    if sums[0] is None or sums[1] is None:
        return None
    entry, index = np.unique(np.concatenate((one.entry, other.entry)), return_inverse=True)
    weight, chance = np.zeros(len(entry)), np.zeros(len(entry))
    n_ours = len(one.entry)
    for (rel, each), probabilities, at, sign in (
        (sums[0], one, index[:n_ours], 1),
        (sums[1], other, index[n_ours:], -1),
    ):
        weight[at] += sign * each
        chance[at] = probabilities.hits.at_least(rel).reshape(len(at))
    return weighted_counts(weight, chance)


def _certain(source: Source) -> tuple[Array, Array] | None:
    """Values and probabilities of one query's components, if these make all grades certain."""
    values, chances = [], []
    mixtures, query = _mixtures(source)
    for weight, mixture in mixtures:
        if mixture.certain is None:
            return None
        assert mixture.offsets is not None
        assert mixture.weight is not None
        own = slice(int(mixture.offsets[query]), int(mixture.offsets[query + 1]))
        measure = source.setting.measures[source.measure]
        values.append(certain_values(measure, mixture.certain)[own])
        chances.append(weight * mixture.weight[0, own])
    return (np.concatenate(values), np.concatenate(chances)) if values else None


def _components(source: Source) -> list[tuple[float, ItemProbabilities]] | None:
    """One query's components and their probabilities; None where items are not independent."""
    mixtures, query = _mixtures(source)
    parts = [(w * chance, p) for w, one in mixtures for chance, p in one.of_query(query)]
    return parts or None


def _mixtures(source: Source) -> tuple[list[tuple[float, Mixture]], int]:
    """Lists of a query's block, if items are independent given a component, and its place there.

    One for each community, with its probability. None, too, where queries without relevant items
    are left out.
    """
    setting = source.setting
    queries, measure = _block_of(setting, source.query), setting.measures[source.measure]
    place = source.query - queries.start
    if setting.several or (setting.exclude and measure.needs_relevant):
        return [], place
    outcomes, found = setting.aligned.outcomes(queries, setting.votes), []
    for outer, weight in enumerate(setting.votes.weight.tolist()):
        mixture = outcomes[outer : outer + 1].probabilities(source.run, measure.depth)
        if isinstance(mixture, str):
            return [], place
        found.append((weight, mixture))
    return found, place


def _block_of(setting: Setting, query: int) -> slice:
    """The block of queries that holds one of them."""
    return next(block for block in setting.blocks if block.start <= query < block.stop)

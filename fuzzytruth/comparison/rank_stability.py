"""`rank_stability`: how the order of the systems varies over resamples or worlds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Floats
from fuzzytruth.comparison.compare import compare, measure_places
from fuzzytruth.comparison.inference import on_shared_values
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.order import ComparedOrders, beats
from fuzzytruth.core.validation import between_zero_and_one, place_of
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import DataError, DegenerateWarning, MissingCellWarning, counted, warn
from fuzzytruth.evaluation.scores.score_arrays import check_over, check_several
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import Grouping, observations_of, query_groups
from fuzzytruth.evaluation.validation import measures_in_words, with_direction
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import level_text, numbers_format, with_interval
from fuzzytruth.stats.intervals import bootstrap_means
from fuzzytruth.stats.observations import QueryGroups, all_pairs, each_system
from fuzzytruth.stats.settings import Over, Resampling, in_words

_MOST_ROWS = 20  # of all printed tables together
_MOST_MEASURES = 3
_BLOCK = 2**16  # means of a block of draws, whose comparisons then fit in cache


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RankStability(Result):
    """How the systems' order varies over resamples or worlds.

    Shares describe the resamples and are not probabilities that a system is best: of two equal
    systems, one has a share of firsts above .95 or below .05 in 11 % of data sets.
    Rank sets are inference: with confidence `level` they contain all true ranks (over independent
    worlds, the ranks in at least that share of worlds).

    Parameters
    ----------
    systems : DataFrame
        One row per measure and system: mean, rank (1 is best; tied systems have their mean rank),
        rank_lower and rank_upper (confidence set, from simultaneous intervals), share_first.
    shares : DataFrame
        One row per measure, system and rank: share of draws in which the system has that rank.
        Tied systems share their ranks evenly.
    pairs : DataFrame
        One row per measure and pair: share of draws in which system_a is above, tied or below.
    agreement : DataFrame
        One row per measure: mean and central interval of Kendall's tau_b and of tau_AP between the
        draws' orders and the order of all data. NaN where all systems tie.
    over : tuple of str
    level : float
    n_draws : int
    of_worlds : bool
        Whether what is random are independent worlds, which are no sample.
    too_few : str
        Why rank sets hold all ranks whatever the values, the worlds being too few; else "".
    units : tuple of str
        Numbers of queries and subjects, for each measure of `agreement`.
    higher_is_better : tuple of bool
        For each measure of `agreement`.
    """

    systems: pd.DataFrame
    shares: pd.DataFrame
    pairs: pd.DataFrame
    agreement: pd.DataFrame
    over: Over
    level: float
    n_draws: int
    of_worlds: bool = False
    too_few: str = ""
    units: tuple[str, ...] = ()
    higher_is_better: tuple[bool, ...] = ()

    def __repr__(self) -> str:
        count = self.systems["system"].nunique()
        return (
            f"RankStability({counted(count, 'system')}, {counted(len(self.agreement), 'measure')}, "
            f"over {in_words(self.over)}, {counted(self.n_draws, 'draw')})"
        )

    _more = ".to_frame(), .shares, .pairs, .agreement"

    @property
    def _draw(self) -> str:
        """What a draw is."""
        return "world" if self.over == ("world",) else "resample"

    def _title(self) -> str:
        names = measures_in_words(self.agreement["measure"], _MOST_MEASURES)
        return (
            f"Ranks of {counted(self.systems['system'].nunique(), 'system')} by {names}, over "
            f"{in_words(self.over)} ({counted(self.n_draws, self._draw)})"
        )

    def _parts(self) -> Parts:
        """Ranks with confidence sets, the best first."""
        shown = self.agreement["measure"].head(_MOST_MEASURES)
        yield from (self._table(measure, _MOST_ROWS // len(shown)) for measure in shown)
        yield self._legend()

    def _table(self, measure: str, limit: int | None = None) -> Table:
        """Systems by their rank on one measure: all, or the first."""
        rows = self.systems[self.systems["measure"] == measure]
        columns: FrameColumns = {
            "system": "system",
            "mean": ("mean", numbers_format(rows["mean"])),
            "rank": ("rank", "{:.3g}".format),
            ("rank_lower", "rank_upper"): (f"{level_text(self.level)} set", ".0f"),
            "share_first": ("share first", ".3f"),
        }
        is_cut = limit is not None and len(rows) > limit
        of = f", the first {limit} of {len(rows):,} systems" if is_cut else ""
        similar = self.agreement[self.agreement["measure"] == measure].iloc[0]
        tau = "all systems tie, so that Kendall's tau_b is not defined"
        mean, lower, upper = (float(similar[f"tau_b{end}"]) for end in ("", "_lower", "_upper"))
        if not np.isnan(mean):
            tau = f"Kendall's tau_b {with_interval(mean, lower, upper, 2)}"
        rows = rows.sort_values("rank", kind="stable").head(limit or len(rows))
        return printed_table(rows, columns, title=f"{measure}{of}; {tau}")

    def _legend(self) -> Sentences:
        """What sets, shares and correlations are."""
        level, draw = level_text(self.level), self._draw
        sets = (
            f"Set: confidence set of the true rank over {in_words(self.over)}; together the sets "
            f"hold all true ranks with {level} confidence."
        )
        if self.of_worlds:
            sets = (
                f"Set: the ranks that hold {level} of the worlds; worlds are no sample of people."
            )
        return Sentences.of(
            sets,
            f"{self.too_few}." if self.too_few else "",
            f"Share first: share of {draw}s in which the system is first; it is not the "
            "probability that the system is best.",
            f"Kendall's tau_b: between the order in a {draw} and that of all data; the mean, and "
            f"in brackets the central {level} of the {draw}s.",
        )

    def to_frame(self) -> pd.DataFrame:
        """A copy of `systems`."""
        return self.systems.copy()

    def plot(
        self, ax: Axes | None = None, *, measure: str | None = None, title: Title = True
    ) -> Axes:
        """Draw the share of draws in which each system has each rank.

        The confidence sets of ranks are outlined; see `plots.rank_probabilities`.

        Parameters
        ----------
        ax, title
            As in `plots.rank_probabilities`.
        measure : str, optional
            By default the first.

        Raises
        ------
        OptionError
            There are no ranks by this measure.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
        >>> [text.get_text() for text in ft.rank_stability(scores).plot().texts]
        ['100', '100']
        """
        from fuzzytruth.plots import rank_probabilities

        return rank_probabilities(self, ax, measure=measure, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("rank_probabilities",)

    def _plot_data(self, figure: str, measure: str | None = None) -> PlotData:
        """Shares of ranks by one measure, the first by default, and the sets of ranks."""
        measures, draw = tuple(self.agreement["measure"]), self._draw
        place = 0 if measure is None else place_of(measures, measure, "measure")
        of_measure = self.systems["measure"] == measures[place]
        over = "" if draw == "world" else f" over {in_words(self.over)}"
        sets = f"simultaneous {level_text(self.level)} confidence sets of the true ranks"
        if self.of_worlds:
            sets = f"sets that together hold all ranks in {level_text(self.level)} of the worlds"
        name = with_direction(measures[place], higher_is_better=self.higher_is_better[place])
        title = (
            f"{name}: ranks of {int(of_measure.sum())} systems in "
            f"{counted(self.n_draws, draw)}{over} ({self.units[place]})\nOutlined: {sets}"
        )
        return PlotData(
            self.shares[self.shares["measure"] == measures[place]],
            "\n".join(filter(None, (title, self.too_few))),
            self.systems[of_measure],
            {"share": f"share of {draw}s"},
        )


def rank_stability(
    scores: Scores,
    *,
    over: Iterable[str] | str | None = None,
    measures: Iterable[str] | str | None = None,
    clusters: Grouping = None,
    strata: Grouping = None,
    level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> RankStability:
    """Ranks of the systems under resampled queries, subjects, both, or under worlds.

    Parameters
    ----------
    scores : Scores
    over : {"query", "subject", "world", "replicate"} or several, optional
        What is resampled with replacement; worlds are those of the scores. By default queries, and
        the runs of systems where there are several.
    measures : str or sequence of str, optional
        By default all.
    clusters : mapping of query to cluster, or str, optional
        Resample clusters of queries whole. A text names one of `Scores.query_attributes`. Queries
        without a cluster are clusters of their own.
    strata : mapping of query to stratum, or str, optional
        Resample the queries of each stratum; means are then over strata of their means.
    level : float
        Of rank sets, and of the central intervals of the correlations.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    Returns
    -------
    RankStability

    Raises
    ------
    OptionError
        The scores lack an axis, or it cannot be resampled alone; or clusters or strata are not of
        these queries, or do not go with what is resampled.
    DataError
        There is a single system, or a stratum with a single query.

    Warns
    -----
    DegenerateWarning
        Draws that leave a system without values are left out.
    MissingCellWarning
        Systems lack values that others have: ranks are over the values that all have.
    ClusterWarning
        Queries are in no cluster, or clusters are few and of different sizes.

    References
    ----------
    Yilmaz, Aslam & Robertson 2008; Urbano & Marrero 2017 (ties); Mogstad, Romano, Shaikh & Wilhelm
    2024, Inference for ranks, Review of Economic Studies 91 (rank sets).

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.rank_stability(scores).systems[["system", "rank", "share_first"]].values.tolist()
    [['a', 1.0, 1.0], ['b', 2.0, 0.0]]
    """
    axes = check_over(over, scores)
    check_several(scores, "rank_stability")
    level = between_zero_and_one("level", level)
    using = Resampling(n_resamples, rng, n_jobs)
    places = measure_places(scores, measures)
    scores = _common(scores, places)
    names = [scores.measures[m] for m in places]
    groups = query_groups(scores, clusters, strata, axes, quiet=True)  # `compare` warns
    each = each_system(len(scores.systems))
    observed = [observations_of(scores, m, groups, each) for m in places]
    settings: Any = {"level": level, "n_resamples": n_resamples, "rng": rng, "n_jobs": n_jobs}
    grouped: Any = {"clusters": clusters, "strata": strata}
    compared = compare(scores, measures=names, over=axes, **grouped, **settings)
    drawn = [bootstrap_means(one, axes, using) for one in observed]
    ranked = [
        _ranked(scores, m, groups, means, weight, level)
        for m, (means, weight) in zip(places, drawn, strict=True)
    ]
    systems, shares, pairs, agreement = (
        pd.concat(tables, ignore_index=True) for tables in zip(*ranked, strict=True)
    )
    ends = ["rank_lower", "rank_upper"]
    sets = compared.tiers()[["measure", "system", *ends]]
    systems = systems.merge(sets, on=["measure", "system"], how="left", validate="one_to_one")
    by_measure = compared.table.groupby("measure", sort=False)
    return RankStability(
        systems[["measure", "system", "mean", "rank", "rank_lower", "rank_upper", "share_first"]],
        shares,
        pairs,
        agreement,
        axes,
        level,
        len(drawn[0][1]),
        compared.conditions.of_worlds,
        compared.conditions.too_few_worlds(compared.table),
        tuple(compared.conditions.units(rows) for _, rows in by_measure),
        compared.conditions.higher_is_better,
    )


def _common(scores: Scores, places: tuple[int, ...]) -> Scores:
    """Only the values that all systems have: ranks on different queries are not comparable."""
    present = ~np.isnan(scores.values)
    shared = np.asarray(present.all(axis=0))  # (measures, cells)
    lost = int((present & ~shared)[:, list(places)].sum())
    if not lost:
        return scores
    if not shared[list(places)].any(axis=1).all():
        raise DataError("rank_stability: there is no query on which all systems have a value")
    warn(
        f"{counted(lost, 'value is', 'values are')} left out because other systems lack theirs: "
        "ranks are over the queries that all systems have",
        MissingCellWarning,
    )
    return on_shared_values(scores)


def _ranked(
    scores: Scores,
    measure: int,
    groups: QueryGroups | None,
    means: Floats,
    weight: Floats,
    level: float,
) -> tuple[pd.DataFrame, ...]:
    """Systems, shares of ranks, shares of pairs, and correlations of one measure."""
    k = len(scores.systems)
    names = np.array(scores.systems, dtype=object)
    up = 1.0 if scores.higher_is_better[measure] else -1.0
    by_query = scores.cells.mean_by_query(scores.values[:, measure])
    mean = nan_mean(by_query, axis=1) if groups is None else groups.mean(by_query)
    scale = float(np.fmax.reduce(np.abs(scores.values[:, measure]), axis=None, initial=0.0))
    reference = beats(up * mean, scale)
    above_it, tied_with_it = (reference < 0).sum(axis=1), (reference == 0).sum(axis=1)
    share, above, tied, correlation = _agreement(up * means, weight, reference, scale)
    first, second = all_pairs(k).first, np.asarray(all_pairs(k).second)
    named = {"measure": scores.measures[measure]}
    systems = {
        "system": names,
        "mean": mean,
        "rank": above_it + (tied_with_it + 1) / 2,
        "share_first": share[:, 0],
    }
    ranks = np.tile(np.arange(1, k + 1), k)
    shares = {"system": np.repeat(names, k), "rank": ranks, "share": share.ravel()}
    pairs = {
        "system_a": names[first],
        "system_b": names[second],
        "above": above[first, second],
        "tied": tied[first, second],
        "below": above[second, first],
    }
    similar = pd.DataFrame(named | _summary(correlation, weight, level), index=[0])
    return *(pd.DataFrame(named | columns) for columns in (systems, shares, pairs)), similar


def _agreement(
    means: Floats, weight: Floats, reference: NDArray[np.int8], scale: float
) -> tuple[Floats, Floats, Floats, dict[str, Floats]]:
    """Shares of ranks (k, k), of being above and of ties (k, k), and correlations (draws,)."""
    whole: Bools = np.asarray(~np.isnan(means).any(axis=1))
    if not whole.all():
        warn(
            f"left out: {int((~whole).sum()):,} of {counted(len(whole), 'draw')}, in which a "
            "system has no value",
            DegenerateWarning,
        )
    # Equal weights become 1, so that their sums are exact.
    weight = np.where(whole, weight / weight.max(), 0.0)
    k = means.shape[1]
    share, above, tied = np.zeros((k, k)), np.zeros((k, k)), np.zeros((k, k))
    correlation = {name: np.full(len(means), np.nan) for name in ("tau_b", "tau_ap")}
    size = max(1, _BLOCK // k)
    for start in range(0, len(means), size):
        part = slice(start, start + size)
        each = weight[part]
        known = np.where(whole[part, None], means[part], 0.0)
        orders = ComparedOrders.of(known, each, reference, scale)
        share += orders.shares(each)
        above += orders.weight_above
        tied += orders.weight_tied
        correlation["tau_b"][part] = orders.tau_b(reference)
        correlation["tau_ap"][part] = orders.tau_ap()
    for values in correlation.values():
        values[~whole] = np.nan
    total = weight.sum()
    return share / total, above / total, tied / total, correlation


def _summary(correlation: dict[str, Floats], weight: Floats, level: float) -> dict[str, float]:
    """Mean and central interval of each correlation over the draws where it is defined."""
    out: dict[str, float] = {}
    for name, values in correlation.items():
        defined = ~np.isnan(values)
        mean = low = high = float("nan")
        if defined.any():
            each = weight[defined] / weight[defined].sum()
            distribution = Distribution.from_atoms(values[defined], each)
            mean, (low, high) = distribution.mean(), distribution.interval(level)
        out |= {name: mean, f"{name}_lower": low, f"{name}_upper": high}
    return out

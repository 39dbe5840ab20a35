"""`compare`: which systems differ, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.comparison import inference
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.validation import (
    between_zero_and_one,
    option_flag,
    option_number,
    place_of,
    progress_callback,
)
from fuzzytruth.errors import DegenerateWarning, OptionError, counted, require, shown, warn
from fuzzytruth.evaluation.scores import summary
from fuzzytruth.evaluation.scores.replicates import declared
from fuzzytruth.evaluation.scores.score_arrays import check_scores, check_several, known_range
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import Grouping
from fuzzytruth.evaluation.worlds.setting import Progress
from fuzzytruth.stats.effects import Statistic
from fuzzytruth.stats.intervals import IntervalMethod
from fuzzytruth.stats.multiplicity import MAX_T, SIGN_FLIPS, Family, Null, kind_of_interval, resolve
from fuzzytruth.stats.observations import Pooling, against, all_pairs
from fuzzytruth.stats.settings import Alternative, Over, Resampling, check_alternative
from fuzzytruth.stats.sign_flips import MIN_DIFFERENCES
from fuzzytruth.stats.world_estimates import can_cross

# Warnings of `compare`: missing values, spread that is zero or unknown.


def warn_of_missing(
    values: Sequence[Floats], named: Callable[[int, int], tuple[str, str]] | None = None
) -> None:
    """Warn of values that another system has; a table (systems, cells) for each measure.

    `named` gives the system and the query of a cell, for the message.
    """
    missing, first = 0, ""
    for table in values:
        present = ~np.isnan(table)
        cells = np.argwhere(present.any(axis=0) & ~present)
        if len(cells) and not missing and named is not None:
            system, query = named(*cells[0].tolist())
            first = f" (the first: system {shown(system)}, query {shown(query)})"
        missing += len(cells)
    if missing:
        warn(
            f"{counted(missing, 'value is', 'values are')} missing where another system "
            f"has one{first}; each pair of systems is compared on what both have",
            errors.MissingCellWarning,
        )


def warn_of_degenerate(table: pd.DataFrame, conditions: Conditions, where: str = "") -> None:
    """Warn of comparisons whose spread is zero or unknown, or whose interval is infinite.

    `where` says which comparisons they are, such as " between groups".
    """
    single = [] if conditions.replicates is None else conditions.replicates.single
    if "replicate" in conditions.over and single:  # these have a warning of their own
        table = table[~(table["system_a"].isin(single) | table["system_b"].isin(single))]
    value, error = table["difference"], table["std_error"]
    cases = {
        "have no value in common": value.isna(),
        "rest on a single unit, or on units that nothing connects, so that their spread is "
        "unknown: intervals are (-inf, inf), standard errors NaN": value.notna() & error.isna(),
        "have the same difference everywhere, so that there is no t; no p is below that of all "
        "signs being equal": (error == 0) & (value != 0) & (not conditions.of_worlds),
    }
    comparisons = f"of {counted(len(table), 'comparison')}"
    for what, which in cases.items():
        if which.any():
            n = int(which.sum())
            text = f"{n:,} {comparisons}{where} over {conditions.random} {_agreeing(what, n)}"
            warn(text, DegenerateWarning)
    open_end = table["lower"] if conditions.alternative == "greater" else table["upper"]
    unbounded = np.isinf(open_end) & (error > 0)
    few = unbounded & (table["n_queries"] < MIN_DIFFERENCES)
    if conditions.correction == SIGN_FLIPS and few.any() and not few.all():
        n_few = int(few.sum())
        warn(
            f"{n_few:,} {comparisons} {_agreeing('rest', n_few)} on fewer than {MIN_DIFFERENCES} "
            "common queries, too few for sign flips, and intervals (-inf, inf) follow",
            DegenerateWarning,
        )
        unbounded &= ~few
    if unbounded.any():
        warn(_unbounded(int(unbounded.sum()), table, conditions), DegenerateWarning)


def _unbounded(n: int, table: pd.DataFrame, conditions: Conditions) -> str:
    """That intervals are infinite although the spread is known, and what to do."""
    infinite = counted(n, "interval is", "intervals are")
    level = f"the level {conditions.level:g}: {infinite} (-inf, inf)"
    if conditions.of_worlds:
        tests = counted(conditions.family_size(table), "comparison")
        needed = f"n_worlds={conditions.worlds_needed(table):,}"
        return f"the worlds are too few for {tests} at {level}; evaluate with {needed} or more"
    units = counted(conditions.n_queries, "query")
    text = f"{units} and {counted(conditions.n_resamples, 'resample')} are too few for {level}"
    if conditions.correction in (MAX_T, SIGN_FLIPS):
        text += "; correction='bonferroni' gives t intervals"
    return text


def _agreeing(what: str, n: int) -> str:
    """A verb in the plural and what follows it, in the singular if `n` is 1."""
    verb, _, rest = what.partition(" ")
    singular = {"have": "has", "rest": "rests"}[verb]
    return f"{singular if n == 1 else verb} {rest}".strip()


# Measures of scores, looked up by name.


def measure_places(scores: Scores, measures: Iterable[str] | str | None) -> tuple[int, ...]:
    """Indices of measures named in any spelling; of all by default."""
    check_scores(scores)
    if measures is None:
        return tuple(range(len(scores.measures)))
    require("measures", measures, isinstance(measures, Iterable), "must be names of measures")
    named = [measures] if isinstance(measures, str) else list(measures)
    if not named:
        raise OptionError("measures: name at least one, or leave it out for all")
    return tuple(dict.fromkeys(scores.measure_place(str(name)) for name in named))


Rope = float | Mapping[str, float] | None


def compare(
    scores: Scores,
    baseline: Iterable[str] | str | None = None,
    measures: Iterable[str] | str | None = None,
    *,
    over: Iterable[str] | str | None = None,
    alternative: Alternative = "two-sided",
    correction: str | None = None,
    level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    null: Null = "partial",
    across_measures: bool = False,
    clusters: Grouping = None,
    strata: Grouping = None,
    bayesian: bool = False,
    rope: Rope = None,
    n_jobs: int = 1,
    progress: Progress | None = None,
    replicate_of: Mapping[str, Any] | None = None,
    deterministic: Iterable[str] | str | None = None,
    replicate_variance: Pooling | None = None,
) -> Comparison:
    """Compare all pairs of systems, or each with one or several baselines.

    Estimand: for each pair, the mean over queries of the difference of their values, in the
    population that `over` names. Null hypothesis of `p` and `p_adjusted`: that mean is 0 (or, with
    a one-sided `alternative`, 0 or on the other side). Over queries or subjects `p` is from
    Student's paired t test, over both from a generalised pivotal quantity; `p_permutation` is from
    Fisher's sign-flip test, whose null hypothesis is that the differences are symmetric about 0.

    Parameters
    ----------
    scores : Scores
    baseline : str or sequence of str, optional
        Compare every other system with this one, or with each of these, as one family;
        differences are the other minus the baseline.
    measures : str or sequence of str, optional
        In any spelling; all by default.
    over : {"query", "subject", "world", "replicate"} or several, or an attribute of queries
        What is random, a sample from a population; see `Scores.summary`. By default queries, and
        runs ("replicate") where systems have several: how methods differ, and not these trained
        models, which "query" is for. The name of an attribute,
        as "collection" (see `concat`): collections and their queries are random, and collections
        weigh the same. See `Comparison.predict` and `Comparison.by_collection`; `strata` is for
        these collections alone.
    alternative : {"two-sided", "greater", "less"}
        What the comparisons are to show of each difference a - b, whichever direction is better:
        that it is not 0, above 0, or below 0. One-sided intervals are open at the other end.
    correction : str, optional
        Correction for the number of comparisons within a measure. By default "max-t" over queries
        (moderated bootstrap max-t, see `stats.moderated_max_t`), "bonferroni" over anything else,
        and none for a single comparison. "sign-flips" takes studentised maxima under centred sign
        flips. With "none", or another of `stats.CORRECTIONS` than "bonferroni" and "sidak",
        intervals are not adjusted.
    level : float
        Confidence level of the intervals; a comparison is significant at 1 - level.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.
    null : {"partial", "complete"}
        "partial": each pair's null hypothesis, whatever the other systems do. "complete": permute
        the systems' labels within queries (randomised Tukey), which controls the error only if all
        systems are alike.
    across_measures : bool
        Whether to correct for the comparisons by all measures together.
    clusters : mapping of query to cluster, or str, optional
        Clusters of queries were drawn, such as topics with several queries each; over queries, or
        over queries and subjects. A text names one of `Scores.query_attributes`. Queries without a
        cluster are clusters of their own.
    strata : mapping of query to stratum, or str, optional
        Means are over strata of their means (macro means); the queries of each were drawn. Not with
        random subjects, unless they are nested.
    bayesian : bool
        Add the posterior probabilities that the first system is better, the same within `rope`,
        or worse; see `stats.posterior` for the prior.
    rope : float or mapping of measure to float, optional
        The largest difference that does not matter, in units of the measure.
    progress : callable, optional
        Progress callback, given the finished fraction of resampling, from 0 to 1.
    replicate_of : mapping of run to system, optional
        See `evaluate`.
    deterministic : str or sequence of str, optional
        Systems of which another run would give the same.
    replicate_variance : {"moderated", "separate", "pooled"}, optional
        How the variance over the runs of a system is estimated. "moderated", the default: drawn
        towards that of the other systems, by at most as many degrees of freedom as its own runs
        have, where three systems or more have three runs or more and there is a correction.
        "separate": from its own runs.
        "pooled": one variance for all systems, which fails where one is unstable; systems with one
        run borrow it.

    Returns
    -------
    Comparison

    Raises
    ------
    OptionError
        A name or option is unknown, or options do not go together.
    DataError
        There is one system only, `null` is "complete" and values are missing, a stratum has a
        single query, or there is one collection only.

    Warns
    -----
    MissingCellWarning
        Systems lack values that others have: each pair is compared on what both have.
    DegenerateWarning
        The spread of differences is zero or unknown; a system has one run, or the same several
        times.
    ClusterWarning
        Queries are in no cluster, or clusters are few and of different sizes.

    References
    ----------
    Westfall & Young 1993, Resampling-Based Multiple Testing; Smyth 2004 (moderated variances);
    Weerahandi 1993 (generalised pivotal intervals); Carterette 2012 (complete null); Urbano, Lima &
    Hanjalic 2019; Cohen 1988 (d_z); Benavoli et al. 2017 (posterior); Benjamini & Heller 2008 and
    Nagashima, Noma & Furukawa 2019 (collections).

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]}))
    >>> print(ft.compare(scores).verdicts()[0])
    a is significantly better than b on value over queries (difference 0.20 [0.07, 0.33],
    p = 0.016)
    """
    rule = "join both first: compare(concat([scores, other]))"
    require("baseline", baseline, not isinstance(baseline, Scores), rule)
    progress_callback(progress)
    check_scores(scores)
    scores = declared(scores, replicate_of, deterministic, replicate_variance)
    axes, groups, collection = summary.random_groups(scores, over, clusters, strata)
    check_alternative(alternative)
    places = measure_places(scores, measures)
    names = tuple(scores.measures[m] for m in places)
    k = len(scores.systems)
    check_several(scores, "compare")
    bases = baseline_places(scores, baseline)
    pairs = against(bases, k) if bases else all_pairs(k)
    option_flag("across_measures", across_measures)
    tests = len(pairs) * (len(places) if across_measures else 1)
    design: Any = {"across": across_measures, "alternative": alternative, "baselines": len(bases)}
    units: Any = (collection,) if collection else axes
    resolved = resolve(correction, null, units, tests, grouped=groups is not None, **design)
    corrected = resolved != "none"
    of_measures = tuple(
        summary.observations_of(scores, m, groups, pairs, family=corrected) for m in places
    )
    base, level = bases[0] if len(bases) == 1 else None, between_zero_and_one("level", level)
    using = Resampling(n_resamples, rng, n_jobs)
    family = Family(names, of_measures, pairs, base, axes, resolved, alternative, level, using)
    cell_queries = scores.cells.query
    warn_of_missing(
        [observed.values for observed in family.observed],
        lambda system, cell: (scores.systems[system], scores.queries[cell_queries[cell]]),
    )
    means, shared = inference.shared_means(family, scores.systems)
    each = zip(names, family.observed, strict=True)
    ranges = (known_range(name, observed.values) for name, observed in each)
    conditions = Conditions(
        over=axes,
        alternative=alternative,
        correction=family.correction,
        interval=kind_of_interval(family.correction, tests),
        level=family.level,
        n_resamples=n_resamples,
        tests=tests,
        across_measures=across_measures,
        baselines=tuple(scores.systems[base] for base in bases),
        systems=scores.systems,
        measures=names,
        higher_is_better=tuple(scores.higher_is_better[m] for m in places),
        n_queries=len(scores.queries),
        subjects=scores.subjects,
        nested=scores._are_nested,
        n_people=scores._n_people,
        worlds=None if scores._spread is None else scores._spread.worlds,
        n_resampled=scores._n_resampled,
        n_worlds=0 if scores.uncertainty is None else scores.uncertainty.n_worlds,
        groups=None if groups is None else groups.kind,
        n_groups=0 if groups is None else groups.n,
        collection=collection,
        shared=shared,
        spans=tuple(most - least for least, most in ranges),
        widths=tuple(scores._width_of(m) for m in places),
        rope=_ropes(names, bayesian, rope),
        queries_share_items=scores._queries_share_items,
        replicates=scores.replicates,
    )
    if scores.replicates is not None and "replicate" in axes:
        scores.replicates.warn(places)
    table = inference.tables(family, conditions, progress)
    warn_of_degenerate(table, conditions)
    also = () if strata is not None else _also_over(scores, family)
    beside = Lazy(lambda: inference.beside(family, conditions, also))
    return Comparison(table, means, beside, conditions, family, scores)


def baseline_places(scores: Scores, given: Iterable[str] | str | None) -> list[int]:
    """Places of the baselines, none for all pairs.

    Raises
    ------
    OptionError
        A name is unknown, or no system is left to compare.
    """
    if given is None:
        return []
    if not isinstance(given, (str, Iterable)):
        raise OptionError(f"baseline={shown(given)}: must be the name of a system, or several")
    named = [given] if isinstance(given, str) else list(given)
    if not named:
        raise OptionError("baseline: name at least one system, or leave it out for all pairs")
    places = list(dict.fromkeys(place_of(scores.systems, name, "baseline=") for name in named))
    if len(places) == len(scores.systems):
        raise OptionError("baseline: all systems are baselines; leave it out to compare all pairs")
    return places


def _also_over(scores: Scores, family: Family) -> tuple[Over, ...]:
    """The axes, beside queries, over which comparisons are shown, too."""
    also: list[Over] = []
    crossed = scores.subjects is not None and not scores._are_nested
    if crossed:
        also = [("subject",), ("query", "subject")]
    elif scores.subjects is None and all(one.worlds is not None for one in family.observed):
        also = [("world",)] if family.observed[0].groups is None else []
        joint = also and all(can_cross(one, family.pairs) for one in family.observed)
        also += [("query", "world")] if joint else []
    if scores.replicates is not None and family.observed[0].groups is None:
        also += [("replicate",), ("query", "replicate")]
        also += [("query", "subject", "replicate")] if crossed else []
    return tuple(also)


def _ropes(names: tuple[str, ...], bayesian: bool, rope: Rope) -> dict[str, float] | None:
    """Width of the region for each measure; None without posteriors."""
    if not option_flag("bayesian", bayesian):
        if rope is not None:
            raise OptionError("rope: is for bayesian=True only")
        return None
    if isinstance(rope, Mapping):
        unknown = [name for name in rope if name not in names]
        if unknown or len(rope) < len(names):
            raise OptionError(
                f"rope={shown(dict(rope))}: must have one number for each of {', '.join(names)}"
            )
        widths = {name: option_number("rope", rope[name]) for name in names}
    else:
        widths = dict.fromkeys(names, 0.0 if rope is None else option_number("rope", rope))
    require("rope", rope, min(widths.values()) >= 0, "must not be negative")
    return widths


def difference_intervals(
    scores: Scores,
    *,
    baseline: str | None = None,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    method: IntervalMethod = "auto",
    statistic: str | Statistic = "mean",
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
    full: bool = False,
) -> pd.DataFrame:
    """Intervals of differences by any method, not adjusted for their number.

    Estimand: the statistic of the per-query (or per-subject) differences of two systems, in the
    population that `over` names; the difference of the means if it is the mean. `compare` gives
    tests and simultaneous intervals.

    Parameters
    ----------
    scores : Scores
    baseline : str, optional
        By default all pairs.
    over, level, method, statistic, n_resamples, rng, n_jobs, full
        As in `Scores.summary`.

    Returns
    -------
    DataFrame
        One row per pair and measure: system_a, system_b, measure, the statistic's name, lower,
        upper, n_queries[, n_subjects]; with ``full=True`` also std_error, df and method.

    Raises
    ------
    OptionError
        As in `Scores.summary`; or the baseline is unknown.
    DataError
        There is one system only.

    References
    ----------
    Efron 1987 (BCa); Davison & Hinkley 1997.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> medians = ft.tests.difference_intervals(scores, statistic="median", method="bca")
    >>> medians[["system_a", "system_b", "median"]].values.tolist()
    [['a', 'b', 0.2]]
    """
    check_scores(scores)
    check_several(scores, "difference_intervals")
    k = len(scores.systems)
    base = None if baseline is None else place_of(scores.systems, baseline, "baseline=")
    pairs = all_pairs(k) if base is None else against([base], k)
    columns = summary.interval_columns(
        scores,
        pairs,
        over=over,
        level=level,
        method=method,
        statistic=statistic,
        resampling=Resampling(n_resamples, rng, n_jobs),
    )
    return summary.interval_table(scores, pairs, columns, full=full)

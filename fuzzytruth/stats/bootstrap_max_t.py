"""Moderated bootstrap max-t: simultaneous intervals and adjusted p of several pairs over queries.

Queries (or clusters of them) are resampled, the same for all pairs; each resample's means are
centred at those of the data and studentised by moderated variances (`core.moderation`), and the
largest |t| over the pairs gives the common quantile of the intervals and the tail of the adjusted
p. No interval is narrower than Student's, and no adjusted p below Student's.

References
----------
Westfall, P. H. & Young, S. S. (1993), Resampling-Based Multiple Testing. Smyth, G. K. (2004),
Linear models and empirical Bayes methods, SAGMB 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core import bootstrap_maxima
from fuzzytruth.core.arithmetic import ROUNDING, divide, tie_groups
from fuzzytruth.core.cells import grouped_sum
from fuzzytruth.core.clusters import counts, drawn_units, samples, stratified_counts
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.errors import DataError, shown
from fuzzytruth.stats import settings
from fuzzytruth.stats.effects import PairedOutcome, contrasts_of, scale_of, t_outcome
from fuzzytruth.stats.laws import Law, student_fit
from fuzzytruth.stats.observations import Kind, QueryGroups, stratum_of_one
from fuzzytruth.stats.settings import Alternative, Purpose, Resampling, Task

# An order of units that does not depend on the order in which they came.
#
# Random weights and signs are given to units by their place. With units in an order that their
# values determine, the same seed gives the same result whatever the order and the names of queries
# and systems.


_NOISE = 1e-10  # of the largest key: units that differ by rounding errors alone are interchangeable


def canonical_order(values: Floats, towards: Floats, number: Array | None = None) -> Ints:
    """Places of units in an order that is invariant to unit, sign and order of the columns.

    Units that are equal in size and side, as happens with coarse scores, are told apart by their
    single values, so that only units that are equal in everything keep the order they came in.

    Parameters
    ----------
    values : (units, columns) float
        Differences of pairs of systems; NaN is missing.
    towards : (columns,) float
        A number of each column, such as its mean, whose sign turns with that of the column.
    number : (units, columns), optional
        More of each value that tells units apart, such as how many differences it is the sum of;
        by default whether it is there.
    """
    filled = np.nan_to_num(values, nan=0.0)
    scaled = divide(filled, np.abs(filled).max(axis=0, initial=0.0))
    shares = divide(scaled**2, (scaled**2).sum(axis=0))
    size = _places(shares.sum(axis=1))
    side = _places((scaled * np.sign(towards)).sum(axis=1))
    order = np.lexsort((side, size))
    same = (np.diff(size[order]) == 0) & (np.diff(side[order]) == 0)
    at = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if not len(at):
        return order
    tied = order[at]
    oriented = _oriented(scaled, towards, size, side)
    counted = (~np.isnan(values) if number is None else number).astype(np.float64)
    columns = np.lexsort([_places(key) for key in _of_columns(oriented, counted, size, side)])
    single = np.concatenate([counted[tied][:, columns].T, oriented[tied][:, columns].T])
    order[at] = tied[np.lexsort((*_places(single), side[tied], size[tied]))]
    return order


def _places(keys: Floats) -> Ints:
    """Places along the last axis; keys that differ by rounding errors share one."""
    largest = np.abs(keys).max(axis=-1, initial=0.0)
    return tie_groups(keys, _NOISE / ROUNDING * largest)


def _oriented(scaled: Floats, towards: Floats, size: Ints, side: Ints) -> Floats:
    """Columns turned the same way whatever their signs: `towards`, else by an odd moment."""
    sign = np.sign(towards)
    for odd in (scaled**3, scaled * size[:, None], scaled * side[:, None]):
        moment = odd.sum(axis=0)
        clear = np.abs(moment) > _NOISE * np.abs(odd).sum(axis=0)
        sign = np.where((sign == 0) & clear, np.sign(moment), sign)
    return np.asarray(scaled * np.where(sign == 0, 1.0, sign))


def _of_columns(oriented: Floats, counted: Floats, size: Ints, side: Ints) -> list[Floats]:
    """Numbers of each column that do not depend on the order of units."""
    weights = np.stack([size, side, size * side], axis=1).astype(np.float64)
    powers = (counted, oriented, oriented**2, oriented**3)
    return [key for power in powers for key in (power.T @ weights).T]


#: a pair with fewer units has its own Bonferroni t, for many resamples do not tell its spread; so
#: has, where variances are not moderated, one whose differences are all but a few the same
MIN_UNITS = 5
_ENOUGH = 12.5  # units that differ, beyond which a pair tells its own variance


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Pairs of one measure.

    Parameters
    ----------
    differences : (queries, pairs) float
        NaN is missing.
    value, std_error : (pairs,) float
        Estimates over queries.
    n : (pairs,) int
        Units (queries, or clusters) with values.
    law : Law
        Of the errors of the estimates, one pair at a time.
    """

    differences: Floats
    value: Floats
    std_error: Floats
    n: Ints
    law: Law


@dataclass(frozen=True, slots=True, eq=False)
class Simultaneous:
    """Intervals and adjusted p of one block: (pairs,) each.

    Parameters
    ----------
    lower, upper, p_adjusted : float
    n_apart : int
        Units whose difference is not the commonest one of the pair.
    borrowed : bool
        Whether a pair varies on so few units that its variance is mostly that of the other pairs.
    std_error : float
        Moderated, of the pairs whose variance is borrowed; of others their own.
    d0 : float
        Prior degrees of freedom of the variances; 0: not moderated.
    critical : float
        The largest |t| that is not significant; infinite where resamples are too few.
    """

    lower: Floats
    upper: Floats
    p_adjusted: Floats
    n_apart: Ints
    borrowed: Bools
    std_error: Floats
    d0: float
    critical: float


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Which pairs of a block are tested, and how; (pairs,) each."""

    tested: Bools  # with a value; identical pairs only where the others tell how much pairs vary
    joint: Bools  # by the maximum
    varying: Bools  # of these, with a spread of their own
    n_apart: Ints
    quiet: Bools  # of the joint ones, that differ on too few units to tell their spread

    @classmethod
    def of(cls, block: Block, groups: QueryGroups | None) -> _Parts:
        spread, present = block.std_error > 0, ~np.isnan(block.value)
        identical = (block.value == 0) & (block.std_error == 0)
        joint = present & (block.n >= MIN_UNITS) & ~np.isnan(block.std_error)
        n_apart = _n_apart(block.differences, groups)
        quiet = joint & (n_apart < _least_apart(block.n))
        tested = present
        if (joint & spread).sum() < bootstrap_maxima.MIN_VARIANCES:
            tested, quiet = tested & ~identical, np.zeros_like(quiet)
            joint &= tested & (n_apart >= MIN_UNITS)
        else:
            tested = tested & (joint | ~identical)
        return cls(tested, joint, joint & spread, n_apart, quiet)


def _least_apart(n: Ints) -> Floats:
    """Units that have to differ from the commonest difference to tell how much a pair varies.

    A resample leaves out all k units that differ with probability e⁻ᵏ, and no test of fewer than
    five signs reaches .05; where a large difference is rarer than one in four units, samples often
    lack it. Thirteen units tell most spreads, whatever n is.
    """
    return np.minimum(np.maximum(MIN_UNITS, n / 4), _ENOUGH)


def _n_apart(differences: Floats, groups: QueryGroups | None) -> Ints:
    """Units whose difference is not the commonest one of the pair: (pairs,).

    A cluster counts if its sum is not that of as many commonest differences.
    """
    scale = np.fmax.reduce(np.abs(differences), axis=0, initial=0.0)
    group = tie_groups(differences.T, scale)  # (pairs, queries), each below the queries
    present = ~np.isnan(differences.T)
    pairs, queries = group.shape
    pair, query = np.nonzero(present)
    sizes = np.bincount(pair * queries + group[pair, query], minlength=pairs * queries)
    sizes = sizes.reshape(pairs, queries)
    if groups is None or groups.kind == "strata" or not queries:
        return np.asarray(present.sum(axis=1) - sizes.max(axis=1, initial=0))
    commonest = np.where(group == sizes.argmax(axis=1)[:, None], differences.T, np.nan)
    usual = np.nan_to_num(np.fmax.reduce(commonest, axis=1))  # (pairs,)
    sums = grouped_sum(
        np.where(present, differences.T - usual[:, None], 0.0), groups.code, groups.n
    )
    return np.asarray((np.abs(sums) > ROUNDING * queries * scale[:, None]).sum(axis=1))


def bootstrap_max_t(
    blocks: list[Block],
    using: Resampling,
    *,
    level: float,
    alternative: Alternative = "two-sided",
    groups: QueryGroups | None = None,
) -> list[Simultaneous]:
    """Simultaneous intervals of all pairs of all blocks, which are one family."""
    parts = [_Parts.of(block, groups) for block in blocks]
    tests = sum(int(part.tested.sum()) for part in parts)
    joint = sum(int(part.joint.sum()) for part in parts)
    each = list(zip(blocks, parts, strict=True))
    if joint <= 1:
        return [_by_bonferroni(*one, tests, level, alternative) for one in each]
    tables = [_variances(*one, _lost_df(one[0], groups)) for one in each]
    drawn = _maxima(each, tables, using, alternative, groups)
    share = joint / tests
    critical = _critical(drawn, (1 - level) * share)
    out = []
    for (block, part), table in zip(each, tables, strict=True):
        bonferroni = _by_bonferroni(block, part, tests, level, alternative)
        t = np.divide(
            settings.towards(alternative, block.value),
            table.std_error,
            out=np.full(len(block.value), np.inf),
            where=table.std_error > 0,
        )
        p = np.minimum((1 + _count_from(drawn, t)) / (len(drawn) + 1) / share, 1.0)
        p = np.maximum(p, block.law.p_value(block.value, alternative))
        with np.errstate(invalid="ignore"):
            no_spread = 0.0 if np.isfinite(critical) else np.inf
            half = np.where(table.std_error > 0, critical * table.std_error, no_spread)
        half = np.maximum(half, block.law.half(level, alternative))
        lower, upper = settings.ends(alternative, block.value, half)
        out.append(
            Simultaneous(
                np.where(part.joint, lower, bonferroni.lower),
                np.where(part.joint, upper, bonferroni.upper),
                np.where(part.joint, p, bonferroni.p_adjusted),
                part.n_apart,
                part.quiet,
                np.where(part.quiet, table.std_error, block.std_error),
                table.d0,
                critical,
            )
        )
    return out


def _by_bonferroni(
    block: Block, part: _Parts, tests: int, level: float, alternative: Alternative
) -> Simultaneous:
    """Student's t at its share of the level: pairs of few queries, or single ones."""
    number = max(tests, 1)
    p = np.minimum(block.law.p_value(block.value, alternative) * number, 1.0)
    lower, upper = block.law.interval(block.value, 1 - (1 - level) / number, alternative)
    apart, own = (part.n_apart, np.zeros_like(part.quiet)), block.std_error
    return Simultaneous(lower, upper, p, *apart, own, 0.0, float("inf"))


@dataclass(frozen=True, slots=True, eq=False)
class _Variances:
    """Moderated standard errors of a block (pairs,), and how those of resamples are moderated."""

    std_error: Floats
    prior: Floats  # (varying pairs,), over their own variances
    most: Floats  # (varying pairs,), what that is at most
    d0: float


def _lost_df(block: Block, groups: QueryGroups | None) -> Ints | int:
    """Units minus degrees of freedom: 1, or the strata in which each pair has values."""
    if groups is None or groups.kind == "clusters":
        return 1
    return np.asarray(groups.present(block.differences.T).sum(axis=1))


def _variances(block: Block, part: _Parts, lost_df: Ints | int) -> _Variances:
    n, varying = block.n, part.varying
    variance = np.where(part.joint, n * block.std_error**2, 0.0)
    df = np.maximum(n - lost_df, 0).astype(np.float64)
    d0 = bootstrap_maxima.prior_df(variance[varying], df[varying])
    if d0 == 0:
        ones = np.ones(int(varying.sum()))
        return _Variances(block.std_error, ones, ones, 0.0)
    pool = np.exp(bootstrap_maxima.log_pool(variance))
    # a pair that differs on few units is judged by the others: its own variance may be too small
    most = np.where(part.quiet | ~varying, np.inf, bootstrap_maxima.CAP)
    with np.errstate(invalid="ignore"):
        prior = np.where(np.isinf(most), pool, np.minimum(pool, most * variance))
    steady = bootstrap_maxima.moderated(variance, prior, df, np.asarray(d0))
    std_error = np.where(part.joint, np.sqrt(steady / np.maximum(n, 1)), block.std_error)
    return _Variances(std_error, pool / variance[varying], most[varying], d0)


def _maxima(
    each: list[tuple[Block, _Parts]],
    tables: list[_Variances],
    using: Resampling,
    alternative: Alternative,
    groups: QueryGroups | None,
) -> Floats:
    """Largest t of each resample over all blocks, ascending: (resamples,)."""
    moderations, columns, start = [], [], 0
    for (block, part), table in zip(each, tables, strict=True):
        varying = part.varying
        stop = start + int(varying.sum())
        if stop > start:
            here = slice(start, stop)
            moderations.append(bootstrap_maxima.Moderation(here, table.prior, table.most, table.d0))
        unit = block.std_error[varying] * np.sqrt(block.n[varying])
        # The mean is taken out first, so that what is divided is centred.
        columns.append((block.differences[:, varying] - block.value[varying]) / unit)
        start = stop
    if not moderations:
        return np.zeros(using.n_resamples)
    centred = np.concatenate(columns, axis=1)
    sign_of = np.concatenate([block.value[part.varying] for block, part in each])
    units, weigh = _units(centred, sign_of, groups)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        return bootstrap_maxima.largest_deviations(
            units, weigh(seed, size), moderations, alternative
        )

    return np.sort(np.concatenate(using.run(Purpose.QUERIES, task)))


def _units(
    centred: Floats, sign_of: Floats, groups: QueryGroups | None
) -> tuple[bootstrap_maxima.Units, Task[Floats]]:
    """What is resampled, in an order of its own, and how its weights are drawn.

    `sign_of` (pairs,) turns with the sign of each pair.
    """
    kept = ~np.isnan(centred).all(axis=1)
    centred = centred[kept]
    if groups is not None and groups.kind == "strata":
        order = canonical_order(centred, sign_of)
        code = groups.code[kept][order]
        sizes = _in_strata(np.nan_to_num(centred[order]), sign_of, code)
        order = order[np.argsort(sizes[code], kind="stable")]
        _, code = np.unique(sizes[groups.code[kept][order]], return_inverse=True)
        counts_of = np.bincount(code)
        strata = bootstrap_maxima.StratumUnits.of(centred[order], code, len(counts_of))
        return strata, lambda seed, size: stratified_counts(seed, size, counts_of)
    present = ~np.isnan(centred)
    total, number = np.where(present, centred, 0.0), present.astype(np.int64)
    if groups is not None:
        code = np.unique(groups.code[kept], return_inverse=True)[1]
        total, number = _sums(total, code), _sums(number, code).astype(np.int64)
    order = canonical_order(total, sign_of, number)
    total, number, n = total[order], number[order], len(total)
    if (number == number[:, :1]).all():
        number = number[:, :1]
    return bootstrap_maxima.ClusterUnits.of(total, number), lambda seed, size: counts(
        drawn_units(seed, size, n)
    )


def _in_strata(filled: Floats, sign_of: Floats, code: Ints) -> Ints:
    """Place of each stratum among all, by its sums of squares, then by its sums: (strata,)."""
    squares = _sums(filled**2, code)
    order = canonical_order(_sums(filled, code), sign_of, squares)
    order = order[np.argsort(np.round(squares.sum(axis=1)[order], 10), kind="stable")]
    place = np.empty(len(squares), dtype=np.int64)
    place[order] = np.arange(len(squares))
    return place


def _sums(values: Array, code: Ints) -> Floats:
    """Sums of (queries, pairs) values over the queries of each cluster."""
    return grouped_sum(values.T, code, int(code.max()) + 1).T


def _critical(drawn: Floats, alpha: float) -> float:
    """The ⌊alpha (B + 1)⌋-th largest maximum; infinite if that is none."""
    k = int(np.floor(alpha * (len(drawn) + 1) * (1 + 1e-12)))
    return float(drawn[len(drawn) - k] * (1 + ROUNDING)) if k >= 1 else float("inf")


def _count_from(ascending: Floats, least: Floats) -> Ints:
    """Number of maxima that reach each t, ties included."""
    reached = np.searchsorted(ascending, least / (1 + ROUNDING), side="left")
    return np.asarray(len(ascending) - reached)


# Student's t over clusters of queries, and over strata.
#
# Input and missing values: see `stats.effects`.


def cluster_t(
    differences: ArrayLike,
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    scale: ArrayLike | None = None,
) -> PairedOutcome:
    """Student's t test over clusters of queries, two-sided, with its interval.

    Null: the mean difference over the population of queries is 0, where clusters of queries were
    drawn (five captions of an image, variants of a topic). The variance is the delete-one-cluster
    jackknife's, with as many degrees of freedom as clusters less one. For a single cluster p is 1
    and the interval infinite; clusters of one query each give `paired_t`.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    clusters : (queries,)
        Label of each query's cluster, text or numbers.
    level : float
        Confidence level of the interval.
    scale : float or (contrasts,) float, optional
        See `fuzzytruth.stats.effects`.

    Returns
    -------
    PairedOutcome
        `n` counts queries, `estimate` is the mean difference over queries, `statistic` its t.

    Raises
    ------
    DataError
        There is not one label for each query.

    References
    ----------
    Cochran 1977, Sampling Techniques, §6; Cameron & Miller 2015, Journal of Human Resources 50.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.cluster_t([0.2, 0.1, 0.3, 0.1, 0.4], ["x", "x", "y", "y", "z"])
    >>> round(float(outcome.estimate), 2), round(float(outcome.p), 4)
    (0.22, 0.0554)
    """
    return _grouped_t("clusters", differences, clusters, level, scale)


def stratified_t(
    differences: ArrayLike,
    strata: ArrayLike,
    *,
    level: float = 0.95,
    scale: ArrayLike | None = None,
) -> PairedOutcome:
    """Student's t test of the mean over strata of queries, two-sided, with its interval.

    Null: the mean over strata of their mean differences is 0, where each stratum is fixed and its
    queries were drawn. All strata have the same weight; degrees of freedom are Satterthwaite's.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing; strata without any value are left out of that contrast.
    strata : (queries,)
        Label of each query's stratum, text or numbers.
    level : float
        Confidence level of the interval.
    scale : float or (contrasts,) float, optional
        See `fuzzytruth.stats.effects`.

    Returns
    -------
    PairedOutcome
        `n` counts queries, `estimate` is the mean of the strata's means, `statistic` its t.

    Raises
    ------
    DataError
        There is not one label for each query, or a stratum has a single value.

    References
    ----------
    Cochran 1977, Sampling Techniques, §5; Welch 1947, Biometrika 34.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.stratified_t([0.2, 0.1, 0.3, 0.5, 0.4], ["x", "x", "y", "y", "y"])
    >>> round(float(outcome.estimate), 3), round(float(outcome.p), 4)
    (0.275, 0.0063)
    """
    return _grouped_t("strata", differences, strata, level, scale)


def _grouped_t(
    kind: Kind, differences: ArrayLike, labels: ArrayLike, level: float, scale: ArrayLike | None
) -> PairedOutcome:
    level = between_zero_and_one("level", level)
    values, at = contrasts_of(differences)
    groups = groups_of(kind, labels, len(values))
    if kind == "strata":
        singles = groups.singles(values.T)
        if singles.any():
            raise stratum_of_one(groups.names[int(np.argmax(singles.any(axis=0)))])
    mean, std_error, df = groups.estimate(values.T, scale=scale_of(values, scale))
    n = (~np.isnan(values)).sum(axis=0)
    return t_outcome(student_fit(mean, std_error, df, pairs=True), n, at, level)


def groups_of(kind: Kind, labels: ArrayLike, n: int) -> QueryGroups:
    """Groups by their labels.

    Raises
    ------
    DataError
        There is not one label for each query.
    """
    given = np.asarray(labels, dtype=object)
    if given.shape != (n,):
        raise DataError(f"{kind} of shape {given.shape}: must be one label for each of {n} queries")
    try:
        missing = any(label is None or bool(label != label) for label in given)
        names, code = np.unique(np.asarray(labels), return_inverse=True)
    except TypeError:  # labels that have no order, such as text and pandas' NA
        missing = True
    if missing:
        raise DataError(f"{kind}={shown(labels)}: must be text or numbers, none of them missing")
    return QueryGroups(kind, code, len(names), tuple(map(str, names.tolist())))


# Moderated bootstrap max-t of differences given as an array.


@dataclass(frozen=True, slots=True, eq=False)
class ModeratedMaxT:
    """Simultaneous inference about several mean differences; arrays are (contrasts,).

    Parameters
    ----------
    n : int
        Queries with a value.
    estimate, std_error : float
        Mean difference and its standard error, not moderated.
    p : float
        Of Student's t, one contrast at a time.
    p_adjusted : float
        Never below `p`.
    lower, upper : float
        Simultaneous intervals, which exclude 0 exactly where `p_adjusted` is 1 - `level` or less.
    level : float
    d0 : float
        Prior degrees of freedom of the variances; 0: not moderated.
    critical : float
        The largest moderated |t| that is not significant; infinite where resamples are too few.
    """

    n: Ints
    estimate: Floats
    std_error: Floats
    p: Floats
    p_adjusted: Floats
    lower: Floats
    upper: Floats
    level: float
    d0: float
    critical: float


def moderated_max_t(
    differences: ArrayLike,
    resampling: Resampling,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    clusters: ArrayLike | None = None,
    scale: ArrayLike | None = None,
) -> ModeratedMaxT:
    """Simultaneous intervals and adjusted p of several mean differences over queries.

    Null of each adjusted p: the contrast's mean difference over the population of queries is 0
    (or, one-sided, 0 or on the other side), whatever the others are. Queries are resampled, the
    same for all contrasts; the largest |t| of each resample, with variances moderated towards their
    geometric mean, gives the quantile of the intervals and the tail of p. Contrasts of fewer than 5
    queries have a t of their own at their share of the level, and contrasts that are 0 on all
    queries are no part of the family: p is 1 and the interval [0, 0].

    Parameters
    ----------
    differences : (queries, contrasts) float
        NaN is missing.
    resampling : Resampling
    level : float
        Simultaneous confidence level.
    alternative : {"two-sided", "greater", "less"}
    clusters : (queries,), optional
        Label of each query's cluster; clusters are resampled whole.
    scale : float or (contrasts,) float, optional
        See `fuzzytruth.stats.effects`.

    Returns
    -------
    ModeratedMaxT

    Raises
    ------
    DataError
        The differences have no two axes, or there is not one label for each query.
    OptionError
        The level or the alternative is unknown.

    References
    ----------
    Westfall & Young 1993, Resampling-Based Multiple Testing; Smyth 2004, Linear models and
    empirical Bayes methods, SAGMB 3.

    Examples
    --------
    >>> import numpy as np, fuzzytruth as ft
    >>> d = np.random.default_rng(1).normal([0.0, 0.1, 0.2], 0.1, size=(25, 3))
    >>> result = ft.stats.moderated_max_t(d, ft.stats.Resampling())
    >>> (result.p_adjusted <= 0.05).tolist(), (result.lower > 0).tolist()
    ([False, True, True], [False, True, True])
    """
    level, alternative = (
        between_zero_and_one("level", level),
        settings.check_alternative(alternative),
    )
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 2:
        raise DataError(f"differences of shape {values.shape}: must be (queries, contrasts)")
    groups = None if clusters is None else groups_of("clusters", clusters, len(values))
    largest = scale_of(values, scale)
    moments = samples(values, scale=largest)
    if groups is None:
        mean, std_error, df = moments.mean, moments.std_error, np.maximum(moments.n - 1.0, 0.0)
    else:
        mean, std_error, df = groups.estimate(values.T, scale=largest)
    fit = student_fit(mean, std_error, df, pairs=True)
    n_units = moments.n if groups is None else groups.units(values.T)
    block = Block(values, fit.value, fit.std_error, n_units, fit.law)
    (out,) = bootstrap_max_t(
        [block], resampling, level=level, alternative=alternative, groups=groups
    )
    return ModeratedMaxT(
        n=moments.n,
        estimate=fit.value,
        std_error=fit.std_error,
        p=fit.p_value(alternative),
        p_adjusted=out.p_adjusted,
        lower=out.lower,
        upper=out.upper,
        level=level,
        d0=out.d0,
        critical=out.critical,
    )

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

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.bootstrap_maxima import (
    ClusterUnits,
    Moderation,
    StratumUnits,
    Units,
    largest_deviations,
)
from fuzzytruth.core.canonical import canonical_order
from fuzzytruth.core.cells import grouped_sum
from fuzzytruth.core.moderation import CAP, MIN_VARIANCES, log_pool, moderated, prior_df
from fuzzytruth.core.resamples import counts, drawn_units, stratified_counts
from fuzzytruth.core.rounding import ROUNDING, tie_groups
from fuzzytruth.stats.laws import Law
from fuzzytruth.stats.query_groups import QueryGroups
from fuzzytruth.stats.settings import Purpose, Resampling, Task
from fuzzytruth.stats.sides import Alternative, ends, towards

#: a pair with fewer units has its own Bonferroni t, for many resamples do not tell its spread; so
#: has, where variances are not moderated, one whose differences are all but a few the same
MIN_UNITS = 5


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
    d0 : float
        Prior degrees of freedom of the variances; 0: not moderated.
    critical : float
        The largest |t| that is not significant; infinite where resamples are too few.
    """

    lower: Floats
    upper: Floats
    p_adjusted: Floats
    d0: float
    critical: float


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Which pairs of a block are tested, and how; (pairs,) each."""

    tested: Bools  # with a value, and not identical
    joint: Bools  # by the maximum
    varying: Bools  # of these, with a spread of their own

    @classmethod
    def of(cls, block: Block) -> _Parts:
        spread = block.std_error > 0
        identical = (block.value == 0) & (block.std_error == 0)
        tested = ~np.isnan(block.value) & ~identical
        joint = tested & (block.n >= MIN_UNITS) & ~np.isnan(block.std_error)
        if (joint & spread).sum() < MIN_VARIANCES:
            joint &= _n_apart(block.differences) >= MIN_UNITS
        return cls(tested, joint, joint & spread)


def _n_apart(differences: Floats) -> Ints:
    """Queries whose difference is not the commonest one of the pair: (pairs,)."""
    scale = np.fmax.reduce(np.abs(differences), axis=0, initial=0.0)
    groups = tie_groups(differences.T, scale)  # (pairs, queries), each below the queries
    present = ~np.isnan(differences.T)
    pairs, queries = groups.shape
    pair, query = np.nonzero(present)
    sizes = np.bincount(pair * queries + groups[pair, query], minlength=pairs * queries)
    commonest = sizes.reshape(pairs, queries).max(axis=1, initial=0)
    return np.asarray(present.sum(axis=1) - commonest)


def bootstrap_max_t(
    blocks: list[Block],
    using: Resampling,
    *,
    level: float,
    alternative: Alternative = "two-sided",
    groups: QueryGroups | None = None,
) -> list[Simultaneous]:
    """Simultaneous intervals of all pairs of all blocks, which are one family."""
    parts = [_Parts.of(block) for block in blocks]
    tests = sum(int(part.tested.sum()) for part in parts)
    joint = sum(int(part.joint.sum()) for part in parts)
    each = list(zip(blocks, parts, strict=True))
    if joint <= 1:
        return [_by_bonferroni(block, tests, level, alternative) for block in blocks]
    tables = [_variances(*one, _lost_df(one[0], groups)) for one in each]
    drawn = _maxima(each, tables, using, alternative, groups)
    share = joint / tests
    critical = _critical(drawn, (1 - level) * share)
    out = []
    for (block, part), table in zip(each, tables, strict=True):
        bonferroni = _by_bonferroni(block, tests, level, alternative)
        t = np.divide(
            towards(alternative, block.value),
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
        lower, upper = ends(alternative, block.value, half)
        out.append(
            Simultaneous(
                np.where(part.joint, lower, bonferroni.lower),
                np.where(part.joint, upper, bonferroni.upper),
                np.where(part.joint, p, bonferroni.p_adjusted),
                table.d0,
                critical,
            )
        )
    return out


def _by_bonferroni(
    block: Block, tests: int, level: float, alternative: Alternative
) -> Simultaneous:
    """Student's t at its share of the level: pairs of few queries, or single ones."""
    number = max(tests, 1)
    p = np.minimum(block.law.p_value(block.value, alternative) * number, 1.0)
    lower, upper = block.law.interval(block.value, 1 - (1 - level) / number, alternative)
    return Simultaneous(lower, upper, p, 0.0, float("inf"))


@dataclass(frozen=True, slots=True, eq=False)
class _Variances:
    """Moderated standard errors of a block (pairs,), and how those of resamples are moderated."""

    std_error: Floats
    prior: Floats  # (varying pairs,), over their own variances
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
    d0 = prior_df(variance[varying], df[varying])
    if d0 == 0:
        return _Variances(block.std_error, np.ones(int(varying.sum())), 0.0)
    pool = np.exp(log_pool(variance))
    prior = np.where(varying, np.minimum(pool, CAP * variance), pool)
    steady = moderated(variance, prior, df, np.asarray(d0))
    std_error = np.where(part.joint, np.sqrt(steady / np.maximum(n, 1)), block.std_error)
    return _Variances(std_error, pool / variance[varying], d0)


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
            moderations.append(Moderation(here, table.prior, table.d0))
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
        return largest_deviations(units, weigh(seed, size), moderations, alternative)

    return np.sort(np.concatenate(using.run(Purpose.QUERIES, task)))


def _units(
    centred: Floats, sign_of: Floats, groups: QueryGroups | None
) -> tuple[Units, Task[Floats]]:
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
        strata = StratumUnits.of(centred[order], code, len(counts_of))
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
    return ClusterUnits.of(total, number), lambda seed, size: counts(drawn_units(seed, size, n))


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

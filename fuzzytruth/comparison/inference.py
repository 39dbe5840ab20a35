"""Tables of comparisons: differences, intervals, p-values, effect sizes and agreement."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from string import ascii_lowercase
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.comparison.conditions import Conditions, Shared
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.worlds.setting import Progress, in_parts
from fuzzytruth.stats.collections import CollectionDifferences
from fuzzytruth.stats.effects import agreement, effects, means_of_pairs, means_over_queries
from fuzzytruth.stats.multiplicity import RESAMPLED, Adjusted, Family, interval_level, significant
from fuzzytruth.stats.observations import Contrasts, Observations
from fuzzytruth.stats.rank_tests import posterior
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.sign_flips import sign_flip_p
from fuzzytruth.stats.world_estimates import Estimates, estimate

#: with which the minimum detectable difference would be found
POWER = 0.8
#: columns of a table that fits a terminal
SHORT = ["measure", "system_a", "system_b", "difference", "lower", "upper", "p_adjusted"]


def tables(
    family: Family, conditions: Conditions, progress: Progress | None = None
) -> pd.DataFrame:
    """One row for each measure and pair; the columns are those of `Comparison.to_frame`."""
    if progress is not None:
        family = _reporting(family, conditions, progress)
    pairs, out = family.pairs, []
    rows, alone = inferred(family, conditions), _of_these_alone(family, conditions)
    each = zip(
        family.measures, family.observed, conditions.higher_is_better, rows, alone, strict=True
    )
    for name, observed, better, (estimates, table), of_these in each:
        mean_a, mean_b = means_of_pairs(observed, pairs)
        table.insert(3, "mean_a", mean_a)
        table.insert(4, "mean_b", mean_b)
        if _has_permutation(family):
            p, _ = sign_flip_p(
                observed.by_query(pairs).T, family.using, scale=pairs.largest(observed.scale)
            )
            after_p = list(table.columns).index("p") + 1
            table.insert(after_p, "p_permutation", np.where(np.isnan(estimates.value), np.nan, p))
        columns = effects(observed, pairs, higher_is_better=better)
        columns |= {"n_queries": estimates.n_queries, "n_subjects": estimates.n_subjects}
        columns |= agreement(observed, pairs, estimates.value)
        if of_these is not None:
            columns |= _of_collections(family, observed, conditions.tests) | of_these
        if conditions.rope is not None:
            columns |= posterior(estimates, conditions.rope[name], higher_is_better=better)
        out.append(table.assign(**columns))
    return _joined(out)


def _of_these_alone(family: Family, conditions: Conditions) -> list[dict[str, Any] | None]:
    """For each measure, the ends of intervals over these collections alone, if there are any."""
    if conditions.groups != "collections":
        return [None] * len(family.measures)
    strata = tuple(one.in_strata() for one in family.observed)
    found = inferred(replace(family, observed=strata), conditions)
    return [{f"alone_{end}": rows[end] for end in ("lower", "upper")} for _, rows in found]


def _of_collections(family: Family, observed: Observations, tests: int) -> dict[str, Any]:
    """Columns on other collections, and on how many of these a difference has its direction."""
    found, side = CollectionDifferences.of(observed, family.pairs), family.alternative
    level = interval_level(family.correction, family.level, tests) or family.level
    new, sd = found.on_another().interval(level, side), found.deviations(level)
    return {
        "n_collections": found.between.n,
        "at_least": found.at_least(level, side),
        **dict(zip(("new_lower", "new_upper"), new, strict=True)),
        **dict(zip(("sd_collections", "sd_lower", "sd_upper"), sd, strict=True)),
    }


def each_collection(family: Family, conditions: Conditions) -> pd.DataFrame:
    """See `Comparison.by_collection`."""
    a, b = names_of(family.pairs, conditions.systems)
    out = []
    for measure, observed in zip(family.measures, family.observed, strict=True):
        groups, found = observed.groups, CollectionDifferences.of(observed, family.pairs)
        assert groups is not None
        fit = found.each()
        p = fit.p_value(family.alternative)
        lower, upper = fit.interval(family.level, family.alternative)
        names = np.array(groups.names, dtype=object)
        labels = {
            "measure": measure,
            "system_a": a.repeat(groups.n),
            "system_b": b.repeat(groups.n),
        }
        columns = {"collection": np.tile(names, len(a)), "difference": fit.value}
        columns |= {"lower": lower, "upper": upper, "std_error": fit.std_error, "df": fit.df}
        columns |= {"p": p, "significant": significant(p, family.level)}
        out.append(pd.DataFrame(labels | columns | {"n_queries": found.within.n.ravel()}))
    return _joined(out).astype({"collection": str})


def _has_permutation(family: Family) -> bool:
    """Whether the sign-flip test of each pair is in the table."""
    return family.over == ("query",) and family.observed[0].groups is None


def _reporting(family: Family, conditions: Conditions, progress: Progress) -> Family:
    """The same family, whose resampling reports what is finished of all its parts."""
    n = len(family.measures)
    resampled = family.correction in RESAMPLED
    parts = resampled * (1 if conditions.across_measures else n) + _has_permutation(family) * n
    using = family.using.reporting(in_parts(progress, max(parts, 1)))
    return replace(family, using=using)


def beside(family: Family, conditions: Conditions, others: tuple[Over, ...]) -> pd.DataFrame | None:
    """The same comparisons over queries and over each of the others, adjusted by Bonferroni."""
    if not others:
        return None
    out: list[pd.DataFrame] = []
    of_queries: Over = ("query",)
    for over in (of_queries, *others):
        using = replace(family, over=over, correction="bonferroni")
        for estimates, table in inferred(using, conditions):
            table.insert(3, "over", conditions.axes(over))
            out.append(table.assign(method=estimates.method))
    return _joined(out)


def inferred(family: Family, conditions: Conditions) -> list[tuple[Estimates, pd.DataFrame]]:
    """For each measure, the estimates and a table of differences, intervals and p-values."""
    pairs = family.pairs
    estimates = [estimate(observed, pairs, family.over) for observed in family.observed]
    if conditions.across_measures:
        adjusted = family.adjusted(estimates)
    else:
        families = zip(family.split(), estimates, strict=True)
        adjusted = [single.adjusted([estimated])[0] for single, estimated in families]
    system_a, system_b = names_of(pairs, conditions.systems)
    out = []
    for measure, estimated, ends in zip(family.measures, estimates, adjusted, strict=True):
        columns = {"measure": measure, "system_a": system_a, "system_b": system_b}
        columns |= columns_of(family, conditions, estimated, ends)
        out.append((estimated, pd.DataFrame(columns)))
    return out


def columns_of(
    family: Family, conditions: Conditions, estimated: Estimates, adjusted: Adjusted
) -> dict[str, Any]:
    """Differences, intervals and p-values.

    The smallest difference to be detected is the true one that such intervals would find with
    `POWER`; where a correction has no intervals, those of Bonferroni's (`Conditions.found_by` says
    so).
    """
    lower, upper = adjusted.lower, adjusted.upper
    if family.correction == conditions.correction and conditions.found_by:
        level = interval_level("bonferroni", family.level, conditions.tests)
        half = estimated.law.half(level or family.level, family.alternative)
    else:
        half = upper - estimated.value if family.alternative == "less" else estimated.value - lower
    return {
        "difference": estimated.value,
        "lower": lower,
        "upper": upper,
        "std_error": estimated.std_error,
        "df": estimated.df,
        "p": estimated.p_value(family.alternative),
        "p_adjusted": adjusted.p,
        "significant": significant(adjusted.p, family.level),
        "min_detectable": estimated.law.detectable(half, POWER, adjusted.std_error),
        **adjusted.more,
    }


def names_of(pairs: Contrasts, systems: tuple[str, ...]) -> tuple[Array, Array]:
    """Names of the first and of the second systems of pairs: (pairs,) each."""
    names = np.array(systems, dtype=object)
    assert pairs.second is not None
    return names[pairs.first], names[pairs.second]


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    table = pd.concat(parts, ignore_index=True)
    return table.astype({"system_a": str, "system_b": str, "measure": str})


# Pairs of systems as they are shown: in the order in which their difference is positive.


_SWAPPED = (
    ("system_a", "system_b"),
    ("mean_a", "mean_b"),
    ("wins", "losses"),
    ("posterior_better", "posterior_worse"),
    ("lower", "upper"),
    ("new_lower", "new_upper"),
    ("alone_lower", "alone_upper"),
)
_ENDS = ("lower", "upper", "new_lower", "new_upper", "alone_lower", "alone_upper")
_NEGATED = ("difference", "d_z", *_ENDS)
PAIR = ["measure", "system_a", "system_b"]


def turned(
    table: pd.DataFrame, conditions: Conditions, pooled: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Rows with the systems of each pair in the order in which its difference is positive.

    Rows stay as they are where it matters which system is first: with baselines, and where tests
    are one-sided.

    Parameters
    ----------
    table : DataFrame
        Rows of a comparison.
    conditions : Conditions
    pooled : DataFrame, optional
        Rows whose differences decide, by measure and pair, so that all rows of a pair have one
        order; by default each row's own.
    """
    if conditions.is_directed:
        return table
    decides = table["difference"]
    if pooled is not None:
        known = pooled.set_index(PAIR)["difference"]
        decides = known.reindex(table.set_index(PAIR).index).set_axis(table.index)
    return swapped(table, decides < 0)


def swapped(table: pd.DataFrame, rows: pd.Series[bool]) -> pd.DataFrame:
    """The same with the other system first in these rows."""
    out = table.copy()
    for first, second in _SWAPPED:
        if {first, second} <= {*table.columns}:
            out[first] = table[first].where(~rows, table[second])
            out[second] = table[second].where(~rows, table[first])
    for name in _NEGATED:
        if name in table.columns:
            out[name] = out[name].where(~rows, -out[name])
    return out


# Ranks of systems, and letters of those that they beat.


def rank_sets(table: pd.DataFrame, means: pd.DataFrame, conditions: Conditions) -> pd.DataFrame:
    """See `Comparison.tiers`.

    Raises
    ------
    OptionError
        Not all pairs were compared, or in one direction only, or without a correction that controls
        the family-wise error.
    """
    if conditions.is_directed:
        raise OptionError(
            "tiers: ranks follow from two-sided comparisons of all pairs; compare without "
            "baseline= and alternative="
        )
    if not conditions.is_family_wise:
        raise OptionError(
            f"tiers: correction={conditions.correction!r} does not control the family-wise error, "
            "whichever systems differ, so that rank sets would not hold together; use 'max-t', "
            "'holm' or 'bonferroni'"
        )
    out = []
    for measure in conditions.measures:
        above = better_than(table, conditions, measure)
        n_better, n_worse = above.sum(axis=0), above.sum(axis=1)
        frame = pd.DataFrame(
            {
                "measure": measure,
                "system": list(conditions.systems),
                "mean": means[measure].to_numpy(),
                "tier": tiers(above),
                "among_best": n_better == 0,
                "rank_lower": 1 + n_better,
                "rank_upper": len(above) - n_worse,
            }
        )
        by = frame["mean"] if not conditions.better_up(measure) else -frame["mean"]
        order = np.lexsort((by.to_numpy(), frame["tier"].to_numpy()))
        out.append(frame.iloc[order])
    return pd.concat(out, ignore_index=True)


def better_than(table: pd.DataFrame, conditions: Conditions, measure: str) -> Bools:
    """Whether a system is significantly better than another: (systems, systems)."""
    k = len(conditions.systems)
    place = {system: number for number, system in enumerate(conditions.systems)}
    rows = table[(table["measure"] == measure) & table["significant"]]
    first = rows["system_a"].map(place).to_numpy(dtype=np.intp)
    second = rows["system_b"].map(place).to_numpy(dtype=np.intp)
    a_wins = (rows["difference"].to_numpy() > 0) == conditions.better_up(measure)
    out = np.zeros((k, k), dtype=bool)
    out[np.where(a_wins, first, second), np.where(a_wins, second, first)] = True
    return out


def tiers(above: Bools) -> Ints:
    """1 + the longest chain of systems above each: (systems,).

    Where pairs were compared on different queries there may be cycles; the systems of a cycle
    share a tier.

    Examples
    --------
    >>> tiers(np.array([[0, 1, 1], [0, 0, 0], [0, 1, 0]], dtype=bool)).tolist()
    [1, 3, 2]
    """
    from scipy.sparse.csgraph import connected_components

    count, part = connected_components(above, connection="strong")
    between = np.zeros((count, count), dtype=bool)
    winner, loser = np.nonzero(above)
    between[part[winner], part[loser]] = True
    np.fill_diagonal(between, False)
    tier: Floats = np.ones(count)
    while True:  # as often as the longest chain is long
        lower = np.max(np.where(between, tier[:, None] + 1, 1.0), axis=0, initial=1.0)
        if (lower == tier).all():
            return np.asarray(tier[part].astype(np.int64))
        tier = lower


def rank_range(lower: float, upper: float) -> str:
    """A set of ranks in words.

    Examples
    --------
    >>> rank_range(1, 1), rank_range(2, 4)
    ('1', '2 to 4')
    """
    return f"{lower:.0f}" if lower == upper else f"{lower:.0f} to {upper:.0f}"


def letters(count: int) -> list[str]:
    """Labels a to z, aa, ab, ...

    Examples
    --------
    >>> letters(28)[24:]
    ['y', 'z', 'aa', 'ab']
    """
    out: list[str] = []
    size = 1
    while len(out) < count:
        out += ["".join(word) for word in product(ascii_lowercase, repeat=size)]
        size += 1
    return out[:count]


# Means of systems over the queries that they share.


def shared_means(
    family: Family, systems: tuple[str, ...]
) -> tuple[pd.DataFrame, tuple[Shared, ...]]:
    """Means (systems × measures) over the values that all systems have, and which these are."""
    columns, shared = {}, []
    for measure, observed in zip(family.measures, family.observed, strict=True):
        present = ~np.isnan(observed.values)
        by_all = present.all(axis=0)
        values, left_out = observed.values, 0
        if by_all.any():
            values, left_out = np.where(by_all, values, np.nan), int((present & ~by_all).sum())
        columns[measure] = means_over_queries(observed, values)
        shared.append(Shared(len(np.unique(observed.cells.query[by_all])), left_out))
    frame = pd.DataFrame(columns, index=pd.Index(systems, name="system", dtype=object))
    return frame.rename_axis(columns="measure"), tuple(shared)


def on_shared_values(scores: Scores) -> Scores:
    """The same scores, NaN by each measure where some system has no value.

    A measure without any value that all systems have stays as it is.
    """
    present = ~np.isnan(scores.values)
    by_all = present.all(axis=0)  # (measures, cells)
    kept = by_all | ~by_all.any(axis=-1, keepdims=True)
    if (kept | ~present).all():
        return scores
    lower, upper = (
        None if ends is None else np.where(kept, ends, np.nan)
        for ends in (scores.lower, scores.upper)
    )
    return replace(scores, values=np.where(kept, scores.values, np.nan), lower=lower, upper=upper)

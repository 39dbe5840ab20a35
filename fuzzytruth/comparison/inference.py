"""Tables of comparisons: differences, intervals, p-values, effect sizes and agreement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.evaluation.worlds.setting import Progress, in_parts
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.corrections import interval_level
from fuzzytruth.stats.effects import agreement, effects, means_of_pairs
from fuzzytruth.stats.multiplicity import LABELS, MAX_T, SIGN_FLIPS, Family, significant
from fuzzytruth.stats.rank_tests import posterior
from fuzzytruth.stats.sign_flips import sign_flip_p
from fuzzytruth.stats.world_estimates import Estimates, can_cross, estimate

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
    rows = inferred(family, conditions)
    each = zip(family.measures, family.observed, conditions.higher_is_better, rows, strict=True)
    for name, observed, better, (estimates, table) in each:
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
        if conditions.rope is not None:
            columns |= posterior(estimates, conditions.rope[name], higher_is_better=better)
        out.append(table.assign(**columns))
    return _joined(out)


def _has_permutation(family: Family) -> bool:
    """Whether the sign-flip test of each pair is in the table."""
    return family.over == ("query",) and family.observed[0].groups is None


def _reporting(family: Family, conditions: Conditions, progress: Progress) -> Family:
    """The same family, whose resampling reports what is finished of all its parts."""
    n = len(family.measures)
    resampled = family.correction in (MAX_T, SIGN_FLIPS, LABELS)
    parts = resampled * (1 if conditions.across_measures else n) + _has_permutation(family) * n
    using = family.using.reporting(in_parts(progress, max(parts, 1)))
    return replace(family, using=using)


def beside(family: Family, conditions: Conditions, other: Over | None) -> pd.DataFrame | None:
    """The same comparisons over each axis alone and over both, adjusted by Bonferroni."""
    if other is None:
        return None
    out = []
    choices: list[Over] = [("query",), other]
    if other == ("subject",) or all(can_cross(one, family.pairs) for one in family.observed):
        choices.append(("query", other[0]))
    for over in choices:
        using = replace(family, over=over, correction="bonferroni")
        for estimates, table in inferred(using, conditions):
            table.insert(3, "over", in_words(over))
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
    names = np.array(conditions.systems, dtype=object)
    assert pairs.second is not None
    out = []
    each = zip(family.measures, estimates, adjusted, strict=True)
    for measure, estimated, (lower, upper, p_adjusted) in each:
        columns: dict[str, Any] = {
            "measure": measure,
            "system_a": names[pairs.first],
            "system_b": names[pairs.second],
            "difference": estimated.value,
            "lower": lower,
            "upper": upper,
            "std_error": estimated.std_error,
            "df": estimated.df,
            "p": estimated.p_value(family.alternative),
            "p_adjusted": p_adjusted,
            "significant": significant(p_adjusted, family.level),
            "min_detectable": detectable(family, conditions, estimated, lower, upper),
        }
        out.append((estimated, pd.DataFrame(columns)))
    return out


def detectable(
    family: Family, conditions: Conditions, estimated: Estimates, lower: Floats, upper: Floats
) -> Floats:
    """True difference that such intervals would find with `POWER`.

    Where a correction has no intervals, those of Bonferroni's (`Conditions.found_by` says so).
    """
    if family.correction == conditions.correction and conditions.found_by:
        level = interval_level("bonferroni", family.level, conditions.tests)
        half = estimated.law.half(level or family.level, family.alternative)
    else:
        half = upper - estimated.value if family.alternative == "less" else estimated.value - lower
    return estimated.law.detectable(half, POWER)


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
)
_NEGATED = ("difference", "lower", "upper", "d_z")
_PAIR = ["measure", "system_a", "system_b"]


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
        known = pooled.set_index(_PAIR)["difference"]
        decides = known.reindex(table.set_index(_PAIR).index).set_axis(table.index)
    rows = decides < 0
    out = table.copy()
    for first, second in _SWAPPED:
        if {first, second} <= {*table.columns}:
            out[first] = table[first].where(~rows, table[second])
            out[second] = table[second].where(~rows, table[first])
    for name in _NEGATED:
        if name in table.columns:
            out[name] = out[name].where(~rows, -out[name])
    return out

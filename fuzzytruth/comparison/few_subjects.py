"""What a comparison says of the numbers of subjects, and of runs of systems, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison import verdicts
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import PAIR, turned
from fuzzytruth.comparison.verdicts import difference_columns, named_p, two_digits
from fuzzytruth.errors import counted
from fuzzytruth.show.answer import FrameColumns, Table, printed_table
from fuzzytruth.show.number_text import level_text
from fuzzytruth.stats.moderated_subjects import expected_half
from fuzzytruth.stats.multiplicity import interval_level
from fuzzytruth.stats.world_estimates import estimate

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison


_SHARE = "variance_from_subjects"
_FEWEST = 2  # subjects of whom nothing can be borrowed
_WIDE = 4.0  # times the interval over queries alone
_OF_RANGE = 0.25  # half-width, as a share of the range, that tells something
_PLANNED = (3, 5, 10, 20)


def too_few(comparison: Comparison, measure: str) -> bool:
    """Whether the subjects are too few for any of a measure's differences.

    They are if there are two of them, or where half of the intervals reach beyond the measure's
    range, if that is not known four times as far as those over queries alone; and no difference is
    significant.
    """
    conditions, rows = comparison.conditions, comparison.rows_of(measure)
    crossed = conditions.over == ("query", "subject") and _SHARE in rows
    if not crossed or rows["significant"].any() or not conditions.is_adjusted:
        return False
    half = _typical_half(rows)
    if not np.isfinite(half) or conditions.alternative != "two-sided":
        return False
    most = conditions.span_of(measure)
    if np.isinf(most):
        most = _WIDE * _typical_half(over_queries(comparison, measure))
    return half > most or int(rows["n_subjects"].max()) <= _FEWEST


def cannot_tell(comparison: Comparison, measure: str) -> str:
    """That the subjects are too few, and what would be enough; "" if they are not."""
    if not too_few(comparison, measure):
        return ""
    conditions, rows = comparison.conditions, comparison.rows_of(measure)
    alone, span = over_queries(comparison, measure), conditions.span_of(measure)
    n_subjects = int(rows["n_subjects"].max())
    scale = f" on a scale of {two_digits(span)}" if np.isfinite(span) else ""
    n, typical = int(alone["significant"].sum()), "typical "
    differ = f"{n:,} of {len(alone):,} pairs differ"
    if len(alone) == 1:
        differ, typical = ("they differ" if n else "no difference is shown"), ""
    return (
        f"{measure}: {counted(n_subjects, 'subject')} cannot tell: over {conditions.random} the "
        f"{typical}interval is ±{two_digits(_typical_half(rows))}{scale}, {_percent(rows)} of its "
        f"variance from subjects. Over {conditions.axes(('query',))} alone {differ}, which says "
        f"nothing of other subjects.{_forecast(comparison, measure, n_subjects)}"
    )


def over_queries(comparison: Comparison, measure: str) -> pd.DataFrame:
    """The same pairs over queries alone."""
    beside = comparison.beside
    assert beside is not None, "subjects are crossed"
    alone = comparison.conditions.axes(("query",))
    return beside[(beside["measure"] == measure) & (beside["over"] == alone)]


def queries_table(result: Comparison, measure: str, title: str, limit: int | None) -> Table:
    """Differences over queries alone, where subjects are too few for more."""
    conditions = result.conditions
    rows = turned(over_queries(result, measure), conditions)
    rows = rows.sort_values("difference", key=abs, ascending=False, kind="stable")
    columns: FrameColumns = {
        "system_a": "system",
        "system_b": "minus",
        **difference_columns(rows, conditions),
    }
    start = f"{title}: o" if title else "O"
    alone = (
        f"{start}ver {conditions.axes(('query',))} alone, for these subjects and no others; "
        f"{level_text(conditions.level)} intervals and p by Bonferroni"
    )
    return printed_table(rows, columns, title=alone, limit=limit)


def share_line(
    rows: pd.DataFrame, units: str = "queries", of: str = "subjects", few: str = ""
) -> str:
    """How much of the variance comes from subjects, or runs, and what more data would help.

    `few` runs hardly tell how much they vary: then more runs help more than more `units` ("":
    nothing is said), whatever the share.
    """
    share = f"variance_from_{of}"
    if share not in rows or not rows[share].notna().any():
        return ""
    more, less = (of, units) if few or rows[share].median() >= 0.5 else (units, of)
    what = "a typical" if len(rows) > 1 else "this"
    hardly = f", as far as {few} of a system can tell" if few else ""
    advice = f": more {more} help more than more {less}" if units else ""
    source = f"comes from {of}{hardly}{advice}"
    return f"{_percent(rows, share)} of the variance of {what} difference {source}."


def assumed(table: pd.DataFrame, n_subjects: int) -> str:
    """How far pairs steady each other, as an assumption; "" where they do not."""
    own = n_subjects - 1
    if "prior_df" not in table:
        return ""
    priors, said = prior_words(table, "prior_df")
    if not (priors > 0).any():
        return ""
    if (priors < 1).all():
        return (
            "Subjects differ much more about some pairs of systems than about others: pairs are "
            f"judged almost alone ({said} prior degrees of freedom beside {own} own)."
        )
    return (
        "Assumed: subjects differ about most pairs of systems to a similar extent, so that pairs "
        f"steady each other ({said} prior degrees of freedom beside {own} own); no pair is "
        "significant that its own subjects alone do not support."
    )


def prior_words(table: pd.DataFrame, column: str) -> tuple[pd.Series[float], str]:
    """Prior degrees of freedom by measure, and in words."""
    priors = table.groupby("measure", sort=False)[column].first()
    of = {name: f" for {name}" if len(priors) > 1 else "" for name in priors.index}
    return priors, ", ".join(f"{two_digits(d0)}{of[name]}" for name, d0 in priors.items())


def _forecast(comparison: Comparison, measure: str, n_subjects: int) -> str:
    """How wide intervals would be with more subjects who differ as these do."""
    family, conditions = comparison.family, comparison.conditions
    observed = family.observed[conditions.measures.index(measure)]
    law = estimate(observed, family.pairs, family.over).law
    level = interval_level("bonferroni", family.level, conditions.tests) or family.level
    span = conditions.span_of(measure)
    of_queries = _typical_half(over_queries(comparison, measure))
    enough = _OF_RANGE * span if np.isfinite(span) else 2 * of_queries
    said = ""
    for n in (n for n in _PLANNED if n > n_subjects):
        n_units = conditions.n_groups or conditions.n_queries
        half = float(np.nanmedian(expected_half(law, family.pairs, n_units, n, level)))
        said = f" With {n} subjects who differ as these do it would be about ±{two_digits(half)}."
        if half < enough:
            break
    return said


def _typical_half(rows: pd.DataFrame) -> float:
    below, above = rows["difference"] - rows["lower"], rows["upper"] - rows["difference"]
    return float(np.median(np.minimum(below, above)))


def _percent(rows: pd.DataFrame, share: str = _SHARE) -> str:
    return f"{100 * float(rows[share].median()):.0f} %"


# What a comparison of systems with several runs says of other runs, in words.

_ENOUGH = 5  # runs of a system, from which its own tell nearly as much as a known variance


def these_runs(beside: pd.DataFrame | None, conditions: Conditions) -> dict[tuple[str, ...], str]:
    """For each pair that differs over queries alone, that these runs do, and what it says."""
    if beside is None or "replicate" not in conditions.over or "query" not in conditions.over:
        return {}
    alone = beside[(beside["over"] == conditions.axes(("query",))) & beside["significant"]]
    others = "other subjects and runs" if "subject" in conditions.over else "other runs"
    each: Any = alone[[*PAIR, "p_adjusted"]].itertuples(index=False, name=None)
    return {
        (*pair,): f"these runs differ (over queries alone {named_p(conditions.p_name, p)}), which "
        f"says nothing of {others}"
        for *pair, p in each
    }


def assumed_of_runs(comparison: Comparison) -> str:
    """What is assumed of the variance over runs, as a sentence; "" if nothing is."""
    conditions, table = comparison.conditions, comparison.table
    known = conditions.replicates
    if known is None or "replicate" not in conditions.over:
        return ""
    if known.variance == "pooled":
        return "Assumed: all systems vary equally over their runs (pooled)."
    if not conditions.is_steadied:
        return ""
    priors, said = prior_words(table, "prior_df_of_runs")
    if not (priors > 0).any():
        return ""
    return (
        "Assumed: systems vary over their runs to a similar extent, so that they steady each "
        f"other's variance ({said} prior degrees of freedom, at most as many as a system's own)."
    )


def few_runs(conditions: Conditions) -> str:
    """The fewest runs of a system, if they hardly tell how much it varies, such as "3 runs"."""
    known = conditions.replicates
    if known is None or "replicate" not in conditions.over or known.variance == "pooled":
        return ""
    least = known.fewest_of_several
    return counted(least, "run") if least < _ENOUGH else ""


def too_few_runs(comparison: Comparison) -> str:
    """That runs are too few for most of the differences, and what helps; "" if they are not."""
    conditions, table = comparison.conditions, comparison.table
    few, known = few_runs(conditions), conditions.replicates
    if known is None or not few or known.single:
        return ""
    if verdicts.cannot_tell(table, conditions).mean() <= 0.5:
        return ""
    many = conditions.tests > 2 and not conditions.baselines
    fewer = "fewer comparisons (baseline=), " if many else ""
    return (
        f"{few} of a system cannot tell how much it varies: {fewer}five "
        "runs or more, or, if all systems vary alike, replicate_variance='pooled'."
    )

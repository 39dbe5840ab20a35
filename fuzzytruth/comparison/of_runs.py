"""What a comparison of systems with several runs says of other runs, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.few_subjects import prior_words
from fuzzytruth.comparison.inference import PAIR
from fuzzytruth.comparison.verdicts import cannot_tell, named_p
from fuzzytruth.errors import counted

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison

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


def assumed(comparison: Comparison) -> str:
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


def too_few(comparison: Comparison) -> str:
    """That runs are too few for most of the differences, and what helps; "" if they are not."""
    conditions, table = comparison.conditions, comparison.table
    few, known = few_runs(conditions), conditions.replicates
    if known is None or not few or known.single or cannot_tell(table, conditions).mean() <= 0.5:
        return ""
    many = conditions.tests > 2 and not conditions.baselines
    fewer = "fewer comparisons (baseline=), " if many else ""
    return (
        f"{few} of a system cannot tell how much it varies: {fewer}five "
        "runs or more, or, if all systems vary alike, replicate_variance='pooled'."
    )

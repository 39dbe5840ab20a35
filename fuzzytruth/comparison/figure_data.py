"""What figures of a comparison draw."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.inference import names_of
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.scores.score_rows import best_first
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison


def figure_data(result: Comparison, figure: str, measure: str) -> PlotData:
    """Frames of `plots.forest`, `plots.pairwise_matrix` or `plots.tiers`."""
    makers = {"forest": _forest, "pairwise_matrix": _matrix, "tiers": _tiers}
    data = makers[figure](result, measure)
    few = result.conditions.too_few_worlds(result.table)
    return replace(data, title="\n".join(filter(None, (data.title, few))))


def _forest(result: Comparison, measure: str) -> PlotData:
    """Rows of one measure, and the differences by each subject."""
    conditions, rows = result.conditions, result.rows_of(measure)
    bars = f"Bars: {conditions.intervals}, {conditions.procedure}"
    if conditions.of_worlds:
        bars = f"Bars: what holds {conditions.held}; p: {conditions.procedure}"
    labels = conditions.labels | ({"order": "kept"} if conditions.is_directed else {})
    return PlotData(
        rows, f"{conditions.heading(measure, rows)}\n{bars}", _by_subject(result, measure), labels
    )


def _matrix(result: Comparison, measure: str) -> PlotData:
    """Rows of one measure, and the systems' means, best first."""
    conditions, rows = result.conditions, result.rows_of(measure)
    means = result.means[measure].to_numpy(dtype=float)
    order = best_first(means, higher_is_better=conditions.better_up(measure))
    systems = np.array(conditions.systems, dtype=object)
    ordered = pd.DataFrame({"system": systems[order], "mean": means[order]})
    found = conditions.labels["significant"]
    what = found if conditions.is_adjusted else conditions.small_p
    title = f"{conditions.heading(measure, rows)}\nMarked: {what}, {conditions.procedure}"
    marked = {"marked": "significant" if conditions.is_test else found}
    return PlotData(rows, title, ordered, marked)


def _tiers(result: Comparison, measure: str) -> PlotData:
    """Tiers of one measure, and which pairs differ significantly."""
    conditions, pairs, tiers = result.conditions, result.rows_of(measure), result.tiers()
    joined = "systems without a significant difference; two that no bar joins differ significantly"
    if conditions.of_worlds:
        joined = (
            "systems that are not shown to differ in one direction in nearly all worlds; two "
            "that no bar joins are"
        )
    shared = conditions.shared[conditions.measures.index(measure)]
    on = f" on {counted(shared.queries, 'query')} that all have" if shared.left_out else ""
    title = (
        f"{conditions.named(measure)}: means of {len(conditions.systems)} systems{on}, and "
        f"tiers over {conditions.random} ({conditions.units(pairs)})\n"
        f"Bars join {joined} ({conditions.small_p}); {conditions.procedure}"
    )
    return PlotData(tiers[tiers["measure"] == measure], title, pairs)


def _by_subject(result: Comparison, measure: str) -> pd.DataFrame | None:
    """Mean difference of each pair by each subject who has one; None without crossed ones."""
    family, subjects = result.family, result.conditions.subjects
    if subjects is None or result.conditions.nested:
        return None
    means = family.observed[family.measures.index(measure)].by_subject(family.pairs)
    system_a, system_b = names_of(family.pairs, result.conditions.systems)
    return pd.DataFrame(
        {
            "subject": np.tile(np.array(subjects, dtype=object), len(means)),
            "system_a": np.repeat(system_a, len(subjects)),
            "system_b": np.repeat(system_b, len(subjects)),
            "difference": means.ravel(),  # (pairs, subjects)
        }
    )

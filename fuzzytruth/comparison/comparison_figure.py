"""What figures of a comparison are drawn from: frames, titles and words of legends."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.assumptions import procedure, units_of
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.rank_sets import rank_sets
from fuzzytruth.comparison.tables import intervals_text, p_name, too_few_worlds, worlds_held
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.scores.score_rows import best_first
from fuzzytruth.evaluation.undefined import with_direction
from fuzzytruth.plots.frames import PlotData

Kind = Literal["forest", "matrix", "tiers"]
MOST_PAIRS = 40  # of a forest plot, unless it is asked for


def usual_kind(result: Compared) -> Kind:
    """The figure that is legible for so many pairs."""
    n_pairs = len(result.table) // len(result.conditions.measures)
    few = n_pairs <= MOST_PAIRS or len(result.conditions.baselines) == 1
    return "forest" if few else "matrix"


def figure_data(result: Compared, figure: str, measure: str | None = None) -> PlotData:
    """Frames and title of the function of `plots` of this name."""
    makers = {"forest": forest_data, "pairwise_matrix": matrix_data, "tiers": tiers_data}
    return makers[figure](result, measure)


def forest_data(result: Compared, measure: str | None) -> PlotData:
    """Of `plots.forest`: rows of one measure, and the differences by each subject."""
    conditions = result.conditions
    measure = conditions.measure_of(measure)
    rows = result.table[result.table["measure"] == measure]
    bars = f"Bars: {intervals_text(conditions)}, {procedure(conditions)}"
    if conditions.of_worlds:
        bars = f"Bars: what holds {worlds_held(conditions)}; p: {procedure(conditions)}"
    return PlotData(
        rows,
        _title(_heading(conditions, measure, rows), bars, too_few_worlds(result.table, conditions)),
        _by_subject(result, measure),
        _words(conditions) | ({"order": "kept"} if conditions.is_directed else {}),
    )


def matrix_data(result: Compared, measure: str | None) -> PlotData:
    """Of `plots.pairwise_matrix`: rows of one measure, and the systems' means, best first."""
    conditions = result.conditions
    measure = conditions.measure_of(measure)
    rows = result.table[result.table["measure"] == measure]
    means = result.means[measure].to_numpy(dtype=float)
    order = best_first(means, higher_is_better=conditions.better_up(measure))
    systems = np.array(conditions.systems, dtype=object)
    ordered = pd.DataFrame({"system": systems[order], "mean": means[order]})
    words = _words(conditions)
    is_test = conditions.is_adjusted and not conditions.of_worlds
    marked = {"marked": "significant" if is_test else words["significant"]}
    what = words["significant"] if conditions.is_adjusted else _size(conditions)
    title = _title(
        _heading(conditions, measure, rows),
        f"Marked: {what}, {procedure(conditions)}",
        too_few_worlds(result.table, conditions),
    )
    return PlotData(rows, title, ordered, marked)


def tiers_data(result: Compared, measure: str | None) -> PlotData:
    """Of `plots.tiers`: tiers of one measure, and which pairs differ significantly."""
    conditions = result.conditions
    measure = conditions.measure_of(measure)
    tiers = rank_sets(result.table, result.means, conditions)
    joined = "systems without a significant difference; two that no bar joins differ significantly"
    if conditions.of_worlds:
        joined = (
            "systems that are not shown to differ in one direction in nearly all worlds; two that "
            "no bar joins are"
        )
    pairs = result.table[result.table["measure"] == measure]
    title = _title(
        f"{_named(conditions, measure)}: means of {len(conditions.systems)} systems"
        f"{_of_shared(conditions, measure)}, and tiers over {conditions.random} "
        f"({units_of(conditions, pairs)})",
        f"Bars join {joined} ({_size(conditions)}); {procedure(conditions)}",
        too_few_worlds(result.table, conditions),
    )
    return PlotData(tiers[tiers["measure"] == measure], title, pairs)


def _title(*lines: str) -> str:
    """The lines that say something, in which no number is parted from what it counts."""
    return "\n".join(filter(None, lines))


def _named(conditions: Conditions, measure: str) -> str:
    return with_direction(measure, higher_is_better=conditions.better_up(measure))


def _of_shared(conditions: Conditions, measure: str) -> str:
    """The queries that means are over, where not all have the values of all systems."""
    shared = conditions.shared[conditions.measures.index(measure)]
    return f" on {counted(shared.queries, 'query')} that all have" if shared.left_out else ""


def _heading(conditions: Conditions, measure: str, rows: pd.DataFrame) -> str:
    """What is compared, and over what."""
    return (
        f"{_named(conditions, measure)}: differences of {len(conditions.systems)} systems over "
        f"{conditions.random} ({units_of(conditions, rows)})"
    )


def _size(conditions: Conditions) -> str:
    """Of the p-values of what is marked."""
    return f"{p_name(conditions)} ≤ {1 - conditions.level:.2g}"


def _words(conditions: Conditions) -> dict[str, str]:
    """What filled and hollow markers and dots are."""
    size = _size(conditions)
    words = {"significant": f"significant ({size})", "not significant": "not significant"}
    if conditions.of_worlds:
        words = {
            "significant": "one direction in nearly all worlds",
            "not significant": "no direction shown for nearly all worlds",
        }
    elif not conditions.is_adjusted:
        words = {"significant": f"{size}, not adjusted", "not significant": "larger p"}
    return {**words, "subject": "by one subject's judgments alone"}


def _by_subject(result: Compared, measure: str) -> pd.DataFrame | None:
    """Mean difference of each pair by each subject who has one; None without crossed subjects."""
    family, subjects = result.family, result.conditions.subjects
    if subjects is None or result.conditions.nested:
        return None
    pairs = family.pairs
    assert pairs.second is not None
    systems = np.array(result.conditions.systems, dtype=object)
    observed = family.observed[family.measures.index(measure)]
    means = observed.by_subject(pairs)  # (pairs, subjects)
    return pd.DataFrame(
        {
            "subject": np.tile(np.array(subjects, dtype=object), len(pairs)),
            "system_a": np.repeat(systems[pairs.first], len(subjects)),
            "system_b": np.repeat(systems[pairs.second], len(subjects)),
            "difference": means.ravel(),
        }
    )

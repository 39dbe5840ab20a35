"""What figures of a comparison are drawn from: frames, titles and words of legends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth import plots
from fuzzytruth._lazy import pd
from fuzzytruth.comparison.assumptions import procedure, units_of
from fuzzytruth.comparison.by_subject import SubjectComparisons, subject_figure
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import turned
from fuzzytruth.comparison.report_parts import OPEN_FIGURES, report_figure
from fuzzytruth.comparison.stability_answer import stability_figure
from fuzzytruth.comparison.tables import (
    Compared,
    intervals_text,
    p_name,
    rank_sets,
    too_few_worlds,
    worlds_held,
)
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.scores.score_rows import best_first
from fuzzytruth.evaluation.scores.scores_answer import answers_of
from fuzzytruth.evaluation.undefined import with_direction
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.number_text import digits_for, signed_text
from fuzzytruth.show.page import Figure

if TYPE_CHECKING:
    from fuzzytruth.comparison.rank_stability import RankStability
    from fuzzytruth.evaluation.scores.scores import Scores


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


MOST_FIGURES = 4  # of the measures, by each kind of figure
FEWEST_RANKED = 3  # systems whose order says more than their difference
MANY_SYSTEMS = 30  # whose figures take half a second each
MOST_BARS = 1000  # queries of a figure that has one bar each
MOST_INTERVALS = 200  # queries


def drawn(measures: Sequence[str], systems: Sequence[str]) -> range:
    """Places of the measures that have figures: fewer of them where these are large."""
    most = MOST_FIGURES if len(systems) <= MANY_SYSTEMS else OPEN_FIGURES
    return range(min(len(measures), most))


def left_out(measures: Sequence[str], systems: Sequence[str]) -> str:
    """A note on the measures without figures; "" if all have them."""
    more = len(measures) - len(drawn(measures, systems))
    return (
        f"No figures of {counted(more, 'more measure')}: the tables have them." if more > 0 else ""
    )


def difference_figure(result: Compared, number: int, table: str) -> Figure:
    """All differences by one measure: a forest plot, or a matrix of many pairs."""
    measure = result.conditions.measures[number]
    rows = result.table[result.table["measure"] == measure]
    found, largest = _found(rows, result.conditions), _largest(rows, result.conditions)
    if usual_kind(result) == "forest":
        return report_figure(
            partial(plots.forest, measure=measure),
            figure_data(result, "forest", measure),
            name="differences",
            number=number,
            description=f"A row for each pair of systems, with a dot and the interval of its "
            f"difference, the largest on top. Filled: {found} {largest}",
            table=table,
        )
    return report_figure(
        partial(plots.pairwise_matrix, measure=measure),
        figure_data(result, "pairwise_matrix", measure),
        name="differences",
        number=number,
        description=f"A table of systems by systems, the best first, coloured by the difference "
        f"of row minus column. Marked: {found} {largest}",
        table=table,
        on_paper=True,
    )


def _found(rows: Any, conditions: Conditions) -> str:
    """How many differences stand out, and as what; of worlds nothing is tested."""
    count = f"{int(rows['significant'].sum()):,} of {counted(len(rows), 'difference')}"
    if conditions.of_worlds:
        return f"{count}, with one direction in nearly all worlds."
    size = f"{p_name(conditions)} at most {1 - conditions.level:.2g}"
    adjusted = "" if conditions.is_adjusted else "; not adjusted"
    return f"{count}, with {size}{adjusted}."


def _largest(rows: Any, conditions: Conditions) -> str:
    """The largest difference in words, as `plots.forest` draws it; "" if none is known."""
    sizes = rows["difference"].abs()
    if not sizes.notna().any():
        return ""
    row = turned(rows, conditions).loc[sizes.idxmax()]
    digits = digits_for([row["difference"]], 3)
    return (
        f"The largest: {row['system_a']} minus {row['system_b']}, "
        f"{signed_text(row['difference'], digits)}."
    )


def tier_figure(result: Compared, number: int) -> Figure:
    """Systems ordered by their means, and which of them do not differ significantly."""
    measure = result.conditions.measures[number]
    data = figure_data(result, "tiers", measure)
    first = data.frame.loc[data.frame["tier"] == 1, "system"]
    return report_figure(
        partial(plots.tiers, measure=measure),
        data,
        name="tiers",
        number=number,
        description="A dot for each system's mean, the best on top, and bars that join systems "
        f"{_joined(result.conditions)}. In tier 1: {first_few(first, 10)}.",
    )


def _joined(conditions: Conditions) -> str:
    if conditions.of_worlds:
        return "not shown to differ in one direction in nearly all worlds"
    return "without a significant difference"


def rank_figure(stability: RankStability, measure: str, number: int, table: str) -> Figure:
    """How often each system has each rank."""
    data = stability_figure(stability, measure)
    assert data.beside is not None
    top = data.beside.iloc[int(data.beside["share_first"].argmax())]
    return report_figure(
        partial(plots.rank_probabilities, measure=measure),
        data,
        name="ranks",
        number=number,
        description=f"A table of systems by ranks, coloured by how often a system has a rank. "
        f"Most often first: {top['system']}, {top['share_first']:.0%}.",
        table=table,
        on_paper=True,
    )


def subjects_figure(each: SubjectComparisons, number: int, table: str) -> Figure | None:
    """Each subject's differences beside those of all together; None if no difference is known."""
    measure = each.conditions.measures[number]
    data = subject_figure(each.table, each.pooled, each.conditions, measure)
    if not data.frame["difference"].notna().any():
        return None
    counts = data.frame.groupby("subject", sort=False)["significant"].sum()
    found = first_few((f"{subject} {count:,}" for subject, count in counts.items()), 10)
    return report_figure(
        partial(plots.subject_strip, measure=measure),
        data,
        name="by-subject",
        number=number,
        description=f"For each pair of systems, the difference by each subject's judgments alone. "
        f"Significant differences by subject: {found}.",
        table=table,
    )


def best_two_figure(scores: Scores, number: int, table: str) -> Figure | None:
    """The best two systems by one measure, query by query; None if there are no two of them."""
    means = scores.cells.mean_by_query(scores.values)[:, number]  # (systems, queries)
    shared = ~np.isnan(means).any(axis=0)
    if len(means) < 2 or not 1 < shared.sum() <= MOST_BARS:
        return None
    up = scores.higher_is_better[number]
    order = best_first(means[:, shared].mean(axis=1), higher_is_better=up)
    first, second = (scores.systems[j] for j in order[:2].tolist())
    is_quick = scores.subjects is not None and "distribution" in answers_of(scores)
    level = 0.95 if is_quick and len(scores.queries) <= MOST_INTERVALS else None
    found = scores.query_differences(first, second, scores.measures[number], level=level)
    return report_figure(
        plots.waterfall,
        found._plot_data("waterfall"),
        name="best-two",
        number=number,
        description=f"A bar for each query, the largest difference first: {first} minus {second}. "
        f"{first} is better on {found.wins:,}, worse on {found.losses:,} of "
        f"{counted(len(found.table), 'query')}.",
        table=table,
    )

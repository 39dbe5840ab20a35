"""Frames of the figures of a comparison, and of its collections, each and another one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import PAIR, each_collection, names_of
from fuzzytruth.comparison.verdicts import difference_columns
from fuzzytruth.errors import OptionError, counted, require
from fuzzytruth.evaluation.scores.score_rows import best_first
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import FrameColumns, Table, printed_table
from fuzzytruth.show.number_text import level_text

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison


def check_collections(conditions: Conditions, what: str) -> None:
    """Raise `OptionError` unless collections are random."""
    if conditions.groups != "collections":
        raise OptionError(
            f"{what}: is of comparisons over collections; compare over='collection', or another "
            "attribute of queries, as concat of {name: scores} makes one"
        )


def prediction(result: Comparison) -> pd.DataFrame:
    """See `Comparison.predict`."""
    check_collections(result.conditions, "predict")
    columns = result.table.filter(regex="^(new|sd)_").columns
    return result.table[[*PAIR, "difference", *columns, "at_least", "n_collections"]].copy()


def collection_forest(
    result: Comparison, measure: str | None, pair: tuple[str, str] | None
) -> PlotData:
    """Rows of one pair: each collection, these alone, their population, and a new one."""
    conditions = result.conditions
    check_collections(conditions, "kind='collections'")
    rows = result.rows_of(conditions.measure_of(measure))
    if pair is not None:
        asked = [{a, b} == {*pair} for a, b in zip(rows["system_a"], rows["system_b"], strict=True)]
        require("pair", pair, any(asked), "must be two systems that were compared")
        rows = rows[asked]
    row, each = rows.iloc[0], each_collection(result.family, conditions)
    each = each[(each[PAIR] == row[PAIR]).all(axis=1)].dropna(subset="difference")
    name, many, n = conditions.collection, conditions.random, row["n_collections"]
    others = {f"these {n} alone": "alone_", many: "", f"new {name}": "new_"}
    ends = [[of, *row[["difference", f"{x}lower", f"{x}upper"]]] for of, x in others.items()]
    summary = pd.DataFrame(ends, columns=["collection", "difference", "lower", "upper"])
    frame = pd.concat([each[summary.columns], summary], ignore_index=True)
    frame["significant"] = (frame["lower"] > 0) | (frame["upper"] < 0)
    title = (
        f"{conditions.named(row['measure'])}: {row['system_a']} minus {row['system_b']} by {name} "
        f"({conditions.units(rows)})\nBars: {level_text(conditions.level)} intervals, of each "
        f"{name} over its queries, of the mean over these {n} alone and over more {many}, and of a "
        f"new {name}"
    )
    outside = {"significant": "0 outside of the interval", "not significant": "0 within"}
    frame = frame.assign(measure=row["measure"], system_a=frame["collection"], system_b="")
    return PlotData(frame, title, labels={"order": "kept", **outside})


def collections_table(result: Comparison) -> Table:
    """The difference on each collection, of a single pair."""
    name, unadjusted = result.conditions.collection, replace(result.conditions, correction="none")
    rows = result.by_collection().rename(columns={"p": "p_adjusted"})
    columns: FrameColumns = {
        "collection": name,
        **difference_columns(rows, unadjusted),
        "n_queries": ("queries", "{:,}".format),
    }
    return printed_table(rows, columns, title=f"By {name}, each alone")


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

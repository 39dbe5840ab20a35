"""Differences on each collection, on another one, and on these alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import PAIR, each_collection
from fuzzytruth.comparison.verdicts import difference_columns
from fuzzytruth.errors import OptionError, require
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

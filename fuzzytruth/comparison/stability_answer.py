"""What is printed of the stability of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.core.validation import place_of
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.undefined import measures_in_words, with_direction
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.show.number_text import (
    interval_text,
    level_text,
    number_text,
    numbers_format,
    with_interval,
    written,
)
from fuzzytruth.stats.settings import in_words

if TYPE_CHECKING:
    from fuzzytruth.comparison.rank_stability import RankStability


MOST_ROWS = 20  # of all tables together
MOST_MEASURES = 3


def stability_answer(result: RankStability) -> Printed:
    """What `print` shows: ranks with confidence sets, the best first."""
    measures = [*result.agreement["measure"]]
    n_systems = result.systems["system"].nunique()
    shown = measures[:MOST_MEASURES]
    tables = [rank_table(result, measure, MOST_ROWS // len(shown)) for measure in shown]
    draws = counted(result.n_draws, "world" if result.over == ("world",) else "resample")
    return Printed.of(
        f"Ranks of {counted(n_systems, 'system')} by "
        f"{measures_in_words(measures, MOST_MEASURES)}, over {in_words(result.over)} ({draws})",
        *tables,
        stability_legend(result),
        Sentences.of("More: .to_frame(), .shares, .pairs, .agreement"),
    )


def rank_table(result: RankStability, measure: str, limit: int | None = None) -> Table:
    """Systems by their rank on one measure: all, or the first."""
    rows = result.systems[result.systems["measure"] == measure]
    rows = rows.sort_values("rank", kind="stable")
    style = numbers_format(rows["mean"])
    sets = zip(rows["rank_lower"], rows["rank_upper"], strict=True)
    columns = (
        Column.label("system", rows["system"]),
        Column("mean", tuple(written(mean, style) for mean in rows["mean"])),
        Column("rank", tuple(f"{rank:.3g}" for rank in rows["rank"])),
        Column(f"{level_text(result.level)} set", tuple(interval_text(*ends, 0) for ends in sets)),
        Column("share first", tuple(number_text(share, 3) for share in rows["share_first"])),
    )
    kept, left_out = first_rows(columns, len(rows) if limit is None else limit)
    of = f", the first {limit} of {len(rows):,} systems" if left_out else ""
    return Table(kept, f"{measure}{of}; {_agreement(result, measure)}")


def _agreement(result: RankStability, measure: str) -> str:
    """How similar the order is in other draws."""
    rows = result.agreement[result.agreement["measure"] == measure]
    mean, lower, upper = (float(rows[f"tau_b{end}"].iloc[0]) for end in ("", "_lower", "_upper"))
    if mean != mean:
        return "all systems tie, so that Kendall's tau_b is not defined"
    return f"Kendall's tau_b {with_interval(mean, lower, upper, 2)}"


def stability_legend(result: RankStability) -> Sentences:
    """What sets, shares and correlations are."""
    level, over = level_text(result.level), in_words(result.over)
    draw = "world" if result.over == ("world",) else "resample"
    sets = (
        f"Set: confidence set of the true rank over {over}; together the sets hold all true ranks "
        f"with {level} confidence."
    )
    if result.of_worlds:
        sets = f"Set: the ranks that hold {level} of the worlds; worlds are no sample of people."
    return Sentences.of(
        sets,
        f"{result.too_few}." if result.too_few else "",
        f"Share first: share of {draw}s in which the system is first; it is not the probability "
        "that the system is best.",
        f"Kendall's tau_b: between the order in a {draw} and that of all data; the mean, and in "
        f"brackets the central {level} of the {draw}s.",
    )


# What the figure of the stability of ranks is drawn from.


def stability_figure(result: RankStability, measure: str | None) -> PlotData:
    """Shares of ranks by one measure, the first by default, and the sets of ranks."""
    measures = tuple(result.agreement["measure"])
    if measure is None:
        measure = measures[0]
    place = place_of(measures, measure, "measure")
    measure = measures[place]
    of_measure = result.systems["measure"] == measure
    draw = "world" if result.over == ("world",) else "resample"
    over = "" if draw == "world" else f" over {in_words(result.over)}"
    level = level_text(result.level)
    sets = f"simultaneous {level} confidence sets of the true ranks"
    if result.of_worlds:
        sets = f"sets that together hold all ranks in {level} of the worlds"
    name = with_direction(measure, higher_is_better=result.higher_is_better[place])
    title = (
        f"{name}: ranks of {int(of_measure.sum())} systems in "
        f"{counted(result.n_draws, draw)}{over} ({result.units[place]})\nOutlined: {sets}"
    )
    return PlotData(
        result.shares[result.shares["measure"] == measure],
        "\n".join(filter(None, (title, result.too_few))),
        result.systems[of_measure],
        {"share": f"share of {draw}s"},
    )

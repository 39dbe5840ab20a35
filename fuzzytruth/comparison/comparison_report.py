"""The report of a comparison: what its scores know."""

from __future__ import annotations

from dataclasses import replace

from fuzzytruth.comparison.answer import MOST_SENTENCES, means_table, title_of, verdict_lines
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import p_name
from fuzzytruth.comparison.methods import comparison_methods, references, software_line
from fuzzytruth.comparison.rank_sets import has_rank_sets, rank_range, rank_sets
from fuzzytruth.comparison.report_figures import FEWEST_RANKED, drawn, tier_figure
from fuzzytruth.comparison.report_parts import LETTER, report_table
from fuzzytruth.comparison.report_sections import (
    figures_section,
    notes,
    pairs_section,
    queries_section,
    subjects_section,
)
from fuzzytruth.comparison.rerun import rerun_section
from fuzzytruth.comparison.tables import beaten
from fuzzytruth.core.validation import optional_text
from fuzzytruth.core.versions import own_version
from fuzzytruth.io.number_text import level_text
from fuzzytruth.report import Column, Figure, Page, Section, Table, Text
from fuzzytruth.stats.axes import Over

_GENERALISES: dict[Over, str] = {
    ("query",): "other queries of the same kind{}",
    ("subject",): "the same queries judged by other subjects of the same kind",
    ("query", "subject"): "other queries judged by other subjects",
}


def comparison_page(result: Compared, title: str | None) -> Page:
    """See `Comparison.report`."""
    lines = verdict_lines(result, MOST_SENTENCES).lines
    compared = result.scores.select(measures=list(result.conditions.measures))
    sections = (
        Section.of(
            "verdicts", "Verdicts", Text(lines, "list"), notes(*meaning_of(result.conditions))
        ),
        figures_section(result),
        _systems(result),
        pairs_section(result),
        queries_section(compared),
        subjects_section(result, compared),
        methods_section(comparison_methods(result.conditions), references(result.conditions)),
        rerun_section(compared, result),
    )
    heading = optional_text("title", title) or title_of(result)
    return Page(heading, "" if title is None else title_of(result), sections, footer())


def meaning_of(conditions: Conditions, both: Conditions | None = None) -> list[str]:
    """What verdicts mean, for readers who do not know the words; nothing about worlds alone."""
    out = []
    if conditions.subjects is not None:
        out.append("Subjects are those, people or models, whose judgments are the ground truth.")
    if conditions.of_worlds or not conditions.is_adjusted:
        return out
    size = f"{1 - conditions.level:.2g}"
    same = "" if conditions.subjects is None else ", judged by the same subjects"
    if conditions.nested:
        same = ", judged by other subjects of the same kind"
    others = _GENERALISES.get(conditions.over, "").format(same)
    if conditions.groups is None and others:
        out.append(
            f"Significant over {conditions.random}: the direction of the mean difference is "
            f"expected to be the same for {others} ({p_name(conditions)} ≤ {size}); for a single "
            "one it may differ."
        )
    if both is not None and both.over in _GENERALISES:
        out.append(f"Significant over {both.random}: the same for {_GENERALISES[both.over]}.")
    return out


def _systems(result: Compared) -> Section:
    """Means with the letters of the systems beaten, and rank sets where they follow."""
    conditions = result.conditions
    table = report_table(means_table(result), "Means")
    columns = list(table.columns[:2])
    for one in table.columns[2:]:
        means, letters = zip(*(cell.partition(" ")[::2] for cell in one.cells), strict=True)
        columns += [replace(one, cells=means, is_number=True), Column("beats", letters)]
    what = f"beats: {LETTER}s of the {beaten(conditions)}, by the measure before."
    means_with_letters = replace(table, columns=tuple(columns))
    return Section.of(
        "systems",
        "Systems",
        *tier_figures(result),
        means_with_letters,
        notes(what),
        *_ranks(result),
    )


def tier_figures(result: Compared) -> list[Figure]:
    """A figure of tiers for each measure; none of two systems, or where there are no tiers."""
    conditions = result.conditions
    if len(conditions.systems) < FEWEST_RANKED or not has_rank_sets(conditions):
        return []
    return [
        tier_figure(result, number) for number in drawn(conditions.measures, conditions.systems)
    ]


def _ranks(result: Compared) -> list[Table | Text]:
    """Rank sets of each measure; none where the comparison does not give them."""
    conditions = result.conditions
    if not has_rank_sets(conditions):
        return []
    sets = rank_sets(result.table, result.means, conditions)
    parts: list[Table | Text] = []
    for measure, rows in sets.groupby("measure", sort=False):
        ends = zip(rows["rank_lower"], rows["rank_upper"], strict=True)
        columns = (
            Column("system", tuple(rows["system"])),
            Column("tier", tuple(map(str, rows["tier"])), True),
            Column("ranks", tuple(rank_range(*pair) for pair in ends), True),
        )
        parts.append(Table(f"Ranks by {measure}", columns))
    level = level_text(conditions.level)
    sets_are = f"simultaneous {level} confidence sets over {conditions.random}"
    if conditions.of_worlds:
        sets_are = f"those that hold {level} of the worlds"
    what = "Tier: 1 + the longest chain of systems of which each is significantly better than the "
    return [*parts, notes(f"{what}next.", f"Ranks: {sets_are}.")]


def methods_section(sentences: list[str], works: list[str]) -> Section:
    """A paragraph ready for a paper, and its references."""
    paragraph = " ".join([*filter(None, sentences), software_line()])
    title = Text.of("References", kind="heading") if works else None
    return Section.of("methods", "Methods", Text.of(paragraph), title, Text(tuple(works), "list"))


def footer() -> str:
    """What made the page."""
    return f"fuzzytruth {own_version()}"

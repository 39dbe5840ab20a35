"""The report of an analysis: all that is known."""

from __future__ import annotations

from collections.abc import Sequence

from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.analysis.analysis_words import legend, printed, table_of_measure, verdicts
from fuzzytruth.analysis.sources import Sources
from fuzzytruth.annotators.coefficients.pairwise_result import PairwiseAgreement
from fuzzytruth.comparison.assumptions import procedure
from fuzzytruth.comparison.comparison_report import footer, methods_section
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.methods import (
    AGREEMENT,
    RANK_SETS,
    citation,
    comparison_methods,
    references,
)
from fuzzytruth.comparison.report_parts import answer_texts, frame_table, report_table
from fuzzytruth.comparison.report_sections import (
    figures_section,
    notes,
    pairs_section,
    queries_section,
    subjects_section,
)
from fuzzytruth.comparison.rerun import rerun_section
from fuzzytruth.comparison.stability_answer import rank_table, stability_legend
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Answer
from fuzzytruth.io.number_text import level_text
from fuzzytruth.report import Column, Page, Section, Table, Text

MOST_PAIRS = 2000  # of subjects
_HEADINGS = {
    "n_units": "items",
    "n_subjects": "subjects",
    "n_others": "others",
    "subject_a": "subject",
    "subject_b": "and",
}
_OF_DUPLICATES = ["subject", "cluster", "percent", "value"]


def analysis_page(
    result: Analysed, title: str | None, command: str, files: Sequence[tuple[str, str]]
) -> Page:
    """See `Analysis.report`."""
    comparison, scores = result.comparison, result.scores
    sections = [_verdicts(result)]
    if comparison is not None:
        sections.append(figures_section(comparison))
    sections.append(_systems(result))
    if comparison is not None:
        sections.append(pairs_section(comparison))
    sections += [queries_section(scores), _ranks(result)]
    if comparison is not None:
        sections.append(subjects_section(comparison, scores))
    sections += [
        _agreement(result.sources),
        _data(result),
        methods_section(_methods(result), _references(result)),
        rerun_section(scores, comparison, command, files),
    ]
    shown = printed(result)
    heading = shown.title if title is None else title
    return Page(heading, result.data.title, tuple(sections), footer())


def _verdicts(result: Analysed) -> Section:
    found = verdicts(result)
    if found is None:
        return Section.of(
            "verdicts", "Verdicts", Text.of("There is one system: nothing to compare.")
        )
    return Section.of("verdicts", "Verdicts", Text(found.lines, "list"))


def _systems(result: Analysed) -> Section:
    """A table a measure: means, systems beaten, ranks."""
    tables = [
        report_table(table_of_measure(result, measure, None), f"Systems by {measure}")
        for measure in result.scores.measures
    ]
    return Section.of("systems", "Systems", *tables, notes(*legend(result)))


def _ranks(result: Analysed) -> Section:
    """Ranks with confidence sets, and how often systems are first."""
    stability = result.stability
    if stability is None:
        return Section.of("ranks", "Stability of ranks")
    tables = []
    for measure in result.scores.measures:
        table = rank_table(stability, measure)
        tables.append(report_table(table, f"Ranks by {table.title}"))
    legend_of = notes(*stability_legend(stability).lines)
    return Section.of("ranks", "Stability of ranks", *tables, legend_of)


def _agreement(sources: Sources | None) -> Section:
    """How far subjects agree, and who are near-duplicates."""
    parts: list[Text | Table] = []
    if sources is not None and sources.agreement is not None:
        all_of_them = sources.agreement.to_frame().rename(columns=_HEADINGS)
        parts += _with_table(sources.agreement, frame_table(all_of_them, "All subjects together"))
    if sources is not None and sources.pairs is not None:
        parts += _pairs(sources.pairs)
    if sources is not None:
        parts.append(notes(*sources.notes))
    return Section.of("agreement", "Agreement of the subjects", *parts)


def _pairs(pairs: PairwiseAgreement) -> list[Text | Table]:
    """Agreement of each two subjects."""
    tables = [frame_table(pairs.by_subject().rename(columns=_HEADINGS), "Mean with the others")]
    if len(pairs.pairs) <= MOST_PAIRS:
        two = pairs.to_frame().rename(columns=_HEADINGS)
        tables.append(frame_table(two, "Each two subjects"))
    duplicates = pairs.duplicates()
    if len(duplicates):
        tables.append(frame_table(duplicates[_OF_DUPLICATES], "Near-duplicates"))
    return _with_table(pairs, *tables)


def _with_table(result: Answer, *tables: Table) -> list[Text | Table]:
    """What `print` says of a result, with tables before the notes."""
    texts = answer_texts(result)
    before = [text for text in texts if text.kind != "note"]
    return [*before, *tables, *(text for text in texts if text.kind == "note")]


def _data(result: Analysed) -> Section:
    """What may mislead in the data."""
    data, sources = result.data, result.sources
    none = "" if data.notes else "Nothing in the data was found that may mislead."
    parts: list[Text | Table] = [Text(data.notes, "list"), Text.of(none)]
    names, values = zip(*data.facts, strict=True)
    parts.append(Table("Sizes", (Column("of", names), Column("is", values)), sortable=False))
    if sources is not None:
        parts.append(_ties(sources))
    return Section.of("data", "Quality of the data", *parts)


def _ties(sources: Sources) -> Text | Table:
    """Items with equal scores in the lists of each system."""
    if not any(share for _, share in sources.tied):
        return Text.of("Ties: no two items of a list have the same score.")
    names, shares = zip(*sources.tied, strict=True)
    columns = (
        Column("system", names),
        Column("tied items", tuple(f"{100 * share:.1f} %" for share in shares), True),
    )
    what = "Share of retrieved items that have the score of another one in their list."
    return Table("Ties", columns, what)


def _methods(result: Analysed) -> list[str]:
    """Sentences on all that was computed."""
    comparison, both = result.comparison, result.both
    means = f"Means have {result.rows.brackets}." if result.rows.brackets else ""
    if comparison is None:
        return [means]
    out = [*comparison_methods(comparison.conditions), means]
    if both is not None:
        out.append(_over_both(both.conditions))
    if result.by_subject is not None:
        out.append(
            "It was also repeated with each subject's judgments alone as the ground truth, "
            "without adjusting for the number of subjects."
        )
    if result.stability is not None:
        level = level_text(result.stability.level)
        out.append(
            f"Ranks have simultaneous {level} confidence sets (Mogstad et al., 2024); how often a "
            f"system is first is the share of {counted(result.stability.n_draws, 'resample')}."
        )
    if result.sources is not None and result.sources.pairs is not None:
        out.append(
            "Agreement of the subjects is given as Krippendorff's alpha (Krippendorff, 1970), and "
            "for each two of them as Cohen's kappa (Cohen, 1960)."
        )
    return out


def _over_both(conditions: Conditions) -> str:
    cited = citation(conditions)
    return (
        f"The comparison was repeated over {conditions.random}, "
        f"both being random, by {procedure(conditions)}{f' ({cited})' if cited else ''}."
    )


def _references(result: Analysed) -> list[str]:
    of = (None if one is None else one.conditions for one in (result.comparison, result.both))
    works = set(references(*of))
    if result.stability is not None:
        works.add(RANK_SETS)
    if result.sources is not None and result.sources.pairs is not None:
        works |= set(AGREEMENT)
    return sorted(works)

"""The report of an analysis: all that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.analysis.analysis_words import (
    legend,
    printed,
    table_of_measure,
    verdict_columns,
    verdicts,
    winner,
)
from fuzzytruth.analysis.sources import Sources
from fuzzytruth.annotators.coefficients.pairwise_agreement import PairwiseAgreement
from fuzzytruth.comparison.assumptions import procedure
from fuzzytruth.comparison.comparison_figure import FEWEST_RANKED, drawn, rank_figure
from fuzzytruth.comparison.comparison_report import (
    AGREEMENT,
    AGREEMENT_OF_GRADES,
    RANK_SETS,
    citation,
    comparison_methods,
    figures_section,
    footer,
    meaning_of,
    methods_section,
    notes,
    pairs_section,
    queries_section,
    references,
    rerun_section,
    subjects_section,
    tier_figures,
)
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.report_parts import (
    answer_texts,
    frame_table,
    report_figure,
    report_table,
)
from fuzzytruth.comparison.stability_answer import rank_table, stability_legend
from fuzzytruth.core.validation import optional_text
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.scores.scores_answer import means_of_rows
from fuzzytruth.plots import agreement_matrix, means
from fuzzytruth.show.answer import Column, Result, Sentences, Table
from fuzzytruth.show.number_text import level_text
from fuzzytruth.show.page import Figure, Page, Section

MOST_PAIRS = 2000  # of subjects
MOST_SUBJECTS = 200  # of a figure of their agreement
_EACH_TWO = "Each two subjects"
_HEADINGS = {
    "n_units": "items",
    "n_subjects": "subjects",
    "n_others": "others",
    "subject_a": "subject",
    "subject_b": "and",
    "percent": "share equal",
}
_SIZES = "What was evaluated"
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
        sections.append(subjects_section(comparison, scores, result.by_subject))
    sections += [
        _agreement(result.sources),
        _data(result),
        methods_section(_methods(result), _references(result)),
        rerun_section(scores, comparison, command, files),
    ]
    shown = printed(result)
    heading = optional_text("title", title) or shown.title
    return Page(heading, result.data.title, tuple(sections), footer())


def _verdicts(result: Analysed) -> Section:
    found = verdicts(result)
    if found is None:
        return Section.of(
            "verdicts", "Verdicts", Sentences.of("There is one system: nothing to compare.")
        )
    assert result.comparison is not None
    both = None if result.both is None else result.both.conditions
    meaning = notes(*meaning_of(result.comparison.conditions, both))
    lead = Sentences.of(winner(result), kind="lead")
    return Section.of("verdicts", "Verdicts", lead, Sentences(found.lines, "list"), meaning)


def _systems(result: Analysed) -> Section:
    """For each measure the means as a figure, a table, and the tiers."""
    scores, comparison = result.scores, result.comparison
    tiers = [] if comparison is None else tier_figures(comparison)
    with_figures = drawn(scores.measures, scores.systems)
    parts: list[Figure | Table | Sentences | None] = []
    for number, measure in enumerate(scores.measures):
        if len(scores.measures) > 1:
            parts.append(Sentences.of(measure, kind="heading"))
        caption = f"Systems by {measure}"
        if number in with_figures:
            parts.append(_means(result, number, caption))
        table = report_table(table_of_measure(result, measure, None), caption)
        headings = [column.heading for column in table.columns]
        parts += [table, notes(*verdict_columns(result, headings))]
        parts += tiers[number : number + 1]
    return Section.of("systems", "Systems", *parts, notes(*legend(result)))


def _means(result: Analysed, number: int, table: str) -> Figure | None:
    """Means with their intervals, and by each subject; None for one system."""
    scores, measure = result.scores, result.scores.measures[number]
    if len(scores.systems) < 2:
        return None
    by = scores.subjects is not None and scores.design == "crossed"
    data = means_of_rows(scores, result.rows, measure, by=by)
    if not data.frame["mean"].notna().any():
        return None
    return report_figure(
        partial(means, measure=measure),
        data,
        name="means",
        number=number,
        description="A row for each system, the best on top, with its mean"
        f"{', its interval' if result.rows.brackets else ''}"
        f"{', and the mean by each subject' if by else ''}.",
        table=table,
    )


def _ranks(result: Analysed) -> Section:
    """Ranks with confidence sets, and how often systems are first."""
    stability = result.stability
    if stability is None:
        return Section.of("ranks", "Stability of ranks")
    measures, systems = result.scores.measures, result.scores.systems
    with_figures = drawn(measures, systems) if len(systems) >= FEWEST_RANKED else ()
    parts: list[Figure | Table | None] = []
    for number, measure in enumerate(measures):
        table = rank_table(stability, measure)
        title, _, orders = table.title.rpartition("; ")
        shown = report_table(replace(table, extras=f"{orders}."), f"Ranks by {title}")
        if number in with_figures:
            parts.append(rank_figure(stability, measure, number, shown.title))
        parts.append(shown)
    legend_of = notes(*stability_legend(stability).lines)
    return Section.of("ranks", "Stability of ranks", *parts, legend_of)


def _agreement(sources: Sources | None) -> Section:
    """How far subjects agree, and who are near-duplicates."""
    parts: list[Sentences | Figure | Table] = []
    if sources is not None and sources.agreement is not None:
        all_of_them = sources.agreement.to_frame().rename(columns=_HEADINGS)
        parts += _with_parts(sources.agreement, frame_table(all_of_them, "All subjects together"))
    if sources is not None and sources.pairs is not None:
        parts += _pairs(sources.pairs)
    if sources is not None:
        parts.append(notes(*sources.notes))
    return Section.of("agreement", "Agreement of the subjects", *parts)


def _pairs(pairs: PairwiseAgreement) -> list[Sentences | Figure | Table]:
    """Agreement of each two subjects."""
    parts: list[Figure | Table] = []
    if 2 < len(pairs.subjects) <= MOST_SUBJECTS and pairs.pairs["value"].notna().any():
        parts.append(_agreement_figure(pairs))
    if len(pairs.subjects) > 2:
        means_of_each = pairs.by_subject().rename(columns=_HEADINGS)
        parts.append(frame_table(means_of_each, f"Mean with the others{_by(pairs)}"))
    if len(pairs.pairs) <= MOST_PAIRS:
        two = pairs.to_frame().rename(columns=_HEADINGS)
        parts.append(frame_table(two, f"{_EACH_TWO}{_by(pairs)}"))
    duplicates = pairs.duplicates()
    if len(duplicates):
        parts.append(
            frame_table(duplicates[_OF_DUPLICATES].rename(columns=_HEADINGS), "Near-duplicates")
        )
    return _with_parts(pairs, *parts)


def _by(pairs: PairwiseAgreement) -> str:
    """The coefficient, where it is not the plain one."""
    return "" if pairs.metric == "nominal" else f": weighted kappa, {pairs.metric} weights"


def _agreement_figure(pairs: PairwiseAgreement) -> Figure:
    """The matrix of agreement."""
    lowest = pairs.by_subject().iloc[0]
    return report_figure(
        agreement_matrix,
        pairs._plot_data("agreement_matrix"),
        name="agreement",
        description="A table of subjects by subjects, coloured by the agreement of the two; those "
        "who agree are neighbours, and near-duplicates are framed. Lowest mean agreement with the "
        f"others: {lowest['subject']}, {lowest['value']:.2f}.",
        table=f"{_EACH_TWO}{_by(pairs)}" if len(pairs.pairs) <= MOST_PAIRS else "",
        on_paper=True,
    )


def _with_parts(result: Result, *parts: Figure | Table) -> list[Sentences | Figure | Table]:
    """What `print` says of a result, with these parts before the notes."""
    texts = answer_texts(result)
    before = [text for text in texts if text.kind != "note"]
    return [*before, *parts, *(text for text in texts if text.kind == "note")]


def _data(result: Analysed) -> Section:
    """What may mislead in the data."""
    data, sources = result.data, result.sources
    none = "" if data.notes else "Nothing in the data was found that may mislead."
    parts: list[Sentences | Table] = [Sentences(data.notes, "list"), Sentences.of(none)]
    names, values = zip(*data.facts, strict=True)
    columns = (Column.label("property", names), Column.label("value", values))
    parts.append(Table(columns, _SIZES, sortable=False))
    if sources is not None:
        parts.append(_ties(sources))
    return Section.of("data", "Quality of the data", *parts)


def _ties(sources: Sources) -> Sentences | Table:
    """Items with equal scores in the lists of each system."""
    if not any(share for _, share in sources.tied):
        return Sentences.of("Ties: no two items of a list have the same score.")
    names, shares = zip(*sources.tied, strict=True)
    columns = (
        Column.label("system", names),
        Column("tied items", tuple(f"{100 * share:.1f} %" for share in shares)),
    )
    what = "Share of retrieved items that have the score of another one in their list."
    return Table(columns, "Ties", what)


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
        out.append(_of_agreement(result.sources.pairs))
    return out


def _of_agreement(pairs: PairwiseAgreement) -> str:
    alpha, kappa = "Krippendorff's alpha", "Cohen's kappa (Cohen, 1960)"
    if pairs.metric != "nominal":
        alpha = f"Krippendorff's {pairs.metric} alpha"
        kappa = f"weighted kappa (Cohen, 1968) with {pairs.metric} weights (Gwet, 2014)"
    return (
        f"Agreement of the subjects is given as {alpha} (Krippendorff, 1970), and for each two of "
        f"them as {kappa}."
    )


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
        graded = result.sources.pairs.metric != "nominal"
        works |= set(AGREEMENT_OF_GRADES if graded else AGREEMENT)
    return sorted(works)

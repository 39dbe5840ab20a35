"""The report of an analysis: all that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fuzzytruth._lazy import pd
from fuzzytruth.analysis.data_check import Sources
from fuzzytruth.annotators.coefficients.pairwise_agreement import PairwiseAgreement
from fuzzytruth.comparison import comparison_report as parts_of
from fuzzytruth.comparison import paper_words
from fuzzytruth.core.validation import optional_text
from fuzzytruth.errors import counted
from fuzzytruth.plots import agreement_matrix, means
from fuzzytruth.show.answer import Column, Result, Sentences, Table
from fuzzytruth.show.number_text import level_text
from fuzzytruth.show.page import Figure, Page, Section

if TYPE_CHECKING:
    from fuzzytruth.analysis.analyse import Analysis

RANK_SETS = (
    "Mogstad, M., Romano, J. P., Shaikh, A. M. & Wilhelm, D. (2024). Inference for ranks with "
    "applications to mobility across neighbourhoods and academic achievement across countries. "
    "Review of Economic Studies 91."
)
AGREEMENT = (
    "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and "
    "Psychological Measurement 20(1).",
    "Krippendorff, K. (1970). Estimating the reliability, systematic error and random error of "
    "interval data. Educational and Psychological Measurement 30(1).",
)
AGREEMENT_OF_GRADES = (
    "Cohen, J. (1968). Weighted kappa: Nominal scale agreement with provision for scaled "
    "disagreement or partial credit. Psychological Bulletin 70(4).",
    "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics.",
    AGREEMENT[1],
)
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
    result: Analysis, title: str | None, command: str, files: Sequence[tuple[str, str]]
) -> Page:
    """See `Analysis.report`."""
    comparison, scores = result.comparison, result.scores
    sections = [_verdicts(result)]
    if comparison is not None:
        sections.append(parts_of.figures_section(comparison))
    sections.append(_systems(result))
    if comparison is not None:
        sections.append(parts_of.pairs_section(comparison))
    sections += [parts_of.queries_section(scores), _ranks(result)]
    if comparison is not None:
        sections.append(parts_of.subjects_section(comparison, scores, result.by_subject))
    sections += [
        _agreement(result.sources),
        _data(result),
        parts_of.methods_section(_methods(result), _references(result)),
        parts_of.rerun_section(scores, comparison, command, files),
    ]
    heading = optional_text("title", title) or result._title()
    return Page(heading, result.data.title, tuple(sections), parts_of.footer())


def _verdicts(result: Analysis) -> Section:
    found = result._verdict_lines()
    if found is None:
        return Section.of(
            "verdicts", "Verdicts", Sentences.of("There is one system: nothing to compare.")
        )
    assert result.comparison is not None
    both = None if result.both is None else result.both.conditions
    meaning = parts_of.notes(*result.comparison.conditions.meaning(both))
    lead = Sentences.of(result._winner(), kind="lead")
    return Section.of("verdicts", "Verdicts", lead, Sentences(found.lines, "list"), meaning)


def _systems(result: Analysis) -> Section:
    """For each measure the means as a figure, a table, and the tiers."""
    scores, comparison = result.scores, result.comparison
    tiers = [] if comparison is None else parts_of.tier_figures(comparison)
    with_figures = parts_of.drawn(scores.measures, scores.systems)
    parts: list[Figure | Table | Sentences | None] = []
    for number, measure in enumerate(scores.measures):
        if len(scores.measures) > 1:
            parts.append(Sentences.of(measure, kind="heading"))
        caption = f"Systems by {measure}"
        if number in with_figures:
            parts.append(_means(result, number, caption))
        table = parts_of.report_table(result._table(measure), caption)
        headings = [column.heading for column in table.columns]
        parts += [table, parts_of.notes(*result._verdict_columns(headings))]
        parts += tiers[number : number + 1]
    return Section.of("systems", "Systems", *parts, parts_of.notes(*result._legend()))


def _means(result: Analysis, number: int, table: str) -> Figure | None:
    """Means with their intervals, and by each subject; None for one system."""
    scores = result.scores
    if len(scores.systems) < 2:
        return None
    by = "subject" if scores.subjects is not None and scores.design == "crossed" else None
    data = replace(result.rows, scores=scores).plot_data([number], by=by)
    if not data.frame["mean"].notna().any():
        return None
    description = (
        "A row for each system, the best on top, with its mean"
        f"{', its interval' if result.rows.brackets else ''}"
        f"{', and the mean by each subject' if by else ''}."
    )
    return parts_of.report_figure(means, data, "means", description, number=number, table=table)


def _ranks(result: Analysis) -> Section:
    """Ranks with confidence sets, and how often systems are first."""
    stability = result.stability
    if stability is None:
        return Section.of("ranks", "Stability of ranks")
    measures, systems = result.scores.measures, result.scores.systems
    with_figures = (
        parts_of.drawn(measures, systems) if len(systems) >= parts_of.FEWEST_RANKED else ()
    )
    parts: list[Figure | Table | None] = []
    for number, measure in enumerate(measures):
        table = stability._table(measure)
        title, _, orders = table.title.rpartition("; ")
        shown = parts_of.report_table(replace(table, extras=f"{orders}."), f"Ranks by {title}")
        if number in with_figures:
            parts.append(parts_of.rank_figure(stability, measure, number, shown.title))
        parts.append(shown)
    legend_of = parts_of.notes(*stability._legend().lines)
    return Section.of("ranks", "Stability of ranks", *parts, legend_of)


def _agreement(sources: Sources | None) -> Section:
    """How far subjects agree, and who are near-duplicates."""
    parts: list[Sentences | Figure | Table] = []
    if sources is not None:
        if sources.agreement is not None:
            table = _table(sources.agreement.to_frame(), "All subjects together")
            parts += _with_parts(sources.agreement, table)
        parts += [] if sources.pairs is None else _pairs(sources.pairs)
        parts.append(parts_of.notes(*sources.notes))
    return Section.of("agreement", "Agreement of the subjects", *parts)


def _pairs(pairs: PairwiseAgreement) -> list[Sentences | Figure | Table]:
    """Agreement of each two subjects."""
    parts: list[Figure | Table] = []
    if 2 < len(pairs.subjects) <= MOST_SUBJECTS and pairs.pairs["value"].notna().any():
        parts.append(_agreement_figure(pairs))
    if len(pairs.subjects) > 2:
        parts.append(_table(pairs.by_subject(), f"Mean with the others{_by(pairs)}"))
    if len(pairs.pairs) <= MOST_PAIRS:
        parts.append(_table(pairs.to_frame(), f"{_EACH_TWO}{_by(pairs)}"))
    duplicates = pairs.duplicates()
    if len(duplicates):
        parts.append(_table(duplicates[_OF_DUPLICATES], "Near-duplicates"))
    return _with_parts(pairs, *parts)


def _table(frame: pd.DataFrame, caption: str) -> Table:
    return parts_of.frame_table(frame.rename(columns=_HEADINGS), caption)


def _by(pairs: PairwiseAgreement) -> str:
    """The coefficient, where it is not the plain one."""
    return "" if pairs.metric == "nominal" else f": weighted kappa, {pairs.metric} weights"


def _agreement_figure(pairs: PairwiseAgreement) -> Figure:
    """The matrix of agreement."""
    lowest = pairs.by_subject().iloc[0]
    description = (
        "A table of subjects by subjects, coloured by the agreement of the two; those "
        "who agree are neighbours, and near-duplicates are framed. Lowest mean agreement with the "
        f"others: {lowest['subject']}, {lowest['value']:.2f}."
    )
    data = pairs._plot_data("agreement_matrix")
    table = f"{_EACH_TWO}{_by(pairs)}" if len(pairs.pairs) <= MOST_PAIRS else ""
    draw = agreement_matrix
    return parts_of.report_figure(draw, data, "agreement", description, table=table, on_paper=True)


def _with_parts(result: Result, *parts: Figure | Table) -> list[Sentences | Figure | Table]:
    """What `print` says of a result, with these parts before the notes."""
    texts = parts_of.answer_texts(result)
    before = [text for text in texts if text.kind != "note"]
    return [*before, *parts, *(text for text in texts if text.kind == "note")]


def _data(result: Analysis) -> Section:
    """What may mislead in the data."""
    data, sources = result.data, result.sources
    none = "" if data.notes else "Nothing in the data was found that may mislead."
    parts: list[Sentences | Table] = [Sentences(data.notes, "list"), Sentences.of(none)]
    parts.append(parts_of.pairs_table(_SIZES, ("property", "value"), data.facts))
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


def _methods(result: Analysis) -> list[str]:
    """Sentences on all that was computed."""
    comparison, both = result.comparison, result.both
    means = f"Means have {result.rows.brackets}." if result.rows.brackets else ""
    if comparison is None:
        return [means]
    out = [*paper_words.methods(comparison.conditions), means]
    if both is not None:
        out.append(
            f"The comparison was repeated over {both.conditions.random}, both being random, "
            f"{paper_words.tested_by(both.conditions)}."
        )
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


def _references(result: Analysis) -> set[str]:
    works = {RANK_SETS} if result.stability is not None else set()
    for one in (result.comparison, result.both):
        works |= set() if one is None else paper_words.references(one.conditions)
    if result.sources is not None and result.sources.pairs is not None:
        graded = result.sources.pairs.metric != "nominal"
        works |= set(AGREEMENT_OF_GRADES if graded else AGREEMENT)
    return works

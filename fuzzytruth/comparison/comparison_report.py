"""The report of a comparison: what its scores know."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.comparison.answer import (
    MOST_SENTENCES,
    difference_tables,
    legend,
    means_table,
    row_verdicts,
    subject_table,
    title_of,
    verdict_lines,
)
from fuzzytruth.comparison.assumptions import is_pivotal, procedure, shared_lines, units_of
from fuzzytruth.comparison.by_subject import SubjectComparisons, each_subject
from fuzzytruth.comparison.comparison_figure import (
    FEWEST_RANKED,
    best_two_figure,
    difference_figure,
    drawn,
    left_out,
    subjects_figure,
    tier_figure,
)
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.report_parts import LETTER, report_table
from fuzzytruth.comparison.tables import (
    Compared,
    beaten,
    has_rank_sets,
    intervals_text,
    p_name,
    rank_range,
    rank_sets,
    worlds_held,
)
from fuzzytruth.core.validation import option_text, optional_text
from fuzzytruth.core.versions import installed_version, own_version
from fuzzytruth.errors import DataError, counted, first_few
from fuzzytruth.evaluation.scores.score_rows import best_systems
from fuzzytruth.evaluation.scores.scores_answer import values_line
from fuzzytruth.io.files import matching_files
from fuzzytruth.show.answer import Column, Sentences, Table
from fuzzytruth.show.number_text import digits_for, level_text, number_text
from fuzzytruth.show.page import Code, Figure, Page, Section
from fuzzytruth.stats.settings import Over

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


# How a comparison was made, as a paragraph for a paper, with its references.


_PACKAGES = ("fuzzytruth", "numpy", "scipy", "pandas", "statsmodels")

SANTINI = 'Santini, S. "Benchmarking without ground truth".'
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
_MAX_T = (
    "Westfall, P. H. & Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.",
    "Smyth, G. K. (2004). Linear models and empirical Bayes methods for assessing differential "
    "expression in microarray experiments. Statistical Applications in Genetics and Molecular "
    "Biology 3(1).",
)
_PIVOTAL = (
    "Weerahandi, S. (1993). Generalized confidence intervals. Journal of the American Statistical "
    "Association 88."
)
_COMPLETE_NULL = (
    "Carterette, B. (2012). Multiple testing in statistical analysis of systems-based information "
    "retrieval experiments. ACM Transactions on Information Systems 30(1)."
)
#: how the text cites the works of a correction, and these
_CITED = {
    "max-t": ("Westfall & Young, 1993; Smyth, 2004", _MAX_T),
    "sign-flips": ("Westfall & Young, 1993", _MAX_T[:1]),
    "permuted labels": ("Carterette, 2012", (_COMPLETE_NULL,)),
}
_TRUTHS = {
    "independent": "The ground truth of each item was drawn from its votes, and values are "
    "expectations over these truths.",
    "population": "Subjects were resampled, and values are expectations over the ground truths of "
    "the resamples.",
}


def comparison_methods(conditions: Conditions) -> list[str]:
    """What was compared, how it was tested, and what is random: sentences."""
    return [
        f"{len(conditions.systems):,} systems were compared on {units_of(conditions)} by "
        f"{first_few(conditions.measures, 8)}.",
        truth_line(conditions),
        _differences(conditions),
        _tested(conditions),
        *shared_lines(conditions),
    ]


def truth_line(conditions: Conditions) -> str:
    """What the ground truth is; "" where there is one."""
    if conditions.worlds is not None:
        return _TRUTHS.get(conditions.worlds, "")
    if conditions.subjects is None:
        return ""
    if conditions.n_subjects == 1:
        return "The judgments of one subject were the ground truth."
    return (
        "Each subject's judgments were the ground truth in turn, and the value of a query is the "
        "mean over the subjects who judged it (Santini)."
    )


def _differences(conditions: Conditions) -> str:
    pairs = "each pair of systems"
    if conditions.baselines:
        pairs = f"each other system and {_each_of(conditions.baselines)}"
    random = f"{conditions.random} being random"
    if conditions.of_worlds:
        random = "worlds being drawn, which are no sample of people"
    elif conditions.over == ("query",) and conditions.n_subjects is not None:
        fixed = "sampled with their query" if conditions.nested else "fixed"
        random += f" and subjects {fixed}"
    intervals = intervals_text(conditions)
    if conditions.of_worlds:
        intervals = f"the interval that holds {worlds_held(conditions)}"
    return f"For {pairs} the mean difference is reported with {intervals}, {random}."


def _each_of(baselines: tuple[str, ...]) -> str:
    """The baseline, or all of them."""
    if len(baselines) == 1:
        return f"the baseline {baselines[0]}"
    if len(baselines) == 2:
        return f"each of the baselines {baselines[0]} and {baselines[1]}"
    return f"each of the {len(baselines):,} baselines {first_few(baselines)}"


def _tested(conditions: Conditions) -> str:
    cited = citation(conditions)
    size = f"{1 - conditions.level:.2g}"
    what = "is called significant" if not conditions.of_worlds else "is marked"
    return (
        f"A difference {what} if its {p_name(conditions)} is at most {size}, by "
        f"{procedure(conditions)}{f' ({cited})' if cited else ''}."
    )


def citation(conditions: Conditions) -> str:
    """Names and years of the works on the test; "" where textbooks have it."""
    if conditions.correction in _CITED:
        return _CITED[conditions.correction][0]
    return "Weerahandi, 1993" if is_pivotal(conditions) and not conditions.of_worlds else ""


def references(*all_conditions: Conditions | None) -> list[str]:
    """The works that comparisons rest on, in alphabetic order."""
    found = set()
    for conditions in all_conditions:
        if conditions is None:
            continue
        if truth_line(conditions) and conditions.n_subjects != 1:
            found.add(SANTINI)
        if conditions.correction in _CITED:
            found |= set(_CITED[conditions.correction][1])
        elif citation(conditions):
            found.add(_PIVOTAL)
    return sorted(found)


def software_line() -> str:
    """Versions of what computed it."""
    named = ", ".join(f"{name} {installed_version(name)}" for name in _PACKAGES)
    return f"Computed with {named} and Python {platform.python_version()}."


# What it takes to compute a report again: versions, settings, checksums.


def rerun_section(
    scores: Scores,
    comparison: Compared | None,
    command: str = "",
    files: Sequence[tuple[str, str]] = (),
) -> Section:
    """How to compute it again.

    Parameters
    ----------
    scores : Scores
    comparison : Comparison or None
    command : str
        Of the command line.
    files : sequence of (name, SHA-256)
    """
    return Section.of(
        "rerun",
        "Compute it again",
        Code(command, "Command") if option_text("command", command) else None,
        _table("Settings", ("setting", "value"), _settings(scores, comparison)),
        _table("Files", ("file", "SHA-256"), files),
        _table("Data", ("data", "checksum"), _checksums(scores)),
        Sentences.of(
            "Checksums of data are those of fuzzytruth: equal for equal data, whatever the order "
            "of the rows.",
            kind="note",
        )
        if _checksums(scores)
        else None,
    )


def checksums(files: str | Path | Iterable[str | Path]) -> list[tuple[str, str]]:
    """Names of files, or patterns, without their folders, with their SHA-256.

    Raises
    ------
    DataError
        A file cannot be read, or no file matches a pattern.
    OptionError
        Something is no path.
    """
    out = []
    for path in matching_files(files):
        try:
            with path.open("rb") as file:
                out.append((path.name, hashlib.file_digest(file, "sha256").hexdigest()))
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror or error})") from None
    return out


def _settings(scores: Scores, comparison: Compared | None) -> list[tuple[str, str]]:
    """Options with their values."""
    out = [("fuzzytruth", installed_version("fuzzytruth"))]
    made = scores.provenance
    if made is not None:
        if made.version != out[0][1]:
            out.append(("fuzzytruth of the scores", made.version))
        out += [(name, str(value)) for name, value in made.options().items()]
        if made.seed is not None:
            out.append(("seed of the worlds", " ".join(map(str, made.seed))))
    out.append(("measures", ", ".join(scores.measures)))
    if comparison is not None:
        conditions = comparison.conditions
        out += [
            ("level", f"{conditions.level:g}"),
            ("correction", conditions.correction),
            ("resamples", f"{conditions.n_resamples:,}"),
            ("seed of the resamples", " ".join(map(str, comparison.family.using.entropy))),
        ]
        if conditions.baselines:
            out.append(("baseline", ", ".join(conditions.baselines)))
    return out


def _checksums(scores: Scores) -> list[tuple[str, str]]:
    """Those of the truth and of the runs, as far as they are known."""
    made = scores.provenance
    if made is None:
        return []
    truth = [("ground truth", made.truth)] if made.truth else []
    return [*truth, *((f"run of {system}", checksum) for system, checksum in made.runs)]


def _table(caption: str, headings: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Table:
    listed = list(rows)
    columns = (Column.label(name, (row[j] for row in listed)) for j, name in enumerate(headings))
    return Table(tuple(columns), caption, sortable=False)


# Sections of a report that are about a comparison and its scores.


MOST_VERDICTS = 30
MOST_CELLS = 60_000  # of all tables of queries together
MOST_SUBJECTS = 50  # by each of whom systems are compared
MOST_SUBJECT_ROWS = 600


def figures_section(result: Compared) -> Section:
    """Differences with their intervals, a figure a measure."""
    conditions = result.conditions
    measures, systems = conditions.measures, conditions.systems
    figures = [
        difference_figure(result, number, pairs_caption(conditions, measures[number]))
        for number in drawn(measures, systems)
    ]
    return Section.of("differences", "Differences", *figures, notes(left_out(measures, systems)))


def pairs_caption(conditions: Conditions, measure: str) -> str:
    """Caption of the table of differences by one measure."""
    if len(conditions.baselines) == 1:
        return f"Differences of {measure} from {conditions.baselines[0]}"
    return f"Differences of {measure}"


def pairs_section(result: Compared) -> Section:
    """Every pair: sentences if they are few, and tables."""
    conditions = result.conditions
    sentences = Sentences(())
    if len(result.table) <= MOST_VERDICTS:
        sentences = Sentences(tuple(one.sentence for one in row_verdicts(result)), "list")
    tables = [
        report_table(table, pairs_caption(conditions, measure))
        for measure, table in zip(conditions.measures, difference_tables(result), strict=True)
    ]
    return Section.of("pairs", "Pairs of systems", sentences, *tables, notes(*legend(result).lines))


def queries_section(scores: Scores) -> Section:
    """Values of every query, systems side by side: a table a measure."""
    means = scores.cells.mean_by_query(scores.values)  # (systems, measures, queries)
    if means.size > MOST_CELLS:
        text = (
            f"{counted(means.size, 'value')} of {counted(len(scores.queries), 'query')} are too "
            "many for a page; .scores.to_frame() and fuzzytruth evaluate --per-query give them."
        )
        return Section.of("queries", "Queries", Sentences.of(text))
    best = best_systems(means.swapaxes(1, 2), scores.higher_is_better)  # measures last
    bold = "Bold: the best of a query." if len(scores.systems) > 1 else ""
    parts: list[Figure | Table | None] = []
    for m, measure in enumerate(scores.measures):
        caption = f"{measure} of each query"
        rows = ("query", scores.queries)
        if m in drawn(scores.measures, scores.systems):
            parts.append(best_two_figure(scores, m, caption))
        parts.append(side_by_side(caption, rows, scores.systems, means[:, m], best[..., m]))
    return Section.of("queries", "Queries", *parts, notes(values_line(scores), bold))


def side_by_side(
    caption: str,
    rows: tuple[str, tuple[str, ...]],
    systems: tuple[str, ...],
    values: Floats,
    best: Bools,
) -> Table:
    """A column a system: values (systems, rows), with what names the rows."""
    digits = digits_for(values.ravel().tolist(), 4)
    best = best & ~best.all(axis=0)  # where all are alike, none stands out
    columns = (
        Column(name, tuple(number_text(one, digits) for one in row), bold=tuple(bold.tolist()))
        for name, row, bold in zip(systems, values, best, strict=True)
    )
    return Table((Column.label(*rows), *columns), caption)


def subjects_section(
    result: Compared, scores: Scores, each: SubjectComparisons | None = None
) -> Section:
    """What single subjects' judgments say: means, and the comparison by each of them alone."""
    name, heading = "subjects", "Sensitivity to subjects"
    subjects = scores.subjects
    if subjects is None or scores.design != "crossed":
        return Section.of(name, heading)
    if len(subjects) > MOST_SUBJECTS:
        many = f"{counted(len(subjects), 'subject')} are too many to show each of them."
        return Section.of(name, heading, Sentences.of(many))
    each = each_subject(result) if each is None else each
    parts = [] if each is None else _alone(each)
    note = notes(
        "Means are over the queries that a subject judged. Bold: the best by a subject.",
        "Comparisons are not adjusted for the number of subjects.",
    )
    return Section.of(name, heading, *parts[:-1], *_by_subject(scores), *parts[-1:], note)


def _alone(each: SubjectComparisons) -> list[Figure | Table | None]:
    """Figures of the comparison by each subject alone, and its table."""
    table = subject_table(each, MOST_SUBJECT_ROWS)
    shown, conditions = report_table(table, table.title.rstrip(":")), each.conditions
    figures = (
        subjects_figure(each, number, shown.title)
        for number in drawn(conditions.measures, conditions.systems)
    )
    return [*figures, shown]


def _by_subject(scores: Scores) -> list[Table]:
    """Means by each subject's judgments, a table a measure."""
    means = scores.cells.mean_by_subject(scores.values)  # (systems, measures, subjects)
    best = best_systems(means.swapaxes(1, 2), scores.higher_is_better)
    rows = ("subject", scores.subjects or ())
    return [
        side_by_side(
            f"{measure} by each subject's judgments",
            rows,
            scores.systems,
            means[:, m],
            best[..., m],
        )
        for m, measure in enumerate(scores.measures)
    ]


def notes(*lines: str) -> Sentences:
    """What numbers are, below them."""
    return Sentences.of(*lines, kind="note")


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
            "verdicts", "Verdicts", Sentences(lines, "list"), notes(*meaning_of(result.conditions))
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
        columns += [replace(one, cells=means, kind="number"), Column.label("beats", letters)]
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


def _ranks(result: Compared) -> list[Table | Sentences]:
    """Rank sets of each measure; none where the comparison does not give them."""
    conditions = result.conditions
    if not has_rank_sets(conditions):
        return []
    sets = rank_sets(result.table, result.means, conditions)
    parts: list[Table | Sentences] = []
    for measure, rows in sets.groupby("measure", sort=False):
        ends = zip(rows["rank_lower"], rows["rank_upper"], strict=True)
        columns = (
            Column.label("system", rows["system"]),
            Column("tier", tuple(map(str, rows["tier"]))),
            Column("ranks", tuple(rank_range(*pair) for pair in ends)),
        )
        parts.append(Table(columns, f"Ranks by {measure}"))
    level = level_text(conditions.level)
    sets_are = f"simultaneous {level} confidence sets over {conditions.random}"
    if conditions.of_worlds:
        sets_are = f"those that hold {level} of the worlds"
    what = "Tier: 1 + the longest chain of systems of which each is significantly better than the "
    return [*parts, notes(f"{what}next.", f"Ranks: {sets_are}.")]


def methods_section(sentences: list[str], works: list[str]) -> Section:
    """A paragraph ready for a paper, and its references."""
    paragraph = " ".join([*filter(None, sentences), software_line()])
    title = Sentences.of("References", kind="heading") if works else None
    listed = Sentences(tuple(works), "list")
    return Section.of("methods", "Methods", Sentences.of(paragraph), title, listed)


def footer() -> str:
    """What made the page."""
    return f"fuzzytruth {own_version()}"

"""The report of a comparison, one page: its parts, figures and sections."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth import plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.comparison import few_subjects
from fuzzytruth.comparison.by_subject import SubjectComparisons, each_subject
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.exhibits import methods, references
from fuzzytruth.comparison.explorer import by_all, explorer, views_of
from fuzzytruth.comparison.inference import letters
from fuzzytruth.comparison.opening import how_sure, opening
from fuzzytruth.core.validation import option_text, optional_text
from fuzzytruth.core.versions import installed_version, own_version
from fuzzytruth.errors import DataError, OptionError, counted, require
from fuzzytruth.evaluation.scores.score_rows import best_first, best_systems
from fuzzytruth.evaluation.validation import members_of
from fuzzytruth.io.files import as_path, matching_files
from fuzzytruth.io.writing import check_target, write_whole
from fuzzytruth.plots.drawing import COLUMN_WIDTH, PAGE_WIDTH, axes_or_new, inches_of
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.plots.svg import svg_text
from fuzzytruth.show import answer
from fuzzytruth.show.answer import Column, Kind, Result, Sentences, Table, first_rows
from fuzzytruth.show.number_text import digits_for, number_text
from fuzzytruth.show.page import Code, Figure, Page, Section, page_html

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison
    from fuzzytruth.evaluation.scores.scores import Scores


_PACKAGES = ("fuzzytruth", "numpy", "scipy", "pandas", "statsmodels")
LETTER = "letter"  # heading of the column that other cells refer to
_TALLER = 0.4  # inches, of a narrow drawing, whose legend takes more lines


def report_table(table: Table, caption: str) -> Table:
    """A printed table with a caption, letters behind the names of its rows."""
    columns = list(table.columns)
    if columns and not columns[0].heading:
        columns.insert(1, replace(columns.pop(0), heading=LETTER))
    return replace(table, title=caption, columns=tuple(columns))


def frame_table(frame: pd.DataFrame, caption: str, limit: int | None = None) -> Table:
    """A frame as a table: names as they are, whole numbers whole, others with three decimals.

    Of more rows than `limit`, the first. Columns with names of systems in theirs are called so.
    """
    columns: dict[Any, Any] = {}
    words = {True: "yes", False: "no"}
    frame = frame.assign(**{str(n): x.map(words) for n, x in frame.select_dtypes(bool).items()})
    for name in frame.columns:
        heading, kind = str(name), frame[name].dtype.kind
        heading = heading.replace("_", " ") if heading.isidentifier() else heading
        decimals = f".{digits_for(frame[name].tolist())}f" if kind == "f" else ""
        style = "," if kind in "iu" else decimals
        columns[name] = (heading, style) if style else heading
    return answer.printed_table(frame, columns, title=caption, limit=limit)


def answer_texts(result: Result) -> tuple[Sentences, ...]:
    """The sentences that `print` shows of a result; those below a table are notes."""
    out: list[Sentences] = []
    kind: Kind = "paragraph"
    for part in answer.without_methods(result).parts:
        if isinstance(part, Table):
            kind = "note"
        else:
            out.append(replace(part, kind=kind))
    return tuple(out)


def report_figure(
    draw: Callable[..., Axes],
    data: PlotData,
    name: str,
    description: str,
    *,
    table: str = "",
    on_paper: bool = False,
) -> Figure:
    """A figure of `plots` with its title as the caption, where it can be read and copied.

    It is drawn again at the width of a phone, unless it is that narrow or so wide that its letters
    would not be legible there.

    Parameters
    ----------
    draw : callable
        A function of `plots`, to which only the data and a title are to be given.
    data : PlotData
        Of a result; its title is the caption.
    name, description, on_paper
        See `plots.svg.svg_text`.
    table
        See `Figure`.
    """
    caption, notes, width, height = _sentences(data.title), "", 0.0, 0.0

    def untitled(ax: Axes | None = None) -> Axes:
        nonlocal notes, width, height
        ax = draw(data, ax, title="")  # what the figure itself adds is left
        notes = " ".join((ax.get_title(loc="left") or ax.get_title()).split("\n"))
        for place in ("left", "center"):
            ax.set_title("", loc=place)
        width, height = inches_of(ax)
        return ax

    def narrow() -> Axes:
        return untitled(axes_or_new(None, width=COLUMN_WIDTH, height=height + _TALLER))

    told: dict[str, Any] = {"title": caption, "description": description, "on_paper": on_paper}
    svg, svg_narrow = svg_text(untitled, name=name, **told), ""
    if COLUMN_WIDTH < width <= PAGE_WIDTH:
        svg_narrow = svg_text(narrow, name=f"{name}-narrow", **told)
    whole = " ".join(filter(None, (caption, _sentences(notes))))
    return Figure(whole, svg, table, svg_narrow)


def _sentences(title: str) -> str:
    """Lines of a title as sentences; the first one may begin with a name, and stays as it is."""
    first, *rest = (line.strip() for line in title.split("\n"))
    lines = [first, *(line[:1].upper() + line[1:] for line in rest)]
    return " ".join(line if line.endswith((".", ":")) else f"{line}." for line in lines if line)


PAGE_ENDINGS = (".html", ".htm")


def write_page(make: Callable[[], Page], path: Any) -> Path:
    """Make a page and write it, and return where; the path is checked before the page is made."""
    target = as_path("path", path)
    if target.suffix.lower() not in PAGE_ENDINGS and not target.is_dir():
        raise OptionError(f"{target}: a report is a page; name the file {', '.join(PAGE_ENDINGS)}")
    check_target(target)
    page = make()
    require("title", page.title, isinstance(page.title, str), "must be a text")
    text = page_html(page)
    write_whole(target, lambda file: file.write(text.encode(errors="replace")))
    return target


# Figures of a comparison and its scores.


MOST_BARS = 1000  # queries of a figure that has one bar each
MOST_INTERVALS = 200  # queries


def best_two_figure(scores: Scores, table: str) -> Figure | None:
    """The best two systems by the first measure, query by query; None if there are no two."""
    means = scores.cells.mean_by_query(scores.values)[:, 0]  # (systems, queries)
    shared = ~np.isnan(means).any(axis=0)
    if len(means) < 2 or not 1 < shared.sum() <= MOST_BARS:
        return None
    order = best_first(means[:, shared].mean(axis=1), higher_is_better=scores.higher_is_better[0])
    first, second = (scores.systems[j] for j in order[:2].tolist())
    is_quick = scores.subjects is not None and "distribution" in scores.answers
    level = 0.95 if is_quick and len(scores.queries) <= MOST_INTERVALS else None
    found = scores.query_differences(first, second, scores.measures[0], level=level)
    description = (
        f"A bar for each query, the largest difference first: {first} minus {second}. "
        f"{first} is better on {found.wins:,}, worse on {found.losses:,} of "
        f"{counted(len(found.table), 'query')}."
    )
    data, draw = found._plot_data("waterfall"), plots.waterfall
    title = data.title.replace("\n", f"{by_all(len(scores.subjects or ()))}\n", 1)
    return report_figure(draw, replace(data, title=title), "best-two", description, table=table)


# What it takes to compute a report again: versions, settings, checksums.


_OF_CHECKSUMS = (
    "Checksums of data are those of fuzzytruth: equal for equal data, whatever the order of the "
    "rows."
)


def rerun_section(
    scores: Scores,
    comparison: Comparison | None,
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
    data = _checksums(scores)
    return Section.of(
        "rerun",
        "Compute it again",
        Code(command, "Command") if option_text("command", command) else None,
        pairs_table("Settings", ("setting", "value"), _settings(scores, comparison)),
        pairs_table("Files", ("file", "SHA-256"), files),
        pairs_table("Data", ("data", "checksum"), data),
        notes(_OF_CHECKSUMS if data else ""),
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


def _settings(scores: Scores, comparison: Comparison | None) -> list[tuple[str, str]]:
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


def pairs_table(caption: str, headings: tuple[str, str], rows: Sequence[tuple[str, str]]) -> Table:
    """Names and what they stand for."""
    names, values = zip(*rows, strict=True) if rows else ((), ())
    columns = (Column.label(headings[0], names), Column.label(headings[1], values))
    return Table(columns, caption, sortable=False)


# Sections of a report that are about a comparison and its scores.


MOST_PAIRS = 1000  # rows of all tables of pairs together
MOST_CELLS = 60_000  # of all tables of queries together
MOST_SUBJECTS = 50  # by each of whom systems are compared
_SENSITIVITY = "Sensitivity to subjects"


def pairs_caption(conditions: Conditions, measure: str) -> str:
    """Caption of the table of differences by one measure."""
    base = f" from {conditions.baselines[0]}" if len(conditions.baselines) == 1 else ""
    return f"Differences of {measure}{base}"


def pairs_section(result: Comparison) -> Section:
    """Every pair with effect sizes, a table a measure; only what they are if they are many."""
    conditions, section = result.conditions, partial(Section.of, "pairs", "Pairs of systems")
    if len(result.table) > MOST_PAIRS:
        many = counted(len(result.table), "difference")
        return section(Sentences.of(f"{many} with effect sizes: .to_frame(full=True)."))
    tables = [
        report_table(table, pairs_caption(conditions, measure))
        for measure, table in zip(conditions.measures, result._difference_tables(), strict=True)
    ]
    return section(*tables, notes(*result._legend().lines, few_subjects.assumed_of_runs(result)))


def queries_section(scores: Scores) -> Section:
    """Values of every query, systems side by side: a table a measure."""
    means = scores.cells.mean_by_query(scores.values)  # (systems, measures, queries)
    if means.size > MOST_CELLS:
        many = f"{counted(means.size, 'value')} of {counted(len(scores.queries), 'query')}"
        text = f"{many} are too many for a page; all: .scores.to_frame()."
        return Section.of("queries", "Queries", Sentences.of(text))
    tables = _side_by_side(scores, ("query", scores.queries), means, "of each query")
    parts = best_two_figure(scores, tables[0].title), *tables
    bold = "Bold: the best of a query." if len(scores.systems) > 1 else ""
    return Section.of(
        "queries", "Queries", *parts, notes(scores._runs_line, scores._values_line, bold)
    )


def _side_by_side(
    scores: Scores, rows: tuple[str, tuple[str, ...]], means: Floats, what: str
) -> list[Table]:
    """A table a measure, with a column a system: means are (systems, measures, rows)."""
    best = best_systems(means.swapaxes(1, 2), scores.higher_is_better)  # measures last
    best &= ~best.all(axis=0)  # where all are alike, none stands out
    tables = []
    for m, measure in enumerate(scores.measures):
        digits = digits_for(means[:, m].ravel().tolist(), 4)
        columns = (
            Column(name, tuple(number_text(one, digits) for one in row), bold=tuple(bold.tolist()))
            for name, row, bold in zip(scores.systems, means[:, m], best[..., m], strict=True)
        )
        tables.append(Table((Column.label(*rows), *columns), f"{measure} {what}"))
    return tables


def subjects_section(scores: Scores, each: SubjectComparisons | None) -> Section:
    """What single subjects' judgments say: means, and what is significant by them alone."""
    subjects, section = scores.subjects or (), partial(Section.of, "subjects", _SENSITIVITY)
    if not subjects or scores.design != "crossed":
        return section()
    if len(subjects) > MOST_SUBJECTS:
        many = f"{counted(len(subjects), 'subject')} are too many to show each of them."
        return section(Sentences.of(many))
    means = scores.cells.mean_by_subject(scores.values)  # (systems, measures, subjects)
    tables = _side_by_side(scores, ("subject", subjects), means, "by each subject's judgments")
    note = "Means are over the queries that a subject judged. Bold: the best by a subject."
    found = () if each is None else tuple(map(each.alone_line, each.conditions.measures))
    adjusted = "Not adjusted for the number of subjects." if found else ""
    return section(*tables, notes(note), Sentences(found, "list"), notes(adjusted))


def notes(*lines: str) -> Sentences:
    """What numbers are, below them."""
    return Sentences.of(*lines, kind="note")


def answer_section(
    result: Comparison,
    each: SubjectComparisons | None,
    both: Comparison | None = None,
    groups: Any = None,
) -> Section:
    """The answer in a sentence, then the picture, then how sure it is."""
    if groups is not None:
        groups = members_of(groups, result.conditions.subjects or (), result.scores.design)
    views = views_of(result, each, both, groups)
    whose = by_all(result.conditions.n_subjects) if len(views) > 1 else ""
    found, meaning = how_sure(result, both)
    return Section.of(
        "answer",
        "Answer",
        Sentences.of(opening(result, each, both), kind="lead"),
        explorer(views),
        Sentences.of(f"How sure{whose and ','}{whose}", kind="heading"),
        found,
        meaning,
    )


def comparison_page(result: Comparison, title: str | None, groups: Any = None) -> Page:
    """See `Comparison.report`."""
    conditions, what, each = result.conditions, result._title(), each_subject(result)
    compared = result.scores.select(measures=list(conditions.measures))
    sections = (
        answer_section(result, each, groups=groups),
        Section.of("systems", "Systems", report_table(means_table(result), "Means")),
        pairs_section(result),
        queries_section(compared),
        subjects_section(compared, each),
        methods_section(methods(conditions), references(conditions)),
        rerun_section(compared, result),
    )
    heading, _, sizes = what.rpartition(": ")
    title = optional_text("title", title)
    return Page(title or heading, what if title else sizes, sections, footer())


def software_line() -> str:
    """Versions of what computed it."""
    named = ", ".join(f"{name} {installed_version(name)}" for name in _PACKAGES)
    return f"Computed with {named} and Python {platform.python_version()}."


def methods_section(sentences: list[str], works: set[str]) -> Section:
    """A paragraph ready for a paper, and its references."""
    paragraph = " ".join([*filter(None, sentences), software_line()])
    title = Sentences.of("References", kind="heading") if works else None
    listed = Sentences(tuple(sorted(works)), "list")
    return Section.of("methods", "Methods", Sentences.of(paragraph), title, listed)


def footer() -> str:
    """What made the page."""
    return f"fuzzytruth {own_version()}"


# Means of systems with the letters of those that they beat.


def means_table(result: Comparison, limit: int | None = None) -> Table:
    """Means with the letters of the systems beaten, the best by the first measure first.

    Of more systems than `limit`, the first, with the number of those beaten.
    """
    conditions, measures = result.conditions, result.conditions.measures
    means, marks, n = result.means, result.superscripts(), len(result.means)
    values = means.to_numpy(dtype=float)  # (systems, measures)
    up = conditions.higher_is_better
    order = best_first(values[:, 0], higher_is_better=up[0]).tolist()
    best = best_systems(values, up)
    counted_only = limit is not None and n > limit
    label = letters(n)
    columns = [
        Column.label("", (label[j] for j in order)),
        Column.label("system", (means.index[j] for j in order)),
    ]
    for m, measure in enumerate(measures):
        beats = [_beats(mark, counted_only, n) for mark in marks[measure]]
        digits = digits_for(values[:, m].tolist(), 4)
        cells = (f"{number_text(values[j, m], digits)} {beats[j]}".rstrip() for j in order)
        columns.append(Column(measure, tuple(cells), "label", tuple(best[order, m].tolist())))
    kept, _ = first_rows(columns[1:] if counted_only else columns, limit or n)
    of = f" of {limit} of {n} systems" if counted_only else ""
    what = "in parentheses how many" if counted_only else "letters"
    beaten = f"{what}: {conditions.beaten}"
    return Table(kept, f"Means{of} by {measures[0]}, the best first; {beaten}.")


def _beats(mark: str, counted_only: bool, n_systems: int) -> str:
    """The letters of the systems beaten, or how many they are."""
    if not counted_only:
        return mark.replace(",", ", ")
    separated = n_systems > len(ascii_lowercase)
    return f"({len(mark.split(',')) if separated and mark else len(mark)})"

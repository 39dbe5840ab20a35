"""`fuzzytruth analyse` and `fuzzytruth report`: the analysis of files, on screen or as a page."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.compared_scores import read_compared
from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.inputs import command_line
from fuzzytruth.cli.options import files_of
from fuzzytruth.cli.output import (
    PaperStyle,
    check_page,
    emit_answer,
    emit_text,
    print_line,
    working,
    write_figure,
    write_report,
)
from fuzzytruth.cli.typed_words import as_typed
from fuzzytruth.errors import FuzzytruthWarning, OptionError

if TYPE_CHECKING:
    from fuzzytruth.analysis.analyse import Analysis

ANALYSE = derived.Source(
    "analyse", without="worlds", rng=Option("Random seed of resamples and worlds.")
)
#: what is analysed, and how
ANALYSED = (derived.MEASURES, ANALYSE, derived.WORLDS_BY_SUBJECT, *derived.COMPARED)


def read_analysis(
    context: typer.Context, inputs: list[str], *, reworded: Callable[[str], str] = str
) -> Analysis:
    """Read scores, or judgments and runs, and analyse them; the options are those of the context.

    Warnings become notes of the analysis, `reworded`.
    """
    from fuzzytruth.analysis.analyse import analysis_of, with_judged

    read: list[tuple[Any, Any]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compared = read_compared(
            context,
            inputs,
            several="subject",
            more=with_judged,
            keep=lambda truth, runs: read.append((truth, runs)),
        )
    scores = compared.scores
    if compared.measures is not None:
        scores = scores.select(measures=compared.measures)
    with working("comparing"):
        return analysis_of(
            scores,
            dict.fromkeys(reworded(as_typed(str(one.message))) for one in caught),
            read[0] if read else None,
            **ANALYSE.given(context) | compared.groups,
        )


@derived.with_options(*ANALYSED, derived.TABLES, derived.PAPERS, derived.FIGURES)
def analyse(context: typer.Context, inputs: list[str]) -> None:
    r"""Check the data, score the systems and compare them, on one screen.

    Shows what may mislead in the data, means with intervals, which differences are significant over
    queries, over queries and subjects, and by each subject alone, and ranks with confidence sets.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth analyse sample/judgments.parquet sample/runs.parquet \
        --order-by rank -m AP,RR
    On files of your own:
      fuzzytruth analyse qrels.txt a.run b.run -m nDCG@10
      fuzzytruth analyse votes.csv a.run b.run -m AP,P@10
      fuzzytruth analyse scores.csv --baseline a --format markdown
    """
    from fuzzytruth.cli.tables import chosen_format, records_text, show_paper

    given = context.params
    figure, output_format = given["figure"], chosen_format(given)
    PaperStyle.of(given).check(output_format)
    result = read_analysis(context, inputs)
    if figure is not None:
        if result.comparison is None:
            raise OptionError("--figure: shows differences of systems, and there is one system")
        write_figure(result.comparison.plot, figure)
    if output_format == "table":
        emit_answer(result, given["output"])
        return
    for note in result.data.notes:
        warnings.warn(note, FuzzytruthWarning, stacklevel=1)
    if output_format in ("csv", "json"):
        emit_text(records_text(result.to_frame(full=True), output_format), given["output"])
    else:
        show_paper(context, result, label="tab:analysis", digits=3)


# The analysis as a page.


_FILES = ("clusters", "taxonomy", "asked", "queries", "items")


@derived.with_options(
    *ANALYSED,
    title=Option(panel=OUTPUT, metavar="TEXT"),
    output=Option(panel=OUTPUT, metavar="FILE.html", settings={"callback": check_page}),
)
def report(
    context: typer.Context,
    inputs: list[str],
    *,
    title: str | None = None,
    output: Path = Path("report.html"),
) -> None:
    r"""Write what analyse finds as a page, in one file that needs no network.

    It has verdicts, figures, tables to sort (systems, pairs, queries, subjects), agreement, checks
    of the data, a paragraph on methods with references, and the command and checksums of the files
    to compute it again.

    Parameters
    ----------
    title : str
        Heading of the page. By default what was analysed.
    output : path
        Where to write it.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth report sample/judgments.parquet sample/runs.parquet \
        --order-by rank -m AP,RR
    On files of your own:
      fuzzytruth report qrels.txt a.run b.run -m nDCG@10 -o report.html
      fuzzytruth report votes.csv a.run b.run -m AP,P@10 --title "Two readings"
      fuzzytruth report scores.csv --baseline a
    """
    from fuzzytruth.analysis.analysis_report import analysis_page
    from fuzzytruth.comparison.comparison_report import checksums

    files = list(_files(context, inputs))

    def without_folders(note: str) -> str:
        for file in files:
            note = note.replace(str(file), file.name) if file.is_absolute() else note
        return note

    result = read_analysis(context, inputs, reworded=without_folders)
    command, sums = command_line(context), checksums(files)
    write_report(lambda: analysis_page(result, title, command, sums), output)
    print_line(f"wrote {output}", sys.stderr)


def _files(context: typer.Context, inputs: list[str]) -> Iterator[Path]:
    """All files that were read."""
    from fuzzytruth.data.assessor_files import files_of_assessors

    for text in inputs:
        files = files_of_assessors(files_of(text))
        yield from [Path(text)] if files is None else (path for _, path in files)
    for name in _FILES:
        given = context.params.get(name)
        if given is not None and Path(given).is_file():
            yield Path(given)

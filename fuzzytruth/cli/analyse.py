"""`fuzzytruth analyse`, and the analysis of the files that a command line names."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli.compared_scores import read_compared
from fuzzytruth.cli.derive import Option
from fuzzytruth.cli.derived import (
    COMPARED,
    FIGURES,
    MEASURES,
    PAPERS,
    TABLES,
    WORLDS_BY_SUBJECT,
    Source,
    with_options,
)
from fuzzytruth.cli.figures import write_figure
from fuzzytruth.cli.messages import as_typed
from fuzzytruth.cli.output import PaperStyle, emit_answer, emit_text
from fuzzytruth.cli.progress import working
from fuzzytruth.errors import FuzzytruthWarning, OptionError

if TYPE_CHECKING:
    from fuzzytruth.analysis.analysis_result import Analysis

ANALYSE = Source("analyse", without="worlds", rng=Option("Random seed of resamples and worlds."))
#: what is analysed, and how
ANALYSED = (MEASURES, ANALYSE, WORLDS_BY_SUBJECT, *COMPARED)


def read_analysis(
    context: typer.Context, inputs: list[str], *, reworded: Callable[[str], str] = str
) -> Analysis:
    """Read scores, or judgments and runs, and analyse them; the options are those of the context.

    Warnings become notes of the analysis, `reworded`.
    """
    from fuzzytruth.analysis.analyse import analysis_of, with_judged
    from fuzzytruth.analysis.data_check import check_sources
    from fuzzytruth.core.lazy import Lazy

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
            sources=Lazy(lambda: check_sources(*read[0]) if read else None),
            **ANALYSE.given(context) | compared.groups,
        )


@with_options(*ANALYSED, TABLES, PAPERS, FIGURES)
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
    from fuzzytruth.cli.tables import format_for, records_text

    given = context.params
    output, figure = given["output"], given["figure"]
    output_format = given["output_format"] or format_for(output)
    style = PaperStyle.of(given).check(output_format)
    result = read_analysis(context, inputs)
    if figure is not None:
        if result.comparison is None:
            raise OptionError("--figure: shows differences of systems, and there is one system")
        write_figure(result.comparison.plot, figure)
    if output_format == "table":
        emit_answer(result, output)
        return
    for note in result.data.notes:
        warnings.warn(note, FuzzytruthWarning, stacklevel=1)
    places = 3 if style.digits is None else style.digits
    if output_format == "latex":
        text = result.to_latex(
            digits=places,
            caption=style.caption,
            label=style.label or "tab:analysis",
            bold=style.bold,
        )
    elif output_format == "markdown":
        text = result.to_markdown(digits=places, caption=style.caption, bold=style.bold)
    else:
        text = records_text(result.to_frame(full=True), output_format)
    emit_text(text, output)

"""`fuzzytruth analyse`."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import typer

from fuzzytruth.cli import options
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli import output as paper_options
from fuzzytruth.cli import scoring as scoring_options
from fuzzytruth.cli.analysed_files import read_analysis
from fuzzytruth.cli.compared_scores import Inputs, options_of_compared
from fuzzytruth.cli.figures import write_figure
from fuzzytruth.cli.output import emit_answer, emit_text
from fuzzytruth.errors import FuzzytruthWarning, OptionError

if TYPE_CHECKING:
    pass


# The analysis of the files that a command line names.


EXAMPLE = """\b
Examples, on the sample that comes with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth analyse sample/judgments.parquet sample/runs.parquet \\
    --order-by rank -m AP,RR
On files of your own:
  fuzzytruth analyse qrels.txt a.run b.run -m nDCG@10
  fuzzytruth analyse votes.csv a.run b.run -m AP,P@10
  fuzzytruth analyse scores.csv --baseline a --format markdown
"""


@options.taking(options_of_compared, without=["worlds", "strata"])
def analyse(
    context: typer.Context,
    inputs: Inputs,
    measure: options.MeasureNames = None,
    baseline: options.Baseline = None,
    worlds: scoring_options.WorldsBySubject = None,
    level: options.Level = 0.95,
    n_resamples: options.NResamples = 9999,
    output_format: output_options.FormatChoice = None,
    digits: paper_options.Digits = None,
    caption: paper_options.Caption = None,
    label: paper_options.Label = None,
    bold: paper_options.Bold = True,
    output: output_options.Output = None,
    figure: output_options.Figure = None,
) -> None:
    """Check the data, score the systems and compare them, on one screen.

    Shows what may mislead in the data, means with intervals, which differences are significant over
    queries, over queries and subjects, and by each subject alone, and ranks with confidence sets.
    """
    from fuzzytruth.cli.tables import format_for, records_text

    output_format = output_format or format_for(output)
    style = paper_options.PaperStyle(digits, caption, label, bold).check(output_format)
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
            digits=places, caption=style.caption, label=style.label or "tab:analysis", bold=bold
        )
    elif output_format == "markdown":
        text = result.to_markdown(digits=places, caption=style.caption, bold=bold)
    else:
        text = records_text(result.to_frame(full=True), output_format)
    emit_text(text, output)

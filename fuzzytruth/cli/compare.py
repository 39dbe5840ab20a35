"""`fuzzytruth compare`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from fuzzytruth.cli import options, panels
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli import output as paper_options
from fuzzytruth.cli.compared_scores import Inputs, options_of_compared, read_compared
from fuzzytruth.cli.options import complete_axes, complete_corrections
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import OptionError

EXAMPLE = """\b
Examples, on the sample that comes with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth compare sample/judgments.parquet sample/runs.parquet \\
    --order-by rank -m AP --figure differences.png
  fuzzytruth compare sample/judgments.parquet sample/runs.parquet \\
    --order-by rank -m RR --worlds subject --over query,subject
On files of your own:
  fuzzytruth compare qrels.txt a.run b.run -m AP -m nDCG@10
  fuzzytruth compare qrels.txt a.run b.run --baseline a --correction holm \\
    --format latex
  fuzzytruth compare votes.csv a.run b.run --worlds subject \\
    --over query,subject -m RR
  fuzzytruth compare scores.csv --baseline a --alternative greater
  fuzzytruth compare scores.csv --clusters topic -o differences.csv
  fuzzytruth compare means.csv --columns query=topic --systems bm25,dense
  fuzzytruth compare old=old.jsonl new=new.jsonl
"""

AlternativeSide = Annotated[
    Literal["two-sided", "greater", "less"],
    setting(
        panels.METHOD,
        "What to show of the first system minus the second (the baseline): that it is not 0, "
        "above 0, or below 0.",
        "--alternative",
    ),
]
Over = Annotated[
    str,
    setting(
        panels.METHOD,
        "What is random: query, subject, world, or several separated by commas.",
        autocompletion=complete_axes,
        metavar="AXIS,...",
    ),
]
Correction = Annotated[
    str | None,
    setting(
        panels.METHOD,
        "max-t, sign-flips, none, or a method of statsmodels: bonferroni, holm, fdr_bh, ...  "
        "[default: max-t over queries, else bonferroni]",
        autocompletion=complete_corrections,
        metavar="NAME",
    ),
]
Null = Annotated[
    Literal["partial", "complete"],
    setting(panels.METHOD, "complete: permute the labels of the systems within queries."),
]
FigureKind = Annotated[
    Literal["forest", "matrix", "tiers"] | None,
    option(
        panels.OUTPUT,
        "With --figure: differences with intervals, systems × systems, or means with bars "
        "that join systems without significant differences.  [default: forest; matrix for more "
        "than 40 differences without one baseline]",
        "--figure-kind",
    ),
]
AcrossMeasures = Annotated[
    bool, setting(panels.METHOD, "Correct for all measures together.", "--across-measures")
]


@options.taking(options_of_compared)
def compare(
    context: typer.Context,
    inputs: Inputs,
    measure: options.MeasureNames = None,
    baseline: options.Baseline = None,
    alternative: AlternativeSide = "two-sided",
    over: Over = "query",
    correction: Correction = None,
    null: Null = "partial",
    across_measures: AcrossMeasures = False,
    level: options.Level = 0.95,
    rope: options.Rope = None,
    n_resamples: options.NResamples = 9999,
    output_format: output_options.FormatChoice = None,
    what: output_options.DifferencesOrMeans = "means",
    digits: paper_options.Digits = None,
    caption: paper_options.Caption = None,
    label: paper_options.Label = None,
    bold: paper_options.Bold = True,
    output: output_options.Output = None,
    figure: output_options.Figure = None,
    figure_kind: FigureKind = None,
) -> None:
    """Say which systems differ, by how much, and how certain that is.

    Shows verdicts, differences with intervals, means with the letters of the systems beaten, the
    same by each subject alone, and the assumptions.
    """
    from fuzzytruth.cli.figures import write_figure
    from fuzzytruth.cli.tables import format_for, show_comparison
    from fuzzytruth.comparison.compare import compare as compare_scores

    output_format = output_format or format_for(output)
    style = paper_options.PaperStyle(digits, caption, label, bold).check(output_format)
    if options.typed(context, "what"):
        paper_options.for_papers("--table", output_format)
    if figure_kind is not None and figure is None:
        raise OptionError("--figure-kind: is of a figure; add --figure FILE")
    compared = read_compared(context, inputs)
    with Bar() as bar:
        bar.stage("comparing")
        result = compare_scores(
            compared.scores,
            baseline,
            compared.measures,
            over=options.axes_of(over),
            correction=correction,
            level=level,
            n_resamples=n_resamples,
            rng=context.params["seed"],
            null=null,
            alternative=alternative,
            clusters=compared.clusters,
            strata=compared.strata,
            across_measures=across_measures,
            bayesian=rope is not None,
            rope=rope,
            n_jobs=context.params["n_jobs"],
            progress=bar.advance,
        )
    write_figure(result.plot, figure, kind=figure_kind)
    show_comparison(result, output_format=output_format, output=output, what=what, style=style)

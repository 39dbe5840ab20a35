"""`fuzzytruth evaluate`."""

from __future__ import annotations

from typing import Annotated

import typer

from fuzzytruth.cli import matrices, options, panels, paper_options, table_options
from fuzzytruth.cli.completions import complete_axes
from fuzzytruth.cli.inputs import CategoryVotes, check_outputs, second_column
from fuzzytruth.cli.scoring import measures_of, note_unused, score_files
from fuzzytruth.errors import OptionError

EXAMPLE = """\b
Examples, on the sample that comes with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth evaluate sample/judgments.parquet sample/runs.parquet \\
    --order-by rank -m AP,nDCG@10
  fuzzytruth evaluate sample/judgments.parquet sample/runs.parquet \\
    --order-by rank -m RR --worlds subject --over query,subject
On files of your own:
  fuzzytruth evaluate qrels.txt a.run b.run -m AP -m nDCG@10
  fuzzytruth evaluate votes.csv new=a.run 'runs/*.run.gz' -o table.tex
  fuzzytruth evaluate qrels.txt a.run -m 'P(rel=2)@10,RR' --per-query \\
    -o scores.csv
  fuzzytruth evaluate votes.csv a.run --worlds independent --n-worlds 2000
  fuzzytruth evaluate qrels.txt a.run b.run -m P@10 -m AP --unjudged bounds
  fuzzytruth evaluate votes.csv a.run -m P@10 --rel ann=3,bob=1
  fuzzytruth evaluate export.csv a.run \\
    --columns query=topic_no,subject=who --drop na
  fuzzytruth evaluate wide.csv a.csv --subjects ann,bob \\
    --run-columns score=cosine
  fuzzytruth evaluate labels.csv like.run --taxonomy tree.txt -m P@10
  fuzzytruth evaluate labels.csv classes.csv --by-item -m P@1
  fuzzytruth evaluate test.cla d2.npy shd=shd.txt --distances -m NN,AP
  fuzzytruth evaluate qrels.txt sim.npy --queries queries.txt \\
    --items items.txt --depth 1000

Exit status: 0, or 1 if the data are wrong, or 2 if an option or a measure's
name is.
"""


Over = Annotated[
    str | None,
    typer.Option(
        autocompletion=complete_axes,
        help="What the intervals of means are over: query, subject, world, or several separated by "
        "commas.  [default: query]",
        show_default=False,
        metavar="AXIS,...",
        rich_help_panel=panels.METHOD,
    ),
]


def evaluate(
    context: typer.Context,
    judgments: options.JudgmentsFile,
    runs: options.RunFiles,
    measure: options.MeasureNames = None,
    per_query: options.PerQuery = False,
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    ties: options.Ties = "trec",
    undefined: options.Undefined = "zero",
    missing: options.Missing = "error",
    unjudged: options.Unjudged = "nonrelevant",
    rel: options.Rel = None,
    worlds: options.Worlds = None,
    n_worlds: options.NWorlds = 1000,
    mc_error: options.McError = None,
    seed: options.Seed = 0,
    n_jobs: options.Jobs = 1,
    aggregate: options.Aggregate = None,
    taxonomy: options.OptionalTaxonomyFile = None,
    category: options.AskedCategory = None,
    asked: options.AskedFile = None,
    by_item: options.ByItem = None,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    run_columns: table_options.RunColumns = None,
    groups: options.Groups = None,
    intents: options.IntentGroups = False,
    queries: matrices.QueryFile = None,
    items: matrices.ItemFile = None,
    distances: matrices.Distances = False,
    exclude_self: matrices.ExcludeSelf = False,
    depth: matrices.Depth = None,
    over: Over = None,
    output_format: options.FormatChoice = None,
    digits: paper_options.Digits = None,
    caption: paper_options.Caption = None,
    label: paper_options.Label = None,
    bold: paper_options.Bold = True,
    output: options.Output = None,
    figure: options.Figure = None,
    save: options.Save = None,
) -> None:
    """Score systems against judgments.

    Shows the mean of each measure with its 95 % interval over queries, or every query's value.
    Where several subjects judged, scores are expected values over possible truths (worlds);
    --worlds subject scores against each subject's truth in turn, --aggregate merges them into one.
    """
    from fuzzytruth.cli.figures import write_figure
    from fuzzytruth.cli.score_tables import show_scores
    from fuzzytruth.cli.tables import format_for

    measures = measures_of(measure, by_item=by_item)
    output_format = output_format or format_for(output)
    style = paper_options.PaperStyle(digits, caption, label, bold).check(output_format)
    if per_query and over is not None:
        raise OptionError("--over: is for means, and --per-query shows none; choose one")
    others = [path for path in (taxonomy, asked, queries, items) if path is not None]
    check_outputs([judgments, *others, *runs], output, figure, save)
    scores = score_files(
        judgments,
        runs,
        measures,
        name_by=name_by,
        order_by=order_by,
        duplicates=duplicates,
        groups=second_column(groups, intents=intents),
        aggregate=aggregate,
        categories=CategoryVotes.from_options(taxonomy, category, asked, by_item),
        matrix=matrices.matrix_options(
            queries, items, distances=distances, exclude_self=exclude_self, depth=depth
        ),
        table=table_options.TableOptions.from_options(columns, grades, drop, subjects),
        run_columns=table_options.columns_of("--run-columns", run_columns),
        save=save,
        worlds=worlds,
        ties=ties,
        undefined=undefined,
        missing=missing,
        unjudged=unjudged,
        rel=rel,
        n_worlds=n_worlds,
        mc_error=mc_error,
        rng=seed,
        n_jobs=n_jobs,
    )
    note_unused(context, scores, "n_worlds", "seed")
    axes = None if over is None else options.axes_of(over)
    by = "subject" if scores.subjects is not None and scores.design == "crossed" else None
    write_figure(scores.plot, figure, over=axes, by=by)
    show_scores(
        scores,
        output_format=output_format,
        per_query=per_query,
        over=axes,
        style=style,
        output=output,
    )

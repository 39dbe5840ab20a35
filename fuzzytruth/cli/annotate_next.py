"""`fuzzytruth annotate-next`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fuzzytruth.cli import options, panels, table_options
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli import scoring as scoring_options
from fuzzytruth.cli.inputs import check_outputs, read_systems, read_truth, split_measures
from fuzzytruth.cli.options import complete_measures
from fuzzytruth.cli.output import emit_answer
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    from fuzzytruth.annotators.planning.annotate_next import AnnotationOrder
    from fuzzytruth.cli.output import TableFormat

EXAMPLE = """\b
Examples, on the sample that comes with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth annotate-next sample/judgments.parquet sample/runs.parquet \\
    --order-by rank --systems amc.run,waterloo.B-rank-normal -m AP
On files of your own:
  fuzzytruth annotate-next votes.csv old.run new.run -m AP --limit 20
  fuzzytruth annotate-next votes.csv 'runs/*.run' --systems bm25,dense \\
    -m nDCG@10 -k 3
  fuzzytruth annotate-next votes.csv a.run b.run -m P@10 --limit 200 \\
    -o batch.csv

Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
"""

VotesFile = Annotated[
    Path,
    typer.Argument(
        metavar="VOTES",
        help="Votes of several people: columns query, item, grade and subject, or count where "
        "nobody is named; or TREC qrels whose second column names subjects. CSV, TSV, JSON, JSON "
        "lines or Parquet; .gz of each.",
        show_default=False,
        readable=False,  # reported by the reader, in one line
    ),
]
OneMeasure = Annotated[
    str,
    option(
        panels.METHOD,
        "One measure.",
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
    ),
]
TwoSystems = Annotated[
    str | None,
    option(
        panels.METHOD,
        "The two systems that are compared, the first minus the second.  [default: the "
        "systems, if they are two]",
        "--systems",
        metavar="SYSTEM,SYSTEM",
    ),
]
Limit = Annotated[int, setting(panels.OUTPUT, "How many items to list.", metavar="N")]
MoreVotes = Annotated[
    int,
    setting(
        panels.METHOD, "How many more votes each item is to get.", "-k", "--more-votes", metavar="N"
    ),
]
Prior = Annotated[
    float | None,
    option(
        panels.METHOD,
        "How many votes the base rate of an item counts as in its estimate. "
        "[default: none, where it has votes]",
        metavar="VOTES",
    ),
]
WithUnjudged = Annotated[
    bool,
    setting(
        panels.METHOD,
        "Whether retrieved items that nobody judged are listed too; else they are not relevant.",
        "--unjudged/--no-unjudged",
    ),
]
Worlds = Annotated[
    int,
    setting(
        panels.COMPUTATION,
        "Worlds drawn where shares are not known exactly.",
        "--n-worlds",
        metavar="N",
    ),
]


def annotate_next(
    votes: VotesFile,
    runs: options.RunFiles,
    measure: OneMeasure,
    systems: TwoSystems = None,
    limit: Limit = 20,
    k: MoreVotes = 1,
    prior: Prior = None,
    unjudged: WithUnjudged = True,
    rel: scoring_options.Rel = None,
    ties: scoring_options.Ties = "trec",
    n_worlds: Worlds = 1000,
    seed: scoring_options.Seed = 0,
    groups: options.Groups = None,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    rescale: table_options.Rescale = None,
    run_columns: table_options.RunColumns = None,
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    output_format: output_options.FormatChoice = None,
    output: output_options.Output = None,
) -> None:
    """List the items on which more votes would tell most about two systems.

    Tables for programs have one row an item, with its share of the variance of the difference that
    comes from few votes.
    """
    from fuzzytruth.annotators.planning.annotate_next import annotate_next as order_of
    from fuzzytruth.cli.tables import format_for

    output_format = output_format or format_for(output)
    check_outputs([votes, *runs], output)
    names = split_measures([measure])
    if len(names) != 1:
        raise OptionError(f"-m {measure}: name one measure")
    table = table_options.TableOptions.from_options(columns, grades, drop, subjects, rescale)
    of_runs = table_options.columns_of("--run-columns", run_columns)
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, groups=groups, aggregate=None, table=table)
        lists = read_systems(
            runs, name_by=name_by, order_by=order_by, duplicates=duplicates, columns=of_runs
        )
        bar.stage("scoring")
        result = order_of(
            truth,
            lists,
            names[0],
            systems=None if systems is None else table_options.names_of("--systems", [systems]),
            k=k,
            prior=prior,
            unjudged=unjudged,
            limit=limit,
            rel=rel,
            ties=ties,
            n_worlds=n_worlds,
            rng=seed,
        )
    _show(result, output_format, output)


def _show(result: AnnotationOrder, output_format: TableFormat, output: Path | None) -> None:
    """Print the items, or write their table."""
    from fuzzytruth.cli.tables import show_frame

    if output_format == "table":
        emit_answer(result, output)
        return
    caption = f"Items to annotate next, by {result.measure}."
    full = output_format in ("csv", "json")
    show_frame(
        result.to_frame(full=full), output_format=output_format, output=output, caption=caption
    )

"""`fuzzytruth compare`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fuzzytruth.cli import matrices, options, paper_options, table_options
from fuzzytruth.cli.inputs import CategoryVotes, groups_of_option, protect_inputs, split_measures
from fuzzytruth.cli.messages import FLAGS
from fuzzytruth.cli.score_inputs import hold_scores, read_score_files
from fuzzytruth.cli.scoring import measures_of, note_unused, score_files
from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.stats.query_groups import Kind

EXAMPLE = """\b
Examples:
  fuzzytruth compare qrels.txt a.run b.run -m AP -m nDCG@10
  fuzzytruth compare qrels.txt a.run b.run --baseline a --correction holm --format latex
  fuzzytruth compare votes.csv a.run b.run --worlds subject --over query,subject -m RR
  fuzzytruth compare scores.csv --baseline a --alternative greater
  fuzzytruth compare scores.csv --clusters topic -o differences.csv
  fuzzytruth compare means.csv --columns query=topic --systems bm25,dense
  fuzzytruth compare old=old.jsonl new=new.jsonl
"""

#: Options of votes for categories, in the order of `CategoryVotes`.
OF_VOTES = ("taxonomy", "category", "asked", "by_item")
#: Options of tables of judgments that no table of scores takes.
OF_TABLES = ("grades", "subjects")
#: Options that only judgments and runs take; scores are made already.
OF_EVALUATION = (
    "worlds",
    "n_worlds",
    "mc_error",
    "name_by",
    "order_by",
    "duplicates",
    "ties",
    "undefined",
    "missing",
    "rel",
    "aggregate",
    "groups",
    "run_columns",
    *OF_VOTES,
    *OF_TABLES,
)
#: Options of runs that are matrices.
OF_MATRICES = ("queries", "items", "distances", "exclude_self", "depth")

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="SCORES... | JUDGMENTS RUN...",
        help="Scores that evaluate --save wrote, tables with columns system, query, value "
        "[, subject][, measure], or logs of evaluation harnesses; or judgments and runs, as "
        "evaluate takes them.",
        show_default=False,
    ),
]
Baseline = Annotated[
    list[str] | None,
    typer.Option(
        help="Compare every other system with this one, instead of all pairs; may be repeated."
    ),
]
AlternativeSide = Annotated[
    Literal["two-sided", "greater", "less"],
    typer.Option(
        "--alternative",
        help="What to show of the first system minus the second (the baseline): that it is not 0, "
        "above 0, or below 0.",
    ),
]
Over = Annotated[
    str, typer.Option(help="What is random: query, subject, world, or several separated by commas.")
]
Correction = Annotated[
    str | None,
    typer.Option(
        help="max-t, sign-flips, none, or a method of statsmodels: bonferroni, holm, fdr_bh, ...  "
        "[default: max-t over queries, else bonferroni]"
    ),
]
Null = Annotated[
    Literal["partial", "complete"],
    typer.Option(help="complete: permute the labels of the systems within queries."),
]
AcrossMeasures = Annotated[
    bool, typer.Option("--across-measures", help="Correct for all measures together.")
]
Level = Annotated[float, typer.Option(help="Confidence level.")]
Rope = Annotated[
    float | None,
    typer.Option(help="Add posterior probabilities of differences beyond and within this size."),
]
NResamples = Annotated[int, typer.Option("--n-resamples", help="Number of resamples.")]
SeedOfAll = Annotated[int, typer.Option("--seed", help="Random seed of resamples and worlds.")]
LowerIsBetter = Annotated[
    list[str] | None,
    typer.Option(
        "--lower-is-better",
        metavar="MEASURE",
        help="Of scores: measures of which less is better, separated by commas; names such as "
        "perplexity or mse are known.",
        show_default=False,
    ),
]
What = Annotated[
    Literal["means", "differences"],
    typer.Option(
        "--table",
        help="In LaTeX and Markdown: means with the letters of the systems beaten, or a row a pair "
        "with difference, interval and p.",
    ),
]


def compare(
    context: typer.Context,
    inputs: Inputs,
    measure: options.MeasureNames = None,
    baseline: Baseline = None,
    alternative: AlternativeSide = "two-sided",
    over: Over = "query",
    clusters: options.Clusters = None,
    strata: options.Strata = None,
    nested: options.Nested = False,
    correction: Correction = None,
    null: Null = "partial",
    across_measures: AcrossMeasures = False,
    level: Level = 0.95,
    rope: Rope = None,
    n_resamples: NResamples = 9999,
    seed: SeedOfAll = 0,
    n_jobs: options.Jobs = 1,
    worlds: options.Worlds = None,
    n_worlds: options.NWorlds = 1000,
    mc_error: options.McError = None,
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    ties: options.Ties = "trec",
    undefined: options.Undefined = "zero",
    missing: options.Missing = "error",
    rel: options.Rel = None,
    aggregate: options.Aggregate = None,
    taxonomy: options.OptionalTaxonomyFile = None,
    category: options.AskedCategory = None,
    asked: options.AskedFile = None,
    by_item: options.ByItem = None,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    systems: table_options.Systems = None,
    run_columns: table_options.RunColumns = None,
    lower_is_better: LowerIsBetter = None,
    groups: options.Groups = None,
    queries: matrices.QueryFile = None,
    items: matrices.ItemFile = None,
    distances: matrices.Distances = False,
    exclude_self: matrices.ExcludeSelf = False,
    depth: matrices.Depth = None,
    output_format: options.FormatChoice = None,
    what: What = "means",
    digits: paper_options.Digits = None,
    caption: paper_options.Caption = None,
    label: paper_options.Label = None,
    bold: paper_options.Bold = True,
    output: options.Output = None,
) -> None:
    """Say which systems differ, by how much, and how certain that is.

    Shows verdicts, differences with intervals, means with the letters of the systems beaten, the
    same by each subject alone, and the assumptions.
    """
    from fuzzytruth.cli.comparison_tables import show_comparison
    from fuzzytruth.cli.tables import format_for
    from fuzzytruth.comparison.compare import compare as compare_scores

    output_format = output_format or format_for(output)
    style = paper_options.PaperStyle(digits, caption, label, bold).check(output_format)
    others = [path for path in (queries, items, taxonomy, asked) if path is not None]
    protect_inputs([*inputs, *others], output)
    # the options of OF_EVALUATION and OF_MATRICES are taken from the context
    kinds: tuple[tuple[Kind, str | None], ...] = (("clusters", clusters), ("strata", strata))
    grouping = {k: None if text is None else groups_of_option(text, k) for k, text in kinds}
    kept = [name for name in grouping.values() if isinstance(name, str)]
    table = table_options.TableOptions.from_options(columns, grades, drop, subjects)
    wide = table_options.names_of("--systems", systems)
    are_scores = hold_scores(inputs, table.columns, wide)
    if are_scores:
        _refuse_options(context, inputs)
        lower = table_options.names_of("--lower-is-better", lower_is_better)
        scores = read_score_files(
            inputs, columns=table.columns, drop=table.drop, systems=wide, kept=kept, lower=lower
        )
    else:
        scores = _scores_of(context, inputs, measure, kept, table, rng=seed, n_jobs=n_jobs)
    result = compare_scores(
        replace(scores, design="nested") if nested else scores,
        baseline,
        split_measures(measure) if measure and are_scores else None,
        over=[axis.strip() for axis in over.split(",")],
        correction=correction,
        level=level,
        n_resamples=n_resamples,
        rng=seed,
        null=null,
        alternative=alternative,
        clusters=grouping["clusters"],
        strata=grouping["strata"],
        across_measures=across_measures,
        bayesian=rope is not None,
        rope=rope,
        n_jobs=n_jobs,
    )
    show_comparison(result, output_format=output_format, output=output, what=what, style=style)


def _scores_of(
    context: typer.Context,
    inputs: list[str],
    measure: list[str] | None,
    kept: list[str],
    table: table_options.TableOptions,
    **settings: Any,
) -> Scores:
    """Scores of judgments and runs, under the options given for evaluation."""
    for name, flag in (("systems", "--systems"), ("lower_is_better", "--lower-is-better")):
        if options.typed(context, name):
            raise OptionError(f"{flag}: is for scores, and {inputs[0]} is read as judgments")
    if kept:
        raise OptionError(
            f"clusters, strata: {shown(kept[0])} is no file, and judgments and runs have no "
            "columns for groups of queries; give a table (query, cluster) or (query, stratum)"
        )
    given = {name: context.params[name] for name in OF_EVALUATION}
    votes = [given.pop(name) for name in OF_VOTES]
    columns = given.pop("run_columns")
    matrix = matrices.matrix_options(**{name: context.params[name] for name in OF_MATRICES})
    scores = score_files(
        inputs[0],
        inputs[1:],
        measures_of(measure, by_item=context.params["by_item"]),
        matrix=matrix,
        categories=CategoryVotes.from_options(*votes),
        table=table,
        run_columns=table_options.columns_of("--run-columns", columns),
        **settings,
        **{name: value for name, value in given.items() if name not in OF_TABLES},
    )
    note_unused(context, scores, "n_worlds")
    return scores


def _refuse_options(context: typer.Context, inputs: list[str]) -> None:
    """Refuse options of evaluation for scores, also where they say what is the default."""
    given = [
        _flag(name, context.params[name])
        for name in (*OF_EVALUATION, *OF_MATRICES)
        if options.typed(context, name)
    ]
    if given:
        are = "is" if len(given) == 1 else "are"
        raise OptionError(
            f"{', '.join(given)}: {are} for judgments and runs, and {inputs[0]} holds scores"
        )


def _flag(name: str, value: object) -> str:
    """An option as typed: --no-groups if it is off."""
    flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
    if name == "by_item":
        return flag if value else "--by-example"
    return flag if value is not False else f"--no-{flag.removeprefix('--')}"

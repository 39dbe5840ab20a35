"""Arguments and options of what commands compare, which `compared_scores` reads."""

from __future__ import annotations

from typing import Annotated

import typer

from fuzzytruth.cli import matrices, options, panels, scoring_options, table_options
from fuzzytruth.cli.panels import option, setting

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
SeedOfAll = Annotated[
    int, setting(panels.COMPUTATION, "Random seed of resamples and worlds.", "--seed", metavar="N")
]
LowerIsBetter = Annotated[
    list[str] | None,
    option(
        panels.INPUT,
        "Of scores: measures of which less is better, separated by commas; names such as "
        "perplexity or mse are known.",
        "--lower-is-better",
        metavar="MEASURE",
    ),
]


def options_of_compared(
    clusters: options.Clusters = None,
    strata: options.Strata = None,
    nested: options.Nested = False,
    seed: SeedOfAll = 0,
    n_jobs: scoring_options.Jobs = 1,
    worlds: scoring_options.Worlds = None,
    n_worlds: scoring_options.NWorlds = 1000,
    mc_error: scoring_options.McError = None,
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    ties: scoring_options.Ties = "trec",
    undefined: scoring_options.Undefined = "zero",
    missing: scoring_options.Missing = "error",
    rel: scoring_options.Rel = None,
    aggregate: scoring_options.Aggregate = None,
    taxonomy: options.OptionalTaxonomyFile = None,
    category: options.AskedCategory = None,
    asked: options.AskedFile = None,
    by_item: options.ByItem = None,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    rescale: table_options.Rescale = None,
    systems: table_options.Systems = None,
    run_columns: table_options.RunColumns = None,
    lower_is_better: LowerIsBetter = None,
    groups: options.Groups = None,
    intents: options.IntentGroups = False,
    queries: matrices.QueryFile = None,
    items: matrices.ItemFile = None,
    distances: matrices.Distances = False,
    exclude_self: matrices.ExcludeSelf = False,
    depth: matrices.Depth = None,
) -> None:
    """Options of what is compared, which commands take over and `read_compared` reads."""

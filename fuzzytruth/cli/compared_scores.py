"""Scores that commands compare: read from files of scores, or made of judgments and runs.

Commands that compare have the same arguments and options for these, which are read from their
context.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fuzzytruth.cli import matrices, options, panels, table_options
from fuzzytruth.cli import scoring as scoring_options
from fuzzytruth.cli.inputs import (
    CategoryVotes,
    check_outputs,
    groups_of_option,
    second_column,
    split_measures,
    split_names,
)
from fuzzytruth.cli.messages import FLAGS
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.scoring import Keep, measures_of, note_unused, score_files
from fuzzytruth.cli.table_options import TableOptions
from fuzzytruth.errors import OptionError, nearest, shown, shown_all

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.evaluation.scores.summary import Grouping
    from fuzzytruth.measures import Measure
    from fuzzytruth.stats.observations import Kind


# Arguments and options of what commands compare, which `compared_scores` reads.


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


# Files of scores that a command line names: tables, saved scores, logs of harnesses.


def hold_scores(
    texts: Sequence[str], columns: Mapping[str, str] | None = None, systems: Sequence[str] = ()
) -> bool:
    """Whether files hold scores, not judgments and runs: of a single file always.

    Of several, the first one decides, for judgments come first.
    """
    from fuzzytruth.evaluation.tables.score_logs import holds_scores
    from fuzzytruth.io.files import matching_files

    if len(texts) == 1 or systems:
        return True
    named, unnamed = split_names(texts[:1])
    files = matching_files([*named.values(), *unnamed])
    return holds_scores(files[0], columns=columns)


def read_score_files(
    texts: Sequence[str],
    *,
    columns: Mapping[str, str] | None,
    drop: Sequence[Any],
    systems: Sequence[str],
    kept: Sequence[str],
    lower: Sequence[str] = (),
) -> Scores:
    """Scores of one or several files, patterns, or NAME=FILE of logs.

    `kept` are columns of tables that group queries, `lower` measures of which less is better.
    """
    from fuzzytruth.evaluation.tables.score_logs import read_scores

    named, unnamed = split_names(texts)
    if named and unnamed:
        raise OptionError(f"{unnamed[0]}: give every file of scores a name, NAME=FILE, or none")
    scores = read_scores(
        named or unnamed,
        columns=columns,
        drop=tuple(drop),
        systems=tuple(systems),
        clusters=tuple(kept) or None,
    )
    return _with_lower(scores, lower)


def _with_lower(scores: Scores, lower: Sequence[str]) -> Scores:
    """The same scores, of which less is better for some measures."""
    for name in lower:
        if name not in scores.measures:
            near = nearest(name, scores.measures)
            raise OptionError(
                f"--lower-is-better {name}: is not among the measures{near}; they are "
                f"{shown_all(scores.measures)}"
            )
    better = zip(scores.measures, scores.higher_is_better, strict=True)
    return replace(
        scores, higher_is_better=tuple(higher and name not in lower for name, higher in better)
    )


#: Options of votes for categories, in the order of `CategoryVotes`.
OF_VOTES = ("taxonomy", "category", "asked", "by_item")
#: Options of tables of judgments and of scores, in the order of `TableOptions.from_options`.
OF_ANY_TABLE = ("columns", "grades", "drop", "subjects", "rescale")
#: Options of tables of judgments that no table of scores takes.
OF_TABLES = ("grades", "subjects", "rescale")
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
    "intents",
    "run_columns",
    *OF_VOTES,
    *OF_TABLES,
)
#: Options of runs that are matrices.
OF_MATRICES = ("queries", "items", "distances", "exclude_self", "depth")


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """What a command compares.

    Parameters
    ----------
    scores : Scores
    measures : list of str or None
        Of the scores; None: all.
    clusters, strata : dict or str or None
    were_scores : bool
        Whether the files held scores, and not judgments and runs.
    """

    scores: Scores
    measures: list[str] | None
    clusters: Grouping
    strata: Grouping
    were_scores: bool


def read_compared(
    context: typer.Context,
    inputs: list[str],
    *,
    several: str | None = None,
    defaults: bool = True,
    more: Callable[[tuple[Measure, ...]], tuple[Measure, ...]] | None = None,
    keep: Keep | None = None,
) -> Compared:
    """Read scores, or judgments and runs; the options are those of the context.

    Parameters
    ----------
    context : typer.Context
    inputs : list of str
    several : str, optional
        Worlds of judgments by several subjects, where none are named.
    defaults : bool
        Whether there are measures by default.
    more : callable, optional
        Makes of the measures those that judgments are scored by.
    keep : callable, optional
        Called with judgments and runs, if there are any.

    Raises
    ------
    OptionError
        Options do not go with the files, or no measure is named and has to be.
    """
    given = context.params
    outputs = (given.get("output"), given.get("figure"))
    check_outputs([*inputs, *other_files(given)], *outputs)
    grouping = _grouping(given)
    kept = [name for name in grouping.values() if isinstance(name, str)]
    measure = given["measure"]
    table, wide = _table_options(given)
    are_scores = hold_scores(inputs, table.columns, wide)
    if are_scores:
        scores = _scores_in(context, inputs, kept)
    else:
        _check_for_judgments(context, inputs, kept, named=bool(measure or defaults))
        names = measures_of(measure, by_item=given["by_item"])
        wanted = names if more is None else more(names)
        settings = {"rng": given["seed"], "n_jobs": given["n_jobs"]}
        scores = scores_of(context, inputs, wanted, several=several, keep=keep, **settings)
        note_unused(context, scores, "n_worlds")
    return Compared(
        replace(scores, design="nested") if given["nested"] else scores,
        split_measures(measure) if measure and are_scores else None,
        grouping["clusters"],
        grouping["strata"],
        are_scores,
    )


def other_files(given: Mapping[str, Any]) -> list[Path]:
    """Files that options name, to be read beside the arguments."""
    named = [given[name] for name in ("queries", "items", "taxonomy", "asked")]
    return [path for path in named if path is not None]


def _grouping(given: Mapping[str, Any]) -> dict[Kind, Grouping]:
    """Clusters and strata of queries; not every command has both."""
    kinds: tuple[Kind, ...] = ("clusters", "strata")
    typed = {kind: given.get(kind) for kind in kinds}
    return {k: None if t is None else groups_of_option(t, k) for k, t in typed.items()}


def _table_options(given: Mapping[str, Any]) -> tuple[TableOptions, tuple[str, ...]]:
    """How to read a table of judgments or scores, and its columns of one system each."""
    table = TableOptions.from_options(*(given[name] for name in OF_ANY_TABLE))
    return table, table_options.names_of("--systems", given.get("systems"))


def _scores_in(context: typer.Context, inputs: list[str], kept: list[str]) -> Scores:
    """Scores that were made already."""
    _refuse_options(context, inputs)
    table, wide = _table_options(context.params)
    lower = table_options.names_of("--lower-is-better", context.params["lower_is_better"])
    return read_score_files(
        inputs, columns=table.columns, drop=table.drop, systems=wide, kept=kept, lower=lower
    )


def _check_for_judgments(
    context: typer.Context, inputs: list[str], kept: list[str], *, named: bool
) -> None:
    """Refuse what is for scores, where judgments and runs are read, and no measure `named`."""
    if not named:
        raise OptionError("-m: name the measure, such as -m nDCG@10, or several")
    for name, flag in (("systems", "--systems"), ("lower_is_better", "--lower-is-better")):
        if options.typed(context, name):
            raise OptionError(f"{flag}: is for scores, and {inputs[0]} is read as judgments")
    if kept:
        raise OptionError(
            f"clusters, strata: {shown(kept[0])} is no file, and judgments and runs have no "
            "columns for groups of queries; give a table (query, cluster) or (query, stratum)"
        )


def scores_of(
    context: typer.Context, inputs: list[str], measures: tuple[Measure, ...], **settings: Any
) -> Scores:
    """Scores of judgments and runs, under the options of the context.

    Parameters
    ----------
    context : typer.Context
    inputs : list of str
        Judgments, then runs.
    measures : tuple of Measure
    **settings
        Of `score_files`, beside those options.
    """
    given = {name: context.params[name] for name in OF_EVALUATION}
    votes = [given.pop(name) for name in OF_VOTES]
    columns = given.pop("run_columns")
    given["groups"] = second_column(given["groups"], intents=given.pop("intents"))
    matrix = matrices.matrix_options(**{name: context.params[name] for name in OF_MATRICES})
    table, _ = _table_options(context.params)
    return score_files(
        inputs[0],
        inputs[1:],
        measures,
        matrix=matrix,
        categories=CategoryVotes.from_options(*votes),
        table=table,
        run_columns=table_options.columns_of("--run-columns", columns),
        **settings,
        **{name: value for name, value in given.items() if name not in OF_TABLES},
    )


def _refuse_options(context: typer.Context, inputs: list[str]) -> None:
    """Refuse options of evaluation for scores, also where they say what is the default."""
    given = [
        _flag(name, context.params[name])
        for name in (*OF_EVALUATION, *OF_MATRICES)
        if options.typed(context, name)
    ]
    if given:
        are = "is" if len(given) == 1 else "are"
        alone = "; after judgments, name the runs" if len(inputs) == 1 else ""
        raise OptionError(
            f"{', '.join(given)}: {are} for judgments and runs, and {inputs[0]} holds scores{alone}"
        )


def _flag(name: str, value: object) -> str:
    """An option as typed: --no-groups if it is off."""
    flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
    if name == "by_item":
        return flag if value else "--by-example"
    return flag if value is not False else f"--no-{flag.removeprefix('--')}"

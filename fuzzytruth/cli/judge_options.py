"""Options of `fuzzytruth judges`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.completions import complete_measures

HumanFile = Annotated[
    Path,
    typer.Argument(
        metavar="HUMAN",
        help="Judgments of people: columns query, item, grade and, of several people, subject; or "
        "TREC qrels. With --taxonomy, votes for categories: subject, item, category.",
        show_default=False,
        readable=False,  # reported by the reader, in one line
    ),
]
ModelFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="MODEL...",
        help="Judgments of model judges, in one file or several; a judge is in one of them. A file "
        "without subjects is of one judge, of several files named as the file. Without any, HUMAN "
        "holds them too: see --people.",
        show_default=False,
        readable=False,
    ),
]
People = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,...",
        help="The subjects of HUMAN who are people.  [default: all; the others are judges]",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
JudgeNames = Annotated[
    str | None,
    typer.Option(
        "--judges",
        metavar="NAME,...",
        help="The subjects who are judges.  [default: all]",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
RunFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--runs",
        metavar="RUN",
        help="Runs of the systems that people and judges order, [NAME=]FILE; may be repeated.",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
MeasuresOfOrder = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
        help="With --runs: a measure, or several separated by commas; may be repeated.  "
        "[default: nDCG@10]",
        show_default=False,
        rich_help_panel=panels.METHOD,
    ),
]
By = Annotated[
    Literal["agreement", "kappa", "weighted-kappa"],
    typer.Option(
        "--by",
        help="What judges are compared by.",
        rich_help_panel=panels.METHOD,
    ),
]
Closeness = Annotated[
    Literal["accuracy", "rmse", "taxonomy"],
    typer.Option(
        "--metric",
        help="Closeness to the other people, in the test.",
        rich_help_panel=panels.METHOD,
    ),
]
Epsilon = Annotated[
    float,
    typer.Option(
        help="How much worse than a person a model may be: .2 beside experts, .1 a crowd.",
        metavar="SIZE",
        rich_help_panel=panels.METHOD,
    ),
]
Alpha = Annotated[
    float,
    typer.Option(
        help="False discovery rate of the test.",
        metavar="RATE",
        rich_help_panel=panels.METHOD,
    ),
]
MinItems = Annotated[
    int,
    typer.Option(
        help="People with fewer items are not tested.",
        metavar="N",
        rich_help_panel=panels.METHOD,
    ),
]
Independent = Annotated[
    bool,
    typer.Option(
        "--independent",
        help="Take the items of a query as independent of each other.",
        rich_help_panel=panels.METHOD,
    ),
]
WhichTable = Annotated[
    Literal["agreement", "orders", "test", "people", "powered"] | None,
    typer.Option(
        "--table",
        help="Which table programs and papers get: agreement, orders (of systems), test "
        "(alternative annotator), people (its tests of each person), powered (scores from people's "
        "and models' judgments).  [default: agreement]",
        show_default=False,
        rich_help_panel=panels.OUTPUT,
    ),
]
TaxonomyFile = Annotated[
    Path | None,
    typer.Option(
        "--taxonomy",
        metavar="TREE",
        help="HUMAN and MODEL are votes that put items in these categories.",
        show_default=False,
        readable=False,
        rich_help_panel=panels.CATEGORIES,
    ),
]
ModelSubjects = Annotated[
    list[str] | None,
    typer.Option(
        "--model-subjects",
        metavar="COLUMN,...",
        help="The same of MODEL.  [default: those of --subjects]",
        show_default=False,
        rich_help_panel=panels.INPUT,
    ),
]
SeedOfResamples = Annotated[
    int,
    typer.Option(
        "--seed",
        help="Random seed of resamples.",
        metavar="N",
        rich_help_panel=panels.COMPUTATION,
    ),
]

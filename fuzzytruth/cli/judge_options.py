"""Options of `fuzzytruth judges`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.completions import complete_measures
from fuzzytruth.cli.panels import option, setting

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
    option(
        panels.INPUT,
        "The subjects of HUMAN who are people.  [default: all; the others are judges]",
        metavar="NAME,...",
    ),
]
JudgeNames = Annotated[
    str | None,
    option(
        panels.INPUT, "The subjects who are judges.  [default: all]", "--judges", metavar="NAME,..."
    ),
]
RunFiles = Annotated[
    list[str] | None,
    option(
        panels.INPUT,
        "Runs of the systems that people and judges order, [NAME=]FILE; may be repeated.",
        "--runs",
        metavar="RUN",
    ),
]
MeasuresOfOrder = Annotated[
    list[str] | None,
    option(
        panels.METHOD,
        "With --runs: a measure, or several separated by commas; may be repeated.  "
        "[default: nDCG@10]",
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
    ),
]
By = Annotated[
    Literal["agreement", "kappa", "weighted-kappa"],
    setting(panels.METHOD, "What judges are compared by.", "--by"),
]
Closeness = Annotated[
    Literal["accuracy", "rmse", "taxonomy"],
    setting(panels.METHOD, "Closeness to the other people, in the test.", "--metric"),
]
Epsilon = Annotated[
    float,
    setting(
        panels.METHOD,
        "How much worse than a person a model may be: .2 beside experts, .1 a crowd.",
        metavar="SIZE",
    ),
]
Alpha = Annotated[
    float, setting(panels.METHOD, "False discovery rate of the test.", metavar="RATE")
]
MinItems = Annotated[
    int, setting(panels.METHOD, "People with fewer items are not tested.", metavar="N")
]
Independent = Annotated[
    bool,
    setting(
        panels.METHOD, "Take the items of a query as independent of each other.", "--independent"
    ),
]
WhichTable = Annotated[
    Literal["agreement", "orders", "test", "people", "powered"] | None,
    option(
        panels.OUTPUT,
        "Which table programs and papers get: agreement, orders (of systems), test "
        "(alternative annotator), people (its tests of each person), powered (scores from people's "
        "and models' judgments).  [default: agreement]",
        "--table",
    ),
]
TaxonomyFile = Annotated[
    Path | None,
    option(
        panels.CATEGORIES,
        "HUMAN and MODEL are votes that put items in these categories.",
        "--taxonomy",
        metavar="TREE",
    ),
]
ModelSubjects = Annotated[
    list[str] | None,
    option(
        panels.INPUT,
        "The same of MODEL.  [default: those of --subjects]",
        "--model-subjects",
        metavar="COLUMN,...",
    ),
]
SeedOfResamples = Annotated[
    int, setting(panels.COMPUTATION, "Random seed of resamples.", "--seed", metavar="N")
]

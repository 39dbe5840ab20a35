"""`fuzzytruth displacement`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fuzzytruth.cli import options
from fuzzytruth.cli.progress import Bar
from fuzzytruth.cli.scoring import read_systems, spare_inputs
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

EXAMPLE = """\b
Examples:
  fuzzytruth displacement lists.csv a.run b.run
  fuzzytruth displacement lists.csv a.run --unseen optimist --unseen worst -N 1000 --normalised
  fuzzytruth displacement lists.csv 'runs/*.run' --g exp --rate 0.1 --per-subject
  fuzzytruth displacement readers.csv a.run --nested --per-query -o displacements.csv

Exit status: 0, or 1 if the data or a measure's parameters are wrong, or 2 if the command is.
"""

ListsFile = Annotated[
    Path,
    typer.Argument(
        metavar="RESPONSES",
        help="Lists of subjects: columns query, subject, item, grade (from 0 to 1) and, if the "
        "order is given, position. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.",
        show_default=False,
        readable=False,  # the reader says so, in one line
    ),
]
Unseen = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HYPOTHESIS",
        help="Where the items are that a system does not list: optimist, pessimist, "
        "pessimist-tail, worst or incremental; may be repeated.  [default: optimist]",
        show_default=False,
    ),
]
CollectionSize = Annotated[
    int | None,
    typer.Option(
        "-N",
        "--collection-size",
        help="How many items there are; pessimist, pessimist-tail and worst need it.",
        show_default=False,
    ),
]
ListTies = Annotated[
    Literal["interval", "position"] | None,
    typer.Option(
        help="Items of equal relevance: in any order, or as given.  [default: position, if the "
        "lists have positions]",
        show_default=False,
    ),
]
Unsorted = Annotated[
    Literal["error", "sort"],
    typer.Option("--unsorted", help="What to do with a list in which relevance rises."),
]
Normalised = Annotated[
    bool,
    typer.Option("--normalised", help="Divide by the largest displacement of any such answer."),
]
Quality = Annotated[
    Literal["rational", "exp"] | None,
    typer.Option(
        "--g",
        help="Show the quality 1 / (1 + w)^power or exp(-rate w) instead of w.",
        show_default=False,
    ),
]
Power = Annotated[float | None, typer.Option(help="For --g rational.  [default: 1]")]
Rate = Annotated[float | None, typer.Option(help="For --g exp.", show_default=False)]
Cutoff = Annotated[
    int | None, typer.Option("-k", "--cutoff", help="Cut the systems' lists.", show_default=False)
]
Nested = Annotated[
    bool,
    typer.Option("--nested", help="A subject's name is another person in another query."),
]
PerSubject = Annotated[bool, typer.Option("--per-subject", help="Every subject, not the mean.")]


def displacement(
    responses: ListsFile,
    runs: options.RunFiles,
    unseen: Unseen = None,
    collection_size: CollectionSize = None,
    ties: ListTies = None,
    unsorted: Unsorted = "error",
    normalised: Normalised = False,
    g: Quality = None,
    power: Power = None,
    rate: Rate = None,
    cutoff: Cutoff = None,
    nested: Nested = False,
    per_subject: PerSubject = False,
    per_query: options.PerQuery = False,
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    layout: options.LayoutChoice = None,
    output: options.Output = None,
    save: options.Save = None,
) -> None:
    """Compare systems' lists with subjects' lists by weighted displacement.

    The displacement w of a list is the sum, over the subject's items, of relevance × distance
    between the subject's and the system's rank. Shows means: over the subjects of a query, then
    over queries.
    """
    from fuzzytruth.cli.tables import layout_of, show
    from fuzzytruth.data.reading import read_judgments
    from fuzzytruth.evaluation.evaluate import evaluate
    from fuzzytruth.measures import WD, WDQ

    if nested and per_subject and not per_query:
        raise OptionError(
            "--per-subject: the subjects are nested in queries and have no means; add --per-query"
        )
    if g is None and (power is not None or rate is not None):
        raise OptionError("--power, --rate: belong to a quality; add --g rational or --g exp")
    measures: list[WD | WDQ] = []
    for hypothesis in unseen or ["optimist"]:
        plain = WD(
            unseen=hypothesis,
            N=None if hypothesis == "incremental" else collection_size,
            ties=ties,
            normalised=normalised,
            order=unsorted,
            cutoff=cutoff,
        )
        measures.append(plain if g is None else plain.quality(g, power=power, rate=rate))
    layout = layout_of(output) if layout is None else layout
    spare_inputs([responses, *runs], output, save)
    with Bar() as bar:
        bar.stage("reading")
        lists = read_judgments(responses, design="nested" if nested else "crossed")
        systems = read_systems(runs, order_by=order_by, duplicates=duplicates)
        bar.stage("comparing", len(systems))
        scores = evaluate(lists, systems, measures, progress=bar.step)
        if save is not None:
            scores.save(save)
    shown = scores if per_subject else over_subjects(scores)
    show(shown, layout=layout, per_query=per_query, output=output)


def over_subjects(scores: Scores) -> Scores:
    """Each query's mean over the subjects who have a list for it."""
    import numpy as np

    values = scores.cells.mean_by_query(scores.values)[:, :, scores.cells.sizes > 0]
    cells = Cells(np.flatnonzero(scores.cells.sizes > 0), None, scores.cells.n_queries)
    return replace(scores, values=values, cells=cells, subjects=None)

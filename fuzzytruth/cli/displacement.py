"""`fuzzytruth displacement`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fuzzytruth.cli import options, panels, table_options
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli.inputs import check_outputs, read_systems
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.cli.scoring import score
from fuzzytruth.errors import OptionError, counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.data.judgments import Design
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.measures import WD, WDQ


EXAMPLE = """\b
Examples, on the sample that comes with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth displacement sample/judgments.parquet sample/runs.parquet \\
    --order-by rank --unseen optimist
On files of your own:
  fuzzytruth displacement lists.csv a.run b.run
  fuzzytruth displacement lists.csv a.run --unseen optimist --unseen worst \\
    -N 1000 --normalised
  fuzzytruth displacement lists.csv 'runs/*.run' --g exp --rate 0.1 \\
    --per-subject
  fuzzytruth displacement readers.csv a.run --nested --per-query \\
    -o displacements.csv

Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
"""

ListsFile = Annotated[
    Path,
    typer.Argument(
        metavar="RESPONSES",
        help="Lists of subjects: columns query, subject, item, grade (from 0 to 1) and, if the "
        "order is given, position. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.",
        show_default=False,
        readable=False,  # reported by the reader, in one line
    ),
]
Unseen = Annotated[
    list[str] | None,
    option(
        panels.METHOD,
        "Hypothesis about the ranks of items that a system does not list: optimist, "
        "pessimist, pessimist-tail, worst or incremental; may be repeated.  [default: optimist]",
        metavar="HYPOTHESIS",
    ),
]
CollectionSize = Annotated[
    int | None,
    option(
        panels.METHOD,
        "Number of items in the collection; pessimist, pessimist-tail and worst need it.",
        "-N",
        "--collection-size",
        metavar="N",
    ),
]
ListTies = Annotated[
    Literal["interval", "position"] | None,
    option(
        panels.METHOD,
        "Items of equal relevance: in any order, or as given.  [default: position, if the "
        "lists have positions]",
    ),
]
Unsorted = Annotated[
    Literal["error", "sort"],
    setting(panels.INPUT, "A list in which relevance rises.", "--unsorted"),
]
Normalised = Annotated[
    bool, setting(panels.METHOD, "Divide by the largest displacement possible.", "--normalised")
]
Quality = Annotated[
    Literal["rational", "exp"] | None,
    option(
        panels.METHOD, "Show the quality 1 / (1 + w)^power or exp(-rate w) instead of w.", "--g"
    ),
]
Power = Annotated[
    float | None, setting(panels.METHOD, "For --g rational.  [default: 1]", metavar="NUMBER")
]
Rate = Annotated[float | None, option(panels.METHOD, "For --g exp.", metavar="NUMBER")]
Cutoff = Annotated[
    int | None, option(panels.METHOD, "Cut the systems' lists.", "-k", "--cutoff", metavar="N")
]
PerSubject = Annotated[
    bool, setting(panels.OUTPUT, "Show every subject, not the mean.", "--per-subject")
]


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
    nested: options.Nested = False,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    run_columns: table_options.RunColumns = None,
    per_subject: PerSubject = False,
    per_query: output_options.PerQuery = False,
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    output_format: output_options.FormatChoice = None,
    output: output_options.Output = None,
    figure: output_options.Figure = None,
    save: output_options.Save = None,
) -> None:
    """Compare systems' lists with subjects' lists by weighted displacement.

    The displacement w of a list is the sum, over the subject's items, of relevance times distance
    between the subject's and the system's rank. Shows means: over the subjects of a query, then
    over queries.
    """
    from fuzzytruth.cli.figures import write_figure
    from fuzzytruth.cli.tables import format_for, show_scores
    from fuzzytruth.data.reading import read_judgments

    if nested and per_subject and not per_query:
        raise OptionError(
            "--per-subject: the subjects are nested in queries and have no means; add --per-query"
        )
    _check_quality(g, power, rate)
    if figure is not None:
        check_drawn(unseen or [], g)
    template = {"ties": ties, "normalised": normalised, "order": unsorted, "cutoff": cutoff}
    plain = _under(unseen or ["optimist"], collection_size, **template)
    measures: list[WD] | list[WDQ] = plain
    if g is not None:
        measures = [m.quality(g, power=power, rate=rate) for m in plain]
    output_format = output_format or format_for(output)
    check_outputs([responses, *runs], output, figure, save)
    table = table_options.TableOptions.from_options(columns, grades, drop, subjects)
    of_runs = table_options.columns_of("--run-columns", run_columns)
    with Bar() as bar:
        bar.stage("reading")
        design: Design = "nested" if nested else "crossed"
        lists = read_judgments(responses, design=design, **table.given)
        systems = read_systems(
            runs, name_by=name_by, order_by=order_by, duplicates=duplicates, columns=of_runs
        )
        scores = score(lists, systems, measures, bar)
        if save is not None:
            scores.save(save)
    write_figure(partial(draw_displacement, scores, plain), figure)
    show_scores(
        scores,
        output_format=output_format,
        per_query=per_query,
        per_subject=per_subject,
        output=output,
    )


def _check_quality(g: str | None, power: float | None, rate: float | None) -> None:
    """Refuse parameters of a quality that is not shown."""
    if g is None and (power is not None or rate is not None):
        raise OptionError("--power, --rate: belong to a quality; add --g rational or --g exp")


def _under(unseen: Sequence[str], collection_size: int | None, **options: Any) -> list[WD]:
    """The measure under each hypothesis about items that a system does not list."""
    from fuzzytruth import measures

    template = measures.WD(**options)
    return [
        replace(template, unseen=name, N=None if name == "incremental" else collection_size)
        for name in unseen
    ]


# The figure of `fuzzytruth displacement`.


_NEXT = "optimist"  # the hypothesis of one end; the other end is one of these
_LAST = ("pessimist", "pessimist-tail", "worst")


def check_drawn(unseen: Sequence[str], quality: str | None) -> None:
    """Refuse a figure of hypotheses that are not the two ends of a range.

    Raises
    ------
    OptionError
        These are not optimist and one other, or a quality is shown in place of displacements.
    """
    if quality is not None:
        raise OptionError("--figure: shows displacements, not their quality; leave out --g")
    last = [name for name in unseen if name in _LAST] or [_LAST[0]]
    if sorted(unseen) != sorted([_NEXT, last[0]]):
        two = f"--unseen {_NEXT} --unseen {last[0]} -N SIZE"
        raise OptionError(
            "--figure: shows ranges from optimist to pessimist; "
            f"{f'give {two} and no others' if unseen else f'add {two}'} (or pessimist-tail or "
            "worst in place of pessimist)"
        )


def draw_displacement(scores: Scores, measures: Sequence[WD]) -> Axes:
    """Draw each system's range by each subject on a new figure; see `plots.displacement`.

    Parameters
    ----------
    scores : Scores
    measures : sequence of WD
        Of the scores: that of the optimist, and another one.
    """
    from fuzzytruth import plots

    ends = sorted(measures, key=lambda measure: measure.unseen != _NEXT)
    names = {str(ends[0]): "optimist", str(ends[1]): "pessimist"}
    queries = counted(len(scores.queries), "query")
    title = f"Weighted displacement by subject, means over {queries}"
    if scores.design == "nested" and len(scores.queries) > 1:
        title = f"Weighted displacement by each subject of {queries}"
    if ends[1].unseen != "pessimist":
        title += f"; the pessimist is {ends[1].unseen!r}"
    label = (
        "w as a share of the largest possible"
        if ends[0].normalised
        else "mean of weighted displacement w"
    )
    return plots.displacement(_by_subject(scores).rename(columns=names), label=label, title=title)


def _by_subject(scores: Scores) -> pd.DataFrame:
    """One row a system and subject, one column a measure; nested subjects with their queries."""
    if scores.design == "crossed":
        return scores.mean(by="subject").reset_index()
    frame = scores.to_frame()
    frame["subject"] = frame["query"].astype(str) + ": " + frame["subject"].astype(str)
    wide = frame.pivot(index=["system", "subject"], columns="measure", values="value")
    return wide.reset_index()

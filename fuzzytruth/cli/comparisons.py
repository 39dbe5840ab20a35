"""`fuzzytruth compare`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer

from fuzzytruth.cli import options
from fuzzytruth.cli.scoring import DEFAULT_MEASURES, score_files, spare_inputs, split_measures
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.comparison.result import Comparison
    from fuzzytruth.evaluation.scores import Scores

EXAMPLE = """\b
Examples:
  fuzzytruth compare qrels.txt a.run b.run -m AP -m nDCG@10
  fuzzytruth compare qrels.txt a.run b.run --baseline a --correction holm --format latex
  fuzzytruth compare votes.csv a.run b.run --worlds subject --over query,subject -m RR
  fuzzytruth compare scores.csv -o differences.csv
"""
Layout = Literal["table", "csv", "json", "latex", "markdown"]

_BY_SUFFIX: dict[str, Layout] = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
}


def compare(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="SCORES | JUDGMENTS RUN...",
            help="Scores that evaluate --save wrote, or a table with columns system, query, value "
            "[, subject][, measure]; or judgments and runs, as evaluate takes them.",
            show_default=False,
        ),
    ],
    measure: options.MeasureNames = None,
    baseline: Annotated[
        str | None, typer.Option(help="Compare every other system with this one, not all pairs.")
    ] = None,
    over: Annotated[
        str, typer.Option(help="What is random: query, subject, world, or several with commas.")
    ] = "query",
    nested: Annotated[
        bool, typer.Option("--nested", help="A subject's name is another person in another query.")
    ] = False,
    correction: Annotated[
        str | None,
        typer.Option(
            help="max-t, none, bonferroni, holm, fdr_bh, ... as statsmodels has them.  [default: "
            "max-t over queries, else bonferroni]"
        ),
    ] = None,
    null: Annotated[
        Literal["partial", "complete"],
        typer.Option(help="complete: permute the systems' labels within queries."),
    ] = "partial",
    across_measures: Annotated[
        bool, typer.Option("--across-measures", help="One family of all measures.")
    ] = False,
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    rope: Annotated[
        float | None,
        typer.Option(help="Posterior probability of differences beyond and within this size."),
    ] = None,
    n_resamples: Annotated[int, typer.Option("--n-resamples", help="Sign flips.")] = 9999,
    seed: Annotated[int, typer.Option("--seed", help="Of flips, and of worlds.")] = 0,
    n_jobs: options.Jobs = 1,
    worlds: options.Worlds = None,
    n_worlds: options.NWorlds = 1000,
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    ties: options.Ties = "trec",
    undefined: options.Undefined = "zero",
    unseen: options.Unseen = "error",
    aggregate: options.Aggregate = None,
    groups: options.Groups = None,
    layout: Annotated[
        Layout | None, typer.Option("--format", help="[default: by the ending of FILE, else table]")
    ] = None,
    output: options.Output = None,
) -> None:
    """Say which systems differ, by how much, and how sure that is.

    Shows means with the letters of the systems beaten, each difference with its interval, and
    what the answer rests on.
    """
    from fuzzytruth.comparison.compare import compare as find

    spare_inputs(list(inputs), output)
    if layout is None:
        layout = "table" if output is None else _BY_SUFFIX.get(output.suffix.lower(), "table")
    if len(inputs) == 1:
        scores = _saved(Path(inputs[0]), worlds, aggregate)
        wanted = split_measures(measure) if measure else None
    else:
        from fuzzytruth.measures import parse_measures

        wanted = None
        scores = score_files(
            inputs[0],
            inputs[1:],
            parse_measures(split_measures(measure or DEFAULT_MEASURES)),
            order_by=order_by,
            duplicates=duplicates,
            groups=groups,
            aggregate=aggregate,
            save=None,
            worlds=worlds,
            ties=ties,
            undefined=undefined,
            unseen=unseen,
            n_worlds=n_worlds,
            rng=seed,
            n_jobs=n_jobs,
        )
    found = find(
        replace(scores, design="nested") if nested else scores,
        baseline,
        wanted,
        over=[axis.strip() for axis in over.split(",")],
        correction=correction,
        level=level,
        n_resamples=n_resamples,
        rng=seed,
        null=null,
        across_measures=across_measures,
        bayesian=rope is not None,
        rope=rope,
        n_jobs=n_jobs,
    )
    _show(found, layout, output)


def _saved(path: Path, worlds: str | None, aggregate: str | None) -> Scores:
    """Scores from a file; options that make scores have no place beside them."""
    from fuzzytruth.evaluation.scores import Scores

    for name, given in (("--worlds", worlds), ("--aggregate", aggregate)):
        if given is not None:
            raise OptionError(f"{name}: is for judgments and runs, and {path} holds scores")
    return Scores.load(path)


def _show(found: Comparison, layout: Layout, output: Path | None) -> None:
    """Print, or write to a file, which appears only when it is complete."""
    if layout == "table" and output is None:
        print_tables(found, sys.stdout)
        sys.stdout.flush()
        return
    text = _as_text(found, layout)
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from fuzzytruth.io.writing import write_whole

    write_whole(output, lambda file: file.write(text.encode()))


def _as_text(found: Comparison, layout: Layout) -> str:
    if layout == "latex":
        return found.to_latex()
    if layout == "markdown":
        return found.to_markdown()
    if layout == "csv":
        return str(found.to_frame().to_csv(index=False))
    if layout == "json":
        from fuzzytruth.cli.tables import to_json

        return to_json(found.to_frame())
    from io import StringIO

    buffer = StringIO()
    print_tables(found, buffer)
    return buffer.getvalue()


def print_tables(found: Comparison, file: TextIO) -> None:
    """Means with letters, differences, and assumptions, for people."""
    print_means(found, file)
    print(file=file)
    _print_rows(_differences(found.to_frame()), file)
    print(f"\n{found.assumptions}", file=file)


def print_means(found: Comparison, file: TextIO) -> None:
    """Means, and behind each the letters of the systems beaten."""
    from fuzzytruth.comparison.tables import letters

    marks = found.superscripts()
    rows = [["", "system", *found.means.columns]]
    for place, (system, label) in enumerate(
        zip(found.means.index, letters(len(found.means)), strict=True)
    ):
        values = zip(found.means.iloc[place], marks.iloc[place], strict=True)
        rows.append([label, system, *(f"{mean:.4f} {mark}".rstrip() for mean, mark in values)])
    _print_rows(rows, file)


def _differences(table: pd.DataFrame) -> list[list[str]]:
    """One line a pair, in the order of the table."""
    from fuzzytruth.comparison.verdicts import p_text

    headings = ["measure", "a - b", "difference", "interval", "p", "adjusted p", "d_z", "w/t/l"]
    bayesian = "posterior_rope" in table
    rows = [[*headings, "better/same/worse"] if bayesian else headings]
    found: Iterable[Any] = table.itertuples(index=False)
    for row in found:
        cells = [
            row.measure,
            f"{row.system_a} - {row.system_b}",
            f"{row.difference:+.4f}" + (" *" if row.significant else ""),
            f"[{row.lower:+.4f}, {row.upper:+.4f}]",
            p_text(row.p),
            p_text(row.p_adjusted),
            "-" if row.d_z != row.d_z else f"{row.d_z:+.2f}",
            f"{row.wins}/{row.ties}/{row.losses}",
        ]
        if bayesian:
            shares = (row.posterior_better, row.posterior_rope, row.posterior_worse)
            cells.append("/".join(f"{share:.2f}" for share in shares))
        rows.append(cells)
    return rows


def _print_rows(rows: list[list[str]], file: TextIO) -> None:
    """A table with its first row as heading."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    out = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in rows[0]:
        out.add_column(Text(heading), overflow="fold")
    for row in rows[1:]:
        out.add_row(*map(Text, row))
    Console(file=file, width=None if file.isatty() else 100_000).print(out)

"""`fuzzytruth membership`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fuzzytruth.cli import options, panels, table_options
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli import scoring as scoring_options
from fuzzytruth.cli.inputs import check_outputs
from fuzzytruth.cli.output import print_line
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import OptionError, nearest, shown

if TYPE_CHECKING:
    from fuzzytruth.data.membership import Membership

EXAMPLE = """\b
Examples:
  fuzzytruth membership votes.csv --taxonomy tree.txt
  fuzzytruth membership votes.csv --taxonomy tree.txt --item fig1 \\
    --figure fig1.png
  fuzzytruth membership votes.csv --columns subject=who,category=kind \\
    --drop 'no idea'
  fuzzytruth membership yes.parquet --taxonomy edges.csv \\
    --asked asked.parquet -o membership.csv
  fuzzytruth membership votes.csv --taxonomy tree.txt --category people \\
    --resample --seed 0

Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
"""
_MAX_COLUMNS = 10  # categories side by side on a screen

VotesFile = Annotated[
    Path,
    typer.Argument(
        metavar="VOTES",
        help="Who put which item in which category: columns subject, item, category and, "
        "optionally, weight. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.",
        show_default=False,
        readable=False,  # reported by the reader, in one line
    ),
]
Item = Annotated[
    str | None,
    option(panels.OUTPUT, "Show one item as a tree with probabilities.", "--item", metavar="ITEM"),
]
Categories = Annotated[
    list[str] | None,
    option(panels.OUTPUT, "Only this category; may be repeated.", "--category", metavar="CATEGORY"),
]
Resample = Annotated[
    bool,
    setting(panels.METHOD, "Add standard errors and 95 % intervals over subjects.", "--resample"),
]


def membership(
    context: typer.Context,
    votes: VotesFile,
    taxonomy: options.TaxonomyFile = None,
    asked: options.AskedFile = None,
    columns: table_options.Columns = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    item: Item = None,
    category: Categories = None,
    resample: Resample = False,
    seed: scoring_options.Seed = 0,
    output_format: output_options.FormatChoice = None,
    output: output_options.Output = None,
    figure: output_options.Figure = None,
) -> None:
    """Show how probable each category is for each item.

    The probability is the share of the item's votes for the category or one below it. Files, and
    large taxonomies, get one row for each probability above 0.
    """
    from fuzzytruth.cli.figures import write_figure
    from fuzzytruth.cli.tables import format_for, show_frame
    from fuzzytruth.data.assignments import read_assignments

    output_format = output_format or format_for(output)
    check_outputs([votes, *(path for path in (taxonomy, asked) if path)], output, figure)
    how = table_options.TableOptions.from_options(columns, None, drop, subjects)
    if item is not None and (output or resample or category or output_format != "table"):
        raise OptionError("--item: draws a tree, without --format, -o, --resample, --category")
    if options.typed(context, "seed") and not resample:
        raise OptionError("--seed: is for resampled subjects; add --resample")
    with Bar() as bar:
        bar.stage("reading")
        table = read_assignments(votes, taxonomy=taxonomy, asked=asked, **how.given).membership()
    _require_known("--item", [] if item is None else [item], table.items)
    _require_known("--category", category or [], table.taxonomy.nodes)
    if figure is not None:
        write_figure(table.plot, figure, item=_drawn_item(item, table.items))
    if item is not None:
        print_line(table.taxonomy.to_text(values=table.of_item(item)))
        return
    codes = table.taxonomy.codes(category or list(table.taxonomy.nodes))
    names = [table.taxonomy.nodes[code] for code in codes]
    if output_format == "table" and output is None and len(names) <= _MAX_COLUMNS and not resample:
        frame = table.to_frame()[names].reset_index()
    else:
        frame = table.resampled(rng=seed) if resample else table.to_frame(tidy=True)
        frame = frame[frame["category"].isin(names)].reset_index(drop=True)
    caption = "Membership of items in categories."
    show_frame(frame, output_format=output_format, output=output, caption=caption)
    if asked:
        _note_violations(table)


def _drawn_item(item: str | None, items: tuple[str, ...]) -> str:
    """The item of a figure: the one that is named, or the only one."""
    if item is None and len(items) > 1:
        raise OptionError(
            f"--figure: draws one item, and there are {len(items):,}; name it: --item "
            f"{shown(items[0])}"
        )
    return items[0] if item is None else item


def _require_known(flag: str, given: list[str], known: tuple[str, ...]) -> None:
    """Refuse a name that is not in the data."""
    for name in set(given) - set(known):
        raise OptionError(f"{flag} {shown(name)}: is not in these votes{nearest(name, known)}")


def _note_violations(table: Membership) -> None:
    """Say in how many cases a category is less probable than one below it."""
    violations, pairs = table.violations()
    if violations:
        print_line(
            f"note: in {violations:,} of {pairs:,} cases an item is less probably in a category "
            "than in one below it, as other subjects were asked",
            sys.stderr,
        )

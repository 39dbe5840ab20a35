"""`fuzzytruth membership`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fuzzytruth.cli import options
from fuzzytruth.cli.progress import Bar
from fuzzytruth.cli.scoring import spare_inputs
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.membership import Membership

EXAMPLE = """\b
Examples:
  fuzzytruth membership votes.csv --taxonomy tree.txt
  fuzzytruth membership votes.csv --taxonomy tree.txt --item fig1
  fuzzytruth membership yes.parquet --taxonomy edges.csv --asked asked.parquet -o membership.csv
  fuzzytruth membership votes.csv --taxonomy tree.txt --category people --resample --seed 0

Exit status: 0, or 1 if the data are wrong, or 2 if the command is.
"""
_FEW = 10  # categories that stand side by side on a screen

VotesFile = Annotated[
    Path,
    typer.Argument(
        metavar="VOTES",
        help="Who put which item in which category: columns subject, item, category and, "
        "optionally, weight. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.",
        show_default=False,
        readable=False,  # the reader says so, in one line
    ),
]
Item = Annotated[
    str | None,
    typer.Option("--item", help="Show one item as a tree with probabilities.", show_default=False),
]
Categories = Annotated[
    list[str] | None,
    typer.Option("--category", help="Only this category; may be repeated.", show_default=False),
]
Resample = Annotated[
    bool,
    typer.Option("--resample", help="Add standard errors and 95 % intervals over subjects."),
]


def membership(
    votes: VotesFile,
    taxonomy: options.TaxonomyFile,
    asked: options.AskedFile = None,
    item: Item = None,
    category: Categories = None,
    resample: Resample = False,
    seed: options.Seed = None,
    layout: options.LayoutChoice = None,
    output: options.Output = None,
) -> None:
    """Show how probably each item belongs to each category.

    The probability is the share of an item's votes for the category or one below it. Files, and
    large taxonomies, get one row for each probability above 0.
    """
    from fuzzytruth.cli.frames import show_frame
    from fuzzytruth.cli.tables import layout_of
    from fuzzytruth.data.assignment_files import read_assignments

    layout = layout_of(output) if layout is None else layout
    spare_inputs([votes, taxonomy, *([asked] if asked else [])], output)
    with Bar() as bar:
        bar.stage("reading")
        found = read_assignments(votes, taxonomy=taxonomy, asked=asked).membership()
    wanted = found.taxonomy.codes(category or list(found.taxonomy.nodes))
    names = [found.taxonomy.nodes[code] for code in wanted]
    if item is not None:
        if output is not None or resample or category or layout != "table":
            raise OptionError("--item: draws a tree, without --format, -o, --resample, --category")
        sys.stdout.write(_tree(found, item))
        return
    wide = layout == "table" and output is None and len(names) <= _FEW and not resample
    frame = _wide(found, names) if wide else _tidy(found, names, resample, seed)
    show_frame(frame, layout=layout, output=output, caption="Membership of items in categories.")
    parents_below, pairs = found.violations() if asked else (0, 0)
    if parents_below:
        print(
            f"note: in {parents_below:,} of {pairs:,} cases an item is less probably in a category "
            "than in one below it, as other subjects were asked",
            file=sys.stderr,
        )


def _tree(found: Membership, item: str) -> str:
    row = found.of_item(item)
    return found.taxonomy.to_text(values=row) + "\n"


def _wide(found: Membership, names: list[str]) -> pd.DataFrame:
    return found.to_frame()[names].reset_index()


def _tidy(found: Membership, names: list[str], resample: bool, seed: int | None) -> pd.DataFrame:
    frame = found.resampled(rng=seed) if resample else found.to_frame(tidy=True)
    return frame[frame["category"].isin(names)].reset_index(drop=True)

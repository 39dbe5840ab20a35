"""`fuzzytruth membership`."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from fuzzytruth.cli.derive import COMPUTATION, INPUT, OUTPUT, Option
from fuzzytruth.cli.derived import DUPLICATE_VOTES, FIGURES, TABLES, Source, typed, with_options
from fuzzytruth.cli.options import TableOptions
from fuzzytruth.cli.output import Bar, print_line, write_figure
from fuzzytruth.errors import OptionError, nearest, shown

_MAX_COLUMNS = 10  # categories side by side on a screen


@with_options(
    Source(
        "read_assignments",
        INPUT,
        duplicates=DUPLICATE_VOTES,
        taxonomy=Option(
            "The categories: CSV or Parquet (parent, child), JSON, indented text or .cla.  "
            "[default: the labels that occur, in no order]"
        ),
    ),
    TABLES,
    FIGURES,
    item=Option(panel=OUTPUT),
    category=Option(panel=OUTPUT),
    seed=Option(panel=COMPUTATION),
)
def membership(
    context: typer.Context,
    votes: Path,
    *,
    item: str | None = None,
    category: list[str] | None = None,
    resample: bool = False,
    seed: int = 0,
) -> None:
    r"""Show how probable each category is for each item.

    The probability is the share of the item's votes for the category or one below it. Files, and
    large taxonomies, get one row for each probability above 0.

    Parameters
    ----------
    votes : path
        Who put which item in which category: columns subject, item, category and, optionally,
        weight. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.
    item : str
        Show one item as a tree of its categories with probabilities.
    category : list of str
        Only this category; may be repeated.
    resample : bool
        Add standard errors and 95 % intervals over subjects.
    seed : int
        Random seed of --resample.

    Examples
    --------
      fuzzytruth membership votes.csv --taxonomy tree.txt
      fuzzytruth membership votes.csv --taxonomy tree.txt --item fig1 \
        --figure fig1.png
      fuzzytruth membership votes.csv --columns subject=who,category=kind \
        --drop 'no idea'
      fuzzytruth membership yes.parquet --taxonomy edges.csv \
        --asked asked.parquet -o membership.csv
      fuzzytruth membership votes.csv --taxonomy tree.txt --category people \
        --resample --seed 0

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    taxonomy, asked, figure = given["taxonomy"], given["asked"], given["figure"]
    as_table = format_of(context, votes, taxonomy, asked) == "table"
    on_screen = as_table and given["output"] is None
    if item is not None and (resample or category or not on_screen):
        raise OptionError("--item: draws a tree, without --format, -o, --resample, --category")
    if typed(context, "seed") and not resample:
        raise OptionError("--seed: is for resampled subjects; add --resample")
    with Bar() as bar:
        bar.stage("reading")
        read = TableOptions.of(given).assignments(votes, taxonomy, asked)
        table = read.membership() if hasattr(read, "membership") else read
    known = table.taxonomy.nodes
    _require_known("--item", [] if item is None else [item], table.items)
    _require_known("--category", category or [], known)
    if figure is not None:
        if item is None and len(table.items) > 1:
            raise OptionError(
                f"--figure: draws one item, and there are {len(table.items):,}; name it: --item "
                f"{shown(table.items[0])}"
            )
        write_figure(table.plot, figure, item=item or table.items[0])
    if item is not None:
        print_line(table.to_text(item))
        return
    names = [known[code] for code in table.taxonomy.codes(category or list(known))]
    if on_screen and len(names) <= _MAX_COLUMNS and not resample:
        frame = table.to_frame()[names].reset_index()
    else:
        frame = table.resampled(rng=seed) if resample else table.to_frame(tidy=True)
        frame = frame[frame["category"].isin(names)].reset_index(drop=True)
    show_answer(context, frame, "Membership of items in categories.")
    violations, pairs = table.violations() if asked else (0, 0)
    if violations:
        print_line(
            f"note: in {violations:,} of {pairs:,} cases an item is less probably in a category "
            "than in one below it, as other subjects were asked",
            sys.stderr,
        )


def _require_known(flag: str, given: list[str], known: tuple[str, ...]) -> None:
    """Refuse a name that is not in the data."""
    for name in set(given) - set(known):
        raise OptionError(f"{flag} {shown(name)}: is not in these votes{nearest(name, known)}")

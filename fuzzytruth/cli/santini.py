"""`fuzzytruth santini`."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import CATEGORIES, INPUT, OUTPUT, Option
from fuzzytruth.cli.inputs import command_line, runs_of
from fuzzytruth.cli.options import TableOptions, files_of
from fuzzytruth.cli.output import check_page, emit_answer, print_line
from fuzzytruth.cli.progress import Bar

VERB = derived.Source(
    "santini",
    without="votes runs taxonomy lists list_measures",
    k=Option("Rank at which precision and recall are taken.", "-k", metavar="N"),
)


@derived.with_options(
    VERB,
    derived.Source(
        "read_assignments",
        CATEGORIES,
        duplicates=derived.DUPLICATE_VOTES,
        taxonomy=Option(
            "The categories: CSV or Parquet (parent, child), JSON, indented text or .cla.  "
            "[default: the labels that occur, in no order]"
        ),
    ),
    *derived.RUNS,
    lists=Option(panel=INPUT, metavar="FILE"),
    output=Option(panel=OUTPUT, metavar="FILE.html", settings={"callback": check_page}),
)
def santini(
    context: typer.Context,
    votes: Path,
    runs: list[str],
    *,
    lists: Path | None = None,
    output: Path | None = None,
) -> None:
    r"""Evaluate systems when people disagree about categories, as Santini's paper does.

    Shows precision and recall by one truth, as distributions over what each item may be, and by
    each person's own truth; for whose truths a system is better; and whether people form groups.

    Parameters
    ----------
    votes : path
        Who put which item in which category: columns subject, item, category. CSV, TSV, JSON, JSON
        lines or Parquet; .gz of each.
    runs : list of str
        Lists of items like each item: run files, patterns such as 'runs/*.run', or NAME=FILE; or
        tables of the categories that systems gave (columns system, item, category).
    lists : path
        People's own ranked lists for the same queries, for weighted displacement.
    output : path
        Write a page with all of it, too.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth santini sample/votes.csv --taxonomy sample/tree.csv \
        sample/vit.run sample/regnety.run -k 5
    On files of your own:
      fuzzytruth santini labels.csv --taxonomy tree.txt like.run -k 1 \
        -o santini.html

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.analysis.santini import santini as analyse
    from fuzzytruth.data.reading import read_judgments
    from fuzzytruth.io.writing import check_target

    given = context.params
    if output is not None:
        check_target(output)
    with Bar() as bar:
        bar.stage("reading")
        table = TableOptions.of(given)
        read = table.assignments(votes, given["taxonomy"], given["asked"])
        systems = runs_of(given, runs)
        own = None if lists is None else read_judgments(files_of(lists))
        bar.stage("analysing")
        how = VERB.given(context)
        result = analyse(read, systems, lists=own, progress=bar.advance, **how)
        bar.stage("drawing")
        again = command_line(context)
        page = None if output is None else result.report(output, command=again)
    emit_answer(result, None)
    if page is not None:
        print_line(f"wrote {page}", sys.stderr)

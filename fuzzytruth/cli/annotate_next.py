"""`fuzzytruth annotate-next`."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import CATEGORIES, COMPUTATION, Option
from fuzzytruth.cli.inputs import read_truth, runs_of
from fuzzytruth.cli.options import split_measures
from fuzzytruth.cli.output import print_line
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import OptionError

VERB = derived.Source(
    "annotate_next",
    without="category",
    systems=Option(
        "The two systems that are compared, the first minus the second.  [default: the systems, "
        "if they are two]",
        metavar="SYSTEM,SYSTEM",
        kind=str,
        hand_on=derived.names_under("--systems"),
    ),
    prior=Option(
        "How many votes the base rate of an item counts as in its estimate. [default: none, where "
        "it has votes]",
        metavar="VOTES",
        kind=float,
    ),
    unjudged=Option(
        "Whether retrieved items that nobody judged are listed too; else they are not relevant."
    ),
    n_worlds=Option(
        "Worlds drawn where shares are not known exactly.", panel=COMPUTATION, metavar="N", kind=int
    ),
)


@derived.with_options(
    VERB,
    derived.JUDGMENTS,
    derived.RESCALED,
    *derived.RUNS,
    derived.Source(
        "read_assignments",
        CATEGORIES,
        without="asked columns drop subjects duplicates",
        taxonomy=Option(
            "VOTES put items in these categories (subject, item, category), and queries are items: "
            "relevant is what is in the query's category."
        ),
    ),
    derived.Source(
        derived.of_truth,
        CATEGORIES,
        without="aggregate",
        by_item=Option(
            "VOTES are for categories, with or without --taxonomy. By item: runs list categories "
            "of each item. By example: they list items like each item."
        ),
    ),
    derived.TABLES,
)
def annotate_next(
    context: typer.Context,
    votes: Path,
    runs: list[str] | None = None,
    *,
    measure: str | None = None,
    limit: int = 20,
) -> None:
    r"""List the items on which more votes would tell most about two systems, or the answers.

    Without runs: whose votes on which items would tell most about the panel's answers, or about
    the size of a --category.

    Tables for programs have one row an item, with its share of the variance of the difference that
    comes from few votes.

    Parameters
    ----------
    votes : path
        Votes of several people: columns query, item, grade and subject, or count where nobody is
        named; or TREC qrels whose second column names subjects. With --taxonomy, subject (or
        count), item and category. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.
    runs : list of str
        Run files in the same formats, patterns such as 'runs/*.run', or NAME=FILE.
    measure : str
        One measure; of runs.
    limit : int
        How many items to list.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth annotate-next sample/judgments.parquet sample/runs.parquet \
        --order-by rank --systems amc.run,waterloo.B-rank-normal -m AP
    On files of your own:
      fuzzytruth annotate-next votes.csv --limit 50 -o batch.csv
      fuzzytruth annotate-next kinds.csv --by-item --category people --limit 50
      fuzzytruth annotate-next votes.csv old.run new.run -m AP --limit 20
      fuzzytruth annotate-next votes.csv 'runs/*.run' --systems bm25,dense \
        -m nDCG@10 -k 3
      fuzzytruth annotate-next votes.csv a.run b.run -m P@10 --limit 200 \
        -o batch.csv
      fuzzytruth annotate-next labels.csv like.run shape.run --taxonomy tree.txt \
        -m P@10
      fuzzytruth annotate-next labels.csv old=classes.csv new=classes2.csv \
        --by-item -m P@1

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.annotators.planning.annotate_next import annotate_next as order_of
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    format_of(context, votes, *(runs or []))
    names = [] if measure is None else split_measures([measure])
    if len(names) > 1 or (runs and not names):
        raise OptionError(f"{f'-m {measure}' if measure else '-m/--measure'}: name one measure")
    with Bar() as bar:
        bar.stage("reading")
        category = None if runs else given["category"]
        truth = read_truth(votes, given if runs else {**given, "category": None}, votes=True)
        lists = runs_of(context.params, runs) if runs else None
        bar.stage("scoring" if runs else "fitting")
        truth = truth if runs else getattr(truth, "votes", truth)
        options = VERB.given(context)
        result = order_of(truth, lists, *names, category=category, **options)
    by = f", by {names[0]}" if names else ""
    show_answer(context, result, f"Items to annotate next{by}.")
    if given["output"] is not None:
        print_line(f"wrote {given['output']}", sys.stderr)

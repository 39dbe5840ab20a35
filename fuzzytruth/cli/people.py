"""`fuzzytruth crowd`, `communities` and `reliability`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import COMPUTATION, OUTPUT, Option
from fuzzytruth.cli.inputs import command_line, read_truth
from fuzzytruth.cli.output import check_page, emit_answer, print_line, write_figure
from fuzzytruth.cli.progress import Bar

COMMUNITIES = derived.Source("communities")
CROWD = derived.Source(
    "crowd",
    without="gold",
    n_permutations=Option(panel=COMPUTATION),
    rng=Option("Random seed of all."),
)
RELIABILITY = derived.Source(
    "reliability",
    without="gold",
    n_simulated=Option(panel=COMPUTATION),
    max_iterations=Option(panel=COMPUTATION),
    rng=Option("Random seed of folds and simulations."),
)


@derived.with_options(
    CROWD,
    *derived.VOTES,
    output=Option(panel=OUTPUT, metavar="FILE.html", settings={"callback": check_page}),
)
def crowd(
    context: typer.Context, votes: Path, *, gold: Path | None = None, output: Path | None = None
) -> None:
    r"""Show what votes alone tell: agreement, people, items, what to ask next, how many to ask.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), votes without a query (worker, item, label), or,
        with --taxonomy, --by-example or --by-item, who put which item in which category. One file,
        or one for each subject: ann=a.csv,bob=b.csv, a folder, or a quoted pattern.
    gold : path
        Known answers of 50 to 100 items: a table with columns item (and query) and grade or
        category.
    output : path
        Write a page with all of it, too.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth crowd sample/judgments.parquet --no-structure
    On files of your own:
      fuzzytruth crowd votes.csv -o crowd.html
      fuzzytruth crowd votes.csv --names hide -o to_show.html
      fuzzytruth crowd votes.csv --gold experts.csv --no-structure
      fuzzytruth crowd kinds.csv --by-item

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.analysis.crowd import crowd as compute
    from fuzzytruth.io.writing import check_target

    given = context.params
    if output is not None:
        check_target(output)
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, given, votes=True)
        bar.stage("analysing")
        how: Any = {"gold": gold, "progress": bar.advance, **CROWD.given(context)}
        result = compute(getattr(truth, "votes", truth), **how)
        bar.stage("drawing")
        again = command_line(context)
        page = None if output is None else result.report(output, command=again)
    emit_answer(result, None)
    if page is not None:
        print_line(f"wrote {page}", sys.stderr)


@derived.with_options(COMMUNITIES, *derived.VOTES, derived.TABLES, derived.FIGURES)
def communities(context: typer.Context, votes: Path) -> None:
    r"""Find groups of people who vote alike.

    Groups are made of one half of the items and proved on the other; a panel of experts and
    guessers, or of severe and lenient people, has none. Tables for programs have one row a subject,
    with its group, which evaluate --worlds community and compare read as --communities FILE.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), or, with --taxonomy or --by-example, who put which
        item in which category (subject, item, category).

    Examples
    --------
    On files of your own:
      fuzzytruth communities people.csv --n-permutations 19
      fuzzytruth communities people.csv --rel 2 -o groups.csv
      fuzzytruth communities schools.csv --taxonomy tree.txt --figure who.png

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.annotators.structure.communities import communities as compute
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    format_of(context, votes, given["taxonomy"], given["asked"])
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, given, votes=True)
        bar.stage("finding groups")
        result = compute(truth, progress=bar.advance, **COMMUNITIES.given(context))
    write_figure(result.plot, given["figure"])
    show_answer(context, result, "Communities.")
    if given["output"] is not None:
        emit_answer(result, None)
        print_line(f"wrote {given['output']}", sys.stderr)


@derived.with_options(RELIABILITY, *derived.VOTES, derived.TABLES, derived.FIGURES)
def reliability(
    context: typer.Context, votes: Path, *, gold: Path | None = None, method: str = "auto"
) -> None:
    r"""Say who gives the panel's answer how often, and how far to believe that answer.

    Tables for programs have one row a subject. What a model of votes finds is what these people
    would agree on; how far that is true, known answers (--gold) tell.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), or, with --taxonomy, --by-example or --by-item, who
        put which item in which category (subject, item, category).
    gold : path
        Known answers of 50 to 100 items: a table with columns item (and query) and grade or
        category.
    method : str
        A model: pooled, one-coin, dawid-skene, glad, clarity, or rating-scale; or shares, majority
        or mace. By default the model that predicts held-out votes best.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth reliability sample/judgments.parquet
    On files of your own:
      fuzzytruth reliability votes.csv --gold experts.csv -o people.csv
      fuzzytruth reliability votes.csv --method one-coin --figure people.png
      fuzzytruth reliability kinds.csv --by-item --copies once

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.annotators.influences.reliability import reliability as compute
    from fuzzytruth.cli.tables import chosen_format, format_of, show_answer

    given = context.params
    format_of(context, votes, given["taxonomy"], given["asked"], gold)
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, given, votes=True)
        bar.stage("fitting")
        options: Any = {"method": method, "gold": gold, **RELIABILITY.given(context)}
        result = compute(getattr(truth, "votes", truth), **options)
    write_figure(result.plot, given["figure"])
    shown = result if chosen_format(given) == "table" else result.subjects
    show_answer(context, shown, "Reliability of subjects.")

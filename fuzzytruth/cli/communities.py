"""`fuzzytruth communities`."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.inputs import read_truth
from fuzzytruth.cli.output import emit_answer, print_line, write_figure
from fuzzytruth.cli.progress import Bar

VERB = derived.Source("communities")


@derived.with_options(VERB, *derived.VOTES, derived.TABLES, derived.FIGURES)
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
        result = compute(truth, progress=bar.advance, **VERB.given(context))
    write_figure(result.plot, given["figure"])
    show_answer(context, result, "Communities.")
    if given["output"] is not None:
        emit_answer(result, None)
        print_line(f"wrote {given['output']}", sys.stderr)

"""`fuzzytruth structure`."""

from __future__ import annotations

from pathlib import Path

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.inputs import measures_of, read_truth, runs_of
from fuzzytruth.cli.progress import Bar

VERB = derived.Source("structure", without="measures")


@derived.with_options(VERB, derived.MEASURES, *derived.VOTES, *derived.RUNS, derived.TABLES)
def structure(context: typer.Context, votes: Path, runs: list[str] | None = None) -> None:
    r"""Tell whether it matters who gave which vote.

    If not, people differ by chance alone, and memberships say what a person gets. If it does, some
    may be severe, or expert, or form communities; with runs, how far scores by people's own truths
    are from those of exchanged votes.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), or, with --taxonomy or --by-example, who put which
        item in which category (subject, item, category).
    runs : list of str
        Run files, patterns such as 'runs/*.run', or NAME=FILE.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth structure sample/judgments.parquet --n-permutations 199
    On files of your own:
      fuzzytruth structure labels.csv --taxonomy tree.txt
      fuzzytruth structure labels.csv like.run --taxonomy tree.txt -m P@1
      fuzzytruth structure panel.csv --rel 2

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.annotators.structure.structure import structure as compute
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    format_of(context, votes, given["taxonomy"], given["asked"], *(runs or ()))
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, given, votes=True)
        lists = runs_of(given, runs) if runs else None
        measures = measures_of(given["measure"], by_item=given["by_item"]) if runs else None
        bar.stage("permuting")
        how = VERB.given(context)
        result = compute(truth, lists, measures, progress=bar.advance, **how)
    show_answer(context, result, "Structure of disagreement.")

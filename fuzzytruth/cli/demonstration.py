"""`fuzzytruth demo`."""

from __future__ import annotations

import shutil
import sys
import warnings
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fuzzytruth.errors import DataError, FuzzytruthWarning

if TYPE_CHECKING:
    from fuzzytruth.cli.tables import ScoreTable
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.evaluation.scores import Scores

EXAMPLE = """\b
Examples:
  fuzzytruth demo
  fuzzytruth demo --copy-to sample
"""
MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "RR")

INTRODUCTION = """\
CLEF eHealth TAR 2017: {systems} systems rank articles for {queries} systematic medical reviews.
Two stages of screening judged each article, by its abstract and by its content: two truths.
Means over the reviews:
"""
UNCERTAIN = """\
truth: uncertain, each article judged by one of the two stages, drawn by chance
(expected value, and the interval that holds 95 % of 1,000 such worlds)"""
COMPARED = "AP"
DIFFERENCES = """\
Which systems differ by {measure}, more than by the chance of drawing these {queries} reviews?
Mean by each truth, and the letters of the systems beaten ({pairs} pairs, family-wise error .05):
"""
WHAT_NEXT = """
The lists are cut at rank 200, see README.md of the sample. Try next:
  {command} demo --copy-to sample
  {command} evaluate sample/judgments.parquet sample/runs.parquet --order-by rank --per-query
  {command} evaluate sample/judgments.parquet sample/runs.parquet --order-by rank --worlds subject
  {command} compare sample/judgments.parquet sample/runs.parquet --order-by rank --worlds subject
  {command} measures
and your own files: {command} evaluate qrels.txt a.run b.run -m AP -m nDCG@10
"""


def demo(
    copy_to: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Copy the sample's files there, and no more."),
    ] = None,
) -> None:
    """Evaluate a real sample that ships along.

    Prints the scores by each of two truths, and says what to see in them and what to try next.
    """
    if copy_to is not None:
        copy_sample(copy_to)
        return
    from fuzzytruth.cli.tables import ScoreTable
    from fuzzytruth.datasets import load_clef_tar2017
    from fuzzytruth.evaluation.evaluate import evaluate

    truth, runs = load_clef_tar2017()
    scores = evaluate(truth, runs, MEASURES, worlds="subject")
    table = ScoreTable.of(scores)
    print(INTRODUCTION.format(systems=len(scores.systems), queries=len(scores.queries)))
    for subject in scores.subjects or ():
        print(f"truth: {subject}")
        table.rows_of(subject, "subject").print(sys.stdout)
        print()
    with warnings.catch_warnings():  # as above, where they were shown already
        warnings.simplefilter("ignore", FuzzytruthWarning)
        uncertain = evaluate(truth, runs, MEASURES, n_worlds=1000, rng=0)
    print(UNCERTAIN)
    ScoreTable.of(uncertain).print(sys.stdout)
    print()
    print("\n".join(what_one_sees(table, *(scores.subjects or ())[:2])))
    print()
    print_differences(truth, runs, scores)
    print(WHAT_NEXT.format(command=command()), end="")
    sys.stdout.flush()


def what_one_sees(table: ScoreTable, first: str, second: str) -> list[str]:
    """For each measure, how the order of the systems depends on whose judgments are the truth."""
    one, other = (table.rows_of(subject, "subject") for subject in (first, second))
    systems = [name for (name,) in one.labels]
    pairs = list(combinations(range(len(systems)), 2))
    lines = ["Whose judgments are the truth changes which system looks better:"]
    for m, measure in enumerate(table.measures):
        x, y = one.values[:, m], other.values[:, m]
        turned = sum((x[a] - x[b]) * (y[a] - y[b]) < 0 for a, b in pairs)
        top, top_too = systems[x.argmax()], systems[y.argmax()]
        best = f"{top} is best by both" if top == top_too else f"best: {top} → {top_too}"
        lines.append(f"  {measure:8} {turned} of {len(pairs)} pairs of systems turn round; {best}")
    return lines


def print_differences(truth: Judgments, runs: Runs, scores: Scores) -> None:
    """Which systems differ by one measure, under each truth and whatever the truth."""
    import numpy as np
    import pandas as pd

    from fuzzytruth.cli.comparisons import print_means
    from fuzzytruth.comparison.compare import compare
    from fuzzytruth.comparison.result import Comparison
    from fuzzytruth.evaluation.evaluate import evaluate

    alone = {}
    for subject in scores.subjects or ():
        with warnings.catch_warnings():  # as above, where they were shown already
            warnings.simplefilter("ignore", FuzzytruthWarning)
            crisp = evaluate(truth.select_subject(subject), runs, COMPARED)
        alone[subject] = replace(crisp, measures=(subject,))
    found = {subject: compare(one) for subject, one in alone.items()}
    pairs = {subject: one.table["significant"].to_numpy() for subject, one in found.items()}
    crossed = compare(scores, measures=COMPARED, over=("query", "subject"))
    count = len(crossed.table)
    print(DIFFERENCES.format(measure=COMPARED, pairs=count, queries=len(scores.queries)))
    tables = [one.table for one in found.values()]
    first = next(iter(found.values()))
    conditions = replace(
        first.conditions, measures=tuple(found), higher_is_better=(True,) * len(found)
    )
    means = pd.concat([one.means for one in found.values()], axis=1)
    print_means(Comparison(pd.concat(tables), means, None, conditions), sys.stdout)
    listed = ", ".join(f"{int(p.sum())} by {subject}" for subject, p in pairs.items())
    both = int(np.logical_and.reduce(list(pairs.values())).sum())
    print(f"\nOf {count} pairs of systems differ {listed}, {both} by both truths.")
    print(
        "If stages of screening, too, were drawn anew (two tell little of others): "
        f"{int(crossed.table['significant'].sum())}."
    )


def command() -> str:
    """How to call this command again: by its name, or by its path if it is not on the shell's."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{Path(sys.executable).name} -m fuzzytruth"
    return sys.argv[0] if shutil.which("fuzzytruth") is None else "fuzzytruth"


def copy_sample(folder: Path) -> None:
    """Copy the sample's data, their licence and description into a folder."""
    from fuzzytruth.datasets import clef_tar2017_files

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made ({error.strerror})") from None
    for file in clef_tar2017_files().iterdir():
        _write(folder / file.name, file.read_bytes())
        print(folder / file.name)


def _write(path: Path, content: bytes) -> None:
    from fuzzytruth.io.writing import write_whole

    write_whole(path, lambda file: file.write(content))

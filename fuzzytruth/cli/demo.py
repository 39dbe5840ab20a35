"""`fuzzytruth demo`."""

from __future__ import annotations

import shutil
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import typer

from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.derived import with_options
from fuzzytruth.cli.output import emit_printed, print_line, write_file
from fuzzytruth.errors import DataError, FuzzytruthWarning, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.evaluation.scores.score_rows import ScoreRows
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.show.answer import Table


SampleName = Literal[
    "clef_tar2017", "cragc25", "dermatology_ddx", "imagenet_dogs", "llmjudge_dl23", "model_vs_human"
]
MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "RR")

INTRODUCTION = """\
CLEF eHealth TAR 2017: {systems} systems rank articles for {queries} medical reviews.
Two stages of screening judged each article, by its abstract and by its content:
two truths. Means over the reviews:
"""
UNCERTAIN = """\
truth: uncertain, each article judged by one of the two stages, drawn by chance
(expected value, and the interval that holds 95 % of 1,000 such worlds)"""
COMPARED = "AP"
DIFFERENCES = """\
Which systems differ by {measure}, more than by the chance of drawing these {queries} reviews?
Mean by each truth, and the letters of the systems beaten
({pairs} pairs, family-wise error .05):
"""
WHAT_NEXT = """
The lists are cut at rank 200, see README.md of the sample. Try next:
  {command} demo --copy-to sample
  {command} evaluate sample/judgments.parquet \\
    sample/runs.parquet --order-by rank --per-query
  {command} evaluate sample/judgments.parquet \\
    sample/runs.parquet --order-by rank --worlds subject
  {command} compare sample/judgments.parquet \\
    sample/runs.parquet --order-by rank -m AP --worlds subject \\
    --figure differences.png
  {command} report sample/judgments.parquet \\
    sample/runs.parquet --order-by rank -m AP -o report.html
  {command} measures
and your own files:
  {command} evaluate qrels.txt a.run b.run -m AP -m nDCG@10
"""


@with_options(
    copy_to=Option(panel=OUTPUT, metavar="FOLDER"),
    sample=Option(
        f"With --copy-to: {', '.join(get_args(SampleName))}.",
        panel=OUTPUT,
        metavar="NAME",
        kind=SampleName,
    ),
)
def demo(
    context: typer.Context, *, copy_to: Path | None = None, sample: SampleName = "clef_tar2017"
) -> None:
    """Evaluate a real sample that comes with the package.

    Prints scores against each of two truths, what they show, and what to try next.

    Parameters
    ----------
    copy_to : path
        Only copy the files of the sample to this folder.
    sample : str
        Which sample.

    Examples
    --------
      fuzzytruth demo
      fuzzytruth demo --copy-to sample
      fuzzytruth demo --sample cragc25 --copy-to essays
    """
    if copy_to is not None:
        copy_sample(copy_to, sample)
        return
    if sample != "clef_tar2017":
        raise OptionError(f"--sample {sample}: is for its files alone; add --copy-to FOLDER")
    from fuzzytruth.datasets import load_clef_tar2017
    from fuzzytruth.evaluation.evaluate import evaluate
    from fuzzytruth.evaluation.scores.score_rows import score_rows

    truth, runs = load_clef_tar2017()
    scores = evaluate(truth, runs, MEASURES, worlds="subject")
    rows = score_rows(scores, per_subject=True)
    print_line(INTRODUCTION.format(systems=len(scores.systems), queries=len(scores.queries)))
    for subject in scores.subjects or ():
        print_line(f"truth: {subject}")
        show_table(rows.select("subject", subject).table())
        print_line()
    with warnings.catch_warnings():  # they are shown already
        warnings.simplefilter("ignore", FuzzytruthWarning)
        uncertain = evaluate(truth, runs, MEASURES, n_worlds=1000, rng=0)
        print_line(UNCERTAIN)
        show_table(score_rows(uncertain, over="world").table())
        print_line()
        show_order_changes(*(rows.select("subject", name) for name in scores.subjects or ()))
        print_line()
        show_differences(truth, runs, scores)
    print_line(WHAT_NEXT.format(command=command()).rstrip("\n"))
    sys.stdout.flush()


def show_order_changes(first: ScoreRows, second: ScoreRows) -> None:
    """Print for each measure how the order of the systems differs between two truths."""
    from fuzzytruth.comparison.rank_stability import swapped_pairs
    from fuzzytruth.show.answer import line_width, wrapped

    systems = [system for (system,) in first.labels]
    n_pairs = len(systems) * (len(systems) - 1) // 2
    lines = ["Whose judgments are the truth changes which system looks better:"]
    for m, measure in enumerate(first.measures):
        swapped = swapped_pairs(first.values[:, m], second.values[:, m])
        one, other = (systems[rows.best[:, m].argmax()] for rows in (first, second))
        best = f"{one} is best by both" if one == other else f"best: {one} → {other}"
        lines.append(f"  {measure:8} {swapped} of {n_pairs} pairs swap ranks; {best}")
    for line in lines:
        print_line(wrapped(line, line_width()))


def show_table(table: Table) -> None:
    """Print a table that is no wider than 80 columns, or the terminal."""
    from fuzzytruth.show.answer import Printed

    emit_printed(Printed.of("", table), None)


def show_differences(truth: Judgments, runs: Runs, scores: Scores) -> None:
    """Print which systems differ by one measure, by each truth and by both."""
    import pandas as pd

    from fuzzytruth.comparison.compare import compare
    from fuzzytruth.comparison.inference import letters
    from fuzzytruth.evaluation.evaluate import evaluate
    from fuzzytruth.show.answer import Column, Table
    from fuzzytruth.show.number_text import number_text

    subjects = scores.subjects or ()
    truths = (truth.select_subject(subject) for subject in subjects)
    by_subject = [compare(evaluate(alone, runs, COMPARED)) for alone in truths]
    n_pairs = len(by_subject[0].table)
    print_line(DIFFERENCES.format(measure=COMPARED, pairs=n_pairs, queries=len(scores.queries)))
    columns = [
        Column.label("", letters(len(scores.systems))),
        Column.label("system", scores.systems),
    ]
    for subject, result in zip(subjects, by_subject, strict=True):
        cells = zip(result.means[COMPARED], result.superscripts()[COMPARED], strict=True)
        columns.append(
            Column.label(subject, (f"{number_text(mean)} {mark}".rstrip() for mean, mark in cells))
        )
    show_table(Table(tuple(columns)))
    differ = pd.concat([one.table["significant"] for one in by_subject], axis=1, keys=subjects)
    listed = ", ".join(f"{count} by {subject}" for subject, count in differ.sum().items())
    print_line(f"\nOf {n_pairs} pairs, significant: {listed}, {differ.all(axis=1).sum()} by both.")


def command() -> str:
    """How to call this command again: by name, or by path if the shell does not find it."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{Path(sys.executable).name} -m fuzzytruth"
    return sys.argv[0] if shutil.which("fuzzytruth") is None else "fuzzytruth"


def copy_sample(folder: Path, sample: SampleName = "clef_tar2017") -> None:
    """Copy a sample's data, licences and description into a folder."""
    from importlib.resources import files

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made ({error.strerror})") from None
    source = files("fuzzytruth.datasets") / sample
    for file in sorted(source.iterdir(), key=lambda file: file.name):
        write_file(folder / file.name, file.read_bytes())
        print_line(str(folder / file.name))

"""Read truth and runs, and evaluate them, with a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli.derived import EVALUATION, typed
from fuzzytruth.cli.inputs import (
    classified_items,
    columns_of_runs,
    read_systems,
    read_truth,
    split_measures,
    stream_systems,
)
from fuzzytruth.cli.matrices import matrix_options
from fuzzytruth.cli.output import print_line
from fuzzytruth.cli.progress import Bar
from fuzzytruth.cli.table_options import columns_of
from fuzzytruth.errors import FuzzytruthWarning, OptionError, counted, warn

if TYPE_CHECKING:
    from fuzzytruth.data.by_example import ByExample, ByItem
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.run_stream import StreamedRuns
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.measures import Measure


#: called with judgments and runs
Keep = Callable[[Any, Any], object]
DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "RR")
TRUTH_BY_DEFAULT = "note: the truth of each item is a random vote; each subject's: --worlds subject"
_OF_CLASSIFIERS = ("P@1", "RR")


def measures_of(names: Sequence[str] | None, *, by_item: bool | None) -> tuple[Measure, ...]:
    """The measures asked for, or the usual ones: of classifiers P@1, which is accuracy, and RR."""
    from fuzzytruth.measures import parse_measures

    return parse_measures(
        split_measures(names or (_OF_CLASSIFIERS if by_item else DEFAULT_MEASURES))
    )


def scores_of(
    context: typer.Context,
    inputs: Sequence[str],
    measures: Iterable[Measure],
    *,
    several: str | None = None,
    save: Path | None = None,
    keep: Keep | None = None,
) -> Scores:
    """Scores of judgments and runs, under the options of the context.

    `several` takes the place of --worlds left out, where several subjects judged. `keep` is called
    with what was read.

    Raises
    ------
    OptionError
        --missing without each subject's truth in turn, or several truths after --aggregate.
    """
    truth, runs = inputs[0], inputs[1:]
    given, settings = context.params, EVALUATION.given(context)
    aggregate, worlds, n_jobs = given["aggregate"], given["worlds"], given["n_jobs"]
    kind = several if worlds is None and aggregate is None else worlds
    if given["missing"] != "error" and kind != "subject":
        raise OptionError("--missing: is about each subject's own truth; add --worlds subject")
    if aggregate is not None and worlds not in (None, "crisp"):
        raise OptionError(f"--aggregate: leaves one truth, and no --worlds {worlds}; choose one")
    matrix, order = (
        matrix_options(given),
        {name: given[name] for name in ("order_by", "duplicates")},
    )
    columns = columns_of("--run-columns", given["run_columns"])
    with Bar() as bar:
        bar.stage("reading")
        judged = read_truth(truth, given)
        if worlds is None and len(judged.subjects or ()) > 1:
            settings["worlds"] = several
        items = classified_items(truth, judged)
        matrix = replace(matrix, otherwise=items, otherwise_of=str(truth))
        systems: Any = None
        if keep is None and given["name_by"] == "file" and columns is None and _has_grades(judged):
            systems = stream_systems(runs, matrix=matrix, n_jobs=n_jobs, **order)
        if systems is None:
            systems = read_systems(
                runs, name_by=given["name_by"], matrix=matrix, columns=columns, **order
            )
        with columns_of_runs():  # which are read now, if they are read block by block
            scores = score(judged, systems, measures, bar, **settings)
        if save is not None:
            scores.save(save)
    if kind is None and aggregate is None and len(judged.subjects or ()) > 1:
        _note_default(scores)
    if keep is not None:
        keep(judged, systems)
    return scores


def _has_grades(truth: object) -> bool:
    """Whether a truth is judgments, which take runs block by block."""
    from fuzzytruth.data.judgments import Judgments

    return isinstance(truth, Judgments)


def score(
    truth: Judgments | ByExample | ByItem,
    runs: Runs | StreamedRuns,
    measures: Iterable[Measure],
    bar: Bar,
    **settings: Any,
) -> Scores:
    """`fuzzytruth.evaluate`, reporting to a progress bar."""
    from fuzzytruth.evaluation.evaluate import evaluate

    bar.stage("scoring")
    scores = evaluate(truth, runs, measures, progress=bar.advance, **settings)
    if scores.uncertainty is not None:
        bar.stage("drawing worlds")
        scores.uncertainty.draw()
    made = scores.provenance
    if settings.get("n_worlds") == "auto" and made is not None and made.n_worlds is not None:
        print_line(f"drew {counted(made.n_worlds, 'world')}", sys.stderr)
    return scores


def _note_default(scores: Scores) -> None:
    """Say what several subjects' judgments were taken for, where nothing was said."""
    if scores.provenance is not None and scores.provenance.worlds == "independent":
        print_line(TRUTH_BY_DEFAULT, sys.stderr)


def note_unused(context: typer.Context, scores: Scores, *names: str) -> None:
    """Warn of options for drawing worlds that were typed, where no world was drawn."""
    given = [f"--{name.replace('_', '-')}" for name in names if typed(context, name)]
    if given and scores.uncertainty is None:
        warn(
            f"{', '.join(given)}: no effect, for these scores draw no worlds; see --worlds",
            FuzzytruthWarning,
        )

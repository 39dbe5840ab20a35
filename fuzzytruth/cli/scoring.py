"""Read truth and runs, and evaluate them, with a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.inputs import (
    CategoryVotes,
    classified_items,
    columns_of_runs,
    read_systems,
    read_truth,
    split_measures,
    stream_systems,
)
from fuzzytruth.cli.options import typed
from fuzzytruth.cli.output import print_line
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import FuzzytruthWarning, OptionError, counted, warn

if TYPE_CHECKING:
    import typer

    from fuzzytruth.cli.table_options import TableOptions
    from fuzzytruth.data.by_example import ByExample, ByItem
    from fuzzytruth.data.grading import Aggregation
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.data.reading import Groups, NameBy
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


def score_files(
    truth: str | Path,
    runs: Sequence[str],
    measures: Iterable[Measure],
    *,
    name_by: NameBy,
    order_by: str,
    duplicates: str,
    groups: Groups,
    aggregate: Aggregation | None,
    categories: CategoryVotes | None = None,
    matrix: MatrixOptions | None = None,
    table: TableOptions | None = None,
    run_columns: Mapping[str, str] | None = None,
    save: Path | None = None,
    worlds: str | None = None,
    several: str | None = None,
    missing: str = "error",
    keep: Keep | None = None,
    **settings: Any,
) -> Scores:
    """Evaluate run files against a file of judgments (or votes); `settings` are `evaluate`'s.

    `several` takes the place of `worlds` left out, where several subjects judged. `keep` is called
    with what was read.

    Raises
    ------
    OptionError
        `missing` without each subject's truth in turn, or several truths after `aggregate`.
    """
    kind = several if worlds is None and aggregate is None else worlds
    if missing != "error" and kind != "subject":
        raise OptionError("--missing: is about each subject's own truth; add --worlds subject")
    if aggregate is not None and worlds not in (None, "crisp"):
        raise OptionError(f"--aggregate: leaves one truth, and no --worlds {worlds}; choose one")
    with Bar() as bar:
        bar.stage("reading")
        judged = read_truth(
            truth, groups=groups, aggregate=aggregate, categories=categories, table=table
        )
        if worlds is None and len(judged.subjects or ()) > 1:
            worlds = several
        if matrix is not None:
            items = classified_items(truth, judged)
            matrix = replace(matrix, otherwise=items, otherwise_of=str(truth))
        order = {"order_by": order_by, "duplicates": duplicates}
        systems: Any = None
        if keep is None and name_by == "file" and run_columns is None and _has_grades(judged):
            n_jobs = settings.get("n_jobs", 1)
            systems = stream_systems(runs, matrix=matrix, n_jobs=n_jobs, **order)
        if systems is None:
            systems = read_systems(
                runs, name_by=name_by, matrix=matrix, columns=run_columns, **order
            )
        with columns_of_runs():  # which are read now, if they are read block by block
            scores = score(
                judged, systems, measures, bar, worlds=worlds, missing=missing, **settings
            )
        if save is not None:
            scores.save(save)
    if worlds is None and aggregate is None and len(judged.subjects or ()) > 1:
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


# Options of scoring: what is taken as the truth, and conventions of measures.


Ties = Annotated[
    Literal["trec", "order", "expected"],
    setting(
        panels.SCORING,
        "Items with equal scores: as trec_eval, as in the file, or the mean over all orders.",
    ),
]
Undefined = Annotated[
    Literal["zero", "exclude"],
    setting(panels.SCORING, "A query without relevant items: counts 0, or is left out."),
]
Missing = Annotated[
    Literal["error", "nonrelevant", "exclude", "pooled"],
    setting(
        panels.SCORING,
        "Missing judgments, of items that other subjects judged: an error, grade 0, the item "
        "left out, or grades drawn from the other subjects'.",
    ),
]
Unjudged = Annotated[
    Literal["nonrelevant", "bounds"],
    setting(
        panels.SCORING,
        "An item that nobody judged: not relevant, or also the lowest and highest value that "
        "judging it could give.",
    ),
]
_TRUTHS = (
    "What is taken as the truth: the only one; each subject's in turn; for each item a random one "
    "of its votes; the votes of resampled subjects.  [default: {}, if there are several subjects]"
)
Worlds = Annotated[
    Literal["crisp", "subject", "independent", "population"] | None,
    setting(panels.SCORING, _TRUTHS.format("independent")),
]
WorldsBySubject = Annotated[
    Literal["crisp", "subject", "independent", "population"] | None,
    setting(panels.SCORING, _TRUTHS.format("subject"), "--worlds"),
]


def number_or_auto(text: str | int) -> int | str:
    """A number of worlds as typed, or its default."""
    try:
        return text if text == "auto" else int(text)
    except ValueError:
        raise typer.BadParameter(f"must be a whole number or auto, not {text!r}") from None


NWorlds = Annotated[
    Any,
    setting(
        panels.SCORING,
        "Number of worlds drawn; auto: as many as make the means exact enough.",
        "--n-worlds",
        parser=number_or_auto,
        metavar="N|auto",
    ),
]
McError = Annotated[
    float | None,
    option(
        panels.SCORING,
        "With --n-worlds auto: largest Monte Carlo error of a mean.  [default: a hundredth of "
        "the width of its interval over queries]",
        metavar="ERROR",
    ),
]
Seed = Annotated[
    int, setting(panels.COMPUTATION, "Random seed of the worlds.", "--seed", metavar="N")
]
Jobs = Annotated[
    int,
    setting(
        panels.COMPUTATION, "Number of workers; changes only the time.", "--n-jobs", metavar="N"
    ),
]
Aggregate = Annotated[
    Literal["mean", "median", "majority", "max", "min"] | None,
    setting(panels.SCORING, "Merge the subjects' grades into one truth first."),
]


def threshold_or_thresholds(text: str) -> float | dict[str, float]:
    """A threshold as typed, or one for each subject: ``3``, ``ann=3,bob=1``."""
    if "=" not in text:
        return _threshold(text)
    pairs = [part.rpartition("=") for part in text.split(",")]
    names = [name.strip() for name, _, _ in pairs]
    if not all(names) or len(set(names)) < len(names):
        raise typer.BadParameter(f"must name each subject once, ann=3,bob=1, not {text!r}")
    return {name: _threshold(number) for name, (_, _, number) in zip(names, pairs, strict=True)}


def _threshold(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(
            f"must be a number, or ann=3,bob=1 for each subject, not {text!r}"
        ) from None


Rel = Annotated[
    Any,
    option(
        panels.SCORING,
        "The lowest grade that is relevant: grades become 1 from there on, else 0. One for "
        "all, or each subject's own.",
        "--rel",
        parser=threshold_or_thresholds,
        metavar="GRADE|SUBJECT=GRADE,...",
    ),
]

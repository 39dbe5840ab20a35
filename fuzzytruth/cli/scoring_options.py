"""Options of scoring: what is taken as the truth, and conventions of measures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.panels import option, setting

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

"""Options of `fuzzytruth plan`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.completions import complete_axes, complete_measures
from fuzzytruth.cli.panels import option, setting


def whole_numbers(text: str) -> list[int] | range:
    """Numbers as typed: single ones and ranges, separated by commas.

    Examples
    --------
    >>> whole_numbers("2-10"), whole_numbers("2,5,10-12")
    (range(2, 11), [2, 5, 10, 11, 12])
    """
    try:
        ends = [[int(end) for end in part.split("-")] for part in text.split(",")]
    except ValueError:
        ends = [[]]
    if any(not 1 <= len(pair) <= 2 or min(pair) < 1 or pair[0] > pair[-1] for pair in ends):
        raise typer.BadParameter(f"must be whole numbers from 1, such as 2-10,20, not {text!r}")
    spans = [range(pair[0], pair[-1] + 1) for pair in ends]
    return spans[0] if len(spans) == 1 else [n for span in spans for n in span]


def family_of(text: str) -> str | int:
    """A family by its name, or a number of comparisons."""
    return int(text) if text.isdecimal() else text


OptionalInputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SCORES... | JUDGMENTS RUN...",
        help="Of a pilot: scores, or judgments and runs, as compare takes them.",
        show_default=False,
    ),
]
MeasureOfPlan = Annotated[
    list[str] | None,
    option(
        panels.METHOD,
        "The measure.  [default: that of the scores; judgments and runs need it]",
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
    ),
]
Component = Annotated[
    list[str] | None,
    option(
        panels.METHOD,
        "Without a pilot: an assumed variance component, such as system:query=.02, "
        "system:subject=.001 or residual=.05; may be repeated.",
        "--component",
        metavar="NAME=VARIANCE",
    ),
]
HalfWidth = Annotated[
    float | None,
    option(
        panels.TARGETS,
        "Target: the largest expected half-width of an interval.",
        "--half-width",
        metavar="WIDTH",
    ),
]
Difference = Annotated[
    float | None,
    option(
        panels.TARGETS,
        "Target: this true difference is significant with --power.",
        "--difference",
        metavar="SIZE",
    ),
]
Power = Annotated[
    float,
    setting(
        panels.TARGETS,
        "Chance with which --difference is to be significant.",
        "--power",
        metavar="NUMBER",
    ),
]
Coefficient = Annotated[
    float | None,
    option(
        panels.TARGETS,
        "Target: the least generalizability coefficient.",
        "--coefficient",
        metavar="VALUE",
    ),
]
Absolute = Annotated[
    bool, setting(panels.TARGETS, "The coefficient is Φ, not the relative Eρ².", "--absolute")
]
Of = Annotated[
    Literal["difference", "mean"],
    setting(
        panels.METHOD, "Plan for the difference of two systems, or for the mean of one.", "--of"
    ),
]
Among = Annotated[
    str | None,
    option(
        panels.METHOD,
        "Plan from these systems of the pilot alone.",
        "--among",
        metavar="SYSTEM,...",
    ),
]
NSystems = Annotated[
    int | None,
    option(
        panels.METHOD,
        "How many systems will be compared.  [default: as many as in the pilot, else 2]",
        "--n-systems",
        metavar="N",
    ),
]
FamilyName = Annotated[
    Any,
    option(
        panels.METHOD,
        "Whose intervals hold together; N comparisons.  [default: all pairs]",
        "--family",
        parser=family_of,
        metavar="all pairs|baseline|one|N",
    ),
]
_NUMBERS = {"parser": whole_numbers, "metavar": "N,N-N,...", "show_default": False}
NQueries = Annotated[
    Any,
    typer.Option(
        "--n-queries",
        help="Numbers of queries to choose from.  [default: 2-10000]",
        **_NUMBERS,
        rich_help_panel=panels.METHOD,
    ),
]
NSubjects = Annotated[
    Any,
    typer.Option(
        "--n-subjects",
        help="Numbers of subjects a query to choose from.  [default: up to 10, or as many as it "
        "takes]",
        **_NUMBERS,
        rich_help_panel=panels.METHOD,
    ),
]
NReplicates = Annotated[
    Any,
    typer.Option(
        "--n-replicates",
        help="Numbers of runs of each system.  [default: 1]",
        **_NUMBERS,
        rich_help_panel=panels.METHOD,
    ),
]
ReplicateOf = Annotated[
    str | None,
    option(
        panels.METHOD,
        "Systems of the pilot that are runs or seeds of one system.",
        "--replicate-of",
        metavar="RUN=SYSTEM,...",
    ),
]
OverOfPlan = Annotated[
    str | None,
    option(
        panels.METHOD,
        "What is random: query, or query,subject.  [default: both where there are subjects]",
        "--over",
        autocompletion=complete_axes,
        metavar="AXIS,...",
    ),
]
JudgmentCost = Annotated[
    float | None, option(panels.PRICES, "Price of one.", "--cost-per-judgment", metavar="PRICE")
]
PerQuery = Annotated[
    float,
    setting(
        panels.PRICES,
        "Judgments that each subject gives for a query.",
        "--judgments-per-query",
        metavar="N",
    ),
]
SubjectCost = Annotated[
    float | None,
    option(
        panels.PRICES, "Price of each, whatever they judge.", "--cost-per-subject", metavar="PRICE"
    ),
]
QueryCost = Annotated[
    float | None,
    option(panels.PRICES, "Price of each, whoever judges.", "--cost-per-query", metavar="PRICE"),
]
Budget = Annotated[
    float | None,
    option(
        panels.PRICES,
        "Leave out what costs more (without prices, in judgments); alone: what it pays for.",
        "--budget",
        metavar="PRICE",
    ),
]

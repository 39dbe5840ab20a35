"""Options of `fuzzytruth plan`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.completions import complete_axes, complete_measures


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
    typer.Option(
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
        help="The measure.  [default: that of the scores; judgments and runs need it]",
        show_default=False,
        rich_help_panel=panels.METHOD,
    ),
]
Component = Annotated[
    list[str] | None,
    typer.Option(
        "--component",
        metavar="NAME=VARIANCE",
        help="Without a pilot: an assumed variance component, such as system:query=.02, "
        "system:subject=.001 or residual=.05; may be repeated.",
        show_default=False,
        rich_help_panel=panels.METHOD,
    ),
]
HalfWidth = Annotated[
    float | None,
    typer.Option(
        "--half-width",
        help="Target: the largest expected half-width of an interval.",
        show_default=False,
        metavar="WIDTH",
        rich_help_panel=panels.TARGETS,
    ),
]
Difference = Annotated[
    float | None,
    typer.Option(
        "--difference",
        help="Target: this true difference is significant with --power.",
        show_default=False,
        metavar="SIZE",
        rich_help_panel=panels.TARGETS,
    ),
]
Power = Annotated[
    float,
    typer.Option(
        "--power",
        help="Chance with which --difference is to be significant.",
        metavar="NUMBER",
        rich_help_panel=panels.TARGETS,
    ),
]
Coefficient = Annotated[
    float | None,
    typer.Option(
        "--coefficient",
        help="Target: the least generalizability coefficient.",
        show_default=False,
        metavar="VALUE",
        rich_help_panel=panels.TARGETS,
    ),
]
Absolute = Annotated[
    bool,
    typer.Option(
        "--absolute",
        help="The coefficient is Φ, not the relative Eρ².",
        rich_help_panel=panels.TARGETS,
    ),
]
Of = Annotated[
    Literal["difference", "mean"],
    typer.Option(
        "--of",
        help="Plan for the difference of two systems, or for the mean of one.",
        rich_help_panel=panels.METHOD,
    ),
]
Among = Annotated[
    str | None,
    typer.Option(
        "--among",
        metavar="SYSTEM,...",
        help="Plan from these systems of the pilot alone.",
        show_default=False,
        rich_help_panel=panels.METHOD,
    ),
]
NSystems = Annotated[
    int | None,
    typer.Option(
        "--n-systems",
        help="How many systems will be compared.  [default: as many as in the pilot, else 2]",
        show_default=False,
        metavar="N",
        rich_help_panel=panels.METHOD,
    ),
]
FamilyName = Annotated[
    Any,
    typer.Option(
        "--family",
        parser=family_of,
        metavar="all pairs|baseline|one|N",
        help="Whose intervals hold together; N comparisons.  [default: all pairs]",
        show_default=False,
        rich_help_panel=panels.METHOD,
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
    typer.Option(
        "--replicate-of",
        metavar="RUN=SYSTEM,...",
        help="Systems of the pilot that are runs or seeds of one system.",
        show_default=False,
        rich_help_panel=panels.METHOD,
    ),
]
OverOfPlan = Annotated[
    str | None,
    typer.Option(
        "--over",
        autocompletion=complete_axes,
        help="What is random: query, or query,subject.  [default: both where there are subjects]",
        show_default=False,
        metavar="AXIS,...",
        rich_help_panel=panels.METHOD,
    ),
]
JudgmentCost = Annotated[
    float | None,
    typer.Option(
        "--cost-per-judgment",
        help="Price of one.",
        show_default=False,
        metavar="PRICE",
        rich_help_panel=panels.PRICES,
    ),
]
PerQuery = Annotated[
    float,
    typer.Option(
        "--judgments-per-query",
        help="Judgments that each subject gives for a query.",
        metavar="N",
        rich_help_panel=panels.PRICES,
    ),
]
SubjectCost = Annotated[
    float | None,
    typer.Option(
        "--cost-per-subject",
        help="Price of each, whatever they judge.",
        show_default=False,
        metavar="PRICE",
        rich_help_panel=panels.PRICES,
    ),
]
QueryCost = Annotated[
    float | None,
    typer.Option(
        "--cost-per-query",
        help="Price of each, whoever judges.",
        show_default=False,
        metavar="PRICE",
        rich_help_panel=panels.PRICES,
    ),
]
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget",
        help="Leave out what costs more (without prices, in judgments); alone: what it pays for.",
        show_default=False,
        metavar="PRICE",
        rich_help_panel=panels.PRICES,
    ),
]

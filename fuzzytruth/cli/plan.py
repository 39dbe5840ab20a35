"""`fuzzytruth plan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fuzzytruth.cli import options, panels, table_options
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli import scoring as scoring_options
from fuzzytruth.cli.compared_scores import options_of_compared, read_compared
from fuzzytruth.cli.inputs import check_outputs, split_measures
from fuzzytruth.cli.options import complete_axes, complete_measures
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import working
from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.annotators.planning.plan import Plan
    from fuzzytruth.cli.output import TableFormat
    from fuzzytruth.evaluation.scores.scores import Scores


# Options of `fuzzytruth plan`.


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


EXAMPLE = """\b
Examples, on a sample that comes with the package:
  fuzzytruth demo --sample cragc25 --copy-to essays
  fuzzytruth plan essays/shares.parquet --half-width .05
  fuzzytruth plan --component system:query=.02 --component residual=.05 \\
    --half-width .02 --figure plan.png
On files of your own:
  fuzzytruth plan scores.csv --half-width .02 --cost-per-judgment .3 \\
    --judgments-per-query 50
  fuzzytruth plan votes.csv a.run b.run -m nDCG@10 --difference .05 \\
    --n-subjects 2-20
  fuzzytruth plan scores.csv --coefficient .9 --over query -o plan.csv

In Python: variance_components shows the variances that a plan rests on.

Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
"""


@options.taking(options_of_compared, without=["worlds", "clusters", "strata"])
def plan(
    context: typer.Context,
    inputs: OptionalInputs = None,
    measure: MeasureOfPlan = None,
    component: Component = None,
    half_width: HalfWidth = None,
    difference: Difference = None,
    power: Power = 0.8,
    coefficient: Coefficient = None,
    absolute: Absolute = False,
    of: Of = "difference",
    among: Among = None,
    n_systems: NSystems = None,
    family: FamilyName = None,
    n_queries: NQueries = None,
    n_subjects: NSubjects = None,
    n_replicates: NReplicates = None,
    replicate_of: ReplicateOf = None,
    over: OverOfPlan = None,
    level: options.Level = 0.95,
    cost_per_judgment: JudgmentCost = None,
    judgments_per_query: PerQuery = 1.0,
    cost_per_subject: SubjectCost = None,
    cost_per_query: QueryCost = None,
    budget: Budget = None,
    worlds: scoring_options.WorldsBySubject = None,
    output_format: output_options.FormatChoice = None,
    output: output_options.Output = None,
    figure: output_options.Figure = None,
) -> None:
    """Say how many queries and subjects a collection needs, from a pilot or assumed variances.

    For each number of subjects the least number of queries that meets all targets, and the
    cheapest of these designs.
    """
    from fuzzytruth.annotators.planning.plan import plan as plan_of
    from fuzzytruth.cli.figures import write_figure
    from fuzzytruth.cli.tables import format_for

    output_format = output_format or format_for(output)
    check_outputs(inputs or [], output, figure)
    scores, named = _pilot(context, inputs, measure)
    replicates = replicate_of.split(",") if replicate_of else None
    numbers = {"queries": n_queries, "subjects": n_subjects, "replicates": n_replicates}
    with working("planning"):
        result = plan_of(
            scores,
            components=_pairs("--component", component, number=True),
            half_width=half_width,
            difference=difference,
            power=power,
            coefficient=coefficient,
            absolute=absolute,
            of=of,
            measure=named,
            systems=None if among is None else table_options.names_of("--among", [among]),
            n_systems=n_systems,
            family=family,
            over=None if over is None else options.axes_of(over),
            level=level,
            cost_per_judgment=cost_per_judgment,
            judgments_per_query=judgments_per_query,
            cost_per_subject=cost_per_subject,
            cost_per_query=cost_per_query,
            budget=budget,
            replicate_of=_pairs("--replicate-of", replicates),
            **{name: value for name, value in numbers.items() if value is not None},
        )
    write_figure(result.plot, figure)
    _show(result, output_format, output)


def _pilot(
    context: typer.Context, inputs: list[str] | None, measure: list[str] | None
) -> tuple[Scores | None, str | None]:
    """Scores of the pilot, if there is one, and the one measure that is named."""
    scores = None
    if inputs:
        compared = read_compared(context, inputs, several="subject", defaults=False)
        scores, measure = compared.scores, compared.measures
    names = split_measures(measure or [])
    if len(names) > 1:
        raise OptionError(f"-m: name one measure, not {len(names)}")
    return scores, names[0] if names else None


def _show(result: Plan, output_format: TableFormat, output: Path | None) -> None:
    """Print a plan, or write its table."""
    from fuzzytruth.cli.output import emit_answer, emit_text
    from fuzzytruth.cli.tables import records_text, show_frame

    if output_format == "table":
        emit_answer(result, output)
    elif output_format == "csv":
        emit_text(records_text(result.to_frame(full=True), "csv"), output)
    elif output_format == "json":
        emit_text(records_text(_plain(result.to_frame(full=True), None), "json"), output)
    else:
        frame = _plain(result.to_frame(), "–")
        caption = "Queries that a collection needs, by its subjects."
        show_frame(frame, output_format=output_format, output=output, caption=caption)


def _plain(frame: pd.DataFrame, missing: str | None) -> pd.DataFrame:
    """The same with Python's numbers, and something in place of missing ones."""
    return frame.astype(object).where(frame.notna(), missing)


def _pairs(flag: str, given: list[str] | None, *, number: bool = False) -> dict[str, Any] | None:
    """NAME=VALUE as typed."""
    if not given:
        return None
    out: dict[str, Any] = {}
    for text in given:
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if not equals or not name or not value:
            raise OptionError(f"{flag} {shown(text)}: must be NAME=VALUE")
        if name in out:
            raise OptionError(f"{flag} {shown(text)}: names {name} twice")
        try:
            out[name] = float(value) if number else value
        except ValueError:
            raise OptionError(f"{flag} {shown(text)}: {shown(value)} is not a number") from None
    return out

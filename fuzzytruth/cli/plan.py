"""`fuzzytruth plan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli import options, output_options, plan_options, scoring_options, table_options
from fuzzytruth.cli.compared_options import options_of_compared
from fuzzytruth.cli.compared_scores import read_compared
from fuzzytruth.cli.inputs import check_outputs, split_measures
from fuzzytruth.cli.progress import working
from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.annotators.planning.plan_result import Plan
    from fuzzytruth.cli.output_options import TableFormat
    from fuzzytruth.evaluation.scores import Scores

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
    inputs: plan_options.OptionalInputs = None,
    measure: plan_options.MeasureOfPlan = None,
    component: plan_options.Component = None,
    half_width: plan_options.HalfWidth = None,
    difference: plan_options.Difference = None,
    power: plan_options.Power = 0.8,
    coefficient: plan_options.Coefficient = None,
    absolute: plan_options.Absolute = False,
    of: plan_options.Of = "difference",
    among: plan_options.Among = None,
    n_systems: plan_options.NSystems = None,
    family: plan_options.FamilyName = None,
    n_queries: plan_options.NQueries = None,
    n_subjects: plan_options.NSubjects = None,
    n_replicates: plan_options.NReplicates = None,
    replicate_of: plan_options.ReplicateOf = None,
    over: plan_options.OverOfPlan = None,
    level: options.Level = 0.95,
    cost_per_judgment: plan_options.JudgmentCost = None,
    judgments_per_query: plan_options.PerQuery = 1.0,
    cost_per_subject: plan_options.SubjectCost = None,
    cost_per_query: plan_options.QueryCost = None,
    budget: plan_options.Budget = None,
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

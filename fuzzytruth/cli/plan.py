"""`fuzzytruth plan`."""

from __future__ import annotations

from functools import partial
from typing import Any

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.compared_scores import begins_with_scores, read_compared
from fuzzytruth.cli.derive import METHOD, TARGETS, Option
from fuzzytruth.cli.inputs import read_truth
from fuzzytruth.cli.options import split_measures
from fuzzytruth.cli.output import write_figure
from fuzzytruth.cli.progress import working
from fuzzytruth.errors import OptionError, require, shown


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


_NUMBERS: dict[str, Any] = {
    "metavar": "N,N-N,...",
    "kind": Any,
    "panel": METHOD,
    "settings": {"parser": whole_numbers, "show_default": False},
}


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


PLAN = derived.Source(
    "plan",
    systems=Option(flags="--among", name="among", hand_on=derived.names_under("--among")),
    coefficient=Option(panel=TARGETS, metavar="VALUE"),
    power=Option(panel=TARGETS),
    components=Option(hand_on=partial(_pairs, "--component", number=True)),
    replicate_of=Option(hand_on=lambda text: _pairs("--replicate-of", text.split(","))),
    family=Option(metavar="all pairs|baseline|one|N", kind=Any, settings={"parser": family_of}),
    queries=Option(
        "Numbers of queries to choose from.  [default: 2-10000]", name="n_queries", **_NUMBERS
    ),
    subjects=Option(
        "Numbers of subjects a query to choose from.  [default: up to 10, or as many as it takes]",
        name="n_subjects",
        **_NUMBERS,
    ),
    replicates=Option(name="n_replicates", **_NUMBERS),
    over=Option(
        "What is random: query, or query,subject.  [default: both where there are subjects]"
    ),
)


@derived.with_options(
    PLAN,
    derived.WORLDS_BY_SUBJECT,
    *derived.COMPARED,
    derived.TABLES,
    derived.FIGURES,
    inputs=Option("Of a pilot: scores, or judgments and runs, as compare takes them, or votes."),
)
def plan(
    context: typer.Context, inputs: list[str] | None = None, *, measure: list[str] | None = None
) -> None:
    r"""Say how many queries and subjects a collection needs, from a pilot or assumed variances.

    For each number of subjects the least number of queries that meets all targets, and the
    cheapest of these designs. Of votes alone: the items and people that narrow their agreement to
    --half-width; of nothing: the votes an item for a --consensus.

    Parameters
    ----------
    measure : list of str
        The measure. By default that of the scores; judgments and runs need it.

    Examples
    --------
    On a sample that comes with the package:
      fuzzytruth demo --sample cragc25 --copy-to essays
      fuzzytruth plan essays/shares.parquet --half-width .05
      fuzzytruth plan --component system:query=.02 --component residual=.05 \
        --half-width .02 --figure plan.png
    On files of your own:
      fuzzytruth plan scores.csv --half-width .02 --cost-per-judgment .3 \
        --judgments-per-query 50
      fuzzytruth plan votes.csv a.run b.run -m nDCG@10 --difference .05 \
        --n-subjects 2-20
      fuzzytruth plan scores.csv --coefficient .9 --over query -o plan.csv
      fuzzytruth plan votes.csv --half-width .05
      fuzzytruth plan --consensus .95 --accuracy .8 --rho .1

    In Python: variance_components shows the variances that a plan rests on.

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.annotators.planning.plan import plan as plan_of
    from fuzzytruth.cli.tables import format_of, show_answer

    output_format = format_of(context, *(inputs or []))
    pilot, named = _pilot(context, inputs, measure)
    given = PLAN.given(context) | {"measure": named}
    with working("planning"):
        answer: Any = plan_of(pilot, **given)
    result = answer
    if context.params["figure"] is not None:
        rule = "draws plans of queries; leave it out"
        require("--figure", context.params["figure"], hasattr(result, "plot"), rule)
        write_figure(result.plot, context.params["figure"])
    if output_format in ("latex", "markdown"):
        frame = result.to_frame()
        answer = frame.astype(object).where(frame.notna(), "–")
    show_answer(context, answer, "What a study needs.")


def _pilot(
    context: typer.Context, inputs: list[str] | None, measure: list[str] | None
) -> tuple[Any, str | None]:
    """Scores, or votes, of the pilot, if there is one, and the one measure that is named."""
    scores: Any = None
    if inputs and len(inputs) == 1 and not begins_with_scores(inputs[0]):
        truth = read_truth(inputs[0], context.params, votes=True)
        return getattr(truth, "votes", truth), None
    if inputs:
        compared = read_compared(context, inputs, several="subject", defaults=False)
        scores, measure = compared.scores, compared.measures
    names = split_measures(measure or [])
    if len(names) > 1:
        raise OptionError(f"-m: name one measure, not {len(names)}")
    return scores, names[0] if names else None

"""`fuzzytruth plan` and `annotate-next`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.compared_scores import begins_with_scores, read_compared
from fuzzytruth.cli.derive import CATEGORIES, COMPUTATION, METHOD, TARGETS, Option
from fuzzytruth.cli.inputs import read_truth, runs_of
from fuzzytruth.cli.options import split_measures
from fuzzytruth.cli.output import Bar, print_line, working, write_figure
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
    """
    from fuzzytruth.annotators.planning.plan import plan as plan_of
    from fuzzytruth.cli.tables import format_of, show_answer

    format_of(context, *(inputs or []))
    pilot, named = _pilot(context, inputs, measure)
    given = PLAN.given(context) | {"measure": named}
    with working("planning"):
        result: Any = plan_of(pilot, **given)
    if context.params["figure"] is not None:
        rule = "draws plans of queries; leave it out"
        require("--figure", context.params["figure"], hasattr(result, "plot"), rule)
        write_figure(result.plot, context.params["figure"])
    show_answer(context, result, "What a study needs.")


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


ANNOTATE_NEXT = derived.Source(
    "annotate_next",
    without="category",
    systems=Option(
        "The two systems that are compared, the first minus the second.  [default: the systems, "
        "if they are two]",
        metavar="SYSTEM,SYSTEM",
        kind=str,
        hand_on=derived.names_under("--systems"),
    ),
    prior=Option(
        "How many votes the base rate of an item counts as in its estimate. [default: none, where "
        "it has votes]",
        metavar="VOTES",
        kind=float,
    ),
    unjudged=Option(
        "Whether retrieved items that nobody judged are listed too; else they are not relevant."
    ),
    n_worlds=Option(
        "Worlds drawn where shares are not known exactly.", panel=COMPUTATION, metavar="N", kind=int
    ),
)


@derived.with_options(
    ANNOTATE_NEXT,
    derived.JUDGMENTS,
    derived.RESCALED,
    *derived.RUNS,
    derived.Source(
        "read_assignments",
        CATEGORIES,
        without="asked columns drop subjects duplicates",
        taxonomy=Option(
            "VOTES put items in these categories (subject, item, category), and queries are items: "
            "relevant is what is in the query's category."
        ),
    ),
    derived.Source(
        derived.of_truth,
        CATEGORIES,
        without="aggregate",
        by_item=Option(
            "VOTES are for categories, with or without --taxonomy. By item: runs list categories "
            "of each item. By example: they list items like each item."
        ),
    ),
    derived.TABLES,
)
def annotate_next(
    context: typer.Context,
    votes: Path,
    runs: list[str] | None = None,
    *,
    measure: str | None = None,
    limit: int = 20,
) -> None:
    r"""List the items on which more votes would tell most about two systems, or the answers.

    Without runs: whose votes on which items would tell most about the panel's answers, or about
    the size of a --category.

    Tables for programs have one row an item, with its share of the variance of the difference that
    comes from few votes.

    Parameters
    ----------
    votes : path
        Votes of several people: columns query, item, grade and subject, or count where nobody is
        named; or TREC qrels whose second column names subjects. With --taxonomy, subject (or
        count), item and category. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.
    runs : list of str
        Run files in the same formats, patterns such as 'runs/*.run', or NAME=FILE.
    measure : str
        One measure; of runs.
    limit : int
        How many items to list.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth annotate-next sample/judgments.parquet sample/runs.parquet \
        --order-by rank --systems amc.run,waterloo.B-rank-normal -m AP
    On files of your own:
      fuzzytruth annotate-next votes.csv --limit 50 -o batch.csv
      fuzzytruth annotate-next kinds.csv --by-item --category people --limit 50
      fuzzytruth annotate-next votes.csv old.run new.run -m AP --limit 20
      fuzzytruth annotate-next votes.csv 'runs/*.run' --systems bm25,dense \
        -m nDCG@10 -k 3
      fuzzytruth annotate-next votes.csv a.run b.run -m P@10 --limit 200 \
        -o batch.csv
      fuzzytruth annotate-next labels.csv like.run shape.run --taxonomy tree.txt \
        -m P@10
      fuzzytruth annotate-next labels.csv old=classes.csv new=classes2.csv \
        --by-item -m P@1
    """
    from fuzzytruth.annotators.planning.annotate_next import annotate_next as order_of
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    format_of(context, votes, *(runs or []))
    names = [] if measure is None else split_measures([measure])
    if len(names) > 1 or (runs and not names):
        raise OptionError(f"{f'-m {measure}' if measure else '-m/--measure'}: name one measure")
    with Bar() as bar:
        bar.stage("reading")
        category = None if runs else given["category"]
        truth = read_truth(votes, given if runs else {**given, "category": None}, votes=True)
        lists = runs_of(context.params, runs) if runs else None
        bar.stage("scoring" if runs else "fitting")
        truth = truth if runs else getattr(truth, "votes", truth)
        options = ANNOTATE_NEXT.given(context)
        result = order_of(truth, lists, *names, category=category, **options)
    by = f", by {names[0]}" if names else ""
    show_answer(context, result, f"Items to annotate next{by}.")
    if given["output"] is not None:
        print_line(f"wrote {given['output']}", sys.stderr)

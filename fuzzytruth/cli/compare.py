"""`fuzzytruth compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.compared_scores import Compared, read_compared
from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.inputs import groups_of_file
from fuzzytruth.cli.output import Bar, PaperStyle, for_papers, write_figure
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.settings import Axis

COMPARE = derived.Source(
    "compare",
    without="bayesian replicate_of deterministic",
    rng=Option("Random seed of resamples and worlds."),
    over=Option(
        "What is random: query, subject, world, replicate, or several separated by commas; or a "
        "column of the scores, or collection for NAME=FILE of several."
    ),
)


@derived.with_options(
    derived.MEASURES,
    COMPARE,
    *derived.COMPARED,
    derived.TABLES,
    derived.PAPERS,
    derived.FIGURES,
    table=Option(panel=OUTPUT),
    figure_kind=Option(panel=OUTPUT),
)
def compare(
    context: typer.Context,
    inputs: list[str],
    *,
    baseline: list[str] | None = None,
    table: Literal["means", "differences"] = "means",
    figure_kind: str | None = None,
    communities: Path | None = None,
) -> None:
    r"""Say which systems differ, by how much, and how certain that is.

    Shows verdicts, differences with intervals, means with the letters of the systems beaten, the
    same by each subject alone, and the assumptions.

    Parameters
    ----------
    baseline : list of str
        Compare every other system with this one, instead of all pairs; may be repeated.
    table : {"means", "differences"}
        In LaTeX and Markdown: means with the letters of the systems beaten, or a row a pair with
        difference, interval and p.
    figure_kind : {"forest", "matrix", "tiers", "collections"}
        With --figure: differences with intervals, systems × systems, means with bars that join
        systems without significant differences, or a difference by collection. By default forest,
        of a single difference over collections collections; matrix for more than 40 differences
        without one baseline.
    communities : path
        Say whether groups of subjects judge alike: a table (subject, group), such as fuzzytruth
        communities writes. With --worlds community: the groups of which one votes in each world.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth compare sample/judgments.parquet sample/runs.parquet \
        --order-by rank -m AP --figure differences.png
      fuzzytruth compare sample/judgments.parquet sample/runs.parquet \
        --order-by rank -m RR --worlds subject --over query,subject
    On files of your own:
      fuzzytruth compare qrels.txt a.run b.run -m AP -m nDCG@10
      fuzzytruth compare qrels.txt a.run b.run --baseline a --correction holm \
        --format latex
      fuzzytruth compare votes.csv a.run b.run --worlds subject \
        --over query,subject -m RR
      fuzzytruth compare panel.csv x.run y.run -m P@5 --communities teams.csv
      fuzzytruth compare scores.csv --baseline a --alternative greater
      fuzzytruth compare scores.csv --clusters topic -o differences.csv
      fuzzytruth compare means.csv --columns query=topic --systems bm25,dense
      fuzzytruth compare old=old.jsonl new=new.jsonl
      fuzzytruth compare nq=nq.parquet fiqa=fiqa.parquet trec=trec.csv \
        --over collection
    """
    from fuzzytruth.cli.tables import chosen_format, show_comparison
    from fuzzytruth.comparison.compare import compare as compare_scores

    given = context.params
    output, figure = given["output"], given["figure"]
    output_format = chosen_format(given)
    style = PaperStyle.of(given).check(output_format)
    if derived.typed(context, "table"):
        for_papers("--table", output_format)
    if figure_kind is not None and figure is None:
        raise OptionError("--figure-kind: is of a figure; add --figure FILE")
    by_group = communities is not None and given["worlds"] != "community"
    group = groups_of_file(communities, "communities") if communities and by_group else None
    over = COMPARE.given(context).get("over", ["query"])
    collection = over[0] if len(over) == 1 and over[0] not in get_args(Axis) else ""
    several = "subject" if by_group else None
    compared = read_compared(context, inputs, several=several, collection=collection)
    if group is not None:
        _compare_groups(context, compared, group, baseline)
        return
    with Bar() as bar:
        bar.stage("comparing")
        options = COMPARE.given(context) | compared.groups
        result = compare_scores(
            compared.scores,
            baseline,
            compared.measures,
            bayesian="rope" in options,
            progress=bar.advance,
            **options,
        )
    write_figure(result.plot, figure, kind=figure_kind)
    show_comparison(result, output_format=output_format, output=output, what=table, style=style)


GROUPS = derived.Source("compare_groups")


def _compare_groups(
    context: typer.Context, compared: Compared, groups: dict[str, str], baseline: list[str] | None
) -> None:
    """Show whether groups of subjects judge alike."""
    from fuzzytruth.cli.tables import show_answer
    from fuzzytruth.comparison.compare_groups import compare_groups

    known = {option.name for _, option in GROUPS.options()}
    others = {option.name for _, option in COMPARE.options()} - known
    for flag in derived.typed_flags(context, (*others, "table", "figure_kind")):
        raise OptionError(f"{flag}: is not for groups; leave out this or --communities")
    options = GROUPS.given(context)
    with Bar() as bar:
        bar.stage("comparing")
        result = compare_groups(compared.scores, groups, baseline, compared.measures, **options)
    write_figure(result.plot, context.params["figure"])
    show_answer(context, result, "Differences between groups of subjects.")

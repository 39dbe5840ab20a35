"""`fuzzytruth evaluate` and `compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.compared_scores import Compared, other_files, read_compared
from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.inputs import check_outputs, groups_of_file, measures_of, note_unused, scores_of
from fuzzytruth.cli.options import axes_of
from fuzzytruth.cli.output import Bar, PaperStyle, for_papers, write_figure
from fuzzytruth.cli.typed_words import naming
from fuzzytruth.errors import OptionError


@derived.with_options(
    derived.MEASURES,
    derived.EVALUATION,
    *derived.JUDGED,
    derived.REPLICATES,
    derived.TABLES,
    derived.PAPERS,
    derived.FIGURES,
    derived.SAVED,
    per_query=Option(panel=OUTPUT),
    over=Option(metavar="AXIS,..."),
)
def evaluate(
    context: typer.Context,
    judgments: Path,
    runs: list[str],
    *,
    per_query: bool = False,
    over: str | None = None,
    communities: Path | None = None,
) -> None:
    r"""Score systems against judgments.

    Shows the mean of each measure with its 95 % interval over queries, or every query's value.
    Where several subjects judged, scores are expected values over possible truths (worlds);
    --worlds subject scores against each subject's truth in turn, --aggregate merges them into one.

    Parameters
    ----------
    judgments : path
        TREC qrels, CSV, TSV, JSON, JSON lines or Parquet; .gz of each. Or one file for each
        assessor: ann=a.qrels,bob=b.qrels, a folder, or a quoted pattern.
    runs : list of str
        Run files in the same formats, patterns such as 'runs/*.run', or NAME=FILE.
    per_query : bool
        Show every query, not the mean.
    over : str
        What the intervals of means are over: query, subject, world, replicate, or several separated
        by commas. By default query, with --replicates query,replicate.
    communities : path
        With --worlds community: a table (subject, group), as fuzzytruth communities writes it.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth evaluate sample/judgments.parquet sample/runs.parquet \
        --order-by rank -m AP,nDCG@10
      fuzzytruth evaluate sample/judgments.parquet sample/runs.parquet \
        --order-by rank -m RR --worlds subject --over query,subject
    On files of your own:
      fuzzytruth evaluate qrels.txt a.run b.run -m AP -m nDCG@10
      fuzzytruth evaluate ann=a.qrels,bob=b.qrels a.run -m AP --worlds subject
      fuzzytruth evaluate votes.csv new=a.run 'runs/*.run.gz' -o table.tex
      fuzzytruth evaluate qrels.txt a.run -m 'P(rel=2)@10,RR' --per-query \
        -o scores.csv
      fuzzytruth evaluate votes.csv a.run --worlds independent --n-worlds 2000
      fuzzytruth evaluate votes.csv a.run --worlds community \
        --communities groups.csv
      fuzzytruth evaluate qrels.txt a.run b.run -m P@10 -m AP --unjudged bounds
      fuzzytruth evaluate votes.csv a.run -m P@10 --rel ann=3,bob=1
      fuzzytruth evaluate export.csv a.run \
        --columns query=topic_no,subject=who --drop na
      fuzzytruth evaluate wide.csv a.csv --subjects ann,bob \
        --run-columns score=cosine
      fuzzytruth evaluate labels.csv like.run --taxonomy tree.txt -m P@10
      fuzzytruth evaluate labels.csv classes.csv --by-item -m P@1
      fuzzytruth evaluate test.cla d2.npy shd=shd.txt --distances -m NN,AP
      fuzzytruth evaluate qrels.txt sim.npy --queries queries.txt \
        --items items.txt --depth 1000

    Exit status: 0, or 1 if the data are wrong, or 2 if an option or a measure's
    name is.
    """
    from fuzzytruth.cli.tables import chosen_format, show_scores

    given = context.params
    output, figure, save = given["output"], given["figure"], given["save"]
    measures = measures_of(given["measure"], by_item=given["by_item"])
    PaperStyle.of(given).check(chosen_format(given))
    if communities is not None and given["worlds"] != "community":
        raise OptionError("--communities: is for --worlds community; add that, or see compare")
    if per_query and over is not None:
        raise OptionError("--over: is for means, and --per-query shows none; choose one")
    check_outputs([judgments, *other_files(given), *runs], output, figure, save)
    scores = scores_of(context, [str(judgments), *runs], measures, save=save)
    note_unused(context, scores, "n_worlds", "seed")
    axes = None if over is None else axes_of(over)
    by = "subject" if scores.subjects is not None and scores.design == "crossed" else None
    write_figure(scores.plot, figure, over=axes, by=by)
    show_scores(context, scores, per_query=per_query, over=axes)


# `fuzzytruth compare`.

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
    from fuzzytruth.stats.settings import Axis

    given = context.params
    figure, output_format = given["figure"], chosen_format(given)
    PaperStyle.of(given).check(output_format)
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
    with naming(kind="--figure-kind"):
        write_figure(result.plot, figure, kind=figure_kind)
    show_comparison(context, result, table)


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
    with Bar() as bar, naming(groups="--communities"):
        bar.stage("comparing")
        result = compare_groups(compared.scores, groups, baseline, compared.measures, **options)
    write_figure(result.plot, context.params["figure"])
    show_answer(context, result, "Differences between groups of subjects.")

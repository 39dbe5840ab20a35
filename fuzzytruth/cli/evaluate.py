"""`fuzzytruth evaluate`."""

from __future__ import annotations

from pathlib import Path

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.compared_scores import other_files
from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.inputs import check_outputs, measures_of, note_unused, scores_of
from fuzzytruth.cli.options import axes_of
from fuzzytruth.cli.output import PaperStyle, write_figure
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
    output_format = chosen_format(given)
    style = PaperStyle.of(given).check(output_format)
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
    show_scores(
        scores,
        output_format=output_format,
        per_query=per_query,
        over=axes,
        style=style,
        output=output,
    )

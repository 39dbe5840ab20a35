"""`fuzzytruth displacement`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import INPUT, METHOD, OUTPUT, Option
from fuzzytruth.cli.inputs import runs_of, score
from fuzzytruth.cli.options import TableOptions
from fuzzytruth.cli.output import Bar, write_figure
from fuzzytruth.errors import OptionError, counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.data.judgments import Design
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.measures import WD

VERB = derived.Source(
    "displacement",
    without="positions",
    unseen=Option(
        "Hypothesis about the ranks of items that a system does not list: optimist, pessimist, "
        "pessimist-tail, worst or incremental; may be repeated.  [default: optimist]",
        metavar="HYPOTHESIS",
        kind=list[str],
        settings={"show_default": False},
    ),
    N=Option(flags="-N --collection-size", name="collection_size"),
    ties=Option(
        "Items of equal relevance: in any order, or as given.  [default: position, if the lists "
        "have positions]",
        panel=METHOD,
    ),
    order=Option(name="unsorted", panel=INPUT),
)


@derived.with_options(
    VERB,
    derived.NESTED,
    derived.JUDGMENT_TABLES,
    *derived.RUNS,
    derived.TABLES,
    derived.FIGURES,
    derived.SAVED,
    per_subject=Option(panel=OUTPUT),
    per_query=Option(panel=OUTPUT),
)
def displacement(
    context: typer.Context,
    responses: Path,
    runs: list[str],
    *,
    cutoff: int | None = None,
    per_subject: bool = False,
    per_query: bool = False,
) -> None:
    r"""Compare systems' lists with subjects' lists by weighted displacement.

    The displacement w of a list is the sum, over the subject's items, of relevance times distance
    between the subject's and the system's rank. Shows means: over the subjects of a query, then
    over queries.

    Parameters
    ----------
    responses : path
        Lists of subjects: columns query, subject, item, grade (from 0 to 1) and, if the order is
        given, position. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.
    runs : list of str
        Run files in the same formats, patterns such as 'runs/*.run', or NAME=FILE.
    cutoff : int
        Cut the systems' lists.
    per_subject : bool
        Show every subject, not the mean.
    per_query : bool
        Show every query, not the mean.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth displacement sample/judgments.parquet sample/runs.parquet \
        --order-by rank --unseen optimist
    On files of your own:
      fuzzytruth displacement lists.csv a.run b.run
      fuzzytruth displacement lists.csv a.run --unseen optimist --unseen worst \
        -N 1000 --normalised
      fuzzytruth displacement lists.csv 'runs/*.run' --g exp --rate 0.1 \
        --per-subject
      fuzzytruth displacement readers.csv a.run --nested --per-query \
        -o displacements.csv

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.cli.tables import format_of, show_scores
    from fuzzytruth.data.reading import read_judgments
    from fuzzytruth.measures import WD

    given, asked = context.params, VERB.given(context)
    if given["nested"] and per_subject and not per_query:
        raise OptionError(
            "--per-subject: the subjects are nested in queries and have no means; add --per-query"
        )
    g, power, rate = (asked.pop(name, None) for name in ("g", "power", "rate"))
    if g is None and (power is not None or rate is not None):
        raise OptionError("--power, --rate: belong to a quality; add --g rational or --g exp")
    unseen, size = asked.pop("unseen", []), asked.pop("N", None)
    if given["figure"] is not None:
        _check_drawn(unseen, g)
    plain = [
        WD(unseen=name, N=None if name == "incremental" else size, cutoff=cutoff, **asked)
        for name in unseen or ["optimist"]
    ]
    measures = plain if g is None else [wd.quality(g, power=power, rate=rate) for wd in plain]
    output_format = format_of(context, responses, *runs)
    with Bar() as bar:
        bar.stage("reading")
        design: Design = "nested" if given["nested"] else "crossed"
        how = TableOptions.of(context.params)
        lists = how.read(read_judgments, responses, design=design)
        scores = score(lists, runs_of(context.params, runs), measures, bar)
        if given["save"] is not None:
            scores.save(given["save"])
    write_figure(partial(_draw, scores, plain), given["figure"])
    show_scores(
        scores,
        output_format=output_format,
        per_query=per_query,
        per_subject=per_subject,
        output=given["output"],
    )


# The figure of `fuzzytruth displacement`.


_NEXT = "optimist"  # the hypothesis of one end; the other end is one of these
_LAST = ("pessimist", "pessimist-tail", "worst")


def _check_drawn(unseen: Sequence[str], quality: str | None) -> None:
    """Refuse a figure of hypotheses that are not the two ends of a range.

    Raises
    ------
    OptionError
        These are not optimist and one other, or a quality is shown in place of displacements.
    """
    if quality is not None:
        raise OptionError("--figure: shows displacements, not their quality; leave out --g")
    last = [name for name in unseen if name in _LAST] or [_LAST[0]]
    if sorted(unseen) != sorted([_NEXT, last[0]]):
        two = f"--unseen {_NEXT} --unseen {last[0]} -N SIZE"
        raise OptionError(
            "--figure: shows ranges from optimist to pessimist; "
            f"{f'give {two} and no others' if unseen else f'add {two}'} (or pessimist-tail or "
            "worst in place of pessimist)"
        )


def _draw(scores: Scores, measures: Sequence[WD]) -> Axes:
    """Draw each system's range by each subject; `measures` are the optimist's and another one."""
    from fuzzytruth import plots

    ends = sorted(measures, key=lambda measure: measure.unseen != _NEXT)
    names = {str(ends[0]): "optimist", str(ends[1]): "pessimist"}
    queries = counted(len(scores.queries), "query")
    title = f"Weighted displacement by subject, means over {queries}"
    if scores.design == "nested" and len(scores.queries) > 1:
        title = f"Weighted displacement by each subject of {queries}"
    if ends[1].unseen != "pessimist":
        title += f"; the pessimist is {ends[1].unseen!r}"
    label = (
        "w as a share of the largest possible"
        if ends[0].normalised
        else "mean of weighted displacement w"
    )
    return plots.displacement(_by_subject(scores).rename(columns=names), label=label, title=title)


def _by_subject(scores: Scores) -> pd.DataFrame:
    """One row a system and subject, one column a measure; nested subjects with their queries."""
    if scores.design == "crossed":
        return scores.mean(by="subject").reset_index()
    frame = scores.to_frame()
    frame["subject"] = frame["query"].astype(str) + ": " + frame["subject"].astype(str)
    wide = frame.pivot(index=["system", "subject"], columns="measure", values="value")
    return wide.reset_index()

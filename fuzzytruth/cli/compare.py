"""`fuzzytruth compare`."""

from __future__ import annotations

from typing import Literal

import typer

from fuzzytruth.cli.compared_scores import read_compared
from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.derived import (
    COMPARED,
    FIGURES,
    MEASURES,
    PAPERS,
    TABLES,
    Source,
    typed,
    with_options,
)
from fuzzytruth.cli.output import PaperStyle, for_papers, write_figure
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import OptionError

COMPARE = Source("compare", without="bayesian", rng=Option("Random seed of resamples and worlds."))


@with_options(
    MEASURES,
    COMPARE,
    *COMPARED,
    TABLES,
    PAPERS,
    FIGURES,
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
    figure_kind : {"forest", "matrix", "tiers"}
        With --figure: differences with intervals, systems × systems, or means with bars that join
        systems without significant differences. By default forest; matrix for more than 40
        differences without one baseline.

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
      fuzzytruth compare scores.csv --baseline a --alternative greater
      fuzzytruth compare scores.csv --clusters topic -o differences.csv
      fuzzytruth compare means.csv --columns query=topic --systems bm25,dense
      fuzzytruth compare old=old.jsonl new=new.jsonl
    """
    from fuzzytruth.cli.tables import chosen_format, show_comparison
    from fuzzytruth.comparison.compare import compare as compare_scores

    given = context.params
    output, figure = given["output"], given["figure"]
    output_format = chosen_format(given)
    style = PaperStyle.of(given).check(output_format)
    if typed(context, "table"):
        for_papers("--table", output_format)
    if figure_kind is not None and figure is None:
        raise OptionError("--figure-kind: is of a figure; add --figure FILE")
    compared = read_compared(context, inputs)
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

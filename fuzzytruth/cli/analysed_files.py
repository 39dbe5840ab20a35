"""The analysis of the files that a command line names."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli.compared_scores import read_compared
from fuzzytruth.cli.messages import as_typed
from fuzzytruth.cli.progress import working

if TYPE_CHECKING:
    from fuzzytruth.analysis.analyse import Analysis


def read_analysis(
    context: typer.Context, inputs: list[str], *, reworded: Callable[[str], str] = str
) -> Analysis:
    """Read scores, or judgments and runs, and analyse them; the options are those of the context.

    Warnings become notes of the analysis, `reworded`.
    """
    from fuzzytruth.analysis.analyse import analysis_of, with_judged
    from fuzzytruth.analysis.data_check import check_sources
    from fuzzytruth.core.lazy import Lazy

    read: list[tuple[Any, Any]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compared = read_compared(
            context,
            inputs,
            several="subject",
            more=with_judged,
            keep=lambda truth, runs: read.append((truth, runs)),
        )
    scores = compared.scores
    if compared.measures is not None:
        scores = scores.select(measures=compared.measures)
    given = context.params
    with working("comparing"):
        return analysis_of(
            scores,
            dict.fromkeys(reworded(as_typed(str(one.message))) for one in caught),
            baseline=given["baseline"] or None,
            clusters=compared.clusters,
            level=given["level"],
            n_resamples=given["n_resamples"],
            rng=given["seed"],
            n_jobs=given["n_jobs"],
            sources=Lazy(lambda: check_sources(*read[0]) if read else None),
        )

"""Figures of model judges beside people."""

from __future__ import annotations

from fuzzytruth.annotators.model_judges.alternative_answer import Tested
from fuzzytruth.annotators.model_judges.judge_answer import NAMES, Judged
from fuzzytruth.errors import counted
from fuzzytruth.io.number_text import level_text
from fuzzytruth.plots.frames import PlotData

AMONG_PEOPLE = "one person with another"


def agreement_means(result: Judged) -> PlotData:
    """Agreement of each judge with people and, if known, of one person with another."""
    import pandas as pd

    by, name = result.by, NAMES[result.by]
    ends = {f"{by}_lower": "lower", f"{by}_upper": "upper", by: "mean", "judge": "system"}
    rows = result.judges.rename(columns=ends)[["system", "mean", "lower", "upper"]]
    if result.people is not None:
        people = {"system": [AMONG_PEOPLE], "mean": [result.people[by]]}
        nan = [float("nan")]
        rows = pd.concat([rows, pd.DataFrame(people | {"lower": nan, "upper": nan})])
    return PlotData(
        rows.assign(measure=name),
        f"{name.capitalize()} of {counted(len(result.judges), 'model judge')} with people\n"
        f"Bars: {level_text(result.level)} intervals over {result.n_clusters:,} {result.over}, one "
        "judge at a time",
        labels={"axis": f"{name} with people"},
    )


def advantage_means(result: Tested) -> PlotData:
    """Advantage of each model, and each person's own share of the same items."""
    models, people = result.models, result.people.dropna(subset="p")
    rows = models.rename(columns={"model": "system", "advantage": "mean"})
    each = people.rename(columns={"model": "system", "person_share": "mean"})
    over = "items" if result.clusters is None else "queries"
    return PlotData(
        rows[["system", "mean", "lower", "upper"]].assign(measure="advantage"),
        f"Alternative annotator test of {counted(len(models), 'model')} beside "
        f"{counted(people['subject'].nunique(), 'person', 'people')} (epsilon "
        f"{result.epsilon:g}, {result.metric})\n"
        f"Bars: {level_text(result.level)} intervals over {over}, one model at a time\n"
        "Small marks: the people, on the same items",
        each[["system", "subject", "mean"]].assign(measure="advantage"),
        {
            "axis": "share of items at least as close to the other people",
            "mean": "model, mean over people",
            "subject": "each person",
        },
    )

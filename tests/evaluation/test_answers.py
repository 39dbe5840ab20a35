"""`Scores.answers` lists what is answered, and nothing else."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator

import pandas as pd
import pytest
from support.kinds_of_scores import KINDS, evaluated

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def each_query(scores: ft.Scores) -> None:
    for query in scores.queries:
        for measure in scores.measures:
            for system in scores.systems:
                scores.distribution(system, query, measure)


ASK: dict[str, Callable[[ft.Scores], object]] = {
    "mean": lambda x: x.mean(),
    "mean by subject": lambda x: x.mean(by="subject"),
    "summary over query": lambda x: x.summary(over="query"),
    "summary over subject": lambda x: x.summary(over="subject"),
    "summary over world": lambda x: x.summary(over="world"),
    "summary over query and subject": lambda x: x.summary(over=("query", "subject")),
    "summary over query and world": lambda x: x.summary(over=("query", "world")),
    "distribution": each_query,
    "mean_distribution": lambda x: x.mean_distribution(x.systems[0], x.measures[0]),
}
ONE_EACH = pd.DataFrame({"system": "a", "query": [1, 2], "subject": ["x", "y"], "value": [0.0, 1]})


def kinds(folder) -> Iterator[ft.Scores]:
    for kind in KINDS:
        if kind == "crisp, excluded":  # scores that are undefined in every world
            continue
        scores = evaluated(kind)
        yield scores
        yield scores.select(queries=scores.queries[0])
        scores.save(folder / "scores.parquet")
        loaded = ft.Scores.load(folder / "scores.parquet")
        yield loaded
        if kind != "bounds":
            new = evaluated(kind, systems=[scores.systems[0]])
            yield ft.concat([new, loaded.select(systems=scores.systems[1:])])
        yield pickle.loads(pickle.dumps(scores))
    for design in ("crossed", "nested"):
        yield ft.Scores.from_frame(ONE_EACH, design=design)


def test_what_is_listed_is_answered(tmp_path) -> None:
    seen = set()
    for scores in kinds(tmp_path):
        seen.add(scores.answers)
        assert ("bounds" in scores.answers) == (scores.lower is not None)
        for name, ask in ASK.items():
            if name in scores.answers:
                ask(scores)
            else:
                with pytest.raises(ft.OptionError):
                    ask(scores)
    assert len(seen) >= 7

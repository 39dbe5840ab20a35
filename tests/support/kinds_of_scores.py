"""Small scores under each kind of worlds."""

import warnings
from typing import Any

import pandas as pd

import fuzzytruth as ft
from support.small_collections import DAG, make_runs, make_votes

VOTES = pd.DataFrame(
    [
        (q, d, s, (number * place + i) % 4 % 2 + (q == "q1") * (i % 2))
        for place, q in enumerate(("q1", "q2", "q3"), start=1)
        for i, d in enumerate("abcd")
        for number, s in enumerate(("x", "y", "z"))
        if (q, s) != ("q2", "z")
    ],
    columns=["query", "item", "subject", "grade"],
)
MISSING = VOTES.drop(index=[1, 9])
CRISP = VOTES[VOTES["subject"] == "x"].drop(columns="subject")
RUNS = {
    "one": {"q1": {"a": 2, "b": 1}, "q2": {"c": 1, "n": 0.5}, "q3": {"d": 3, "a": 2}},
    "two": {"q1": {"c": 2}, "q2": {"a": 2, "b": 1}, "q3": {"a": 3, "b": 2, "c": 1}},
    "three": {"q1": {"d": 2, "n": 1, "a": 0.1}, "q3": {"b": 2}},
}
MEASURES = ["AP", "P@2", "nDCG@3"]
EXAMPLE = ft.Assignments.from_frame(
    make_votes(1, ft.Taxonomy.from_children(DAG)), taxonomy=ft.Taxonomy.from_children(DAG)
).by_example()
#: truth, runs, measures and options of `evaluate`
KINDS: dict[str, tuple[Any, Any, list[str], dict[str, Any]]] = {
    "crisp": (CRISP, RUNS, MEASURES, {}),
    "crisp, excluded": (CRISP, RUNS, MEASURES, {"undefined": "exclude"}),
    "bounds": (CRISP, RUNS, ["AP", "P@2"], {"unjudged": "bounds"}),
    "subject": (VOTES, RUNS, MEASURES, {"worlds": "subject"}),
    "subject, missing": (MISSING, RUNS, MEASURES, {"worlds": "subject", "missing": "nonrelevant"}),
    "pooled": (MISSING, RUNS, MEASURES, {"worlds": "subject", "missing": "pooled", "n_worlds": 20}),
    "independent": (VOTES, RUNS, MEASURES, {"n_worlds": 100}),
    "independent, kept": (VOTES, RUNS, MEASURES, {"n_worlds": 100, "keep_worlds": True}),
    "population": (VOTES, RUNS, MEASURES, {"worlds": "population", "n_worlds": 60}),
    "population, kept": (
        VOTES,
        RUNS,
        ["P@2"],
        {"worlds": "population", "n_worlds": 60, "keep_worlds": True},
    ),
    "population, kept and estimated": (
        VOTES,
        RUNS,
        ["AP", "bpref"],
        {"worlds": "population", "n_worlds": 60, "keep_worlds": True, "undefined": "exclude"},
    ),
    "one query": (VOTES[VOTES["query"] == "q1"], RUNS, ["bpref"], {"n_worlds": 700}),
    "one query, population": (
        VOTES[VOTES["query"] == "q1"],
        RUNS,
        ["bpref"],
        {"worlds": "population", "n_worlds": 300, "keep_worlds": True},
    ),
    "by example": (EXAMPLE, make_runs(2), ["P@2", "AP"], {"n_worlds": 70}),
}


def runs_of(kind: str) -> ft.Runs:
    """The runs of a kind of scores."""
    runs = KINDS[kind][1]
    return runs if isinstance(runs, ft.Runs) else ft.Runs.from_dict(runs)


def evaluated(kind: str, *, systems: Any = None, measures: Any = None, **other: Any) -> ft.Scores:
    """Scores of this kind, of all systems and measures or only these; other options."""
    truth, _, every, options = KINDS[kind]
    runs = runs_of(kind)
    if systems is not None:
        runs = ft.Runs({name: runs[name] for name in systems})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        return ft.evaluate(truth, runs, measures or every, **{"rng": 7, **options, **other})

"""Comparisons of all kinds, whose words are stored."""

import warnings
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft
from support.scores_for_tests import scores_of
from support.scores_of_runs import scores_of_runs, tables_of_runs

RNG = np.random.default_rng(5)
FEW = scores_of(np.array([0.5, 0.5, 0.8])[:, None] + RNG.normal(0, 0.1, (3, 12)))
MANY = scores_of(0.2 * np.arange(30)[:, None] + RNG.normal(0, 0.2, (30, 10)))
CROSSED = scores_of(np.array([0.5, 0.7])[:, None, None] + RNG.normal(0, 0.1, (2, 12, 3)))
LOWER = replace(MANY, higher_is_better=(False,))
TWO_MEASURES = ft.Scores.from_frame(
    pd.concat([FEW.to_frame().assign(measure=name) for name in ("AP", "mse")])
)
NESTED = scores_of(
    np.where(np.arange(4)[:, None] < np.array([2, 4] * 6), RNG.random((2, 4, 12)), np.nan),
    design="nested",
)
MISSING = replace(FEW, values=np.where(np.arange(36).reshape(3, 1, 12) < 4, np.nan, FEW.values))
BOTH = ("query", "subject")
GROUPS = {f"q{q}": "large" if q < 9 else "small" for q in range(12)}
TOPICS = scores_of(
    np.array([0.5, 0.7])[:, None, None] + np.random.default_rng(6).normal(0, 0.1, (2, 4, 12))
)
CLUSTERS = {f"q{q}": f"t{q // 2}" for q in range(12)}


def over_worlds(worlds: str, n_worlds: int) -> ft.Scores:
    """Five systems, each of which has another item first."""
    rng = np.random.default_rng(0)
    rows = [
        (q, item, subject, int(rng.random() < chance))
        for q in "qrs"
        for item, chance in zip("abcde", (0.99, 0.9, 0.5, 0.1, 0.01), strict=True)
        for subject in "wxyz"
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {f"r{j}": {q: [*"abcde"[j:], *"abcde"[:j]] for q in "qrs"} for j in range(5)}
    return ft.evaluate(votes, runs, ["P@1"], worlds=worlds, n_worlds=n_worlds, rng=0)


def on_collections(*names: str) -> ft.Scores:
    """Four systems on collections of six queries or more; a is the best on all but the third."""
    parts = {}
    for place, name in enumerate(names):
        rng = np.random.default_rng(place)
        rows = [
            (system, f"q{q}", 0.5 - 0.03 * j * (place != 2) + round(rng.normal(0, 0.04), 3))
            for j, system in enumerate("abcd")
            for q in range(6 + 5 * place)
        ]
        frame = pd.DataFrame(rows, columns=["system", "query", "value"])
        parts[name] = ft.Scores.from_frame(frame, measure="nDCG@10")
    return ft.concat(parts)


COLLECTIONS = on_collections("nq", "fiqa", "trec", "quora", "scifact")
TWO_COLLECTIONS = on_collections("nq", "fiqa").select(systems=["a", "c"])
INDEPENDENT, POPULATION = over_worlds("independent", 500), over_worlds("population", 200)
RUNS = scores_of_runs(
    tables_of_runs({"a": 4, "b": 3, "c": 5, "bm25": 1}, of_runs=0.4, seed=1), deterministic="bm25"
)
ONE_RUN = RUNS.select(systems=["a", "bm25"]).with_replicates(deterministic=())
RUNS_AND_SUBJECTS = scores_of_runs(
    tables_of_runs({"a": 6, "b": 5}, of_runs=0.1, n_subjects=3, seed=2)
)
#: scores and options of `compare`
CASES: dict[str, tuple[ft.Scores, dict[str, Any]]] = {
    "few": (FEW, {}),
    "one subject": (CROSSED.select(subjects=["s1"]), {}),
    "crossed": (CROSSED, {}),
    "over both": (CROSSED, {"over": BOTH, "level": 0.9}),
    "over subjects": (CROSSED, {"over": "subject", "alternative": "less"}),
    "nested": (NESTED, {}),
    "nested, over both": (NESTED, {"over": BOTH}),
    "missing": (MISSING, {}),
    "not adjusted": (FEW, {"correction": "none", "level": 0.9}),
    "false discovery rate": (FEW, {"correction": "fdr_bh"}),
    "sign flips": (FEW, {"correction": "sign-flips"}),
    "complete null": (FEW, {"null": "complete"}),
    "one baseline": (FEW, {"baseline": "sys1", "correction": "holm"}),
    "two baselines": (FEW, {"baseline": ["sys0", "sys1"]}),
    "strata": (FEW, {"strata": GROUPS}),
    "collections": (COLLECTIONS.select(systems=["a", "b"]), {"over": "collection"}),
    "collections, two": (TWO_COLLECTIONS, {"over": "collection", "alternative": "greater"}),
    "collections, one baseline": (COLLECTIONS, {"over": "collection", "baseline": "b"}),
    "clusters": (FEW, {"clusters": CLUSTERS, "alternative": "greater"}),
    "clusters, over both": (TOPICS, {"clusters": CLUSTERS, "over": BOTH}),
    "clusters and subjects": (TOPICS, {"clusters": CLUSTERS}),
    "posterior": (FEW, {"bayesian": True, "rope": 0.1}),
    "two measures": (TWO_MEASURES, {}),
    "two measures, one family": (TWO_MEASURES, {"across_measures": True, "correction": "sidak"}),
    "many": (MANY, {}),
    "many, not adjusted": (MANY, {"correction": "none", "level": 0.9}),
    "many, one-sided": (MANY, {"alternative": "less"}),
    "many, one baseline": (MANY, {"baseline": "sys4"}),
    "many, one-sided from one baseline": (LOWER, {"baseline": "sys9", "alternative": "less"}),
    "worlds": (INDEPENDENT, {"over": "world"}),
    "worlds, two systems": (INDEPENDENT.select(systems=["r1", "r2"]), {"over": "world"}),
    "queries with worlds": (INDEPENDENT, {}),
    "resampled subjects": (POPULATION, {"over": ("query", "world")}),
    "runs": (RUNS, {}),
    "runs, over queries": (RUNS, {"over": "query", "baseline": "bm25"}),
    "runs, alone": (RUNS, {"over": "replicate", "baseline": "bm25"}),
    "runs, one": (ONE_RUN, {}),
    "runs, pooled": (RUNS, {"replicate_variance": "pooled", "alternative": "less"}),
    "runs, and subjects": (RUNS_AND_SUBJECTS, {"over": (*BOTH, "replicate")}),
}


@cache
def compared(name: str) -> ft.results.Comparison:
    scores, options = CASES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        return ft.compare(scores, n_resamples=199, **options)

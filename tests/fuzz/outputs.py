"""Outputs of all verbs on random data, written to a file, and two such files compared.

To see that a rearrangement changes no number: write the outputs of both versions, then compare.

    cd tests && python -m fuzz.outputs write old.pickle --seeds 150  # PYTHONPATH: the old version
    cd tests && python -m fuzz.outputs write new.pickle --seeds 150  # PYTHONPATH: the new version
    cd tests && python -m fuzz.outputs compare old.pickle new.pickle
"""

from __future__ import annotations

import argparse
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

RTOL = 1e-9
_TABLES = ("to_frame", "mean", "summary", "by_subject", "rank_sets", "tiers", "rank_probabilities")
_ARRAYS = ("values", "lower", "upper", "std", "exact", "mc_error")

#: name of an output -> array of numbers or list of texts
Outputs = dict[str, Any]


def rows_of(given: Any) -> Iterator[tuple[str, Any]]:
    """Numbers and texts of a result, as (name, array)."""
    if isinstance(given, (pd.DataFrame, pd.Series)):
        frame = given.reset_index() if isinstance(given, pd.DataFrame) else given.to_frame("value")
        for name in frame:
            yield str(name), column_of(frame[name])
    elif isinstance(given, (int, float, np.ndarray, np.generic)):
        yield "", np.asarray(given)
    elif isinstance(given, (list, tuple)) and all(isinstance(x, (int, float)) for x in given):
        yield "", np.asarray(given, dtype=float)
    elif isinstance(given, str):
        yield "", [given]
    else:
        for name in _ARRAYS:
            value = getattr(given, name, None)
            if isinstance(value, np.ndarray):
                yield name, value
        for name in _TABLES:
            table = getattr(given, name, None)
            if callable(table):
                with suppress(ft.FuzzytruthError, TypeError):
                    yield from ((f"{name}.{part}", x) for part, x in rows_of(table()))
        yield "text", [str(given)]


def column_of(column: pd.Series) -> Any:
    if column.dtype.kind in "biuf":
        return column.to_numpy()
    return [str(value) for value in column]


class Recorder:
    """What a seed's calls gave."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.seed = seed
        self.out: Outputs = {}

    def call(self, name: str, function: Callable[[], Any]) -> Any:
        """The result, recorded; an error is recorded by its class, warnings by theirs."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = function()
                parts = list(rows_of(result))
            except Exception as error:
                result, parts = None, [("error", [type(error).__name__])]
        kinds = sorted({type(w.message).__name__ for w in caught})
        for part, value in [*parts, ("warnings", kinds)]:
            key, n = f"{self.seed}/{name}/{part}", 2
            while key in self.out:
                key, n = f"{self.seed}/{name}/{part}#{n}", n + 1
            self.out[key] = value
        return result

    def one_of(self, *values: Any) -> Any:
        return values[self.rng.integers(len(values))]


def judged(r: Recorder) -> ft.Judgments:
    """Random judgments: graded or not, by several subjects or none, some missing, some repeated."""
    n_queries, n_items = int(r.rng.integers(2, 9)), int(r.rng.integers(3, 14))
    n_subjects, top = r.one_of(1, 2, 3, 5, 17), r.one_of(1, 2, 3)
    kept, with_subjects = r.one_of(1.0, 0.8), r.rng.random() < 0.85
    rows = [
        (f"q{q}", f"d{d}", int(r.rng.integers(0, top + 1) * (r.rng.random() < 0.6)), f"s{s}")
        for q in range(n_queries)
        for d in range(n_items)
        for s in range(n_subjects if with_subjects else 1)
        if r.rng.random() < kept
    ]
    frame = pd.DataFrame(rows, columns=["query", "item", "grade", "subject"])
    return ft.Judgments.from_frame(frame if with_subjects else frame.drop(columns="subject"))


def ranked(r: Recorder, queries: list[str], items: list[str]) -> dict[str, Any]:
    """Random runs, with ties, items that nobody judged and lists that end early."""
    levels = r.one_of(3, 1000)
    more = [*items, "x1", "x2", "x3"]
    return {
        system: {
            q: {
                item: float(r.rng.integers(levels))
                for item in r.rng.permutation(more)[: r.rng.integers(2, len(more) + 1)]
            }
            for q in queries
        }
        for system in "abc"[: r.one_of(2, 3, 3)]
    }


def voted(r: Recorder) -> ft.Assignments:
    """Random votes for the categories of a tree."""
    tree = ft.Taxonomy.from_children(
        {"all": ["people", "scenes"], "people": ["one", "many"], "scenes": ["sea", "wood", "town"]}
    )
    leaves = ["one", "many", "sea", "wood", "town", "people"]
    n_items, n_subjects = int(r.rng.integers(4, 12)), r.one_of(2, 3, 6, 17)
    true = r.rng.integers(0, 5, n_items)
    rows = [
        (f"s{s}", f"i{i}", leaves[true[i] if r.rng.random() < 0.6 else r.rng.integers(6)])
        for i in range(n_items)
        for s in range(n_subjects)
        if r.rng.random() < 0.95
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(frame, taxonomy=tree)


#: by intent, or of lists
_OTHERS = {*("AP_IA", "ERR_IA", "P_IA", "NRBP", "StRecall", "alpha_DCG", "alpha_nDCG", "nERR_IA")}
_OTHERS |= {*("nNRBP", "WD", "WDQ", "Compat", "Footrule", "Kendall", "RBO", "SDCG", "TN", "FP")}
_CUT = ["P@2", "nDCG@3", "AP@4", "R@2", "RR@3", "ERR@3", "RBP(p=0.7)", "F@3", "Success@2"]


def all_measures() -> list[str]:
    return [*sorted(set(ft.measures.names()) - _OTHERS), *_CUT]


def measures_of(r: Recorder, n: int) -> list[str]:
    names = all_measures()
    return [names[j] for j in r.rng.choice(len(names), n, replace=False)]


def of_scores(r: Recorder, name: str, scores: ft.Scores) -> None:
    """What follows from scores."""
    first = scores.systems[0]
    for over in ("query", "subject", ("query", "subject"), "world"):
        r.call(f"{name}.summary({over})", lambda over=over: scores.summary(over=over))
        options = {
            "over": over,
            "correction": r.one_of("max-t", "holm", "fdr_bh", "none", "bonferroni"),
            "baseline": r.one_of(None, first),
            "n_resamples": 99,
            "rng": 1,
        }
        r.call(f"{name}.compare({over})", lambda options=options: ft.compare(scores, **options))
    if len(scores.systems) > 1:
        pair = scores.systems[:2]
        for test in ("paired_t", "wilcoxon", "sign_test", "sign_flip", "bootstrap_shift"):
            r.call(f"{name}.{test}", lambda test=test: getattr(ft, test)(scores, *pair))
        for test in ("equivalence", "non_inferiority"):
            r.call(f"{name}.{test}", lambda test=test: getattr(ft, test)(scores, *pair, margin=0.1))
        for test in ("superiority", "dominance", "wasserstein", "mcnemar"):
            r.call(f"{name}.{test}", lambda test=test: getattr(ft, test)(scores, *pair))
        r.call(f"{name}.gate", lambda: ft.gate(scores, *pair, margin=0.1))
        r.call(f"{name}.query_differences", lambda: scores.query_differences(*pair))
    r.call(f"{name}.intervals", lambda: ft.difference_intervals(scores, n_resamples=99, rng=2))
    r.call(f"{name}.friedman", lambda: ft.friedman(scores))
    r.call(f"{name}.stability", lambda: ft.rank_stability(scores, n_resamples=99, rng=3))
    r.call(f"{name}.components", lambda: ft.variance_components(scores))
    r.call(f"{name}.plan", lambda: ft.plan(scores, half_width=0.2))
    r.call(f"{name}.influence", lambda: ft.subject_influence(scores, n_resamples=49, rng=4))
    r.call(f"{name}.analyse", lambda: ft.analyse(scores, n_resamples=49, rng=5))
    query = scores.queries[0]
    r.call(f"{name}.distribution", lambda: scores.distribution(first, query, scores.measures[0]))
    r.call(f"{name}.mean_distribution", lambda: scores.mean_distribution(first, scores.measures[0]))


def of_truth(r: Recorder, name: str, truth: Any, runs: Any, **more: Any) -> None:
    """Scores of a truth under all kinds of worlds, and the other verbs that take a truth."""
    for worlds in (None, "subject", "independent", "population"):
        options = {
            "worlds": worlds,
            "missing": r.one_of(None, "nonrelevant", "pooled", "exclude"),
            "ties": r.one_of(None, "trec", "expected"),
            "undefined": r.one_of(None, "zero", "exclude"),
            "unjudged": r.one_of(None, None, "bounds"),
            "n_worlds": 30,
            "rng": r.seed,
            **more,
        }
        options = {key: value for key, value in options.items() if value is not None}
        names = measures_of(r, 8)
        scores = r.call(
            f"{name}.evaluate({worlds})",
            lambda options=options, names=names: ft.evaluate(truth, runs, names, **options),
        )
        if scores is None:
            plain = {k: v for k, v in options.items() if k in ("n_worlds", "rng", "worlds")}
            scores = r.call(
                f"{name}.plain({worlds})",
                lambda plain=plain: ft.evaluate(truth, runs, ["AP", "P@2"], **plain),
            )
        if scores is not None:
            of_scores(r, f"{name}.{worlds}", scores.select(measures=scores.measures[0]))
            both = scores.select(measures=scores.measures[:2])
            r.call(f"{name}.{worlds}.both", lambda both=both: ft.compare(both, n_resamples=99))
    for measure in measures_of(r, 12):
        r.call(
            f"{name}.{measure}", lambda m=measure: ft.evaluate(truth, runs, [m], rng=1, n_worlds=20)
        )
    for kind in ("PR", "nDCG", "DCG-recall", "IPR"):
        r.call(f"{name}.curves({kind})", lambda kind=kind: ft.curves(truth, runs, kind))
    r.call(f"{name}.by_rank", lambda: ft.by_rank(truth, runs, depth=4))


def of_people(r: Recorder, name: str, votes: Any) -> None:
    """Questions about the people."""
    for over in ("item", "subject", ("item", "subject")):
        r.call(f"{name}.agreement({over})", lambda over=over: ft.agreement(votes, over=over))
    r.call(f"{name}.pairwise", lambda: ft.pairwise_agreement(votes))
    r.call(f"{name}.reliability", lambda: ft.reliability(votes))


def seed_outputs(seed: int) -> Outputs:
    r = Recorder(seed)
    truth = judged(r)
    queries = list(dict.fromkeys(truth.to_frame()["query"].astype(str)))
    items = list(dict.fromkeys(truth.to_frame()["item"].astype(str)))
    runs = ranked(r, queries, items)
    of_truth(r, "judged", truth, runs)
    of_people(r, "judged", truth)
    r.call("next", lambda: ft.annotate_next(truth, runs, "P@2", systems=("a", "b"), n_worlds=20))
    of_votes(r)
    of_lists(r)
    return r.out


def of_votes(r: Recorder) -> None:
    votes = voted(r)
    items = list(dict.fromkeys(votes.to_frame()["item"].astype(str)))
    of_people(r, "voted", votes)
    r.call("membership", lambda: votes.membership())
    runs = ranked(r, items, items)
    truth = r.call("by_example", lambda: votes.by_example())
    if truth is not None:
        of_truth(r, "example", truth, runs)
    labels = pd.DataFrame(
        {"item": items, "category": [r.one_of("one", "sea", "town") for _ in items]}
    )
    r.call("class_scores", lambda: ft.class_scores(votes, labels))
    r.call("hierarchical_scores", lambda: ft.hierarchical_scores(votes, labels))
    r.call("by_item", lambda: ft.evaluate(votes.by_item(), labels, ["P@1", "AP"]))
    report = {"k": 2, "n_worlds": 20, "n_resamples": 49}
    r.call("santini", lambda: ft.santini_report(votes, votes.taxonomy, runs, **report))


def of_lists(r: Recorder) -> None:
    a, b = (list(r.rng.permutation([*"abcdefg"])) for _ in range(2))
    relevance = np.round(r.rng.random(7), 2)
    g = r.one_of(None, 0.5, 0.9)
    given = {} if g is None else {"g": g}
    r.call("displacement", lambda: ft.displacement(a, relevance, b[:5], **given))
    for name in ("rank_biased_overlap", "kendall_distance", "footrule"):
        r.call(name, lambda name=name: getattr(ft, name)(a[:5], b))
    p, q = r.rng.random(4), r.rng.random(3)
    for name in ("precision_distribution", "recall_distribution", "f_distribution"):
        function = getattr(ft, name)
        r.call(name, lambda f=function, n=name: f(p) if n.startswith("prec") else f(p, q))
    matrix = r.rng.random((4, 8))
    texts = [0, 0, 1, 1, 2, 2, 3, 3]
    r.call("image_text", lambda: ft.image_text(matrix, texts))
    pairs = pd.DataFrame(r.rng.choice(list("xyz"), (40, 2)), columns=["winner", "loser"])
    r.call("bradley_terry", lambda: ft.bradley_terry(pairs[pairs["winner"] != pairs["loser"]]))


def write(path: Path, seeds: range) -> None:
    out: Outputs = {}
    for seed in seeds:
        out |= seed_outputs(seed)
        print(f"seed {seed}: {len(out):,} outputs", file=sys.stderr, flush=True)
    path.write_bytes(pickle.dumps(out))


def differs(old: Any, new: Any) -> bool:
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        if old.shape != new.shape:
            return True
        if old.dtype.kind in "biuf" and new.dtype.kind in "biuf":
            return not np.allclose(old, new, rtol=RTOL, atol=1e-12, equal_nan=True)
        return bool((old != new).any())
    return type(old) is not type(new) or old != new


def compare(old: Outputs, new: Outputs) -> int:
    """Print what differs; texts apart, as their wording may change on purpose."""
    seeds = {key.split("/")[0] for key in new}
    old = {key: value for key, value in old.items() if key.split("/")[0] in seeds}
    missing = [key for key in old if key not in new]
    other = [key for key in old if key in new and differs(old[key], new[key])]
    texts = [key for key in other if key.split("#")[0].endswith("/text")]
    numbers = [key for key in other if key not in set(texts)]
    print(f"{len(old):,} outputs, {len(missing)} missing, {len(numbers)} numbers or names differ")
    print(f"{len(texts)} printed texts differ")
    for key in [*missing, *numbers][:40]:
        print("-", key)
    for key in texts[:8]:
        was, now = old[key][0].splitlines(), new[key][0].splitlines()
        print(
            "=",
            key,
            *(f"\n  - {x}" for x in was if x not in now),
            *(f"\n  + {x}" for x in now if x not in was),
        )
    return 1 if missing or numbers else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write")
    writing.add_argument("path", type=Path)
    writing.add_argument("--seeds", type=int, default=150)
    writing.add_argument("--first", type=int, default=0)
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    given = parser.parse_args()
    if given.command == "write":
        write(given.path, range(given.first, given.first + given.seeds))
        return 0
    return compare(*(pickle.loads(path.read_bytes()) for path in (given.old, given.new)))


if __name__ == "__main__":
    sys.exit(main())

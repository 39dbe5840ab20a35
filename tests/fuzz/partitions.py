"""Random data in random partitions: scores have the bits, and errors the kind, of one process.

Run in the folder `tests`::

    python -m fuzz.partitions --inputs 2000 --seed 0

Data are small and odd: ids of several types, ties, items with the id of their query, queries that
only one side has, five kinds of judgments. Partitions are empty, cut queries apart, or do not.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd

import fuzzytruth as ft

MEASURES = ["AP", "P@3", "nDCG@5", "RR", "R@4", "Rprec", "Success@2", "NumRel", "nDCG", "Judged@5"]
#: worlds for each kind of judgments
WORLDS = {
    "grades": ["crisp"],
    "probability": ["independent"],
    "count": ["independent"],
    "subject": ["subject", "independent", "population"],
    "repeat": ["subject", "independent", "population"],
}
BITS = ("values", "lower", "upper")
SPREAD = ("exact", "mc_error", "std", "world_means", "kept", "within", "weight")


def runs_of(rng: np.random.Generator, queries: list[Any], items: list[str]) -> pd.DataFrame:
    """Lists of up to three systems, some with ties."""
    rows = [
        (system, query, item if rng.random() > 0.03 else str(query), float(score))
        for system in ("s", "t", "u")[: rng.integers(1, 4)]
        for query in queries
        if rng.random() < 0.8
        for item, score in zip(
            rng.permutation(items)[: rng.integers(1, len(items) + 1)],
            rng.integers(0, 4, len(items)) if rng.random() < 0.6 else rng.random(len(items)),
            strict=False,
        )
    ]
    frame = pd.DataFrame(rows, columns=["system", "query", "item", "score"])
    return frame.drop_duplicates(["system", "query", "item"])


def judgments_of(
    rng: np.random.Generator, kind: str, queries: list[Any], items: list[str]
) -> pd.DataFrame:
    """Judgments of about half of the items."""
    pairs = [(query, item) for query in queries for item in items if rng.random() < 0.6]
    pairs = [pair for pair in pairs if str(pair[0])[-1] != "3"]  # a query without any
    if kind == "grades":
        rows = [(*pair, int(rng.integers(-1, 3))) for pair in pairs]
    elif kind == "probability":
        rows = [(*pair, 1, float(rng.random())) for pair in pairs]
    elif kind == "count":
        rows = [
            (*p, g, int(n)) for p in pairs for g, n in enumerate(rng.multinomial(4, [1 / 3] * 3))
        ]
    else:
        times = 3 if kind == "repeat" else 2
        rows = [
            (*pair, int(rng.integers(0, 3)), person, repeat)
            for pair in pairs
            for person in ("ann", "bob", "cy")
            if rng.random() < 0.8
            for repeat in range(int(rng.integers(1, times)))
        ]
    more = {"probability": ["probability"], "count": ["count"], "grades": []}
    columns = ["query", "item", "grade", *more.get(kind, ["subject", "repeat"])]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.drop(columns="repeat") if kind == "subject" else frame


def in_partitions(rng: np.random.Generator, frame: pd.DataFrame) -> tuple[pd.DataFrame, Any]:
    """The rows in another order, and the same as a Dask frame."""
    n = int(rng.integers(1, 14))
    if rng.random() < 0.4:  # whole queries
        place = {query: int(rng.integers(n)) for query in frame["query"].unique()}
        number = frame["query"].map(place).to_numpy()
    else:
        frame = frame.sample(frac=1, random_state=int(rng.integers(1 << 30)))
        number = np.sort(rng.integers(0, n, len(frame)))
    parts = [frame[number == part].reset_index(drop=True) for part in range(n)]
    delayed = [dask.delayed(part) for part in parts]
    parted = dd.from_delayed(delayed, meta=frame.iloc[:0], verify_meta=False)
    return pd.concat(parts, ignore_index=True), parted


def options_of(rng: np.random.Generator, kind: str) -> dict[str, Any]:
    """Options of `evaluate` that go together."""
    worlds = str(rng.choice(WORLDS[kind]))
    options: dict[str, Any] = {
        "worlds": worlds,
        "ties": str(rng.choice(["trec", "order", "expected"])),
        "undefined": str(rng.choice(["zero", "exclude"])),
        "missing": str(rng.choice(["nonrelevant", "exclude", "pooled"])),
        "exclude_self": bool(rng.random() < 0.2),
        "n_worlds": int(rng.choice([7, 33])),
        "keep_worlds": bool(rng.random() < 0.3),
    }
    if rng.random() < 0.3:
        options["rel"] = 1
    if rng.random() < 0.3 and worlds in ("crisp", "subject"):
        options |= {"unjudged": "bounds", "missing": "nonrelevant", "ties": "trec"}
    return options


def outcome(truth: Any, runs: Any, measures: list[str], options: dict[str, Any]) -> Any:
    """Scores, or the error of the library."""
    try:
        return ft.evaluate(truth, runs, measures, **options)
    except ft.FuzzytruthError as error:
        return error


def difference(one: Any, two: Any) -> str:
    """What differs between two outcomes; "" if nothing does."""
    if isinstance(one, Exception) or isinstance(two, Exception):
        return "" if type(one) is type(two) else f"{one!r} and {two!r}"
    axes = ("systems", "queries", "subjects", "provenance")
    found = [name for name in axes if getattr(one, name) != getattr(two, name)]
    found += [name for name in BITS if not _same(getattr(one, name), getattr(two, name))]
    first, second = one.uncertainty, two.uncertainty
    if first is not None and second is not None:
        found += [n for n in SPREAD if not _same(getattr(first, n), getattr(second, n))]
    if not one.mean().equals(two.mean()):
        found.append("means")
    return ", ".join(found)


def _same(one: Any, two: Any) -> bool:
    if one is None or two is None:
        return one is two
    kinds = [np.asarray(array).dtype.kind == "f" for array in (one, two)]
    return bool(np.array_equal(one, two, equal_nan=all(kinds)))


def judge(seed: int, number: int) -> str:
    """What is wrong with one input; "" if nothing is."""
    rng = np.random.default_rng((seed, number))
    n_queries = int(rng.integers(1, 9))
    names = (int, float, "q{}".format, "q é{}\u2028".format)[rng.integers(4)]
    queries = [names(query) for query in range(n_queries)]
    items = [f"d{item}" for item in range(rng.integers(2, 14))]
    kind = str(rng.choice([*WORLDS]))
    runs, votes = runs_of(rng, queries, items), judgments_of(rng, kind, queries[::-1], items)
    if not len(runs) or not len(votes):
        return ""
    runs, of_runs = in_partitions(rng, runs)
    votes, of_votes = in_partitions(rng, votes)
    measures = rng.choice(MEASURES, 3, replace=False).tolist()
    options = options_of(rng, kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with dask.config.set(scheduler="synchronous"):
            alone = outcome(votes, runs, measures, options)
            for truth in (votes, of_votes):
                if found := difference(alone, outcome(truth, of_runs, measures, options)):
                    return f"{kind}, {options}, {measures}: {found}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Judge as many inputs as the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m fuzz.partitions", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    findings = 0
    for number in range(options.first, options.first + options.inputs):
        if found := judge(options.seed, number):
            findings += 1
            print(f"input {number}: {found}")
    print(f"{options.inputs:,} inputs, {findings:,} findings")
    return int(findings > 0)


if __name__ == "__main__":
    sys.exit(main())

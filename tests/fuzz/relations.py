"""Relations between calls of the public verbs that hold for any data, tried on drawn cases.

Run in the folder `tests`::

    python -m fuzz.relations --seeds 300
    python -m fuzz.relations --seeds 1 --first 17 --relation order_of_rows
"""

import argparse
import copy
import functools
import pickle
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pyarrow as pa
from matplotlib import pyplot

import fuzzytruth as ft
from fuzz.cases import IDS, PAIRS, WORLDS, Case, dicts, verbs
from fuzz.stream_targets import in_blocks

KEYS = ["system", "query", "subject", "measure"]
#: name -> relation of the data of a seed; raises AssertionError where it does not hold
RELATIONS: dict[str, Callable[[int], None]] = {}
Relation = Callable[[Case], None]


def relation(
    *kinds: str, worlds: str | None = None, **options: Any
) -> Callable[[Relation], Relation]:
    """Enter a relation for some kinds of truth, by default all."""

    def enter(function: Relation) -> Relation:
        @functools.wraps(function)
        def of_seed(seed: int) -> None:
            case = Case(seed, kinds or tuple(WORLDS), worlds)
            case.options |= options
            function(case)

        RELATIONS[function.__name__] = of_seed
        return function

    return enter


def table(scores: ft.Scores) -> pd.DataFrame:
    """All numbers of scores by name, sorted."""
    frame = scores.to_frame()
    return frame.set_index([key for key in KEYS if key in frame]).sort_index()


def assert_same(given: Any, expected: Any, rtol: float = 0) -> None:
    """The same names, and numbers to the bit unless a tolerance is given."""
    if isinstance(given, ft.Scores):
        given, expected = table(given), table(expected)
    exact: dict[str, Any] = {"rtol": rtol, "atol": rtol} if rtol else {"check_exact": True}
    check = pd.testing.assert_frame_equal
    check(pd.DataFrame(given), pd.DataFrame(expected), check_names=False, **exact)


# Names, rows, files.


@relation()
def names(case: Case) -> None:
    """Other names in the same order change names, and worlds that are drawn by name."""
    votes, runs = (
        frame.assign(**{name: "z" + frame[name].astype(str) for name in IDS if name in frame})
        for frame in (case.votes, case.runs)
    )
    given = case.evaluate(case.truth_of(votes), runs).to_frame()
    given = given.assign(**{name: given[name].str[1:] for name in KEYS[:3] if name in given})
    given, expected = (
        frame.set_index([key for key in KEYS if key in frame]).sort_index()
        for frame in (given, case.scores.to_frame())
    )
    if "exact" in given:
        assert (given["exact"] == expected["exact"]).all()
        given, expected = (frame[frame["exact"]] for frame in (given, expected))
    assert_same(given[["value"]], expected[["value"]], 1e-13)


@relation()
def order_of_rows(case: Case) -> None:
    """Rows, queries, systems and measures in another order give the same bits."""
    case.ask_for_bounds()
    votes = case.votes.sample(frac=1, random_state=case.seed)
    runs = pd.concat([rows for _, rows in case.runs.groupby(["system", "query"])][::-1])
    assert_same(case.evaluate(case.truth_of(votes), runs, case.measures[::-1]), case.scores)


@relation()
def company(case: Case) -> None:
    """Values do not depend on which other queries, systems and measures are evaluated."""
    query, measure = case.queries[1], case.measures[1]
    runs = case.runs[(case.runs["query"] == query) & (case.runs["system"] == "b")]
    votes = case.votes
    if case.kind in PAIRS and case.worlds != "population":
        votes = votes[votes["query"] == query]
    with suppress(ft.errors.DataError):  # nothing is left
        alone, whole = case.evaluate(case.truth_of(votes), runs, measure), case.scores
        alone, whole = (table(scores).xs(str(query), level="query") for scores in (alone, whole))
        assert_same(alone, whole[whole.index.isin(alone.index)])


@relation()
def concatenated(case: Case) -> None:
    """Systems, or measures, that are evaluated apart and concatenated are those together."""
    of_systems = [case.evaluate(runs=rows) for _, rows in case.runs.groupby("system")]
    assert_same(ft.concat(of_systems), case.scores)
    assert_same(ft.concat([case.evaluate(measures=[m]) for m in case.measures]), case.scores)


@relation(*PAIRS)
def forms(case: Case) -> None:
    """Frames, dicts, Arrow and files, read at once or in blocks, are the same data."""
    case.ask_for_bounds()
    votes, runs = case.votes, dicts(case.runs, "system", "query", "item")
    more = [dicts(votes, "query", "item")] if case.kind == "grades" else []
    for truth in (votes, pa.Table.from_pandas(votes), *more):
        assert_same(case.evaluate(truth, runs), case.scores)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.csv")
        case.runs.to_csv(path, index=False)
        assert_same(case.evaluate(runs=path), case.scores)
        with in_blocks():
            assert_same(case.evaluate(runs=path), case.scores)


@relation(*PAIRS, ties="trec")
def round_trips(case: Case) -> None:
    """What is written is read back; a file in parts is the whole."""
    runs = ft.as_runs(case.runs)
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("csv", "tsv", "jsonl", "parquet"):
            votes, whole = Path(folder, f"votes.{ending}"), Path(folder, f"all.{ending}")
            case.truth.write(votes)
            runs.write(whole)
            read = ft.read_judgments(votes)
            assert_same(case.evaluate(read, ft.read_runs(whole)), case.scores)
            assert_same(read.to_frame(), case.truth.to_frame())
            parts = [Path(folder, f"{name}.{ending}") for name in "abc"]
            for path, (_, rows) in zip(parts, case.runs.groupby("system"), strict=True):
                ft.as_runs(rows).write(path)
            assert_same(case.evaluate(runs=parts), case.scores)
        saved = Path(folder, "scores.parquet")
        case.scores.save(saved)
        loaded = ft.Scores.load(saved)
        assert_same(loaded, case.scores)
        assert_same(loaded.summary(), case.scores.summary())


@relation(*PAIRS)
def partitions(case: Case) -> None:
    """Dask frames in random partitions, empty ones among them, have the bits of one process."""
    case.ask_for_bounds()
    dask, dd = (_imported(name) for name in ("dask", "dask.dataframe"))

    def parted(frame: pd.DataFrame) -> Any:
        n = int(case.rng.integers(1, 14))
        number = np.sort(case.rng.integers(0, n, len(frame)))
        parts = [dask.delayed(frame[number == part].reset_index(drop=True)) for part in range(n)]
        return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)

    runs = case.runs
    if case.options["ties"] != "order":
        runs = runs.sample(frac=1, random_state=case.seed)
    with dask.config.set(scheduler="synchronous"):
        for votes in (case.votes, parted(case.votes)):
            given = case.evaluate(votes, parted(runs), keep_worlds=True)
            expected = case.evaluate(case.votes, runs, keep_worlds=True)
            assert_same(given, expected)
            assert_same(given.mean(), expected.mean())
            assert given.provenance == expected.provenance


def _imported(name: str) -> Any:
    return __import__(name, fromlist=["x"])


# Truths.


@relation("subject", worlds="subject")
def single_subjects(case: Case) -> None:
    """A subject's values are those of the crisp truth of this subject alone.

    Items that only others judged are not relevant, or left out of the lists.
    """
    if case.options["missing"] == "pooled":
        case.options["missing"] = "nonrelevant"
    whole, crisp = table(case.scores), {"worlds": "crisp", "missing": "error"}
    pairs = case.votes[["query", "item"]].drop_duplicates()
    for subject in {case.subjects[0], case.subjects[-1]}:
        own = case.votes[case.votes["subject"] == subject].drop(columns="subject")
        filled = pairs.merge(own, how="left")
        left_out = filled[filled["grade"].isna()]
        runs = case.runs
        if case.options["missing"] == "nonrelevant":
            own = filled.fillna(0)[filled["query"].isin(own["query"])]
        else:
            runs = runs.merge(left_out, how="left", indicator=True)
            runs = runs[runs["_merge"] == "left_only"].drop(columns=["_merge", "grade"])
        if len(own) and len(runs):
            alone = table(case.evaluate(own, runs, **crisp))
            theirs = whole.xs(subject, level="subject")
            assert_same(theirs, alone[alone.index.isin(theirs.index)], 1e-12)


@relation("subject", "repeat", "example", "item", worlds="subject")
def means_of_subjects(case: Case) -> None:
    """A mean is that over queries of the mean over subjects."""
    of_queries = table(case.scores)["value"].groupby(["system", "query", "measure"]).mean()
    means = of_queries.groupby(["system", "measure"]).mean().unstack()
    assert_same(means[case.scores.mean().columns], case.scores.mean(), 1e-12)


@relation("subject", "example", "item")
def equal_subjects(case: Case) -> None:
    """Where all agree, all kinds of worlds have the values of one subject and of a crisp truth."""
    first = case.votes[case.votes["subject"] == case.subjects[0]]
    if case.kind == "subject":
        pairs = pd.DataFrame(
            [(q, d) for q in case.queries for d in case.items], columns=["query", "item"]
        )
        first = pairs.merge(first, how="left").fillna({"grade": 0, "subject": case.subjects[0]})
    everybody = pd.concat([first.assign(subject=name) for name in case.subjects])
    alone = table(case.evaluate(case.truth_of(first), worlds="subject", missing="error"))
    expected = alone.droplevel("subject")[["value"]].sort_index()
    if case.kind == "subject":
        crisp = case.evaluate(first.drop(columns="subject"), worlds="crisp", missing="error")
        assert_same(table(crisp), expected)
    for worlds in ("subject", "independent", "population")[: 2 + (case.n_subjects > 1)]:
        more = {"worlds": worlds, "missing": "error"}
        values = table(case.evaluate(case.truth_of(everybody), **more))["value"]
        means = values.groupby(["system", "query", "measure"]).mean()
        assert_same(means, expected["value"], 1e-12)


@relation(*(set(WORLDS) - {"grades"}), n_worlds=400, keep_worlds=True)
def exact_and_drawn(case: Case) -> None:
    """Exact values lie within six standard errors of those of drawn worlds."""
    if case.worlds != "subject":
        spread = case.scores.uncertainty
        assert spread is not None
        drawn = np.average(spread.kept, axis=0, weights=spread.weight)
        error = 6 * spread.std / np.sqrt(400) + 1e-9
        known = spread.exact & np.isfinite(case.scores.values) & np.isfinite(drawn)
        assert (np.abs(drawn - case.scores.values) <= error)[known].all()


@relation()
def ranges(case: Case) -> None:
    """Values, means, their intervals and p-values lie in their ranges."""
    for name in case.scores.measures:
        low, high = ft.measures.parse_measure(name).range
        scores = case.scores.select(measures=name)
        ends = scores.summary()[["lower", "upper"]].to_numpy()
        for values in (scores.values, scores.mean().to_numpy(), ends):
            known = values[np.isfinite(values)]
            assert ((low - 1e-12 <= known) & (known <= high + 1e-12)).all()
    for name, result in results(case):
        frame = result if isinstance(result, pd.DataFrame) else getattr(result, "to_frame", dict)()
        for column in set(frame) & {"p", "p_adjusted", "p_value", "probability"}:
            assert frame[column].dropna().between(0, 1).all(), name
        if {"lower", "upper"} <= set(frame):
            assert not (frame["lower"] > frame["upper"] + 1e-12).any(), name


# Inference.


@relation()
def swapped_systems(case: Case) -> None:
    """B against A is A against B turned round."""
    tests = (
        ft.tests.paired_t,
        ft.tests.wilcoxon,
        ft.tests.sign_test,
        ft.tests.sign_flip,
        ft.tests.bootstrap_shift,
    )
    equivalence = functools.partial(ft.tests.equivalence, margin=0.1)
    for test in (*tests, equivalence):
        one, two = (test(case.one, *pair) for pair in ("ab", "ba"))
        np.testing.assert_allclose(one.p, two.p, rtol=1e-9)
        if one.is_difference:
            turned = [-two.estimate, -two.upper, -two.lower]
            np.testing.assert_allclose([one.estimate, one.lower, one.upper], turned, atol=1e-12)
    one, two = (case.one.query_differences(*pair).to_frame() for pair in ("ab", "ba"))
    one, two = (frame.set_index("query")["difference"].sort_index() for frame in (one, two))
    assert_same(one, -two, 1e-12)
    for correction in ("none", "bonferroni", "max-t"):
        options = {"correction": correction, "n_resamples": 99}
        one, two = (
            ft.compare(case.one.select(systems=[*pair]), **options) for pair in ("ab", "ba")
        )
        one, two = (comparison.to_frame().iloc[0] for comparison in (one, two))
        np.testing.assert_allclose(one["p_adjusted"], two["p_adjusted"], atol=1e-9)
        np.testing.assert_allclose(one["difference"], -two["difference"], atol=1e-12)


@relation()
def intervals_and_p(case: Case) -> None:
    """A difference is significant where its interval leaves 0 out."""
    ways = [("none", "query"), ("bonferroni", "query"), ("max-t", "query")]
    if case.worlds == "subject" and case.n_subjects > 1:
        ways.append(("none", ("query", "subject")))
    for (correction, over), level in zip(ways, (0.9, 0.99, 0.8, 0.95), strict=False):
        options = {"correction": correction, "n_resamples": 199}
        frame = ft.compare(case.one, over=over, level=level, **options).to_frame()
        apart = (frame["lower"] > 0) | (frame["upper"] < 0)
        known = np.isfinite(frame["lower"]) & (abs(frame["p_adjusted"] - (1 - level)) > 1e-9)
        assert (apart == (frame["p_adjusted"] < 1 - level))[known].all(), (correction, level)
    test = ft.tests.paired_t(case.one, "a", "b")
    if np.isfinite(test.lower):
        assert (test.lower > 0 or test.upper < 0) == (test.p < 0.05)


@relation()
def higher_levels(case: Case) -> None:
    """An interval of a higher level is no narrower, and has the same estimate."""
    scores, few = case.one, {"n_resamples": 99, "rng": 1}
    both = ("query", "subject") if case.worlds == "subject" else "query"
    ways: list[Callable[[float], Any]] = [
        lambda level: scores.summary(level=level),
        lambda level: scores.summary(level=level, method="percentile", **few),
        lambda level: scores.summary(level=level, over=both),
        lambda level: ft.compare(scores, level=level, **few),
        lambda level: ft.compare(scores, level=level, correction="none", over=both, **few),
        lambda level: ft.tests.difference_intervals(scores, level=level, over=both, **few),
        lambda level: ft.tests.paired_t(scores, "a", "b", level=level),
        lambda level: ft.tests.equivalence(scores, "a", "b", margin=0.1, level=level),
        lambda level: ft.agreement(case.judged(), level=level),
        lambda level: ft.pairwise_agreement(case.judged(), level=level),
        lambda level: ft.reliability(case.judged(), level=level, n_simulated=0),
    ]
    for number, way in enumerate(ways):
        with suppress(ft.FuzzytruthError):
            low, high = (
                result if isinstance(result, pd.DataFrame) else result.to_frame()
                for result in (way(0.7), way(0.95))
            )
            if "lower" not in low:  # a decision without an interval
                continue
            assert not (high["lower"] > low["lower"] + 1e-9).any(), number
            assert not (high["upper"] < low["upper"] - 1e-9).any(), number


# Results and the caller's state.


def results(case: Case) -> Iterator[tuple[str, Any]]:
    """Results of all verbs on these data, unless they refuse them."""
    for name, verb in verbs().items():
        with suppress(ft.FuzzytruthError):
            yield name, verb(case)


@relation()
def values_of_their_own(case: Case) -> None:
    """Results print, pickle and copy, and cannot be changed."""
    for name, result in results(case):
        if isinstance(result, pd.DataFrame):
            continue
        line, text = repr(result), str(result)
        assert "\n" not in line, name
        assert max(map(len, text.splitlines())) <= 80, name
        for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
            assert (repr(other), str(other)) == (line, text), name
        for field in type(result).__dataclass_fields__:
            try:
                setattr(result, field, None)
            except (AttributeError, TypeError):  # TypeError: of a base class, with slots
                continue
            raise AssertionError(f"{name}.{field} can be set")


@relation()
def untouched_state(case: Case) -> None:
    """Arguments and global state are as they were."""
    given = [case.votes, case.runs, dicts(case.runs, "system", "query", "item"), case.measures]
    case.evaluate(case.truth_of(given[0]), given[2], given[3])  # libraries that are imported late
    kept, before = copy.deepcopy(given), _state()
    scores = case.evaluate(case.truth_of(given[0]), given[2], given[3])
    scores.plot()
    for _ in results(case):
        pass
    for one, other in zip(given, kept, strict=True):
        assert one.equals(other) if isinstance(one, pd.DataFrame) else one == other
    for name, value in _state().items():
        assert value == before[name], name


def _state() -> dict[str, Any]:
    return {
        "numpy.errors": np.geterr(),
        "numpy.random": str(np.random.get_state()),  # noqa: NPY002 (the generator of the user)
        "pandas": [pd.get_option(f"display.{name}") for name in ("max_rows", "precision", "width")],
        "warnings": [str(one) for one in warnings.filters],
        "matplotlib": str(dict(mpl.rcParams)),
    }


def failure(name: str, seed: int) -> str | None:
    """How a relation fails on the data of a seed; None if it holds."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ft.FuzzytruthWarning)
            RELATIONS[name](seed)
    except Exception:
        return traceback.format_exc(limit=-4)
    finally:
        pyplot.close("all")
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--relation", choices=RELATIONS, action="append")
    given = parser.parse_args()
    chosen, found = given.relation or RELATIONS, 0
    for seed in range(given.first, given.first + given.seeds):
        for name in chosen:
            text = failure(name, seed)
            if text:
                found += 1
                print(f"--first {seed} --seeds 1 --relation {name}\n{text}", flush=True)
    print(f"{found} findings in {given.seeds} seeds of {len(chosen)} relations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Relations between calls of the public verbs that hold for any data, tried on random data.

Run in the folder `tests`::

    python -m fuzz.relations --seeds 300
    python -m fuzz.relations --seeds 1 --first 17 --relation order_of_rows

Data are small: a few queries and items, 1 to 40 subjects (15, 16, 17 and 33 among them, where
layouts change), missing and unjudged items, ties, lists that end early.
"""

from __future__ import annotations

import argparse
import copy
import pickle
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd

import fuzzytruth as ft

SUBJECTS = (1, 2, 15, 16, 17, 33, 40)
MEASURES = [
    "AP",
    "nDCG@3",
    "P@2",
    "RR",
    "ERR@3",
    "R@3",
    "Rprec",
    "Success@2",
    "bpref",
    "RBP(p=0.8)",
]
KEYS = ["system", "query", "subject", "measure"]
RELATIONS: dict[str, Callable[[Case], None]] = {}

Rows = list[tuple[str, str, str, int]]
RunDict = dict[str, dict[str, dict[str, float]]]


def relation(function: Callable[[Case], None]) -> Callable[[Case], None]:
    """Enter a relation; it raises AssertionError where it does not hold."""
    RELATIONS[function.__name__] = function
    return function


class Case:
    """Random judgments, runs and options, from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.n_subjects = SUBJECTS[seed % len(SUBJECTS)]
        self.queries = [f"q{j}" for j in range(rng.integers(3, 7))]
        self.items = [f"d{j}" for j in range(rng.integers(3, 9))]
        kept, top = rng.choice([0.75, 1.0]), rng.integers(1, 4)
        self.rows: Rows = [
            (query, item, f"s{s:02}", int(rng.integers(0, top + 1)))
            for query in self.queries
            for item in self.items
            for s in range(self.n_subjects)
            if rng.random() < kept
        ]
        levels = rng.choice([3, 1000])
        listed = [*self.items, "u1", "u2"]
        self.runs: RunDict = {
            system: {
                query: {
                    str(item): float(rng.integers(levels))
                    for item in rng.permutation(listed)[: rng.integers(2, len(listed) + 1)]
                }
                for query in self.queries
            }
            for system in ("a", "b", "c")
        }
        self.measures = [str(name) for name in rng.choice(MEASURES, 3, replace=False)]
        missing = str(rng.choice(["nonrelevant", "exclude"]))
        self.options = {
            "worlds": "subject",
            "missing": missing,
            "ties": str(rng.choice(["trec", "order"])),
        }

    @cached_property
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame(self.rows, columns=["query", "item", "subject", "grade"])

    @cached_property
    def truth(self) -> ft.Judgments:
        return ft.Judgments.from_frame(self.frame)

    @cached_property
    def crisp(self) -> dict[str, dict[str, int]]:
        """The first subject's grades, 0 where there is none."""
        grades = {query: dict.fromkeys(self.items, 0) for query in self.queries}
        for query, item, subject, grade in self.rows:
            if subject == "s00":
                grades[query][item] = grade
        return grades

    @cached_property
    def scores(self) -> ft.Scores:
        return self.evaluate()

    def evaluate(
        self, truth: Any = None, runs: Any = None, measures: Any = None, **more: Any
    ) -> ft.Scores:
        """Scores with the options of this case, unless others are given."""
        return ft.evaluate(
            self.truth if truth is None else truth,
            self.runs if runs is None else runs,
            measures or self.measures,
            **(self.options | more),
        )


def by_name(scores: ft.Scores) -> pd.Series:
    """Values by the names that they have, sorted."""
    frame = scores.to_frame()
    keys = [key for key in KEYS if key in frame]
    return frame.set_index(keys)["value"].sort_index()


def assert_same(given: pd.Series, expected: pd.Series, *, bits: bool = True) -> None:
    rtol, atol = (0.0, 0.0) if bits else (1e-12, 1e-14)
    pd.testing.assert_series_equal(
        given, expected, check_exact=bits, **({} if bits else {"rtol": rtol, "atol": atol})
    )


# Names, rows, files.


@relation
def names(case: Case) -> None:
    """Other names in the same order change names alone."""
    rows = [(f"z{q}", f"y{d}", f"x{s}", g) for q, d, s, g in case.rows]
    runs = {
        f"w{system}": {
            f"z{q}": {f"y{d}": x for d, x in items.items()} for q, items in lists.items()
        }
        for system, lists in case.runs.items()
    }
    frame = pd.DataFrame(rows, columns=case.frame.columns)
    given = by_name(case.evaluate(frame, runs))
    index = given.index.set_levels(
        [level.str[1:] for level in given.index.levels[:3]], level=[0, 1, 2]
    )
    given.index = index
    assert_same(given.sort_index(), by_name(case.scores))


@relation
def order_of_rows(case: Case) -> None:
    """Rows, queries and systems in another order give the same bits."""
    frame = case.frame.sample(frac=1, random_state=int(case.rng.integers(2**31)))
    runs = {system: dict(reversed(case.runs[system].items())) for system in reversed(case.runs)}
    assert_same(by_name(case.evaluate(frame, runs)), by_name(case.scores))


@relation
def company(case: Case) -> None:
    """Values do not depend on which other queries, systems and measures are evaluated."""
    query, system, measure = case.queries[1], "b", case.measures[1]
    frame = case.frame[case.frame["query"] == query]
    try:
        alone = by_name(
            case.evaluate(frame, {system: {query: case.runs[system][query]}}, [measure])
        )
    except ft.FuzzytruthError:
        assert query not in case.scores.queries or frame.empty
        return
    whole = by_name(case.scores)
    assert_same(alone, whole[whole.index.isin(alone.index)])


@relation
def concatenated(case: Case) -> None:
    """Systems and measures evaluated apart and concatenated are those evaluated together."""
    of_systems = [case.evaluate(runs={name: lists}) for name, lists in case.runs.items()]
    assert_same(by_name(ft.concat(of_systems)), by_name(case.scores))
    of_measures = [case.evaluate(measures=[name]) for name in case.measures]
    assert_same(by_name(ft.concat(of_measures)), by_name(case.scores))


@relation
def files(case: Case) -> None:
    """What is written is read back; runs in a file, in several, and streamed are runs in memory."""
    runs, expected = ft.Runs.from_dict(case.runs), by_name(case.evaluate(ties="trec"))
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("csv", "tsv", "jsonl", "parquet"):
            votes, whole = Path(folder, f"votes.{ending}"), Path(folder, f"all.{ending}")
            case.truth.write(votes)
            runs.write(whole)
            for truth, lists in (
                (ft.read_judgments(votes), case.runs),
                (case.truth, ft.read_runs(whole)),
                (votes, whole),
            ):
                assert_same(by_name(case.evaluate(truth, lists, ties="trec")), expected)
        paths = [Path(folder, f"{name}.csv") for name in case.runs]
        for path in paths:
            ft.Runs.from_dict({path.stem: case.runs[path.stem]}).write(path)
        assert_same(by_name(case.evaluate(runs=ft.read_runs(paths), ties="trec")), expected)
        saved = Path(folder, "scores.parquet")
        case.scores.save(saved)
        loaded = ft.Scores.load(saved)
        assert_same(by_name(loaded), by_name(case.scores))
        pd.testing.assert_frame_equal(loaded.summary(), case.scores.summary(), check_exact=True)


# Truths.


@relation
def single_subjects(case: Case) -> None:
    """A subject's values are those of the crisp truth of this subject alone.

    Items that only others judged are not relevant, or left out of the lists.
    """
    whole, ties = by_name(case.scores), case.options["ties"]
    judged = {query: set(items) for query, items in case.frame.groupby("query")["item"]}
    for subject in {"s00", f"s{case.n_subjects - 1:02}"}:
        grades = {
            query: dict(zip(rows["item"], rows["grade"], strict=True))
            for query, rows in case.frame[case.frame["subject"] == subject].groupby("query")
        }
        runs = case.runs
        if case.options["missing"] == "exclude":
            runs = {
                system: {
                    query: {
                        d: x for d, x in lists[query].items() if d in own or d not in judged[query]
                    }
                    for query, own in grades.items()
                }
                for system, lists in runs.items()
            }
        else:
            grades = {query: dict.fromkeys(judged[query], 0) | own for query, own in grades.items()}
        crisp = by_name(ft.evaluate(grades, runs, case.measures, ties=ties))
        theirs = whole.xs(subject, level="subject")
        assert_same(theirs, crisp[crisp.index.isin(theirs.index)], bits=False)


@relation
def equal_subjects(case: Case) -> None:
    """Where all agree, every kind of worlds has the values of the crisp truth."""
    rows = [
        (query, item, f"s{s}", grade)
        for query, grades in case.crisp.items()
        for item, grade in grades.items()
        for s in range(case.n_subjects)
    ]
    frame = pd.DataFrame(rows, columns=case.frame.columns)
    ties = case.options["ties"]
    crisp = by_name(ft.evaluate(case.crisp, case.runs, case.measures, ties=ties))
    for worlds in ("subject", "independent", "population")[: 2 + (case.n_subjects > 1)]:
        more = {} if worlds == "subject" else {"n_worlds": 7, "rng": 1}
        scores = ft.evaluate(frame, case.runs, case.measures, worlds=worlds, ties=ties, **more)
        means = scores.to_frame().groupby(["system", "query", "measure"])["value"].mean()
        assert_same(means.sort_index(), crisp, bits=False)


@relation
def exact_and_drawn(case: Case) -> None:
    """Exact means lie within six standard errors of those of drawn worlds."""
    n_worlds = 400
    given = {
        "worlds": "independent",
        "ties": "trec",
        "n_worlds": n_worlds,
        "rng": int(case.rng.integers(99)),
    }
    scores = ft.evaluate(case.truth, case.runs, ["AP", "P@2", "RR"], keep_worlds=True, **given)
    for measure in scores.measures:
        drawn = scores.mean_distribution("a", measure)
        error = drawn.std() / np.sqrt(n_worlds) + 1e-12
        mean = float(scores.mean().loc["a", measure])
        assert abs(drawn.mean() - mean) < 6 * error, (measure, drawn.mean(), mean, error)


@relation
def ranges(case: Case) -> None:
    """Values, means and their intervals lie in the range of the measure."""
    for name in case.scores.measures:
        low, high = ft.parse_measure(name).range
        scores = case.scores.select(measures=name)
        values = scores.values[~np.isnan(scores.values)]
        assert ((values >= low) & (values <= high)).all()
        ends = scores.summary()[["lower", "upper"]].to_numpy()
        assert ((ends >= low) & (ends <= high)).all()


# Inference.


@relation
def swapped_systems(case: Case) -> None:
    """B against A is A against B turned round."""
    scores = case.scores.select(measures=case.measures[0])
    for test in (ft.paired_t, ft.wilcoxon, ft.sign_test, ft.sign_flip):
        one, other = (test(scores, *pair).to_frame().iloc[0] for pair in (("a", "b"), ("b", "a")))
        p = [name for name in one.index if name in ("p", "p_value")]
        np.testing.assert_allclose(one[p].astype(float), other[p].astype(float), rtol=1e-9)
        if "difference" in one.index:
            np.testing.assert_allclose(one["difference"], -other["difference"], atol=1e-12)


@relation
def intervals_and_p(case: Case) -> None:
    """A difference is significant where its interval leaves 0 out; higher levels are wider."""
    scores = case.scores.select(measures=case.measures[0])
    both = ("query", "subject") if case.n_subjects > 1 else "query"
    for correction, over in (("none", both), ("bonferroni", "query"), ("max-t", "query")):
        tables = {
            level: ft.compare(
                scores, over=over, correction=correction, level=level, n_resamples=199, rng=1
            ).to_frame()
            for level in (0.9, 0.99)
        }
        p = next(name for name in ("p_adjusted", "p_value", "p") if name in tables[0.9])
        for level, table in tables.items():
            apart = (table["lower"] > 0) | (table["upper"] < 0)
            known = np.isfinite(table["lower"]) & (abs(table[p] - (1 - level)) > 1e-9)
            assert (apart == (table[p] < 1 - level))[known].all(), (correction, level)
        assert (tables[0.99]["lower"] <= tables[0.9]["lower"] + 1e-12).all()
        assert (tables[0.99]["upper"] >= tables[0.9]["upper"] - 1e-12).all()


# Results and the caller's state.


def results(case: Case) -> Iterator[tuple[str, Any]]:
    """Results of the verbs on these data."""
    scores = case.scores
    one = scores.select(measures=scores.measures[0])
    yield "Scores", scores
    yield "Judgments", case.truth
    yield "Comparison", ft.compare(scores, n_resamples=99, rng=0)
    yield "TestResult", ft.paired_t(one, "a", "b")
    yield "RankStability", ft.rank_stability(one, n_resamples=99, rng=0)
    yield "Curves", ft.curves(case.crisp, case.runs, "nDCG")
    yield "RankDistributions", ft.by_rank(case.truth, case.runs, depth=3)
    yield "Distribution", scores.distribution("a", scores.queries[0], scores.measures[0])
    yield "Agreement", ft.agreement(case.truth) if case.n_subjects > 1 else scores
    yield "Displacement", ft.displacement(list("abc"), [1, 0.5, 0.2], list("bca"))


@relation
def values_of_their_own(case: Case) -> None:
    """Results print, pickle and copy, and cannot be changed."""
    for name, result in results(case):
        line = repr(result)
        assert "\n" not in line, name
        assert len(str(result).splitlines()[0]) <= 80, name
        for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
            assert repr(other) == line, name
            assert str(other) == str(result), name
        field = next(iter(type(result).__dataclass_fields__))
        try:
            setattr(result, field, None)
        except AttributeError:
            continue
        raise AssertionError(f"{name}.{field} can be set")


@relation
def untouched_state(case: Case) -> None:
    """Arguments and global state are as they were."""
    frame, runs = case.frame.copy(deep=True), copy.deepcopy(case.runs)
    before = _state()
    for _ in results(case):
        pass
    case.evaluate(case.frame, measures=[*case.measures, "AP"][:1])
    pd.testing.assert_frame_equal(frame, case.frame)
    assert runs == case.runs
    for name, value in _state().items():
        assert value == before[name], name


def _state() -> Mapping[str, Any]:
    return {
        "numpy.errors": np.geterr(),
        "numpy.random": str(np.random.get_state()),  # noqa: NPY002 (the generator of the user)
        "pandas": [pd.get_option(name) for name in ("display.max_rows", "display.precision")],
        "warnings": [str(one) for one in warnings.filters],
        "matplotlib": str(dict(mpl.rcParams)),
    }


@contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        yield


def failure(name: str, seed: int) -> str | None:
    """How a relation fails on the data of a seed; None if it holds."""
    try:
        with quiet():
            RELATIONS[name](Case(seed))
    except Exception:
        return traceback.format_exc(limit=-4)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--relation", choices=RELATIONS, action="append")
    given = parser.parse_args()
    found = 0
    for seed in range(given.first, given.first + given.seeds):
        for name in given.relation or RELATIONS:
            text = failure(name, seed)
            if text:
                found += 1
                print(f"--first {seed} --seeds 1 --relation {name}\n{text}", flush=True)
    print(
        f"{found} findings in {given.seeds} seeds of {len(given.relation or RELATIONS)} relations"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

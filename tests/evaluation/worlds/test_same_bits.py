"""The same seed gives the same bits: for any order of rows, queries and subjects, any company."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.truth.pairs import pool as pairs

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


MEASURES = ["ERR", "P@2", "AP", "nDCG@3", "bpref", "DCG", "R@2", "RR", "FT", "F@3"]


def votes(n_subjects: int = 9) -> pd.DataFrame:
    """Grades on queries of different sizes, some of them missing."""
    rng = np.random.default_rng(3)
    rows = [
        (f"q{q}", f"d{d}", f"s{s}", float(rng.choice([0, 0, 1, 2])))
        for q in range(5)
        for d in range(3 + 4 * q)
        for s in range(n_subjects)
        if rng.random() < 0.9 or s == 0
    ]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


def runs() -> dict[str, dict[str, dict[str, float]]]:
    rng = np.random.default_rng(4)
    return {
        system: {f"q{q}": {f"d{d}": float(rng.random()) for d in range(25)} for q in range(5)}
        for system in ("a", "b")
    }


def scored(frame: pd.DataFrame, kind: str, **changes: Any) -> ft.Scores:
    options: dict[str, Any] = {"rng": 7, "n_worlds": 60, "worlds": kind}
    if kind == "pooled":
        options |= {"worlds": "subject", "missing": "pooled"}
    if kind == "nested":
        options["worlds"] = "population"
    design = "nested" if kind == "nested" else "crossed"
    truth = ft.Judgments.from_frame(frame, design=design)
    return ft.evaluate(truth, runs(), MEASURES, **options | changes)


def table(scores: ft.Scores) -> pd.DataFrame:
    """All numbers, by name."""
    frame = scores.to_frame()
    labels = ["system", "query", "measure", *(["subject"] if "subject" in frame else [])]
    return frame.set_index(labels).sort_index()


def assert_same(one: ft.Scores, two: ft.Scores, *, worlds: bool = True) -> None:
    mine, theirs = table(one), table(two)
    pd.testing.assert_frame_equal(mine.loc[theirs.index], theirs, check_exact=True)
    if worlds and one.subjects is None:
        means = one.uncertainty.world_means, two.uncertainty.world_means
        np.testing.assert_array_equal(*means)


KINDS = ["independent", "population", "nested", "pooled"]


CUT = ["TP@2", "FN@3", "R@2", "F@3", "EPSB@3", "nDCG@3", "DCG@3", "AP@3", "Success@3", "RBP@3"]


def in_company(measures: list[str], truth: str, ties: str, *, shuffled: bool = False) -> ft.Scores:
    """Scores of lists with many ties, for votes of several kinds."""
    rng = np.random.default_rng(3)
    frame, lists = votes(), runs()
    judged: Any = frame
    if truth in ("example", "item"):
        tax = ft.Taxonomy.from_children({"all": ["people", "city"], "people": ["crowd"]})
        names = rng.choice(tax.nodes, len(frame))
        frame = frame.assign(category=names).drop_duplicates(["item", "subject"])
        queries = {f"d{q}": one for q, one in enumerate(lists["a"].values())}
        if truth == "item":
            queries = {f"d{q}": dict.fromkeys(tax.nodes, 0.0) for q in range(5)}
        lists = {"a": queries}
    some = {s: {q: rank_in_fives(q, one) for q, one in run.items()} for s, run in lists.items()}
    if shuffled:
        frame = frame.sample(frac=1, random_state=1)
        some = {s: {q: dict([*one.items()][::-1]) for q, one in r.items()} for s, r in some.items()}
    judged = ft.Judgments.from_frame(frame[["query", "item", "subject", "grade"]])
    if truth in ("example", "item"):
        labels = ft.Assignments.from_frame(frame[["item", "subject", "category"]], taxonomy=tax)
        judged = labels.by_example() if truth == "example" else labels.by_item()
    options: dict[str, Any] = {"worlds": "independent"}
    if truth == "pooled":
        options = {"worlds": "subject", "missing": "pooled"}
    return ft.evaluate(judged, some, measures, ties=ties, rng=3, n_worlds=130, **options)


def rank_in_fives(query: str, one: dict[str, float]) -> dict[str, float]:
    """Ties at the top of some lists, and deeper in others."""
    first = 1 if query[-1] in "12" else 5
    return {
        item: -float((place + 5 - first) // 5)
        for place, item in enumerate(sorted(one, key=one.get))
    }


def example(frame: pd.DataFrame, *, tree: list[str], **changes: Any) -> ft.Scores:
    taxonomy = ft.Taxonomy.from_children({"all": tree})
    truth = ft.Assignments.from_frame(frame, taxonomy=taxonomy).by_example()
    rng = np.random.default_rng(5)
    lists = {f"i{q}": {f"i{d}": float(rng.random()) for d in range(20)} for q in range(20)}
    options = {"rng": 2, "n_worlds": 60} | changes
    return ft.evaluate(truth, {"a": lists}, ["AP", "P@3", "bpref"], **options)


def labels() -> pd.DataFrame:
    rng = np.random.default_rng(6)
    rows = [(f"s{s}", f"i{d}", f"c{rng.integers(3)}") for s in range(5) for d in range(20)]
    return pd.DataFrame(rows, columns=["subject", "item", "category"])


@pytest.mark.parametrize("kind", KINDS)
def test_rows_blocks_workers_and_company(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = votes()
    first = scored(frame, kind)
    assert_same(first, scored(frame.sample(frac=1, random_state=0), kind))
    alone = scored(frame[frame["query"] == "q3"], kind)
    assert_same(first, alone, worlds=False)
    given = {"nested": "population", "pooled": "subject"}.get(kind, kind)
    truth = ft.Judgments.from_frame(frame, design="nested" if kind == "nested" else "crossed")
    options = {"worlds": given, "missing": "pooled", "rng": 7, "n_worlds": 60}
    assert_same(first, ft.evaluate(truth, {"b": runs()["b"]}, ["bpref"], **options), worlds=False)
    monkeypatch.setattr(pairs, "_PAIRS", 5)
    assert_same(first, scored(frame, kind))
    assert_same(first, scored(frame, kind, n_jobs=2))
    monkeypatch.setattr(simulation, "_PLACES", 1)
    monkeypatch.setattr(simulation, "_MOST_PLACES", 1)
    assert_same(first, scored(frame, kind))
    monkeypatch.undo()
    monkeypatch.setattr(simulation, "_VALUES", 1)
    assert_same(first, scored(frame, kind))


@pytest.mark.parametrize(
    ("truth", "ties"),
    [("pairs", "expected"), ("pooled", "trec"), ("example", "expected"), ("item", "expected")],
)
def test_no_other_measure_matters(truth: str, ties: str) -> None:
    """A measure with a cut-off sees the same lists, and has the same exact path, in any company."""
    together = in_company([*CUT, "AP"], truth, ties)
    assert_same(together, in_company([*CUT, "AP"], truth, ties, shuffled=True), worlds=False)
    for measure in CUT:
        alone = in_company([measure], truth, ties)
        assert_same(alone, together.select(measures=[measure]), worlds=False)

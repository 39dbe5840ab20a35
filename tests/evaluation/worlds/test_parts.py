"""Runs in a Dask frame: the same bits as in memory, for any partitions."""

import warnings
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.measures import registry
from fuzzytruth.measures.registry import MODULE_OF
from fuzzytruth.truth.pairs import parted

dd = pytest.importorskip("dask.dataframe")


distributed = pytest.importorskip("distributed")


MEASURES = ["AP", "nDCG@10", "P@5", "RR", "ERR@20", "RBP", "R@10", "Rprec", "bpref", "nDCG"]


SCORES = ["values", "lower", "upper"]


SPREAD = ["exact", "mc_error", "std", "world_means", "kept", "within", "weight"]


@pytest.fixture(scope="module")
def votes() -> pd.DataFrame:
    """Twelve queries, of which five of seven subjects judged 20 items each."""
    rng = np.random.default_rng(1)
    rows: list[tuple[str, str, str, int]] = []
    for q in range(12):
        items = rng.permutation(40)[:20]
        for s in rng.permutation(7)[:5]:
            rows += [(f"q{q}", f"d{i}", f"s{s}", int(rng.integers(0, 4))) for i in items]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"]).iloc[:-3]


@pytest.fixture(scope="module")
def runs() -> pd.DataFrame:
    """Two systems, of which each lacks judged queries, and answers one that nobody judged."""
    rng = np.random.default_rng(2)
    rows = [
        (system, f"q{q}", f"d{i}", float(rng.normal()))
        for q in rng.permutation(11)
        for system in "AB"
        for i in rng.permutation(60)[:30]
        if (system, q) != ("B", 3)
    ]
    rows += [("A", "other", "d1", 1.0), ("C", "q5", "x", 2.0)]
    return pd.DataFrame(rows, columns=["system", "query", "item", "score"])


def warned(work: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What is given, and the warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        out = work()
    return out, [str(w.message) for w in found if issubclass(w.category, ft.FuzzytruthWarning)]


def assert_same_bits(one: ft.Scores, two: ft.Scores) -> None:
    assert (one.systems, one.queries, one.subjects) == (two.systems, two.queries, two.subjects)
    assert one.provenance == two.provenance
    for name in SCORES:
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)
    first, second = one.uncertainty, two.uncertainty
    assert (first is None) == (second is None)
    for name in SPREAD if first is not None else []:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
        assert np.shape(getattr(first, name)) == np.shape(getattr(second, name))
    # on which the last bits of sums depend
    assert one.values.flags.c_contiguous
    assert two.values.flags.c_contiguous
    pd.testing.assert_frame_equal(one.mean(), two.mean(), check_exact=True)


CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({"worlds": "subject", "missing": "nonrelevant"}, MEASURES),
    ({"worlds": "subject", "missing": "exclude", "ties": "order"}, MEASURES),
    ({"worlds": "subject", "missing": "pooled", "n_worlds": 50}, MEASURES),
    ({"worlds": "subject"}, ["RBO", "Kendall"]),
    ({"worlds": "subject", "missing": "nonrelevant", "unjudged": "bounds"}, MEASURES[:8]),
    ({"worlds": "independent", "n_worlds": 101, "keep_worlds": True}, MEASURES),
    ({"worlds": "population", "n_worlds": 100}, MEASURES),
    ({"worlds": "population", "n_worlds": 100, "undefined": "exclude", "rel": 2}, MEASURES),
    ({"worlds": "independent", "n_worlds": "auto", "mc_error": 0.01}, ["bpref"]),
]


@pytest.mark.parametrize(("options", "measures"), CASES)
def test_partitions_change_no_bit(
    votes, runs, options, measures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parted, "_TOGETHER", 2)
    expected, texts = warned(lambda: ft.evaluate(votes, runs, measures, **options))
    assert any("judged queries are missing from" in text for text in texts)
    assert any("queries without judgments are left out of A" in text for text in texts)
    frame = dd.from_pandas(runs, npartitions=4, sort=False)  # which cuts queries apart
    scores, others = warned(lambda: ft.evaluate(votes, frame, measures, **options))
    assert_same_bits(expected, scores)
    assert [text[:60] for text in others] == [text[:60] for text in texts]
    given = dd.from_pandas(votes, npartitions=6, sort=False)
    again, _ = warned(lambda: ft.evaluate(given, frame, measures, **options))
    assert_same_bits(expected, again)
    if options == {"worlds": "population", "n_worlds": 100}:
        one, two = (x.select(queries=["q4", "q1"]) for x in (expected, scores))
        one, two = (x.query_differences("A", "B", "AP").to_frame() for x in (one, two))
        pd.testing.assert_frame_equal(one, two)


def test_nested_subjects(votes, runs) -> None:
    nested = ft.Judgments.from_frame(votes, design="nested")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = {"worlds": "population", "n_worlds": 60}
        expected = ft.evaluate(nested, runs, ["AP", "bpref"], **given)
        frame = dd.from_pandas(runs.sort_values("query", kind="stable"), npartitions=3, sort=False)
        scores = ft.evaluate(nested, frame, ["AP", "bpref"], **given)
        assert_same_bits(expected, scores)
        for query in ("q0", "q7"):
            one, two = (s.distribution("A", query, "bpref").to_frame() for s in (expected, scores))
            pd.testing.assert_frame_equal(one, two)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_workers_of_joblib_may_be_those_of_a_cluster(votes, runs) -> None:
    options = {"worlds": "population", "n_worlds": 64}
    expected = ft.evaluate(votes, runs, ["bpref"], **options)
    cluster = distributed.Client(processes=False, n_workers=2, dashboard_address=":0")
    with cluster, joblib.parallel_config(backend="dask"):
        assert_same_bits(expected, ft.evaluate(votes, runs, ["bpref"], n_jobs=2, **options))


def some_measures(rng: np.random.Generator) -> list[ft.Measure]:
    """Ten measures of items, some of judged items only, with a cut-off or own gains."""
    out: list[ft.Measure] = []
    for name in rng.permutation([*MODULE_OF]).tolist():
        found = registry.lookup(name)
        assert found is not None
        cls, given = found[0], dict[str, Any]()
        if cls.compares_lists or cls.needs_intents or name == "TN":
            continue
        if cls.cutoff_use == "required" or (cls.cutoff_use != "none" and len(out) % 2):
            given["cutoff"] = 0.4 if name == "IPrec" else 4
        if hasattr(cls, "gains"):
            given["gains"] = {1: 2.5, 2: 1.1}
        elif cls.takes_judged_only:
            given["judged_only"] = len(out) % 3 > 0
        out.append(cls(**given))
    return out[:10]


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("seed", range(2))
def test_no_query_changes_a_bit_of_another(seed: int) -> None:
    """Ties, negative, missing and many grades in some queries only, of which each is a part."""
    rng = np.random.default_rng(seed)
    grades = ([0, 1], [-1, 0, 2], [0, *(np.arange(1, 20) / 7)], [0, 1, 3], [-1, 1, 2, 3])
    votes = pd.DataFrame(
        [
            (f"q{q}", f"d{i}", f"s{s}", float(rng.choice(grades[q])))
            for q in range(5)
            for i in range(6 + 5 * q)
            for s in range(3)
            if q % 2 or rng.random() < 0.8
        ],
        columns=["query", "item", "subject", "grade"],
    )
    lists = [
        pd.DataFrame(
            {
                "query": f"q{q}",
                "item": [f"d{i}" for i in rng.permutation(40)[:20]],
                "score": rng.integers(0, 4, 20) if q in (1, 2) else rng.permutation(20),
            }
        )
        for q in range(5)
    ]
    measures = some_measures(rng)
    frame = dd.from_map(lambda part: part, lists, meta=lists[0])
    for ties in ("trec", "expected"):
        wanted = [m for m in measures if ties == "trec" or m.expects_ties]
        for options in (
            {"worlds": "subject", "missing": "exclude"},
            {"worlds": "subject", "missing": "pooled", "n_worlds": 20},
            {"worlds": "independent", "n_worlds": 40},
            {"worlds": "population", "n_worlds": 40},
        ):
            given = {"ties": ties, **options}
            one = ft.evaluate(votes, pd.concat(lists), wanted, **given)
            assert_same_bits(one, ft.evaluate(votes, frame, wanted, **given))


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_what_is_exact_is_decided_for_each_query(worlds: str) -> None:
    """Graded, tied and partly judged queries do not make those beside them estimates."""
    rng = np.random.default_rng(5)
    grades = ([0, 1], [0, 1, 2], [0, 2], [0], [-1, 1], [-1, 0, 1])
    rows = [
        (f"q{q}", f"d{i}", f"s{s}", int(rng.choice(grades[q])))
        for q in range(6)
        for i in rng.permutation(20)[:8]
        for s in range(3)
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    ranked = [
        (f"q{q}", f"d{i}", float(rng.integers(0, 5 if q % 2 else 10**6)))
        for q in range(6)
        for i in rng.permutation(25)[:15]
    ]
    lists = pd.DataFrame(ranked, columns=["query", "item", "score"])
    frame = dd.from_pandas(lists, npartitions=6, sort=False)  # a query each
    options = {"worlds": worlds, "n_worlds": 50, "undefined": "exclude"}
    for measures, ties in (
        (["nDCG@5", "AP", "P(judged_only=True)@3", "nDCG(judged_only=True)@5"], "trec"),
        (["P@3", "AP", "nDCG@5"], "expected"),
    ):
        one, two = (ft.evaluate(votes, g, measures, ties=ties, **options) for g in (lists, frame))
        np.testing.assert_array_equal(one.values, two.values)
        exact = one.uncertainty.exact
        np.testing.assert_array_equal(exact, two.uncertainty.exact)
        assert 0 < exact[:, -1].sum() < exact[:, -1].size


@pytest.mark.parametrize("systems", [None, ["A", "B", "A", "B"]])
def test_queries_in_their_own_lists_are_left_out_of_every_partition(systems: Any) -> None:
    rows = [("a", "a", 3.0), ("a", "b", 2.0), ("b", "c", 1.0), ("b", "c", 1.0)]
    runs = pd.DataFrame(rows, columns=["query", "item", "score"])
    runs = runs.iloc[:3] if systems is None else runs.assign(system=systems)
    (one, first), (two, second) = (
        warned(lambda g=g: ft.evaluate({"a": {"b": 1}, "b": {"c": 1}}, g, "AP", exclude_self=True))
        for g in (runs, dd.from_pandas(runs, npartitions=2, sort=False))
    )
    assert first == second
    assert "left out 1 item" in " ".join(first)
    assert_same_bits(one, two)
    assert two.values.tolist() == ([[[1.0, 1.0]]] if systems is None else [[[0, 1]], [[1, 1]]])

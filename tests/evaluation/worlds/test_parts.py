"""Runs in a Dask frame: the same bits as in memory, for any partitions."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.truth.pairs import parted

dd = pytest.importorskip("dask.dataframe")


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

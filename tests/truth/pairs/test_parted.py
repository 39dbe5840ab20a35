"""Parts that are lost with the worker who held them."""

import os
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data.parted import as_parted_runs
from fuzzytruth.errors import SelfHitWarning
from fuzzytruth.truth.pairs import parted as module
from fuzzytruth.truth.pairs.parted import align_parts

dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")


def test_parts_are_made_again_when_a_worker_dies(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "query": np.repeat([f"q{q}" for q in range(8)], 50),
            "item": np.tile([f"d{i}" for i in range(50)], 8),
            "score": rng.random(400),
        }
    )
    parted = dd.from_pandas(frame, npartitions=4, sort=False)
    truth = ft.Judgments.from_frame(
        frame.assign(grade=rng.integers(0, 2, 400)).drop(columns="score")[::5]
    )
    options = {"exclude_self": False, "with_unjudged": False}
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        runs = as_parted_runs(parted, client=client, **options)
        aligned = align_parts(truth, runs, "trec")
        before = aligned.each(hits)
        for pid in client.run(os.getpid).values():
            os.kill(pid, signal.SIGKILL)
        assert aligned.each(hits) == before
    expected = align_parts(truth, as_parted_runs(parted, **options), "trec")
    assert before == expected.each(hits)


def hits(part) -> int:  # type: ignore[no-untyped-def]
    return int(part.placements[0].first.sum())


def aligned_in_parts(grades: list[int], **changes: bool):  # type: ignore[no-untyped-def]
    """Three queries, of which nobody answers the last, in two partitions."""
    truth = ft.Judgments.from_columns(["q0", "q0", "q1", "q2"], ["a", "b", "a", "c"], grades)
    frame = pd.DataFrame(
        {"query": ["q1", "q1", "q0"], "item": ["q1", "a", "b"], "score": [3.0, 2.0, 1.0]}
    )
    return in_two_parts(truth, frame, **changes)


def in_two_parts(truth, frame, **changes: bool):  # type: ignore[no-untyped-def]
    options = {"exclude_self": False, "with_unjudged": False} | changes
    parted = dd.from_pandas(frame, npartitions=2, sort=False)
    runs = as_parted_runs(parted, **options)
    return align_parts(truth, runs, "trec"), runs


def test_facts_are_in_the_order_of_the_judgments() -> None:
    aligned, _ = aligned_in_parts([1, 0, 2, 0])
    assert aligned.facts.queries == ("q0", "q1", "q2")
    assert (aligned.facts.top_grade, aligned.facts.n_items, aligned.facts.systems) == (
        2.0,
        4,
        ("system",),
    )
    assert aligned_in_parts([0, 0, 0, 0])[0].facts.top_grade == 0
    assert "intents" in aligned.facts.lacks
    assert aligned.facts.coverage.missing == {"system": ["q2"]}
    found = {
        query: aligned.part_of(number)[0] for number, query in enumerate(aligned.facts.queries)
    }
    assert {query: part.facts.queries for query, part in found.items()} == {q: (q,) for q in found}
    assert [aligned.part_of(number)[1] for number in (1, 0, 2)] == [
        slice(0, 1),
        slice(1, 2),
        slice(2, 3),
    ]
    assert [aligned.part_of(number)[2].start for number in (1, 0, 2)] == [0, 1, 2]


def test_lists_without_a_judged_item_have_an_example() -> None:
    """Of a query that was judged, though the other partition has none."""
    frame = pd.DataFrame({"query": ["q1", "q0"], "item": ["a", "b"], "score": [3.0, 2.0]})
    aligned, _ = in_two_parts(ft.Judgments.from_columns(["q0"], ["z"], [1]), frame)
    assert aligned.facts.coverage.unjudged_lists == {"system": ("b", "z")}


def test_unjudged_items_are_counted_if_they_matter() -> None:
    of_parts = aligned_in_parts([1, 0, 2, 0], with_unjudged=True)[0].each(elsewhere)
    assert of_parts == [[1], [0], [0]]
    assert aligned_in_parts([1, 0, 2, 0])[0].each(elsewhere) == [[0], [0], [0]]


def elsewhere(part) -> list[int]:  # type: ignore[no-untyped-def]
    return part.elsewhere.tolist()


def test_results_are_merged_by_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    aligned, _ = aligned_in_parts([1, 0, 2, 0])
    monkeypatch.setattr(module, "_TOGETHER", 2)
    assert aligned.each(hits, sum) == [3, 0]


def test_lists_are_cut_and_self_hits_go() -> None:
    aligned, runs = aligned_in_parts([1, 0, 2, 0])
    assert aligned.each(hits) == [2, 1, 0]
    assert aligned.each(hits, sum) == [2, 1, 0]  # few enough
    assert aligned.top(1).each(hits) == [0, 1, 0]
    whole = ft.Runs.from_dict({"system": {"q1": ["q1", "a"], "q0": ["b"]}})
    assert set(runs.checksums) == set(whole.checksums)
    with pytest.warns(SelfHitWarning, match="left out 1 item"):
        alone, _ = aligned_in_parts([1, 0, 2, 0], exclude_self=True)
    assert alone.each(hits) == [1, 1, 0]

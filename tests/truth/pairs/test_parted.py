"""Parts that are lost with the worker who held them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.parted_runs import PartedRuns
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
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        runs = PartedRuns.of(parted, workers=Workers(client), **options)
        aligned = align_parts(truth, runs, "trec")
        before = aligned.each(hits)
        for pid in client.run(os.getpid).values():
            os.kill(pid, signal.SIGKILL)
        assert aligned.each(hits) == before
    expected = align_parts(truth, PartedRuns.of(parted, workers=Workers(), **options), "trec")
    assert before == expected.each(hits)


def hits(part) -> int:  # type: ignore[no-untyped-def]
    return int(part.placements[0].first.sum())

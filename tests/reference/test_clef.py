"""The official average precision of CLEF eHealth TAR 2017."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import fuzzytruth as ft

CLEF = Path(__file__).parents[1] / "reference_data" / "clef_tar2017"
LEVEL = {"abstract": "AP(rel=1)", "document": "AP(rel=2)"}


@pytest.fixture(scope="module")
def data():
    qrels = pd.read_parquet(CLEF / "qrels.parquet").rename(columns={"pmid": "item"})
    runs = pd.read_parquet(CLEF / "runs.parquet").rename(columns={"pmid": "item"})
    official = pd.read_parquet(CLEF / "official_ap.parquet")
    return ft.Judgments.from_frame(qrels), runs, official


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_official_average_precision(data):
    truth, frame, official = data
    runs = ft.Runs.from_frame(frame, order_by="rank", duplicates="first")
    scores = ft.evaluate(truth, runs, list(LEVEL.values())).to_frame()
    scores = scores.assign(
        qrel_level=scores["measure"].map({str(ft.parse_measure(v)): k for k, v in LEVEL.items()})
    )
    depth = frame.groupby(["run", "topic"], observed=True).size().rename("depth").reset_index()
    cells = official.astype({"run": str, "topic": str}).merge(
        scores.rename(columns={"system": "run", "query": "topic"}),
        on=["run", "topic", "qrel_level"],
    )
    cells = cells.merge(depth.astype({"run": str, "topic": str}), on=["run", "topic"])
    # Files are cut at rank 1,000: what lies deeper adds next to nothing for ecnu only.
    whole = (cells["depth"] < 1000) | cells["run"].str.startswith("ecnu")
    assert whole.sum() >= 280
    difference = (cells["value"] - cells["ap"])[whole]
    assert difference.notna().all()
    assert difference.abs().max() <= 0.001 + 1e-12

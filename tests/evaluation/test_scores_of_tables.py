"""Scores are made from tables and files, and saved, by the same class."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import fuzzytruth as ft

ROWS = pd.DataFrame(
    {
        "run": ["a", "a", "b", "b"],
        "qid": [1, 2, 1, 2],
        "score": [0.5, 1.0, 0.25, 0.75],
        "topic": ["x", "y", "x", "y"],
    }
)


def test_a_frame_a_table_and_what_was_saved_agree(tmp_path: Path) -> None:
    made = ft.Scores.from_frame(ROWS, clusters="topic")
    made.save(tmp_path / "scores.parquet")
    ROWS.to_csv(tmp_path / "scores.csv", index=False)
    loaded = ft.Scores.load(tmp_path / "scores.parquet")
    table = ft.Scores.load(tmp_path / "scores.csv", clusters="topic")
    for scores in (made, loaded, table):
        assert type(scores) is ft.Scores
        assert scores.mean()["value"].to_dict() == {"a": 0.75, "b": 0.5}
        assert scores.query_attributes == {"topic": ("x", "y")}

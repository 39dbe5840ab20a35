"""What is written reads back the same, or is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

TABLES = [f"{end}{gz}" for end in ("csv", "tsv", "json", "jsonl", "parquet") for gz in ("", ".gz")]
ENDINGS = ["txt", "txt.gz", *TABLES]
ODD_NUMBERS = [0.1 + 0.2, 1e-300, -5e-324, 1.7976931348623157e308, 3.0, 1 / 3, -0.0, 2.0**60]
ODD_IDS = ["a b", 'say "hi"', "x,y;z", "tab\tid", "two\nlines", " padded ", "'", "cr\rid", "null"]
VOTES: dict[str, Any] = {
    "query": ["q1"] * 8,
    "item": ["007", "NA", "é", "a"] * 2,
    "grade": ODD_NUMBERS,
    "subject": ["ann"] * 4 + ["bob"] * 4,
}
COUNTS: dict[str, Any] = {
    "query": ["q", "q", "q", "r", "r"],
    "item": ["a", "a", "b", "a", "a"],
    "grade": [0, 2, 1, 2, 1],
    "count": [3, 1, 2, 0, 5],
}
#: what the columns are called that TREC files have no place for
KINDS: dict[str, dict[str, Any]] = {
    "": VOTES,
    "intents": VOTES | {"intent": ["1", "two words"] * 4},
    "positions": {"query": ODD_IDS, "item": ODD_IDS[::-1], "grade": np.arange(9.0)}
    | {"position": np.arange(9) / 3},
    "probabilities": {"query": ["q", "q", "r"], "item": ["a", "b", "a"]}
    | {"probability": [0.0, 0.3, 1.0]},
    "probabilities of grades": {"query": ["q", "q", "r"], "item": ["a", "b", "a"]}
    | {"probability": [0.0, 0.3, 1.0], "grade": [2.0, 2.0, 0.5]},
    "counts": COUNTS,
    "repeats": VOTES | {"item": ["a"] * 8, "repeat": ["1", "2", "3", "4"] * 2},
}


@pytest.mark.parametrize("kind", KINDS)
def test_judgments_read_back(tmp_path: Path, kind: str) -> None:
    truth = ft.Judgments.from_columns(**KINDS[kind])
    again = ft.Judgments.from_frame(truth.to_frame())
    pd.testing.assert_frame_equal(again.to_frame(), truth.to_frame(), check_exact=True)
    for ending in TABLES if kind else ENDINGS:
        path = tmp_path / f"votes.{ending}"
        truth.write(path)
        back = ft.read_judgments(path, **({"groups": True} if ending.startswith("txt") else {}))
        pd.testing.assert_frame_equal(back.to_frame(), truth.to_frame(), check_exact=True)
        assert back.checksum == truth.checksum


@pytest.mark.parametrize("order_by", ["score", "rank"])
def test_runs_read_back(tmp_path: Path, order_by: Any) -> None:
    items = ["007", "NA", "é", "a", "b", "c", "d", "e", "007"]
    frame = pd.DataFrame({"query": ["q1"] * 8 + ["q0"], "item": items, "score": [*ODD_NUMBERS, 1]})
    frame["rank"] = [3, 1, 2, 4, 8, 7, 6, 5, 1]
    runs = ft.Runs.from_frame(frame, name="s", order_by=order_by)
    for ending in ENDINGS:
        path = tmp_path / f"s.{ending}"
        runs.write(path)
        back = ft.read_runs(path, order_by=order_by)
        assert back.systems == ("s",)
        pd.testing.assert_frame_equal(back.to_frame(), runs.to_frame(), check_exact=True)
    two = ft.Runs.from_dict({"x": {"q": {"a": 1.0, "b": 2.0}}, "y": {"q": {"a": 3.0}}})
    for ending in TABLES:
        two.write(tmp_path / f"all.{ending}")
        pd.testing.assert_frame_equal(
            ft.read_runs(tmp_path / f"all.{ending}").to_frame(), two.to_frame()
        )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (ft.Judgments.from_dict({"q": {"my doc": 1}}), "item 'my doc' has white space"),
        (ft.Runs.from_dict({"x": {"q": ["a"]}, "y": {"q": ["a"]}}), "holds one system, not 2"),
        *(
            (ft.Judgments.from_columns(**columns), f"no place for {kind}")
            for kind, columns in KINDS.items()
            if kind and "grades" not in kind
        ),
    ],
)
def test_trec_refuses(given: ft.Judgments | ft.Runs, message: str, tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("as it was")
    with pytest.raises(ft.errors.DataError, match=message):
        given.write(path)
    assert path.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [path]


def test_unwritable_place(tmp_path: Path) -> None:
    with pytest.raises(ft.errors.DataError, match="cannot be written"):
        ft.Judgments.from_dict({"q": {"a": 1}}).write(tmp_path / "no" / "q.txt")

"""Names of columns without reading the rows."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

from fuzzytruth.io.files import Source
from fuzzytruth.io.table_files import column_names


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("a.csv", '\ufeffquery,"item, or so"\nq,d\n', ("query", "item, or so")),
        ("a.csv", "\n\nquery;item\nq;d\n", ("query", "item")),
        ("a.tsv", "query\titem,doc\nq\td\n", ("query", "item,doc")),
        ("a.json", ' [ {"query": 1, "item": [2]}, {"x": 1}]', ("query", "item")),
        ("a.json", '{"q": {"d": 1}}', ()),
        ("a.json", "[1", ()),
        ("a.jsonl", '\n{"query": "q"}\nnonsense', ("query",)),
        ("a.run", "q Q0 d 1 1 x\n", ()),
    ],
)
def test_names(tmp_path: Path, name: str, text: str, names: tuple[str, ...]) -> None:
    (tmp_path / name).write_text(text)
    assert column_names(Source.of(tmp_path / name)) == names
    with gzip.open(tmp_path / f"{name}.gz", "wt") as file:
        file.write(text)
    assert column_names(Source.of(tmp_path / f"{name}.gz")) == names


def test_parquet(tmp_path: Path) -> None:
    pd.DataFrame({"item": ["a"], "category": ["b"]}).to_parquet(tmp_path / "a.parquet")
    assert column_names(Source.of(tmp_path / "a.parquet")) == ("item", "category")

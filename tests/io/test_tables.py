"""The same table from files of every format, and io works without the data types."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from fuzzytruth.io.columns import check_ids
from fuzzytruth.io.files import Source
from fuzzytruth.io.numbers import check_numbers
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("query", "item"), ("score",), "score")
FRAME = pd.DataFrame({"query": ["q", "q"], "item": ["007", "é"], "score": [0.1, -2.0]})


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_formats_agree(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    records = FRAME.to_dict(orient="records")
    match ending:
        case "json":
            path.write_text(json.dumps(records))
        case "jsonl":
            path.write_text("\n".join(map(json.dumps, records)))
        case "parquet":
            FRAME.to_parquet(path)
        case _:
            FRAME.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    columns, locate = table_of(Source.of(path), REQUEST)
    assert check_ids(columns["query"], "query", locate).to_pylist() == ["q", "q"]
    assert check_ids(columns["item"], "item", locate).to_pylist() == ["007", "é"]
    assert check_numbers(columns["score"], "score", locate).tolist() == [0.1, -2.0]
    assert locate(0).startswith(f"{path}, ")


def test_no_data_type_is_imported() -> None:
    code = (
        "import importlib, pkgutil, sys, fuzzytruth.io as io\n"
        "for module in pkgutil.iter_modules(io.__path__):\n"
        "    importlib.import_module(f'fuzzytruth.io.{module.name}')\n"
        "known = {name.split('.')[1] for name in sys.modules if name.startswith('fuzzytruth.')}\n"
        "assert known <= {'_typing', 'core', 'errors', 'io'}, known\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""pandas and PyArrow are imported when they are first used."""

import pickle
import subprocess
import sys

import pandas as pd
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth import _lazy

CODE = """
import sys
from fuzzytruth._lazy import pa, pd
assert "pandas" not in sys.modules and "pyarrow" not in sys.modules
assert pd.DataFrame.__module__.startswith("pandas") and "pandas" in sys.modules
assert "pyarrow" not in sys.modules or pa
"""


def test_nothing_is_imported_before_it_is_used() -> None:
    subprocess.run([sys.executable, "-c", CODE], check=True)


def test_names_are_those_of_the_modules() -> None:
    assert _lazy.pd.DataFrame is pd.DataFrame
    assert _lazy.pa.array is pa.array
    assert pickle.loads(pickle.dumps(_lazy.pd)).Series is pd.Series


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("fuzzytruth.comparee", "compare"),
        ("fuzzytruth.plots.forrest", "forest"),
        ("fuzzytruth.stats.paired_tt", "paired_t"),
    ],
)
def test_namespaces_list_their_names_and_know_the_nearest(line: str, near: str) -> None:
    """Python itself suggests, of what `dir` lists; nothing large is imported for that."""
    call = [sys.executable, "-c", f"import fuzzytruth.plots, fuzzytruth.stats; {line}"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert f"Did you mean: '{near}'?" in done.stderr
    for namespace in (ft.plots, ft.stats):
        assert dir(namespace) == namespace.__all__
    assert dir(ft.plots)[0] == "agreement_matrix"

"""Scores as a Dataset of xarray: the numbers of `to_frame`, by name."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import fuzzytruth as ft

RUNS = {
    "x": {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"b": 2, "a": 1}},
    "y": {"q1": {"c": 2, "a": 1}, "q2": {"a": 1}},
}
VOTES = pd.DataFrame(
    [
        *(("q1", "a", "ann", 1), ("q1", "b", "ann", 0), ("q1", "c", "ann", 1)),
        *(("q1", "a", "bob", 0), ("q1", "b", "bob", 1), ("q1", "c", "bob", 1)),
        *(("q2", "a", "ann", 1), ("q2", "b", "ann", 0)),
    ],
    columns=["query", "item", "subject", "grade"],
)


def assert_same_numbers(scores: ft.Scores) -> xr.Dataset:
    """Every number of the frame is in the dataset, and nothing else is."""
    data, frame = scores.to_xarray(), scores.to_frame()
    dims = ["system", "query", "measure", "subject"][: 3 + (scores.subjects is not None)]
    names = [name for name in frame.columns if name not in dims]
    assert sorted(map(str, data.data_vars)) == sorted(names)
    for name in names:
        assert list(data[name].dims) == dims
        table = frame.set_index(dims)[name].to_xarray().reindex_like(data)
        expected = table.to_numpy()
        if name == "exact":
            expected = expected.astype(float)
            expected = np.nan_to_num(expected).astype(bool)
        np.testing.assert_array_equal(data[name].to_numpy(), expected)
    return data


def test_crisp() -> None:
    scores = ft.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, RUNS, ["AP", "FP@2"])
    data = assert_same_numbers(scores)
    assert data.sizes == {"system": 2, "query": 2, "measure": 2}
    assert data["value"].sel(system="y", query="q1", measure="AP").item() == 0.5
    assert data["higher_is_better"].to_series().to_dict() == {"AP": True, "FP@2": False}
    assert data.attrs["worlds"] == "crisp"
    assert data.attrs["version"] == scores.provenance.version
    assert data.attrs["truth"] == scores.provenance.truth


def test_subjects_who_did_not_judge_a_query_have_nan() -> None:
    scores = ft.evaluate(VOTES, RUNS, ["P@1", "R@2"], worlds="subject")
    data = assert_same_numbers(scores)
    assert np.isnan(data["value"].sel(query="q2", subject="bob")).all()
    assert not np.isnan(data["value"].sel(subject="ann")).any()


def test_worlds_and_bounds() -> None:
    drawn = ft.evaluate(VOTES, RUNS, ["P@1", "AP"], worlds="independent", n_worlds=50, rng=0)
    data = assert_same_numbers(drawn)
    assert set(data.data_vars) == {"value", "std", "exact", "mc_error"}
    assert data.attrs["worlds"] == "independent"
    bounds = ft.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, RUNS, ["P@2"], unjudged="bounds")
    assert set(assert_same_numbers(bounds).data_vars) == {"value", "lower", "upper"}


def test_pooled_judgments_of_an_incomplete_table() -> None:
    votes = VOTES[~((VOTES["subject"] == "bob") & (VOTES["item"] == "b"))]
    scores = ft.evaluate(votes, RUNS, ["P@2"], worlds="subject", missing="pooled", rng=0)
    data = assert_same_numbers(scores)
    assert data["exact"].dtype == bool
    assert not data["exact"].sel(query="q2", subject="bob").any()


def test_attributes_of_queries_and_scores_from_elsewhere() -> None:
    frame = pd.DataFrame(
        {"system": "x", "query": ["q1", "q2"], "lower": ["n", "s"], "topic": ["t", None]}
    ).assign(value=[0.5, 1.0])
    scores = ft.Scores.from_frame(frame, clusters=["topic", "lower"])
    data = assert_same_numbers(scores)
    assert data["topic"][0].item() == "t"
    assert data["topic"].isnull().to_numpy().tolist() == [False, True]
    assert data["lower"].dims == ("query",)
    assert set(data.attrs) == {"version", "design"}


def test_an_attribute_that_is_called_like_a_variable() -> None:
    frame = pd.DataFrame({"system": "x", "query": ["q1", "q2"], "measure": ["n", "s"]})
    scores = ft.Scores.from_frame(frame.assign(value=[0.5, 1.0]), clusters="measure")
    data = scores.to_xarray()
    assert data["query_measure"].to_numpy().tolist() == ["n", "s"]
    assert data["measure"].to_numpy().tolist() == ["value"]


def test_changes_of_the_dataset_leave_the_scores_alone() -> None:
    scores = ft.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, RUNS, ["AP"])
    before = scores.values.copy()
    scores.to_xarray()["value"][:] = -1
    assert (scores.values == before).all()


def test_without_xarray() -> None:
    code = (
        "import sys; sys.modules['xarray'] = None; import fuzzytruth as ft; "
        "ft.evaluate({'q': {'a': 1}}, {'s': {'q': {'a': 1}}}, 'AP').to_xarray()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingPackageError" in done.stderr
    assert "pip install 'fuzzytruth[xarray]'" in done.stderr


@pytest.mark.parametrize("module", ["xarray", "pandas"])
def test_importing_the_library_imports_neither(module: str) -> None:
    code = f"import sys, fuzzytruth as ft; ft.evaluate; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

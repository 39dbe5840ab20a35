"""The sample that ships with the package: what it holds, and its numbers computed otherwise."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import fuzzytruth as ft
from fuzzytruth.datasets import clef_tar2017_files, load_clef_tar2017

STAGES = ("abstract", "content")


@pytest.fixture(scope="module")
def sample() -> tuple[ft.Judgments, ft.Runs]:
    return load_clef_tar2017()


@pytest.fixture(scope="module")
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    """The files, read without this library."""
    folder = files("fuzzytruth") / "datasets" / "clef_tar2017"
    names = ("judgments.parquet", "runs.parquet")
    judgments, runs = (pd.read_parquet(str(folder / name)) for name in names)
    return judgments, runs


def test_sizes(sample: tuple[ft.Judgments, ft.Runs]) -> None:
    truth, runs = sample
    assert truth.subjects == STAGES
    assert len(truth.queries) == 30
    assert len(runs) == 8
    assert runs.to_frame()["rank"].max() == 200


def test_all_relevant_documents_are_included(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    judgments, _ = tables
    assert judgments.groupby("subject")["grade"].sum().to_dict() == {
        "abstract": 1857,
        "content": 607,
    }


def test_the_second_stage_is_within_the_first(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    judgments, _ = tables
    grades = judgments.pivot(index=["query", "item"], columns="subject", values="grade")
    assert grades.notna().all(axis=None)
    assert (grades["content"] <= grades["abstract"]).all()


def test_one_item_a_rank(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    _, runs = tables
    assert not runs.duplicated(["system", "query", "item"]).any()
    for _, ranks in runs.groupby(["system", "query"])["rank"]:
        assert sorted(ranks) == list(range(1, len(ranks) + 1))


def test_licence_and_description_ship_along() -> None:
    folder = clef_tar2017_files()
    assert "Copyright (c) 2017 Leif Azzopardi" in (folder / "LICENSE").read_text()
    assert "dbc13d02bb3e2f8ebc90e62ff47f5eb591e5ca20" in (folder / "README.md").read_text()
    assert sum(len(file.read_bytes()) for file in folder.iterdir()) < 300_000


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
@pytest.mark.parametrize("stage", STAGES)
def test_mean_ap_is_that_of_trec_eval(
    sample: tuple[ft.Judgments, ft.Runs],
    tables: tuple[pd.DataFrame, pd.DataFrame],
    stage: str,
) -> None:
    means = ft.evaluate(*sample, ["AP"], worlds="subject").mean(by="subject")["AP"]
    judgments, runs = tables
    mine = judgments[judgments["subject"] == stage].astype({"item": str, "grade": int})
    qrels = {
        query: dict(zip(rows["item"], rows["grade"].tolist(), strict=True))
        for query, rows in mine.groupby("query")
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    for system, answers in runs.astype({"item": str}).groupby("system"):
        run = {
            query: dict(zip(rows["item"], (-1.0 * rows["rank"]).tolist(), strict=True))
            for query, rows in answers.groupby("query")
        }
        values = [value["map"] for value in evaluator.evaluate(run).values()]
        # A review that is not answered counts 0.
        assert means[system, stage] == pytest.approx(np.sum(values) / 30, abs=1e-9)

"""The samples that ship with the package: what they hold, and their numbers computed otherwise."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth import datasets


@pytest.fixture(scope="module")
def sample() -> tuple[ft.Judgments, ft.Runs]:
    return datasets.load_clef_tar2017()


@pytest.fixture(scope="module")
def tables() -> list[pd.DataFrame]:
    """The files, read without this library."""
    folder = files("fuzzytruth") / "datasets" / "clef_tar2017"
    return [pd.read_parquet(str(folder / f"{n}.parquet")) for n in ("judgments", "runs")]


def test_contents(sample: tuple[ft.Judgments, ft.Runs], tables: list[pd.DataFrame]) -> None:
    truth, runs = sample
    assert truth.subjects == ("abstract", "content")
    assert (len(truth.queries), len(runs), runs.to_frame()["rank"].max()) == (30, 8, 200)
    judgments, listed = tables
    grades = judgments.pivot(index=["query", "item"], columns="subject", values="grade")
    assert grades.sum().to_dict() == {"abstract": 1857, "content": 607}
    assert grades.notna().all(axis=None)
    assert (grades["content"] <= grades["abstract"]).all()
    assert not listed.duplicated(["system", "query", "item"]).any()
    for _, ranks in listed.groupby(["system", "query"])["rank"]:
        assert sorted(ranks) == list(range(1, len(ranks) + 1))
    folder = datasets.clef_tar2017_files()
    assert "Copyright (c) 2017 Leif Azzopardi" in (folder / "LICENSE").read_text()
    assert "dbc13d02bb3e2f8ebc90e62ff47f5eb591e5ca20" in (folder / "README.md").read_text()
    assert sum(len(file.read_bytes()) for file in folder.iterdir()) < 300_000


@pytest.mark.parametrize(
    ("yes", "precision", "recall"), [("yes", 0.453, 0.959), ("maybe", 0.961, 0.950)]
)
def test_dogs(yes: Any, precision: float, recall: float) -> None:
    data = datasets.load_imagenet_dogs(yes=yes)
    votes, dog = data.votes, data.votes.taxonomy.root
    row = (
        ft.classification.class_scores(votes, data.answers, categories=[dog])
        .to_frame(full=True)
        .iloc[0]
    )
    assert row["n"] == 3068
    assert row["precision"] == pytest.approx(precision, abs=5e-4)
    assert row["recall"] == pytest.approx(recall, abs=5e-4)
    # Poisson-binomial: the variance is the sum of p (1 - p)
    p = votes.membership().of_items(dog)
    p = p[np.isin(votes.items.to_pylist(), data.answers["item"].astype(str))]
    assert row["precision"] == pytest.approx(p.mean(), abs=1e-12)
    assert row["precision_std"] == pytest.approx(np.sqrt((p * (1 - p)).sum()) / 3068, abs=1e-12)


@pytest.mark.parametrize(
    ("images", "n_items", "n_humans"),
    [("cue-conflict", 1280, 10), ("edge", 160, 10), ("silhouette", 160, 10), ("sketch", 800, 7)],
)
def test_humans_and_networks(images: Any, n_items: int, n_humans: int) -> None:
    data = datasets.load_model_vs_human(images)
    assert (len(data.votes.items), len(data.votes.subject_names)) == (n_items, n_humans)
    assert data.answers["system"].nunique() == 9


def test_crowd_workers_saw_few_topics() -> None:
    scores = datasets.load_cragc25()
    assert scores.subjects is not None
    assert (len(scores.systems), len(scores.queries), len(scores.subjects)) == (6, 65, 420)
    assert scores.measures == ("preference",)
    styles = ("bullet", "essay", "news")
    assert set(scores.systems) == {f"{by}-{style}" for by in ("human", "llm") for style in styles}
    values = scores.values[~np.isnan(scores.values)]
    assert (len(values), values.min(), values.max()) == (11_892, 0, 1)
    # One of the two answers of a comparison wins: about half of them do.
    assert values.mean() == pytest.approx(0.5, abs=0.01)
    assert scores.cells.subject_sizes.max() < 65 / 2
    assert len(scores.cells) < 0.2 * 65 * 420


def test_grades_of_a_person_and_of_model_judges() -> None:
    votes = datasets.load_llmjudge_dl23()
    assert votes.subjects is not None
    assert (len(votes.subjects), votes.subjects[0], len(votes.queries)) == (34, "human", 25)
    frame = votes.to_frame()
    assert (len(frame), frame["grade"].min()) == (34 * 4423, 0)
    outside = frame.query("grade > 3")[["subject", "grade"]].to_numpy().tolist()
    twice = ["RMITIR-llama70B", 5.0]
    assert sorted(outside) == [twice, twice, ["h2oloo-zeroshot2", 10.0]]
    # near-duplicates agree as published
    table = frame.pivot(index=["query", "item"], columns="subject", values="grade")
    for kind, least in (("instruct", 0.997), ("reason", 0.999)):
        for a, b in ((0, 1), (0, 2), (1, 2)):
            first, second = (table[f"NISTRetrieval-{kind}{number}"] for number in (a, b))
            assert np.mean(first == second) > least


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """What the code of docs/guide/displacement.md leaves behind."""
    page = Path(__file__).parents[2] / "docs" / "guide" / "displacement.md"
    pattern = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec("\n".join(pattern.findall(page.read_text("utf-8"))), names)
    return names


def test_the_sample_is_nested_and_partial() -> None:
    lists = datasets.load_dermatology_ddx()
    frame = lists.to_frame()
    assert (lists.design, len(lists.queries)) == ("nested", 1947)
    assert frame["item"].nunique() == 274
    sizes = frame.groupby(["query", "subject"]).size()
    assert (len(sizes), sizes.min(), sizes.max()) == (9602, 1, 7)
    assert sorted(frame["grade"].unique()) == [1 / 4, 1 / 3, 1 / 2, 1]


def test_numbers_of_the_page(page: dict[str, Any]) -> None:
    by_case, pairs, wanted = page["by_case"], page["pairs"], page["wanted"]
    assert by_case.shape == (1922, 7)
    assert len(pairs) == 7 * 45916
    means = by_case.mean()[wanted].tolist()
    assert means[:4] == pytest.approx([0.975478, 281.907804, 0.432824, 0.452109], abs=1e-6)
    assert means[4:] == pytest.approx([0.545, 0.417, 0.434], abs=5e-4)
    error = (by_case.std() / np.sqrt(len(by_case)))[wanted].tolist()
    assert error[:4] == pytest.approx([0.01919, 4.1392, 0.00734, 0.00674], abs=1e-4)
    taus = by_case.corr(method="kendall").loc[wanted[4:]].abs()
    normalised = taus["WD(unseen=optimist,normalised=True)"].tolist()
    assert normalised == pytest.approx([0.93, 0.90, 0.91], abs=0.005)
    assert taus["WD(unseen=optimist)"].tolist() == pytest.approx([0.73, 0.68, 0.69], abs=0.005)
    w = pairs[pairs["measure"] == "WD(unseen=pessimist,N=419)"]
    assert (w["value"] == 0).mean() == pytest.approx(0.3535, abs=1e-4)
    nothing = w.groupby("query")["value"].max() == 0
    assert nothing.mean() == pytest.approx(0.0593, abs=1e-4)

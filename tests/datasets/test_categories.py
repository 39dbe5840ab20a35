"""Dogs of ImageNet, and the images that humans and networks categorised."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.datasets import load_imagenet_dogs, load_model_vs_human


@pytest.mark.parametrize(
    ("yes", "precision", "recall"), [("yes", 0.453, 0.959), ("maybe", 0.961, 0.950)]
)
def test_dogs(yes: str, precision: float, recall: float) -> None:
    data = load_imagenet_dogs(yes=yes)  # type: ignore[arg-type]
    votes, dog = data.votes, data.votes.taxonomy.root
    scores = ft.class_scores(votes, data.answers, categories=[dog])
    row = scores.to_frame(full=True).iloc[0]
    assert row["n"] == 3068
    assert row["precision"] == pytest.approx(precision, abs=5e-4)
    assert row["recall"] == pytest.approx(recall, abs=5e-4)
    # Poisson-binomial: the variance is the sum of p (1 - p)
    p = votes.membership().of_items(dog)
    inside = np.isin(votes.items.to_pylist(), data.answers["item"].astype(str))
    spread = np.sqrt((p[inside] * (1 - p[inside])).sum()) / 3068
    assert row["precision_std"] == pytest.approx(spread, abs=1e-12)
    assert row["precision"] == pytest.approx(p[inside].mean(), abs=1e-12)


@pytest.mark.parametrize(
    ("images", "n_items", "n_humans", "n_networks"),
    [
        ("cue-conflict", 1280, 10, 9),
        ("edge", 160, 10, 9),
        ("silhouette", 160, 10, 9),
        ("sketch", 800, 7, 9),
    ],
)
def test_humans_and_networks(images: str, n_items: int, n_humans: int, n_networks: int) -> None:
    data = load_model_vs_human(images)  # type: ignore[arg-type]
    assert len(data.votes.items) == n_items
    assert len(data.votes.subjects) == n_humans
    assert data.answers["system"].nunique() == n_networks
    scores = ft.class_scores(data.votes, data.answers)
    frame = scores.to_frame().set_index(["system", "category"])
    assert len(frame) == n_networks * 16
    votes = data.votes.to_frame()
    system = "swag_vit_h14_in1k"
    called = data.answers[
        (data.answers["system"] == system) & (data.answers["category"] == "knife")
    ]["item"]
    share = votes.assign(hit=votes["category"] == "knife").groupby("item")["hit"].mean()
    p = share.reindex(called).to_numpy()
    assert frame.loc[(system, "knife"), "precision"] == pytest.approx(p.mean(), abs=1e-12)
    want = ft.precision_distribution(p)
    got = scores.precision("knife", system)
    np.testing.assert_allclose(got.pmf(want.values), want.probabilities, atol=1e-12)

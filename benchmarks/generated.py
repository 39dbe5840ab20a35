"""Generated run files and judgments, the same for all tools."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from shapes import SHAPES, Shape


@dataclass(frozen=True)
class Collection:
    """Columns of a run and of judgments."""

    query: np.ndarray
    item: np.ndarray
    score: np.ndarray
    judged_query: np.ndarray
    judged_item: np.ndarray
    grade: np.ndarray


def generate(shape: Shape) -> Collection:
    """A run with descending scores, a few tied, and judgments, two thirds of them of its items."""
    rng = np.random.default_rng(shape.seed)
    n_items = 8_800_000
    query = np.repeat(np.arange(shape.queries), shape.rows)
    item = distinct(rng, n_items, shape)
    score = -np.sort(-rng.gamma(4, 3, (shape.queries, shape.rows)).round(4), axis=1)
    listed = item.reshape(shape.queries, shape.rows)
    place = np.argsort(rng.random((shape.queries, shape.rows)), axis=1)[:, : shape.judged]
    inside = np.take_along_axis(listed, place, axis=1)
    outside = n_items + rng.integers(0, n_items, inside.shape) * shape.judged
    outside += np.arange(shape.judged)
    judged = np.where(rng.random(inside.shape) < 0.67, inside, outside)
    grade = rng.choice([0, 1, 2, 3], p=[0.5, 0.3, 0.15, 0.05], size=judged.shape)
    grade[:, 0] = 1
    return Collection(
        query,
        item,
        score.ravel(),
        np.repeat(np.arange(shape.queries), shape.judged),
        judged.ravel(),
        grade.ravel(),
    )


def distinct(rng: np.random.Generator, n_items: int, shape: Shape) -> np.ndarray:
    """Distinct items of each query, by a random start and a random stride."""
    start = rng.integers(0, n_items, (shape.queries, 1))
    stride = rng.integers(1, n_items // shape.rows, (shape.queries, 1))
    items = (start + stride * np.arange(shape.rows)) % n_items
    return rng.permuted(items, axis=1).ravel()


def write(shape: Shape, folder: Path) -> None:
    """Write TREC files, unless they exist."""
    qrels, run = shape.files(folder)
    if run.exists() and qrels.exists():
        return
    import pandas as pd

    data = generate(shape)
    pd.DataFrame({"q": data.judged_query, "0": 0, "d": data.judged_item, "g": data.grade}).to_csv(
        qrels, sep=" ", header=False, index=False
    )
    rank = np.tile(np.arange(1, shape.rows + 1), shape.queries)
    frame = pd.DataFrame(
        {"q": data.query, "Q0": "Q0", "d": data.item, "r": rank, "s": data.score, "t": "bench"}
    )
    part = run.with_suffix(".part")
    frame.to_csv(part, sep=" ", header=False, index=False, float_format="%.4f")
    part.rename(run)


def dictionaries(shape: Shape) -> tuple[dict, dict]:
    """The same as dictionaries, as pytrec_eval takes them."""
    data = generate(shape)
    run: dict[str, dict[str, float]] = {}
    for q, d, s in zip(data.query.tolist(), data.item.tolist(), data.score.tolist(), strict=True):
        run.setdefault(f"q{q}", {})[f"d{d}"] = s
    qrels: dict[str, dict[str, int]] = {}
    for q, d, g in zip(
        data.judged_query.tolist(), data.judged_item.tolist(), data.grade.tolist(), strict=True
    ):
        qrels.setdefault(f"q{q}", {})[f"d{d}"] = g
    return qrels, run


if __name__ == "__main__":
    write(SHAPES[sys.argv[1]], Path(sys.argv[2]))

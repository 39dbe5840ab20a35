"""Synthetic votes, systems and lists: the paper prints the votes of Figure 1 and no others."""

from __future__ import annotations

import numpy as np
import pandas as pd

import fuzzytruth as ft
from paper_repro.examples import FIGURE_1_VOTES, TREE

SEED = 2004
QUERY = "fig1"
IMAGES = (QUERY, *(f"synth{n:02}" for n in range(2, 21)))
SUBJECTS = tuple(f"subject {n}" for n in range(1, 6))
LEAVES = [leaf for node in ("people", "scenery") for leaf in TREE[node]]
LENGTH = 6  # of a subject's own list
RELEVANCES = np.linspace(1, 0.5, LENGTH)


def contents() -> np.ndarray:
    """Share of each leaf in each image: (20 images, 5 leaves), rows sum to 1."""
    return _contents(np.random.default_rng(SEED))


def votes() -> ft.Assignments:
    """Five subjects on 20 images; of the first, the five votes of Figure 1.

    A vote names one of two things that an image shows or, with probability .4, as two of the five
    do in Figure 1, its parent.
    """
    rng = np.random.default_rng(SEED)
    inside = _contents(rng)
    drawn = rng.random((19, 5, 1)) > np.cumsum(inside[1:], axis=1)[:, None, :-1]
    leaf = drawn.sum(axis=2)  # (images, subjects)
    parent = np.array(["people"] * 3 + ["scenery"] * 2)
    named = np.where(rng.random((19, 5)) < 0.4, parent[leaf], np.array(LEAVES)[leaf])
    frame = pd.DataFrame(
        {
            "subject": np.tile(SUBJECTS, 20),
            "item": np.repeat(IMAGES, 5),
            "category": [*FIGURE_1_VOTES, *named.ravel()],
        }
    )
    return ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(TREE))


def runs() -> ft.Runs:
    """A and B: for every image the 19 others, by a similarity of contents; A has less noise."""
    inside, rng = contents(), np.random.default_rng(SEED + 1)
    branch = np.stack((inside[:, :3].sum(axis=1), inside[:, 3:].sum(axis=1)), axis=1)
    similarity = inside @ inside.T + 0.5 * branch @ branch.T
    noisy = {
        name: similarity + rng.normal(0, noise, similarity.shape)
        for name, noise in (("A", 0.15), ("B", 0.45))
    }
    return ft.Runs.from_matrix(noisy, queries=IMAGES, items=IMAGES, exclude_self=True)


def lists() -> ft.Judgments:
    """Each subject's own list of six images for each query, with relevances from 1 to .5.

    Similarity of contents, with the subject's own weight for each category, and noise.
    """
    inside, rng = contents(), np.random.default_rng(SEED + 2)
    rows = []
    for subject in SUBJECTS:
        taste = inside * rng.lognormal(0, 0.7, inside.shape[1])
        seems = taste @ taste.T + rng.normal(0, 0.2, (len(IMAGES), len(IMAGES)))
        np.fill_diagonal(seems, -np.inf)
        for query, first in zip(IMAGES, np.argsort(-seems, axis=1)[:, :LENGTH], strict=True):
            rows += [
                (query, subject, IMAGES[item], grade, place)
                for place, (item, grade) in enumerate(zip(first, RELEVANCES, strict=True), start=1)
            ]
    columns = ["query", "subject", "item", "grade", "position"]
    return ft.Judgments.from_frame(pd.DataFrame(rows, columns=columns))


def communities() -> tuple[ft.Assignments, ft.Runs]:
    """Two communities of ten who read 60 images in two ways, and three systems.

    Each image has a reading for either community, one of eight categories; one vote in ten is
    random. `partial` ranks by the first community's readings, `mixed` by the shares of all votes,
    `crossed` by one community's reading of the query and the other's of the image, all with noise.
    """
    rng = np.random.default_rng(3)
    first = rng.integers(0, 8, 60)
    second = (first + rng.integers(1, 8, 60)) % 8
    reading = np.where(np.arange(20) % 2 == 0, first[:, None], second[:, None])
    vote = np.where(rng.random((60, 20)) < 0.1, rng.integers(0, 8, (60, 20)), reading)
    images, people = ([f"{name} {n:02}" for n in range(k)] for name, k in (("i", 60), ("s", 20)))
    categories = np.array([f"c{n}" for n in range(8)])
    given = ft.Assignments.from_columns(
        people * 60,
        np.repeat(images, 20).tolist(),
        categories[vote].ravel().tolist(),
        taxonomy=ft.Taxonomy.flat(categories),
    )
    share = np.stack([(vote == c).mean(axis=1) for c in range(8)], axis=1)
    across = np.equal.outer(first, second)
    similarity = {
        "partial": (np.equal.outer(first, first), 0.4, 49),
        "mixed": (share @ share.T, 0.3, 0),
        "crossed": (across | across.T, 0.4, 0),
    }
    noisy = {
        name: alike + np.random.default_rng(seed).normal(0, noise, alike.shape)
        for name, (alike, noise, seed) in similarity.items()
    }
    return given, ft.Runs.from_matrix(noisy, queries=images, items=images, exclude_self=True)


def _contents(rng: np.random.Generator) -> np.ndarray:
    first = rng.permutation(np.arange(19) % len(LEAVES))
    second = (first + rng.integers(1, len(LEAVES), 19)) % len(LEAVES)
    share = rng.beta(2, 4, 19)
    out = np.zeros((20, len(LEAVES)))
    out[0, [LEAVES.index("crowd"), LEAVES.index("city")]] = 0.6, 0.4  # Figure 1
    out[np.arange(1, 20), first] = 1 - share
    out[np.arange(1, 20), second] = share
    return out

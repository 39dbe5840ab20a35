"""Small collections of items with votes, made up by chance, and lists of them."""

from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

TREE = {"all": ["people", "scenery"], "people": ["crowd"], "scenery": ["city", "sea"]}
DAG = {**TREE, "crowd": ["market"], "city": ["market"]}
FIGURE_1 = {
    "all": ["people", "scenery"],
    "people": ["single", "group", "crowd"],
    "scenery": ["city", "countryside"],
}


def make_votes(seed: int, tax: ft.Taxonomy, *, weights: bool = False, several: bool = False) -> Any:
    rng = np.random.default_rng(seed)
    rows = []
    for item in "abcde":
        for subject in range(3):
            if rng.random() < 0.2 and subject:
                continue
            n = 1 + (several and rng.random() < 0.4)
            weight = float(rng.integers(1, 4)) if weights else 1.0
            for name in rng.choice(tax.nodes, size=n, replace=False):
                rows.append((f"s{subject}", item, str(name), weight))
    return pd.DataFrame(rows, columns=["subject", "item", "category", "weight"])


def make_runs(seed: int, items: str = "abcde") -> dict[str, dict[str, dict[str, float]]]:
    rng = np.random.default_rng(seed)
    return {
        system: {
            q: {i: float(s) for i, s in zip(items, rng.permutation(len(items)), strict=True)}
            for q in items
        }
        for system in ("one", "two")
    }


def random_graph(rng: np.random.Generator, *, tree: bool) -> ft.Taxonomy:
    n = int(rng.integers(1, 9))
    parents: dict[str, Any] = {}
    for j in range(1, n):
        some = rng.choice(j, size=1 if tree else int(rng.integers(1, min(j, 3) + 1)), replace=False)
        parents[f"n{j}"] = [f"n{p}" for p in some]
    return ft.Taxonomy.from_parents(parents) if parents else ft.Taxonomy.from_children({"n0": []})


def random_votes(rng: np.random.Generator, tax: ft.Taxonomy) -> pd.DataFrame:
    rows = []
    for item in range(int(rng.integers(1, 5))):
        for subject in range(int(rng.integers(1, 5))):
            n = int(rng.integers(1, min(len(tax), 3) + 1))
            weight = float(rng.integers(1, 5)) / 2
            for name in rng.choice(tax.nodes, size=n, replace=False):
                rows.append((f"s{subject}", f"i{item}", str(name), weight))
    return pd.DataFrame(rows, columns=["subject", "item", "category", "weight"])


def categories_and_answers(seed: int) -> tuple[ft.Taxonomy, pd.DataFrame, pd.DataFrame]:
    """A taxonomy, votes, and the answers of two systems."""
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=bool(seed % 2))
    votes = random_votes(rng, tax)
    items = votes["item"].unique()
    answers = pd.DataFrame(
        [(s, i, str(rng.choice(tax.nodes))) for s in ("a", "b") for i in items],
        columns=["system", "item", "category"],
    )
    return tax, votes, answers

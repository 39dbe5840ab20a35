"""Every world of a small collection, by walking the votes: the reference for query by example."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

Votes = dict[str, list[tuple[float, frozenset[str]]]]  # item -> weight and categories of a ballot


@dataclass(frozen=True)
class Worlds:
    """Crisp truths of every world as subjects of one truth, and their probabilities."""

    truth: ft.Judgments
    weight: np.ndarray


def subtree(tax: ft.Taxonomy, category: str) -> set[str]:
    below = {category}
    for child in tax.children(category):
        below |= subtree(tax, child)
    return below


def ballots(frame: pd.DataFrame) -> Votes:
    out: Votes = {}
    for (item, _), rows in frame.groupby(["item", "subject"]):
        weight = float(rows["weight"].iloc[0]) if "weight" in rows else 1.0
        out.setdefault(str(item), []).append((weight, frozenset(rows["category"])))
    return out


def every_world(
    tax: ft.Taxonomy,
    votes: Votes,
    queries: list[str],
    *,
    category: str | None = None,
    grade: Any = None,
    keep_query: bool = False,
    collection: Iterable[str] | None = None,
    asks: dict[str, str] | None = None,
) -> Worlds:
    """Each item draws one of its ballots; relevant is what lies under the query's categories.

    `asks` names another item that has the category of a query.
    """

    def relevance(asked: frozenset[str], given: frozenset[str]) -> float:
        if grade is not None:
            return float(max((grade(a, g) for a in asked for g in given), default=0.0))
        return float(any(g in subtree(tax, a) for a in asked for g in given))

    items = list(votes)
    rows: list[tuple[str, str, str, float]] = []
    weights = []
    for number, drawn in enumerate(itertools.product(*votes.values())):
        label = dict(zip(items, (b[1] for b in drawn), strict=True))
        total = [sum(w for w, _ in votes[i]) for i in items]
        weights.append(np.prod([b[0] / t for b, t in zip(drawn, total, strict=True)]))
        for query in queries:
            own = (asks or {}).get(query, query)
            asked = label[own] if category is None else frozenset({category})
            rows += [
                (f"w{number}", query, item, relevance(asked, label[item]))
                for item in (items if collection is None else collection)
                if keep_query or item != query
            ]
    frame = pd.DataFrame(rows, columns=["subject", "query", "item", "grade"])
    return Worlds(ft.Judgments.from_frame(frame), np.array(weights))


def without_query(runs: dict[str, dict[str, dict[str, float]]]) -> Any:
    return {
        system: {q: {i: s for i, s in items.items() if i != q} for q, items in lists.items()}
        for system, lists in runs.items()
    }

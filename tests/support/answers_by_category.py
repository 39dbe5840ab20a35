"""Every world of a few items whose categories are retrieved: the reference for votes by item."""

import itertools
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fuzzytruth as ft
from support.worlds_of_items import Votes, subtree

Grade = Callable[[str, frozenset[str]], float]  # of a category, given a vote's categories


def grade_of(tax: ft.Taxonomy, relevance: str, digits: int | None = None) -> Grade:
    """The grade of a category by the definition of each kind of relevance."""
    if relevance == "exact":
        return lambda category, vote: float(category in vote)
    if relevance == "subtree":
        return lambda category, vote: float(bool(vote & subtree(tax, category)))
    similar: Any = tax.similarity

    def best(category: str, vote: frozenset[str]) -> float:
        grade = max(similar(category, given, relevance) for given in vote)
        return float(grade if digits is None else round(grade, digits))

    return best


def crisp_values(
    tax: ft.Taxonomy, votes: Votes, runs: Any, measures: list[str], grade: Grade
) -> dict[str, list[tuple[float, NDArray[np.float64]]]]:
    """Share of each ballot of an item, and values (systems, measures) if it is the truth."""
    out = {}
    for item, ballots in votes.items():
        pool = [c for c in tax.nodes if any(grade(c, vote) > 0 for _, vote in ballots)]
        total = sum(weight for weight, _ in ballots)
        out[item] = [
            (
                weight / total,
                ft.evaluate(
                    {item: {c: grade(c, vote) for c in pool}},
                    {system: {item: lists.get(item, {})} for system, lists in runs.items()},
                    measures,
                ).values[:, :, 0],
            )
            for weight, vote in ballots
        ]
    return out


def means_over_items(values: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means over items in every combination of ballots, and the chance of each.

    (combinations, systems, measures) and (combinations,).
    """
    worlds = list(itertools.product(*values.values()))
    means = np.array([np.mean([value for _, value in world], axis=0) for world in worlds])
    return means, np.array([prod(share for share, _ in world) for world in worlds])


def make_answers(seed: int, tax: ft.Taxonomy, items: str = "abcde") -> Any:
    """Two systems that rank some of the categories for each item."""
    rng = np.random.default_rng(seed)
    return {
        system: {
            item: {
                str(name): float(score)
                for score, name in enumerate(rng.permutation(tax.nodes)[: rng.integers(1, 6)])
            }
            for item in items
        }
        for system in ("one", "two")
    }

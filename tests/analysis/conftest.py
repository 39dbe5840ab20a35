"""Votes of four subjects on eight items, two systems that rank them, and what pages draw."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.comparison import comparison_report as parts_of
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.page import Figure

TREE = {"all": ["pet", "farm"], "pet": ["dog", "cat"], "farm": ["cow", "hen"]}
ITEMS = [f"i{j}" for j in range(8)]


@pytest.fixture(scope="session")
def votes() -> ft.Assignments:
    """Where everybody's dogs and cows have company, so that no query is without relevant items."""
    rng = np.random.default_rng(7)
    rows = [
        (f"s{s}", item, category)
        for j, item in enumerate(ITEMS)
        for s, category in enumerate(
            rng.choice(["pet", "dog"] if j % 2 else ["farm", "cow", "pet"], size=4)
        )
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(TREE))


@pytest.fixture(scope="session")
def runs() -> ft.Runs:
    rng = np.random.default_rng(8)
    lists = {
        name: {
            query: {
                item: float((j % 2 == q % 2) + rng.normal(0, noise))
                for j, item in enumerate(ITEMS)
                if item != query
            }
            for q, query in enumerate(ITEMS)
        }
        for name, noise in (("x", 0.2), ("y", 1.5))
    }
    return ft.Runs.from_dict(lists)


@pytest.fixture(scope="session")
def found(votes: ft.Assignments, runs: ft.Runs) -> ft.results.Santini:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.errors.UndefinedMeasureWarning)
        return ft.santini(votes, runs, k=3, n_worlds=2000, n_resamples=199, n_permutations=19)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, PlotData]:
    """What is handed to figures, which are left undrawn, for they take their time."""
    kept: dict[str, PlotData] = {}

    def keep(draw: Any, data: PlotData, name: str, description: str, **told: Any) -> Figure:
        kept[name] = data
        return Figure(data.title, f"<svg>{description}</svg>")

    monkeypatch.setattr(parts_of, "report_figure", keep)
    return kept

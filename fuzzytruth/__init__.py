"""Evaluate ranking systems when the people who gave the ground truth disagree.

>>> import fuzzytruth as ft
>>> truth = ft.Judgments.from_dict({"q1": {"a": 1, "b": 0}})
>>> runs = ft.Runs.from_dict({"sys": {"q1": {"b": 2.0, "a": 1.0}}})
>>> ft.evaluate(truth, runs, ["RR"]).mean().loc["sys", "RR"].item()
0.5
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzzytruth import datasets as datasets
    from fuzzytruth import measures as measures
    from fuzzytruth import stats as stats
    from fuzzytruth.comparing import compare
    from fuzzytruth.comparison import Comparison
    from fuzzytruth.cross_modal import ImageText, image_text
    from fuzzytruth.distribution import Distribution
    from fuzzytruth.errors import (
        DataError,
        FuzzytruthError,
        FuzzytruthWarning,
        IndependenceError,
        MeasureError,
        OptionError,
    )
    from fuzzytruth.evaluation import evaluate
    from fuzzytruth.io.reading import read_judgments, read_runs
    from fuzzytruth.judgments import Judgments
    from fuzzytruth.measures import Measure, parse_measure, register
    from fuzzytruth.named_distributions import poisson_binomial
    from fuzzytruth.ranking_curves import Curves, curves
    from fuzzytruth.ranks_of_systems import RankStability, rank_stability
    from fuzzytruth.runs import Runs
    from fuzzytruth.scores import Scores

__version__ = "0.1.0"

#: public name -> module it is imported from when first used, so that the import stays light
_HOME = {
    "Comparison": "fuzzytruth.comparison",
    "Curves": "fuzzytruth.ranking_curves",
    "DataError": "fuzzytruth.errors",
    "Distribution": "fuzzytruth.distribution",
    "FuzzytruthError": "fuzzytruth.errors",
    "FuzzytruthWarning": "fuzzytruth.errors",
    "ImageText": "fuzzytruth.cross_modal",
    "IndependenceError": "fuzzytruth.errors",
    "Judgments": "fuzzytruth.judgments",
    "Measure": "fuzzytruth.measures",
    "MeasureError": "fuzzytruth.errors",
    "OptionError": "fuzzytruth.errors",
    "RankStability": "fuzzytruth.ranks_of_systems",
    "Runs": "fuzzytruth.runs",
    "Scores": "fuzzytruth.scores",
    "compare": "fuzzytruth.comparing",
    "curves": "fuzzytruth.ranking_curves",
    "evaluate": "fuzzytruth.evaluation",
    "image_text": "fuzzytruth.cross_modal",
    "parse_measure": "fuzzytruth.measures",
    "poisson_binomial": "fuzzytruth.named_distributions",
    "rank_stability": "fuzzytruth.ranks_of_systems",
    "read_judgments": "fuzzytruth.io.reading",
    "read_runs": "fuzzytruth.io.reading",
    "register": "fuzzytruth.measures",
}

__all__ = [
    "Comparison",
    "Curves",
    "DataError",
    "Distribution",
    "FuzzytruthError",
    "FuzzytruthWarning",
    "ImageText",
    "IndependenceError",
    "Judgments",
    "Measure",
    "MeasureError",
    "OptionError",
    "RankStability",
    "Runs",
    "Scores",
    "compare",
    "curves",
    "datasets",
    "evaluate",
    "image_text",
    "measures",
    "parse_measure",
    "poisson_binomial",
    "rank_stability",
    "read_judgments",
    "read_runs",
    "register",
    "stats",
]


def __getattr__(name: str) -> Any:
    if name in ("datasets", "measures", "stats"):
        return importlib.import_module(f"fuzzytruth.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'fuzzytruth' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

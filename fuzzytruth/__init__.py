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
    from fuzzytruth import as_printed as as_printed
    from fuzzytruth import datasets as datasets
    from fuzzytruth import measures as measures
    from fuzzytruth import stats as stats
    from fuzzytruth.assignments import Assignments
    from fuzzytruth.by_example import ByExample
    from fuzzytruth.class_answers import ClassScores, class_scores
    from fuzzytruth.comparing import compare
    from fuzzytruth.comparison import Comparison
    from fuzzytruth.cross_modal import ImageText, image_text
    from fuzzytruth.displacement_result import Displacement
    from fuzzytruth.distribution import Distribution
    from fuzzytruth.errors import (
        DataError,
        FuzzytruthError,
        FuzzytruthWarning,
        IndependenceError,
        MeasureError,
        OptionError,
        TaxonomyError,
    )
    from fuzzytruth.evaluation import evaluate
    from fuzzytruth.hierarchical import hierarchical_scores
    from fuzzytruth.individual_comparison import displacement
    from fuzzytruth.io.assignment_files import read_assignments
    from fuzzytruth.io.reading import read_judgments, read_runs
    from fuzzytruth.io.taxonomy_files import read_cla, read_taxonomy
    from fuzzytruth.judgments import Judgments
    from fuzzytruth.list_similarity import (
        RankBiasedOverlap,
        footrule,
        kendall_distance,
        rank_biased_overlap,
    )
    from fuzzytruth.measures import Measure, parse_measure, register
    from fuzzytruth.membership import Membership
    from fuzzytruth.named_distributions import (
        f_distribution,
        poisson_binomial,
        precision_distribution,
        recall_distribution,
    )
    from fuzzytruth.qualities import register_quality
    from fuzzytruth.rank_distributions import RankDistributions, by_rank
    from fuzzytruth.ranking_curves import Curves, curves
    from fuzzytruth.ranks_of_systems import RankStability, rank_stability
    from fuzzytruth.runs import Runs
    from fuzzytruth.scores import Scores
    from fuzzytruth.taxonomy import Taxonomy

__version__ = "0.1.0"

#: public name -> module it is imported from when first used, so that the import stays light
_HOME = {
    "Assignments": "fuzzytruth.assignments",
    "ByExample": "fuzzytruth.by_example",
    "ClassScores": "fuzzytruth.class_answers",
    "Comparison": "fuzzytruth.comparison",
    "Curves": "fuzzytruth.ranking_curves",
    "DataError": "fuzzytruth.errors",
    "Displacement": "fuzzytruth.displacement_result",
    "Distribution": "fuzzytruth.distribution",
    "FuzzytruthError": "fuzzytruth.errors",
    "FuzzytruthWarning": "fuzzytruth.errors",
    "ImageText": "fuzzytruth.cross_modal",
    "IndependenceError": "fuzzytruth.errors",
    "Judgments": "fuzzytruth.judgments",
    "Measure": "fuzzytruth.measures",
    "MeasureError": "fuzzytruth.errors",
    "Membership": "fuzzytruth.membership",
    "OptionError": "fuzzytruth.errors",
    "RankBiasedOverlap": "fuzzytruth.list_similarity",
    "RankDistributions": "fuzzytruth.rank_distributions",
    "RankStability": "fuzzytruth.ranks_of_systems",
    "Runs": "fuzzytruth.runs",
    "Scores": "fuzzytruth.scores",
    "Taxonomy": "fuzzytruth.taxonomy",
    "TaxonomyError": "fuzzytruth.errors",
    "by_rank": "fuzzytruth.rank_distributions",
    "class_scores": "fuzzytruth.class_answers",
    "compare": "fuzzytruth.comparing",
    "curves": "fuzzytruth.ranking_curves",
    "displacement": "fuzzytruth.individual_comparison",
    "evaluate": "fuzzytruth.evaluation",
    "f_distribution": "fuzzytruth.named_distributions",
    "footrule": "fuzzytruth.list_similarity",
    "hierarchical_scores": "fuzzytruth.hierarchical",
    "image_text": "fuzzytruth.cross_modal",
    "kendall_distance": "fuzzytruth.list_similarity",
    "parse_measure": "fuzzytruth.measures",
    "poisson_binomial": "fuzzytruth.named_distributions",
    "precision_distribution": "fuzzytruth.named_distributions",
    "rank_biased_overlap": "fuzzytruth.list_similarity",
    "rank_stability": "fuzzytruth.ranks_of_systems",
    "read_assignments": "fuzzytruth.io.assignment_files",
    "read_cla": "fuzzytruth.io.taxonomy_files",
    "read_judgments": "fuzzytruth.io.reading",
    "read_runs": "fuzzytruth.io.reading",
    "read_taxonomy": "fuzzytruth.io.taxonomy_files",
    "recall_distribution": "fuzzytruth.named_distributions",
    "register": "fuzzytruth.measures",
    "register_quality": "fuzzytruth.qualities",
}

__all__ = [
    "Assignments",
    "ByExample",
    "ClassScores",
    "Comparison",
    "Curves",
    "DataError",
    "Displacement",
    "Distribution",
    "FuzzytruthError",
    "FuzzytruthWarning",
    "ImageText",
    "IndependenceError",
    "Judgments",
    "Measure",
    "MeasureError",
    "Membership",
    "OptionError",
    "RankBiasedOverlap",
    "RankDistributions",
    "RankStability",
    "Runs",
    "Scores",
    "Taxonomy",
    "TaxonomyError",
    "as_printed",
    "by_rank",
    "class_scores",
    "compare",
    "curves",
    "datasets",
    "displacement",
    "evaluate",
    "f_distribution",
    "footrule",
    "hierarchical_scores",
    "image_text",
    "kendall_distance",
    "measures",
    "parse_measure",
    "poisson_binomial",
    "precision_distribution",
    "rank_biased_overlap",
    "rank_stability",
    "read_assignments",
    "read_cla",
    "read_judgments",
    "read_runs",
    "read_taxonomy",
    "recall_distribution",
    "register",
    "register_quality",
    "stats",
]


def __getattr__(name: str) -> Any:
    if name in ("as_printed", "datasets", "measures", "stats"):
        return importlib.import_module(f"fuzzytruth.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'fuzzytruth' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

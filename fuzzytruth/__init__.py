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
    from fuzzytruth.categories.assignments import Assignments
    from fuzzytruth.categories.by_example import ByExample
    from fuzzytruth.categories.class_answers import ClassScores, class_scores
    from fuzzytruth.categories.hierarchical import hierarchical_scores
    from fuzzytruth.categories.membership import Membership
    from fuzzytruth.comparisons.comparing import compare
    from fuzzytruth.comparisons.comparison import Comparison
    from fuzzytruth.comparisons.ranks_of_systems import RankStability, rank_stability
    from fuzzytruth.cross_modal import ImageText, image_text
    from fuzzytruth.distributions.distribution import Distribution
    from fuzzytruth.distributions.named import (
        f_distribution,
        poisson_binomial,
        precision_distribution,
        recall_distribution,
    )
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
    from fuzzytruth.io.assignment_files import read_assignments
    from fuzzytruth.io.reading import read_judgments, read_runs
    from fuzzytruth.io.taxonomy_files import read_cla, read_taxonomy
    from fuzzytruth.judgments import Judgments
    from fuzzytruth.lists.displacement_result import Displacement
    from fuzzytruth.lists.individual_comparison import displacement
    from fuzzytruth.lists.list_similarity import (
        RankBiasedOverlap,
        footrule,
        kendall_distance,
        rank_biased_overlap,
    )
    from fuzzytruth.lists.qualities import register_quality
    from fuzzytruth.measures import Measure, parse_measure, register
    from fuzzytruth.rank_distributions import RankDistributions, by_rank
    from fuzzytruth.ranking_curves import Curves, curves
    from fuzzytruth.runs import Runs
    from fuzzytruth.scores import Scores
    from fuzzytruth.taxonomies.taxonomy import Taxonomy

__version__ = "0.1.0"

#: public name -> module it is imported from when first used, so that the import stays light
_HOME = {
    "Assignments": "fuzzytruth.categories.assignments",
    "ByExample": "fuzzytruth.categories.by_example",
    "ClassScores": "fuzzytruth.categories.class_answers",
    "Comparison": "fuzzytruth.comparisons.comparison",
    "Curves": "fuzzytruth.ranking_curves",
    "DataError": "fuzzytruth.errors",
    "Displacement": "fuzzytruth.lists.displacement_result",
    "Distribution": "fuzzytruth.distributions.distribution",
    "FuzzytruthError": "fuzzytruth.errors",
    "FuzzytruthWarning": "fuzzytruth.errors",
    "ImageText": "fuzzytruth.cross_modal",
    "IndependenceError": "fuzzytruth.errors",
    "Judgments": "fuzzytruth.judgments",
    "Measure": "fuzzytruth.measures",
    "MeasureError": "fuzzytruth.errors",
    "Membership": "fuzzytruth.categories.membership",
    "OptionError": "fuzzytruth.errors",
    "RankBiasedOverlap": "fuzzytruth.lists.list_similarity",
    "RankDistributions": "fuzzytruth.rank_distributions",
    "RankStability": "fuzzytruth.comparisons.ranks_of_systems",
    "Runs": "fuzzytruth.runs",
    "Scores": "fuzzytruth.scores",
    "Taxonomy": "fuzzytruth.taxonomies.taxonomy",
    "TaxonomyError": "fuzzytruth.errors",
    "by_rank": "fuzzytruth.rank_distributions",
    "class_scores": "fuzzytruth.categories.class_answers",
    "compare": "fuzzytruth.comparisons.comparing",
    "curves": "fuzzytruth.ranking_curves",
    "displacement": "fuzzytruth.lists.individual_comparison",
    "evaluate": "fuzzytruth.evaluation",
    "f_distribution": "fuzzytruth.distributions.named",
    "footrule": "fuzzytruth.lists.list_similarity",
    "hierarchical_scores": "fuzzytruth.categories.hierarchical",
    "image_text": "fuzzytruth.cross_modal",
    "kendall_distance": "fuzzytruth.lists.list_similarity",
    "parse_measure": "fuzzytruth.measures",
    "poisson_binomial": "fuzzytruth.distributions.named",
    "precision_distribution": "fuzzytruth.distributions.named",
    "rank_biased_overlap": "fuzzytruth.lists.list_similarity",
    "rank_stability": "fuzzytruth.comparisons.ranks_of_systems",
    "read_assignments": "fuzzytruth.io.assignment_files",
    "read_cla": "fuzzytruth.io.taxonomy_files",
    "read_judgments": "fuzzytruth.io.reading",
    "read_runs": "fuzzytruth.io.reading",
    "read_taxonomy": "fuzzytruth.io.taxonomy_files",
    "recall_distribution": "fuzzytruth.distributions.named",
    "register": "fuzzytruth.measures",
    "register_quality": "fuzzytruth.lists.qualities",
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

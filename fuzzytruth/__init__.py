"""Evaluate ranking systems when the people who gave the ground truth disagree.

>>> import fuzzytruth as ft
>>> truth = ft.Judgments.from_dict({"q1": {"a": 1, "b": 0}})
>>> runs = ft.Runs.from_dict({"sys": {"q1": {"b": 2.0, "a": 1.0}}})
>>> ft.evaluate(truth, runs, ["RR"]).mean().loc["sys", "RR"].item()
0.5
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as `typing` has it, which takes time to import
if TYPE_CHECKING:
    from typing import Any

    from fuzzytruth import datasets as datasets
    from fuzzytruth import measures as measures
    from fuzzytruth import plots as plots
    from fuzzytruth import stats as stats
    from fuzzytruth.analysis.analyse import analyse
    from fuzzytruth.analysis.analysis_result import Analysis
    from fuzzytruth.analysis.data_check import DataCheck
    from fuzzytruth.analysis.santini_report import santini_report
    from fuzzytruth.analysis.santini_result import SantiniReport
    from fuzzytruth.annotators.coefficients.agreement import Agreement, agreement
    from fuzzytruth.annotators.coefficients.pairwise_agreement import (
        PairwiseAgreement,
        pairwise_agreement,
    )
    from fuzzytruth.annotators.influences.influence_result import (
        SubjectInfluence,
        subject_influence,
    )
    from fuzzytruth.annotators.influences.reliability import (
        Reliability,
        WeightedScores,
        reliability,
    )
    from fuzzytruth.annotators.model_judges.alternative_annotator import (
        AlternativeAnnotator,
        alternative_annotator,
    )
    from fuzzytruth.annotators.model_judges.judge_agreement import JudgeAgreement, judge_agreement
    from fuzzytruth.annotators.model_judges.prediction_powered import (
        PredictionPowered,
        prediction_powered,
    )
    from fuzzytruth.annotators.planning.annotate_next import AnnotationOrder, annotate_next
    from fuzzytruth.annotators.planning.plan import Plan, plan
    from fuzzytruth.annotators.planning.variance_components import (
        VarianceComponents,
        variance_components,
    )
    from fuzzytruth.comparison.compare import compare, difference_intervals
    from fuzzytruth.comparison.compare_groups import GroupComparison, compare_groups
    from fuzzytruth.comparison.gate import Gate, gate
    from fuzzytruth.comparison.margin_tests import equivalence, non_inferiority
    from fuzzytruth.comparison.order_tests import (
        Dominance,
        FriedmanResult,
        Superiority,
        dominance,
        friedman,
        superiority,
    )
    from fuzzytruth.comparison.pair_tests import (
        TestResult,
        bootstrap_shift,
        mcnemar,
        paired_t,
        sign_flip,
        sign_test,
        wasserstein,
        wilcoxon,
    )
    from fuzzytruth.comparison.rank_stability import RankStability, rank_stability
    from fuzzytruth.comparison.result import Comparison
    from fuzzytruth.core.versions import show_versions
    from fuzzytruth.data.assignments import Assignments, read_assignments, read_cla, read_taxonomy
    from fuzzytruth.data.by_example import ByExample, ByItem
    from fuzzytruth.data.distribution import Distribution
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.membership import Membership
    from fuzzytruth.data.named_distributions import (
        f_distribution,
        poisson_binomial,
        precision_distribution,
        recall_distribution,
    )
    from fuzzytruth.data.reading import as_judgments, as_runs, read_judgments, read_runs
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.data.taxonomy import Taxonomy
    from fuzzytruth.errors import (
        DataError,
        FuzzytruthError,
        FuzzytruthWarning,
        IndependenceError,
        MeasureError,
        OptionError,
        TaxonomyError,
    )
    from fuzzytruth.evaluation.evaluate import evaluate
    from fuzzytruth.evaluation.lists.by_rank import RankDistributions, by_rank
    from fuzzytruth.evaluation.lists.curves import Curves, curves
    from fuzzytruth.evaluation.lists.displacement import Displacement, displacement
    from fuzzytruth.evaluation.lists.image_text import image_text
    from fuzzytruth.evaluation.lists.list_similarity import (
        RankBiasedOverlap,
        footrule,
        kendall_distance,
        rank_biased_overlap,
    )
    from fuzzytruth.evaluation.scores.concat import concat
    from fuzzytruth.evaluation.scores.provenance import Provenance
    from fuzzytruth.evaluation.scores.query_differences import QueryDifferences
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.evaluation.tables.bradley_terry import BradleyTerry, bradley_terry
    from fuzzytruth.evaluation.tables.class_scores import (
        ClassScores,
        class_scores,
        hierarchical_scores,
    )
    from fuzzytruth.evaluation.tables.probability_scores import probability_scores
    from fuzzytruth.evaluation.tables.score_logs import read_scores
    from fuzzytruth.measures import Measure, parse_measure, register
    from fuzzytruth.measures.weighted_displacement import register_quality

#: public name -> module it is imported from when first used, so that the import stays light
_HOME = {
    "AlternativeAnnotator": "fuzzytruth.annotators.model_judges.alternative_annotator",
    "Agreement": "fuzzytruth.annotators.coefficients.agreement",
    "Analysis": "fuzzytruth.analysis.analysis_result",
    "AnnotationOrder": "fuzzytruth.annotators.planning.annotate_next",
    "Assignments": "fuzzytruth.data.assignments",
    "BradleyTerry": "fuzzytruth.evaluation.tables.bradley_terry",
    "ByExample": "fuzzytruth.data.by_example",
    "ByItem": "fuzzytruth.data.by_example",
    "ClassScores": "fuzzytruth.evaluation.tables.class_scores",
    "Comparison": "fuzzytruth.comparison.result",
    "Curves": "fuzzytruth.evaluation.lists.curves",
    "DataCheck": "fuzzytruth.analysis.data_check",
    "DataError": "fuzzytruth.errors",
    "Displacement": "fuzzytruth.evaluation.lists.displacement",
    "Distribution": "fuzzytruth.data.distribution",
    "Dominance": "fuzzytruth.comparison.order_tests",
    "FriedmanResult": "fuzzytruth.comparison.order_tests",
    "FuzzytruthError": "fuzzytruth.errors",
    "FuzzytruthWarning": "fuzzytruth.errors",
    "Gate": "fuzzytruth.comparison.gate",
    "GroupComparison": "fuzzytruth.comparison.compare_groups",
    "IndependenceError": "fuzzytruth.errors",
    "JudgeAgreement": "fuzzytruth.annotators.model_judges.judge_agreement",
    "Judgments": "fuzzytruth.data.judgments",
    "Measure": "fuzzytruth.measures",
    "MeasureError": "fuzzytruth.errors",
    "Membership": "fuzzytruth.data.membership",
    "OptionError": "fuzzytruth.errors",
    "PredictionPowered": "fuzzytruth.annotators.model_judges.prediction_powered",
    "PairwiseAgreement": "fuzzytruth.annotators.coefficients.pairwise_agreement",
    "Plan": "fuzzytruth.annotators.planning.plan",
    "Provenance": "fuzzytruth.evaluation.scores.provenance",
    "QueryDifferences": "fuzzytruth.evaluation.scores.query_differences",
    "RankBiasedOverlap": "fuzzytruth.evaluation.lists.list_similarity",
    "RankDistributions": "fuzzytruth.evaluation.lists.by_rank",
    "RankStability": "fuzzytruth.comparison.rank_stability",
    "Reliability": "fuzzytruth.annotators.influences.reliability",
    "Runs": "fuzzytruth.data.runs",
    "SantiniReport": "fuzzytruth.analysis.santini_result",
    "Scores": "fuzzytruth.evaluation.scores.scores",
    "SubjectInfluence": "fuzzytruth.annotators.influences.influence_result",
    "Superiority": "fuzzytruth.comparison.order_tests",
    "Taxonomy": "fuzzytruth.data.taxonomy",
    "TaxonomyError": "fuzzytruth.errors",
    "alternative_annotator": "fuzzytruth.annotators.model_judges.alternative_annotator",
    "WeightedScores": "fuzzytruth.annotators.influences.reliability",
    "agreement": "fuzzytruth.annotators.coefficients.agreement",
    "analyse": "fuzzytruth.analysis.analyse",
    "annotate_next": "fuzzytruth.annotators.planning.annotate_next",
    "TestResult": "fuzzytruth.comparison.pair_tests",
    "VarianceComponents": "fuzzytruth.annotators.planning.variance_components",
    "as_judgments": "fuzzytruth.data.reading",
    "as_runs": "fuzzytruth.data.reading",
    "bootstrap_shift": "fuzzytruth.comparison.pair_tests",
    "bradley_terry": "fuzzytruth.evaluation.tables.bradley_terry",
    "by_rank": "fuzzytruth.evaluation.lists.by_rank",
    "class_scores": "fuzzytruth.evaluation.tables.class_scores",
    "concat": "fuzzytruth.evaluation.scores.concat",
    "compare": "fuzzytruth.comparison.compare",
    "compare_groups": "fuzzytruth.comparison.compare_groups",
    "curves": "fuzzytruth.evaluation.lists.curves",
    "difference_intervals": "fuzzytruth.comparison.compare",
    "displacement": "fuzzytruth.evaluation.lists.displacement",
    "dominance": "fuzzytruth.comparison.order_tests",
    "equivalence": "fuzzytruth.comparison.margin_tests",
    "evaluate": "fuzzytruth.evaluation.evaluate",
    "f_distribution": "fuzzytruth.data.named_distributions",
    "footrule": "fuzzytruth.evaluation.lists.list_similarity",
    "friedman": "fuzzytruth.comparison.order_tests",
    "gate": "fuzzytruth.comparison.gate",
    "hierarchical_scores": "fuzzytruth.evaluation.tables.class_scores",
    "image_text": "fuzzytruth.evaluation.lists.image_text",
    "judge_agreement": "fuzzytruth.annotators.model_judges.judge_agreement",
    "kendall_distance": "fuzzytruth.evaluation.lists.list_similarity",
    "mcnemar": "fuzzytruth.comparison.pair_tests",
    "non_inferiority": "fuzzytruth.comparison.margin_tests",
    "paired_t": "fuzzytruth.comparison.pair_tests",
    "pairwise_agreement": "fuzzytruth.annotators.coefficients.pairwise_agreement",
    "parse_measure": "fuzzytruth.measures",
    "plan": "fuzzytruth.annotators.planning.plan",
    "poisson_binomial": "fuzzytruth.data.named_distributions",
    "precision_distribution": "fuzzytruth.data.named_distributions",
    "prediction_powered": "fuzzytruth.annotators.model_judges.prediction_powered",
    "probability_scores": "fuzzytruth.evaluation.tables.probability_scores",
    "rank_biased_overlap": "fuzzytruth.evaluation.lists.list_similarity",
    "rank_stability": "fuzzytruth.comparison.rank_stability",
    "read_assignments": "fuzzytruth.data.assignments",
    "read_cla": "fuzzytruth.data.assignments",
    "read_judgments": "fuzzytruth.data.reading",
    "read_runs": "fuzzytruth.data.reading",
    "read_scores": "fuzzytruth.evaluation.tables.score_logs",
    "read_taxonomy": "fuzzytruth.data.assignments",
    "recall_distribution": "fuzzytruth.data.named_distributions",
    "register": "fuzzytruth.measures",
    "register_quality": "fuzzytruth.measures.weighted_displacement",
    "reliability": "fuzzytruth.annotators.influences.reliability",
    "santini_report": "fuzzytruth.analysis.santini_report",
    "sign_flip": "fuzzytruth.comparison.pair_tests",
    "sign_test": "fuzzytruth.comparison.pair_tests",
    "subject_influence": "fuzzytruth.annotators.influences.influence_result",
    "superiority": "fuzzytruth.comparison.order_tests",
    "variance_components": "fuzzytruth.annotators.planning.variance_components",
    "wasserstein": "fuzzytruth.comparison.pair_tests",
    "wilcoxon": "fuzzytruth.comparison.pair_tests",
    "show_versions": "fuzzytruth.core.versions",
}

__all__ = [
    "Agreement",
    "AlternativeAnnotator",
    "Analysis",
    "AnnotationOrder",
    "Assignments",
    "BradleyTerry",
    "ByExample",
    "ByItem",
    "ClassScores",
    "Comparison",
    "Curves",
    "DataCheck",
    "DataError",
    "Displacement",
    "Distribution",
    "Dominance",
    "FriedmanResult",
    "FuzzytruthError",
    "FuzzytruthWarning",
    "Gate",
    "GroupComparison",
    "IndependenceError",
    "JudgeAgreement",
    "Judgments",
    "Measure",
    "MeasureError",
    "Membership",
    "OptionError",
    "PairwiseAgreement",
    "Plan",
    "PredictionPowered",
    "Provenance",
    "QueryDifferences",
    "RankBiasedOverlap",
    "RankDistributions",
    "RankStability",
    "Reliability",
    "Runs",
    "SantiniReport",
    "Scores",
    "SubjectInfluence",
    "Superiority",
    "Taxonomy",
    "TaxonomyError",
    "TestResult",
    "VarianceComponents",
    "WeightedScores",
    "agreement",
    "alternative_annotator",
    "analyse",
    "annotate_next",
    "as_judgments",
    "as_runs",
    "bootstrap_shift",
    "bradley_terry",
    "by_rank",
    "class_scores",
    "compare",
    "compare_groups",
    "concat",
    "curves",
    "datasets",
    "difference_intervals",
    "displacement",
    "dominance",
    "equivalence",
    "evaluate",
    "f_distribution",
    "footrule",
    "friedman",
    "gate",
    "hierarchical_scores",
    "image_text",
    "judge_agreement",
    "kendall_distance",
    "mcnemar",
    "measures",
    "non_inferiority",
    "paired_t",
    "pairwise_agreement",
    "parse_measure",
    "plan",
    "plots",
    "poisson_binomial",
    "precision_distribution",
    "prediction_powered",
    "probability_scores",
    "rank_biased_overlap",
    "rank_stability",
    "read_assignments",
    "read_cla",
    "read_judgments",
    "read_runs",
    "read_scores",
    "read_taxonomy",
    "recall_distribution",
    "register",
    "register_quality",
    "reliability",
    "santini_report",
    "show_versions",
    "sign_flip",
    "sign_test",
    "stats",
    "subject_influence",
    "superiority",
    "variance_components",
    "wasserstein",
    "wilcoxon",
]


def __getattr__(name: str) -> Any:
    if name in ("datasets", "measures", "plots", "stats"):
        return importlib.import_module(f"fuzzytruth.{name}")
    if name == "__version__":
        return importlib.import_module("fuzzytruth.core.versions").own_version()
    if name not in _HOME:
        raise AttributeError(f"module 'fuzzytruth' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

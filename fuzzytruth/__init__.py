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
    from fuzzytruth.analysis.analyse import Analysis, analyse
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
#: public names by the module that has them
_NAMES = {
    "analysis.analyse": "Analysis analyse",
    "analysis.data_check": "DataCheck",
    "analysis.santini_report": "santini_report",
    "analysis.santini_result": "SantiniReport",
    "annotators.coefficients.agreement": "Agreement agreement",
    "annotators.coefficients.pairwise_agreement": "PairwiseAgreement pairwise_agreement",
    "annotators.influences.influence_result": "SubjectInfluence subject_influence",
    "annotators.influences.reliability": "Reliability WeightedScores reliability",
    "annotators.model_judges.alternative_annotator": "AlternativeAnnotator alternative_annotator",
    "annotators.model_judges.judge_agreement": "JudgeAgreement judge_agreement",
    "annotators.model_judges.prediction_powered": "PredictionPowered prediction_powered",
    "annotators.planning.annotate_next": "AnnotationOrder annotate_next",
    "annotators.planning.plan": "Plan plan",
    "annotators.planning.variance_components": "VarianceComponents variance_components",
    "comparison.compare": "compare difference_intervals",
    "comparison.compare_groups": "GroupComparison compare_groups",
    "comparison.gate": "Gate gate",
    "comparison.margin_tests": "equivalence non_inferiority",
    "comparison.order_tests": "Dominance FriedmanResult Superiority dominance friedman superiority",
    "comparison.pair_tests": (
        "TestResult bootstrap_shift mcnemar paired_t sign_flip sign_test wasserstein wilcoxon"
    ),
    "comparison.rank_stability": "RankStability rank_stability",
    "comparison.result": "Comparison",
    "core.versions": "show_versions",
    "data.assignments": "Assignments read_assignments read_cla read_taxonomy",
    "data.by_example": "ByExample ByItem",
    "data.distribution": "Distribution",
    "data.judgments": "Judgments",
    "data.membership": "Membership",
    "data.named_distributions": (
        "f_distribution poisson_binomial precision_distribution recall_distribution"
    ),
    "data.reading": "as_judgments as_runs read_judgments read_runs",
    "data.runs": "Runs",
    "data.taxonomy": "Taxonomy",
    "errors": (
        "DataError FuzzytruthError FuzzytruthWarning IndependenceError MeasureError "
        "OptionError TaxonomyError"
    ),
    "evaluation.evaluate": "evaluate",
    "evaluation.lists.by_rank": "RankDistributions by_rank",
    "evaluation.lists.curves": "Curves curves",
    "evaluation.lists.displacement": "Displacement displacement",
    "evaluation.lists.image_text": "image_text",
    "evaluation.lists.list_similarity": (
        "RankBiasedOverlap footrule kendall_distance rank_biased_overlap"
    ),
    "evaluation.scores.concat": "concat",
    "evaluation.scores.provenance": "Provenance",
    "evaluation.scores.query_differences": "QueryDifferences",
    "evaluation.scores.scores": "Scores",
    "evaluation.tables.bradley_terry": "BradleyTerry bradley_terry",
    "evaluation.tables.class_scores": "ClassScores class_scores hierarchical_scores",
    "evaluation.tables.probability_scores": "probability_scores",
    "evaluation.tables.score_logs": "read_scores",
    "measures": "Measure parse_measure register",
    "measures.weighted_displacement": "register_quality",
}
_HOME = {name: f"fuzzytruth.{module}" for module, names in _NAMES.items() for name in names.split()}

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

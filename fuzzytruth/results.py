"""Classes of results: what functions and methods return."""

from __future__ import annotations

from fuzzytruth.analysis.analyse import Analysis
from fuzzytruth.analysis.crowd_result import Crowd
from fuzzytruth.analysis.data_check import DataCheck
from fuzzytruth.analysis.santini_result import Santini
from fuzzytruth.annotators.coefficients.agreement import Agreement
from fuzzytruth.annotators.coefficients.pairwise_agreement import PairwiseAgreement
from fuzzytruth.annotators.influences.influence_result import SubjectInfluence
from fuzzytruth.annotators.influences.reliability_result import Reliability
from fuzzytruth.annotators.influences.weighted_scores import WeightedScores
from fuzzytruth.annotators.model_judges.alternative_annotator import AlternativeAnnotator
from fuzzytruth.annotators.model_judges.judge_agreement import JudgeAgreement
from fuzzytruth.annotators.model_judges.prediction_powered import PredictionPowered
from fuzzytruth.annotators.planning.annotate_next import AnnotationOrder
from fuzzytruth.annotators.planning.next_votes import NextVotes
from fuzzytruth.annotators.planning.plan import Plan
from fuzzytruth.annotators.planning.variance_components import VarianceComponents
from fuzzytruth.annotators.structure.communities import Communities
from fuzzytruth.annotators.structure.structure import Structure
from fuzzytruth.comparison.compare_groups import GroupComparison
from fuzzytruth.comparison.gate import Gate
from fuzzytruth.comparison.margin_tests import Dominance, FriedmanResult, Superiority
from fuzzytruth.comparison.pair_tests import TestResult
from fuzzytruth.comparison.rank_stability import RankStability
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.data.plurality import Plurality
from fuzzytruth.evaluation.lists.by_rank import RankDistributions
from fuzzytruth.evaluation.lists.curves import Curves
from fuzzytruth.evaluation.lists.displacement import Displacement
from fuzzytruth.evaluation.lists.list_similarity import RankBiasedOverlap
from fuzzytruth.evaluation.scores.query_differences import QueryDifferences
from fuzzytruth.evaluation.scores.score_arrays import Provenance
from fuzzytruth.evaluation.tables.bradley_terry import BradleyTerry
from fuzzytruth.evaluation.tables.class_scores import ClassScores

__all__ = [
    "Agreement",
    "AlternativeAnnotator",
    "Analysis",
    "AnnotationOrder",
    "BradleyTerry",
    "ClassScores",
    "Communities",
    "Comparison",
    "Crowd",
    "Curves",
    "DataCheck",
    "Displacement",
    "Dominance",
    "FriedmanResult",
    "Gate",
    "GroupComparison",
    "JudgeAgreement",
    "NextVotes",
    "PairwiseAgreement",
    "Plan",
    "Plurality",
    "PredictionPowered",
    "Provenance",
    "QueryDifferences",
    "RankBiasedOverlap",
    "RankDistributions",
    "RankStability",
    "Reliability",
    "Santini",
    "Structure",
    "SubjectInfluence",
    "Superiority",
    "TestResult",
    "VarianceComponents",
    "WeightedScores",
]


def __dir__() -> list[str]:
    return __all__

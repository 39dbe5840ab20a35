"""Classes of results: what functions and methods return."""

from fuzzytruth.analysis.analyse import Analysis as Analysis
from fuzzytruth.analysis.crowd_result import Crowd as Crowd
from fuzzytruth.analysis.data_check import DataCheck as DataCheck
from fuzzytruth.analysis.santini_result import Santini as Santini
from fuzzytruth.annotators.coefficients.agreement import Agreement as Agreement
from fuzzytruth.annotators.coefficients.pairwise_agreement import (
    PairwiseAgreement as PairwiseAgreement,
)
from fuzzytruth.annotators.influences.influence_result import SubjectInfluence as SubjectInfluence
from fuzzytruth.annotators.influences.reliability_result import Reliability as Reliability
from fuzzytruth.annotators.influences.weighted_scores import WeightedScores as WeightedScores
from fuzzytruth.annotators.model_judges.alternative_annotator import (
    AlternativeAnnotator as AlternativeAnnotator,
)
from fuzzytruth.annotators.model_judges.judge_agreement import JudgeAgreement as JudgeAgreement
from fuzzytruth.annotators.model_judges.prediction_powered import (
    PredictionPowered as PredictionPowered,
)
from fuzzytruth.annotators.planning.annotate_next import AnnotationOrder as AnnotationOrder
from fuzzytruth.annotators.planning.next_votes import NextVotes as NextVotes
from fuzzytruth.annotators.planning.plan import Plan as Plan
from fuzzytruth.annotators.planning.variance_components import (
    VarianceComponents as VarianceComponents,
)
from fuzzytruth.annotators.structure.communities import Communities as Communities
from fuzzytruth.annotators.structure.structure import Structure as Structure
from fuzzytruth.comparison.compare_groups import GroupComparison as GroupComparison
from fuzzytruth.comparison.gate import Gate as Gate
from fuzzytruth.comparison.margin_tests import Dominance as Dominance
from fuzzytruth.comparison.margin_tests import FriedmanResult as FriedmanResult
from fuzzytruth.comparison.margin_tests import Superiority as Superiority
from fuzzytruth.comparison.pair_tests import TestResult as TestResult
from fuzzytruth.comparison.rank_stability import RankStability as RankStability
from fuzzytruth.comparison.result import Comparison as Comparison
from fuzzytruth.data.plurality import Plurality as Plurality
from fuzzytruth.evaluation.lists.by_rank import RankDistributions as RankDistributions
from fuzzytruth.evaluation.lists.curves import Curves as Curves
from fuzzytruth.evaluation.lists.displacement import Displacement as Displacement
from fuzzytruth.evaluation.lists.list_similarity import RankBiasedOverlap as RankBiasedOverlap
from fuzzytruth.evaluation.scores.query_differences import QueryDifferences as QueryDifferences
from fuzzytruth.evaluation.scores.score_arrays import Provenance as Provenance
from fuzzytruth.evaluation.tables.bradley_terry import BradleyTerry as BradleyTerry
from fuzzytruth.evaluation.tables.class_scores import ClassScores as ClassScores

__all__ = [name for name in dir() if name[0] != "_"]


def __dir__() -> list[str]:
    return __all__

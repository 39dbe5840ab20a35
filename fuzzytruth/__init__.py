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
    from fuzzytruth.analysis.analyse import Analysis as Analysis
    from fuzzytruth.analysis.analyse import analyse as analyse
    from fuzzytruth.analysis.crowd import crowd as crowd
    from fuzzytruth.analysis.crowd_result import Crowd as Crowd
    from fuzzytruth.analysis.data_check import DataCheck as DataCheck
    from fuzzytruth.analysis.santini import santini as santini
    from fuzzytruth.analysis.santini_result import Santini as Santini
    from fuzzytruth.annotators.coefficients.agreement import Agreement as Agreement
    from fuzzytruth.annotators.coefficients.agreement import agreement as agreement
    from fuzzytruth.annotators.coefficients.pairwise_agreement import (
        PairwiseAgreement as PairwiseAgreement,
    )
    from fuzzytruth.annotators.coefficients.pairwise_agreement import (
        pairwise_agreement as pairwise_agreement,
    )
    from fuzzytruth.annotators.influences.influence_result import (
        SubjectInfluence as SubjectInfluence,
    )
    from fuzzytruth.annotators.influences.influence_result import (
        subject_influence as subject_influence,
    )
    from fuzzytruth.annotators.influences.reliability import reliability as reliability
    from fuzzytruth.annotators.influences.reliability_result import Reliability as Reliability
    from fuzzytruth.annotators.influences.weighted_scores import WeightedScores as WeightedScores
    from fuzzytruth.annotators.model_judges.alternative_annotator import (
        AlternativeAnnotator as AlternativeAnnotator,
    )
    from fuzzytruth.annotators.model_judges.alternative_annotator import (
        alternative_annotator as alternative_annotator,
    )
    from fuzzytruth.annotators.model_judges.judge_agreement import JudgeAgreement as JudgeAgreement
    from fuzzytruth.annotators.model_judges.judge_agreement import (
        judge_agreement as judge_agreement,
    )
    from fuzzytruth.annotators.model_judges.prediction_powered import (
        PredictionPowered as PredictionPowered,
    )
    from fuzzytruth.annotators.model_judges.prediction_powered import (
        prediction_powered as prediction_powered,
    )
    from fuzzytruth.annotators.planning.annotate_next import AnnotationOrder as AnnotationOrder
    from fuzzytruth.annotators.planning.annotate_next import annotate_next as annotate_next
    from fuzzytruth.annotators.planning.next_votes import NextVotes as NextVotes
    from fuzzytruth.annotators.planning.plan import Plan as Plan
    from fuzzytruth.annotators.planning.plan import plan as plan
    from fuzzytruth.annotators.planning.variance_components import (
        VarianceComponents as VarianceComponents,
    )
    from fuzzytruth.annotators.planning.variance_components import (
        variance_components as variance_components,
    )
    from fuzzytruth.annotators.structure.communities import Communities as Communities
    from fuzzytruth.annotators.structure.communities import communities as communities
    from fuzzytruth.annotators.structure.structure import Structure as Structure
    from fuzzytruth.annotators.structure.structure import structure as structure
    from fuzzytruth.comparison.compare import compare as compare
    from fuzzytruth.comparison.compare import difference_intervals as difference_intervals
    from fuzzytruth.comparison.compare_groups import GroupComparison as GroupComparison
    from fuzzytruth.comparison.compare_groups import compare_groups as compare_groups
    from fuzzytruth.comparison.gate import Gate as Gate
    from fuzzytruth.comparison.gate import gate as gate
    from fuzzytruth.comparison.margin_tests import Dominance as Dominance
    from fuzzytruth.comparison.margin_tests import FriedmanResult as FriedmanResult
    from fuzzytruth.comparison.margin_tests import Superiority as Superiority
    from fuzzytruth.comparison.margin_tests import dominance as dominance
    from fuzzytruth.comparison.margin_tests import equivalence as equivalence
    from fuzzytruth.comparison.margin_tests import friedman as friedman
    from fuzzytruth.comparison.margin_tests import non_inferiority as non_inferiority
    from fuzzytruth.comparison.margin_tests import superiority as superiority
    from fuzzytruth.comparison.pair_tests import TestResult as TestResult
    from fuzzytruth.comparison.pair_tests import bootstrap_shift as bootstrap_shift
    from fuzzytruth.comparison.pair_tests import mcnemar as mcnemar
    from fuzzytruth.comparison.pair_tests import paired_t as paired_t
    from fuzzytruth.comparison.pair_tests import sign_flip as sign_flip
    from fuzzytruth.comparison.pair_tests import sign_test as sign_test
    from fuzzytruth.comparison.pair_tests import wasserstein as wasserstein
    from fuzzytruth.comparison.pair_tests import wilcoxon as wilcoxon
    from fuzzytruth.comparison.rank_stability import RankStability as RankStability
    from fuzzytruth.comparison.rank_stability import rank_stability as rank_stability
    from fuzzytruth.comparison.result import Comparison as Comparison
    from fuzzytruth.core.versions import show_versions as show_versions
    from fuzzytruth.data.assignments import Assignments as Assignments
    from fuzzytruth.data.assignments import read_assignments as read_assignments
    from fuzzytruth.data.assignments import read_cla as read_cla
    from fuzzytruth.data.by_example import ByExample as ByExample
    from fuzzytruth.data.by_example import ByItem as ByItem
    from fuzzytruth.data.distribution import Distribution as Distribution
    from fuzzytruth.data.judgments import Judgments as Judgments
    from fuzzytruth.data.membership import Membership as Membership
    from fuzzytruth.data.named_distributions import f_distribution as f_distribution
    from fuzzytruth.data.named_distributions import poisson_binomial as poisson_binomial
    from fuzzytruth.data.named_distributions import precision_distribution as precision_distribution
    from fuzzytruth.data.named_distributions import recall_distribution as recall_distribution
    from fuzzytruth.data.plurality import Plurality as Plurality
    from fuzzytruth.data.reading import as_judgments as as_judgments
    from fuzzytruth.data.reading import as_runs as as_runs
    from fuzzytruth.data.reading import read_judgments as read_judgments
    from fuzzytruth.data.reading import read_runs as read_runs
    from fuzzytruth.data.runs import Runs as Runs
    from fuzzytruth.data.taxonomy import Taxonomy as Taxonomy
    from fuzzytruth.data.taxonomy import read_taxonomy as read_taxonomy
    from fuzzytruth.errors import DataError as DataError
    from fuzzytruth.errors import FuzzytruthError as FuzzytruthError
    from fuzzytruth.errors import FuzzytruthWarning as FuzzytruthWarning
    from fuzzytruth.errors import IndependenceError as IndependenceError
    from fuzzytruth.errors import MeasureError as MeasureError
    from fuzzytruth.errors import OptionError as OptionError
    from fuzzytruth.errors import TaxonomyError as TaxonomyError
    from fuzzytruth.evaluation.evaluate import evaluate as evaluate
    from fuzzytruth.evaluation.lists.by_rank import RankDistributions as RankDistributions
    from fuzzytruth.evaluation.lists.by_rank import by_rank as by_rank
    from fuzzytruth.evaluation.lists.curves import Curves as Curves
    from fuzzytruth.evaluation.lists.curves import curves as curves
    from fuzzytruth.evaluation.lists.displacement import Displacement as Displacement
    from fuzzytruth.evaluation.lists.displacement import displacement as displacement
    from fuzzytruth.evaluation.lists.image_text import image_text as image_text
    from fuzzytruth.evaluation.lists.list_similarity import RankBiasedOverlap as RankBiasedOverlap
    from fuzzytruth.evaluation.lists.list_similarity import footrule as footrule
    from fuzzytruth.evaluation.lists.list_similarity import kendall_distance as kendall_distance
    from fuzzytruth.evaluation.lists.list_similarity import (
        rank_biased_overlap as rank_biased_overlap,
    )
    from fuzzytruth.evaluation.scores.concat import concat as concat
    from fuzzytruth.evaluation.scores.query_differences import QueryDifferences as QueryDifferences
    from fuzzytruth.evaluation.scores.score_arrays import Provenance as Provenance
    from fuzzytruth.evaluation.scores.scores import Scores as Scores
    from fuzzytruth.evaluation.tables.bradley_terry import BradleyTerry as BradleyTerry
    from fuzzytruth.evaluation.tables.bradley_terry import bradley_terry as bradley_terry
    from fuzzytruth.evaluation.tables.class_scores import ClassScores as ClassScores
    from fuzzytruth.evaluation.tables.class_scores import class_scores as class_scores
    from fuzzytruth.evaluation.tables.class_scores import hierarchical_scores as hierarchical_scores
    from fuzzytruth.evaluation.tables.probability_scores import (
        probability_scores as probability_scores,
    )
    from fuzzytruth.evaluation.tables.score_logs import read_scores as read_scores
    from fuzzytruth.measures import Measure as Measure
    from fuzzytruth.measures import parse_measure as parse_measure
    from fuzzytruth.measures import register as register
    from fuzzytruth.measures.weighted_displacement import register_quality as register_quality

#: public names by the module that has them, imported when first used: `import fuzzytruth` is light
_NAMES = {
    "analysis.analyse": "Analysis analyse",
    "analysis.data_check": "DataCheck",
    "analysis.crowd": "crowd",
    "analysis.crowd_result": "Crowd",
    "analysis.santini": "santini",
    "analysis.santini_result": "Santini",
    "annotators.coefficients.agreement": "Agreement agreement",
    "annotators.coefficients.pairwise_agreement": "PairwiseAgreement pairwise_agreement",
    "annotators.influences.influence_result": "SubjectInfluence subject_influence",
    "annotators.influences.reliability": "reliability",
    "annotators.influences.reliability_result": "Reliability",
    "annotators.influences.weighted_scores": "WeightedScores",
    "annotators.model_judges.alternative_annotator": "AlternativeAnnotator alternative_annotator",
    "annotators.model_judges.judge_agreement": "JudgeAgreement judge_agreement",
    "annotators.model_judges.prediction_powered": "PredictionPowered prediction_powered",
    "annotators.planning.annotate_next": "AnnotationOrder annotate_next",
    "annotators.planning.next_votes": "NextVotes",
    "annotators.structure.communities": "Communities communities",
    "annotators.structure.structure": "Structure structure",
    "annotators.planning.plan": "Plan plan",
    "annotators.planning.variance_components": "VarianceComponents variance_components",
    "comparison.compare": "compare difference_intervals",
    "comparison.compare_groups": "GroupComparison compare_groups",
    "comparison.gate": "Gate gate",
    "comparison.margin_tests": (
        "Dominance FriedmanResult Superiority dominance equivalence friedman non_inferiority "
        "superiority"
    ),
    "comparison.pair_tests": (
        "TestResult bootstrap_shift mcnemar paired_t sign_flip sign_test wasserstein wilcoxon"
    ),
    "comparison.rank_stability": "RankStability rank_stability",
    "comparison.result": "Comparison",
    "core.versions": "show_versions",
    "data.assignments": "Assignments read_assignments read_cla",
    "data.by_example": "ByExample ByItem",
    "data.distribution": "Distribution",
    "data.judgments": "Judgments",
    "data.membership": "Membership",
    "data.named_distributions": (
        "f_distribution poisson_binomial precision_distribution recall_distribution"
    ),
    "data.plurality": "Plurality",
    "data.reading": "as_judgments as_runs read_judgments read_runs",
    "data.runs": "Runs",
    "data.taxonomy": "Taxonomy read_taxonomy",
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
    "evaluation.scores.score_arrays": "Provenance",
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

_PACKAGES = ("datasets", "measures", "plots", "stats")
_PUBLIC = sorted((*_HOME, *_PACKAGES))
if not TYPE_CHECKING:  # for type checkers, public is what is imported above
    __all__ = _PUBLIC


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"fuzzytruth.{name}")
    if name == "__version__":
        return importlib.import_module("fuzzytruth.core.versions").own_version()
    if name not in _HOME:
        raise AttributeError(f"module 'fuzzytruth' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return _PUBLIC

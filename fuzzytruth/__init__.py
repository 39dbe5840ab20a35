"""Evaluate ranking systems when the people who gave the ground truth disagree.

Read: `read_judgments`, `read_runs`, `read_scores`, `read_assignments`, `read_taxonomy`. Evaluate:
`evaluate`, `by_rank`, `curves`, `displacement`, `image_text`. Compare: `compare`, `compare_groups`,
`gate`, `rank_stability`, `bradley_terry`. All at once: `analyse`, `santini`, `crowd`. People:
`agreement`, `pairwise_agreement`, `judge_agreement`, `alternative_annotator`, `reliability`,
`subject_influence`, `structure`, `communities`, `prediction_powered`. Plan: `plan`,
`variance_components`, `annotate_next`. Namespaces: `measures`, `tests` (of two systems), `lists`,
`classification`, `stats` (of arrays), `plots`, `datasets`, `results`, `errors`.

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

    from fuzzytruth import classification as classification
    from fuzzytruth import datasets as datasets
    from fuzzytruth import errors as errors
    from fuzzytruth import lists as lists
    from fuzzytruth import measures as measures
    from fuzzytruth import plots as plots
    from fuzzytruth import results as results
    from fuzzytruth import stats as stats
    from fuzzytruth import tests as tests
    from fuzzytruth.analysis.analyse import analyse as analyse
    from fuzzytruth.analysis.crowd import crowd as crowd
    from fuzzytruth.analysis.santini import santini as santini
    from fuzzytruth.annotators.coefficients.agreement import agreement as agreement
    from fuzzytruth.annotators.coefficients.pairwise_agreement import (
        pairwise_agreement as pairwise_agreement,
    )
    from fuzzytruth.annotators.influences.influence_result import (
        subject_influence as subject_influence,
    )
    from fuzzytruth.annotators.influences.reliability import reliability as reliability
    from fuzzytruth.annotators.model_judges.alternative_annotator import (
        alternative_annotator as alternative_annotator,
    )
    from fuzzytruth.annotators.model_judges.judge_agreement import (
        judge_agreement as judge_agreement,
    )
    from fuzzytruth.annotators.model_judges.prediction_powered import (
        prediction_powered as prediction_powered,
    )
    from fuzzytruth.annotators.planning.annotate_next import annotate_next as annotate_next
    from fuzzytruth.annotators.planning.plan import plan as plan
    from fuzzytruth.annotators.planning.variance_components import (
        variance_components as variance_components,
    )
    from fuzzytruth.annotators.structure.communities import communities as communities
    from fuzzytruth.annotators.structure.structure import structure as structure
    from fuzzytruth.comparison.compare import compare as compare
    from fuzzytruth.comparison.compare_groups import compare_groups as compare_groups
    from fuzzytruth.comparison.gate import gate as gate
    from fuzzytruth.comparison.rank_stability import rank_stability as rank_stability
    from fuzzytruth.core.versions import show_versions as show_versions
    from fuzzytruth.data.assignments import Assignments as Assignments
    from fuzzytruth.data.assignments import read_assignments as read_assignments
    from fuzzytruth.data.assignments import read_cla as read_cla
    from fuzzytruth.data.by_example import ByExample as ByExample
    from fuzzytruth.data.by_example import ByItem as ByItem
    from fuzzytruth.data.distribution import Distribution as Distribution
    from fuzzytruth.data.judgments import Judgments as Judgments
    from fuzzytruth.data.membership import Membership as Membership
    from fuzzytruth.data.reading import as_judgments as as_judgments
    from fuzzytruth.data.reading import as_runs as as_runs
    from fuzzytruth.data.reading import read_judgments as read_judgments
    from fuzzytruth.data.reading import read_runs as read_runs
    from fuzzytruth.data.runs import Runs as Runs
    from fuzzytruth.data.taxonomy import Taxonomy as Taxonomy
    from fuzzytruth.data.taxonomy import read_taxonomy as read_taxonomy
    from fuzzytruth.errors import FuzzytruthError as FuzzytruthError
    from fuzzytruth.errors import FuzzytruthWarning as FuzzytruthWarning
    from fuzzytruth.evaluation.evaluate import evaluate as evaluate
    from fuzzytruth.evaluation.lists.by_rank import by_rank as by_rank
    from fuzzytruth.evaluation.lists.curves import curves as curves
    from fuzzytruth.evaluation.lists.displacement import displacement as displacement
    from fuzzytruth.evaluation.lists.image_text import image_text as image_text
    from fuzzytruth.evaluation.scores.concat import concat as concat
    from fuzzytruth.evaluation.scores.scores import Scores as Scores
    from fuzzytruth.evaluation.tables.bradley_terry import bradley_terry as bradley_terry
    from fuzzytruth.evaluation.tables.score_logs import read_scores as read_scores

#: public names by the module that has them, imported when first used: `import fuzzytruth` is light
_NAMES = {
    "analysis.analyse": "analyse",
    "analysis.crowd": "crowd",
    "analysis.santini": "santini",
    "annotators.coefficients.agreement": "agreement",
    "annotators.coefficients.pairwise_agreement": "pairwise_agreement",
    "annotators.influences.influence_result": "subject_influence",
    "annotators.influences.reliability": "reliability",
    "annotators.model_judges.alternative_annotator": "alternative_annotator",
    "annotators.model_judges.judge_agreement": "judge_agreement",
    "annotators.model_judges.prediction_powered": "prediction_powered",
    "annotators.planning.annotate_next": "annotate_next",
    "annotators.planning.plan": "plan",
    "annotators.planning.variance_components": "variance_components",
    "annotators.structure.communities": "communities",
    "annotators.structure.structure": "structure",
    "comparison.compare": "compare",
    "comparison.compare_groups": "compare_groups",
    "comparison.gate": "gate",
    "comparison.rank_stability": "rank_stability",
    "core.versions": "show_versions",
    "data.assignments": "Assignments read_assignments read_cla",
    "data.by_example": "ByExample ByItem",
    "data.distribution": "Distribution",
    "data.judgments": "Judgments",
    "data.membership": "Membership",
    "data.reading": "as_judgments as_runs read_judgments read_runs",
    "data.runs": "Runs",
    "data.taxonomy": "Taxonomy read_taxonomy",
    "errors": "FuzzytruthError FuzzytruthWarning",
    "evaluation.evaluate": "evaluate",
    "evaluation.lists.by_rank": "by_rank",
    "evaluation.lists.curves": "curves",
    "evaluation.lists.displacement": "displacement",
    "evaluation.lists.image_text": "image_text",
    "evaluation.scores.concat": "concat",
    "evaluation.scores.scores": "Scores",
    "evaluation.tables.bradley_terry": "bradley_terry",
    "evaluation.tables.score_logs": "read_scores",
}
_HOME = {name: f"fuzzytruth.{module}" for module, names in _NAMES.items() for name in names.split()}

_NAMESPACES = (
    "classification",
    "datasets",
    "errors",
    "lists",
    "measures",
    "plots",
    "results",
    "stats",
    "tests",
)
_PUBLIC = sorted((*_HOME, *_NAMESPACES))
if not TYPE_CHECKING:  # for type checkers, public is what is imported above
    __all__ = _PUBLIC


def __getattr__(name: str) -> Any:
    if name in _NAMESPACES:
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

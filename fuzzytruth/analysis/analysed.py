"""Parts of an analysis: what modules that show it are given."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth.analysis.data_check import DataCheck
from fuzzytruth.comparison.by_subject import SubjectComparisons
from fuzzytruth.comparison.rank_stability import RankStability
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.evaluation.score_rows import ScoreRows
from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Analysed:
    """See `Analysis` for the parameters."""

    data: DataCheck
    scores: Scores
    rows: ScoreRows
    comparison: Comparison | None
    both: Comparison | None
    by_subject: SubjectComparisons | None
    stability: RankStability | None
    level: float

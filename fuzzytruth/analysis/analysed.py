"""Parts of an analysis: what modules that show it are given."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth.analysis.data_check import DataCheck
from fuzzytruth.analysis.sources import Sources
from fuzzytruth.comparison.by_subject import SubjectComparisons
from fuzzytruth.comparison.rank_stability import RankStability
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.lazy import Lazy
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
    lazy_sources: Lazy[Sources | None]

    @property
    def sources(self) -> Sources | None:
        """Agreement of subjects and ties of runs, computed when asked for; None of scores."""
        return self.lazy_sources.value

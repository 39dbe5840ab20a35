"""Tables of a comparison and its conditions: what modules that show it are given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fuzzytruth._lazy import pd
from fuzzytruth.comparison import tables as text
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.core.lazy import Lazy, Memo
from fuzzytruth.stats.multiplicity import Family

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Compared:
    """See `Comparison` for the parameters."""

    table: pd.DataFrame
    means: pd.DataFrame
    lazy_beside: Lazy[pd.DataFrame | None]
    conditions: Conditions
    family: Family
    scores: Scores
    known: Memo = field(default_factory=Memo, init=False)

    @property
    def beside(self) -> pd.DataFrame | None:
        """The same differences over queries, over subjects (or worlds), and over both, together.

        Each is adjusted by Bonferroni; None where scores have neither crossed subjects nor worlds,
        or queries are in clusters or strata. Computed when first asked for.
        """
        return self.lazy_beside.value

    def superscripts(self) -> pd.DataFrame:
        """For each system and measure, the letters of the systems that it beats.

        Letters follow the systems' order: a to z, then aa, ab and so on, separated by commas if
        there are more than 26 systems.
        """
        return text.superscripts(self.table, self.means, self.conditions)

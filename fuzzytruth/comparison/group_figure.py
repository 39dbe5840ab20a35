"""What the figure of a comparison of groups of subjects is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from fuzzytruth.comparison.assumptions import size_text
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import intervals_text
from fuzzytruth.errors import first_few
from fuzzytruth.evaluation.measure_names import with_direction
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd

_MOST_GROUPS = 4  # that the title names


class Groups(Protocol):
    """A `GroupComparison`, as far as it is drawn."""

    @property
    def differences(self) -> pd.DataFrame:
        """Of the systems, by each group."""
        ...

    @property
    def between(self) -> pd.DataFrame:
        """Of the groups."""
        ...

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """The subjects of each."""
        ...

    @property
    def conditions(self) -> Conditions:
        """Of `between`."""
        ...

    @property
    def within(self) -> Conditions:
        """Of `differences`."""
        ...


def group_figure(result: Groups, measure: str | None) -> PlotData:
    """Rows of one measure, with groups in place of subjects, and a title.

    Raises
    ------
    OptionError
        There is no such measure.
    """
    within, chosen = result.within, result.conditions.measure_of(measure)
    rows = result.differences[result.differences["measure"] == chosen]
    apart = result.between[result.between["measure"] == chosen]["significant"]
    name = with_direction(chosen, higher_is_better=within.better_up(chosen))
    sizes = (f"{group} ({len(members):,})" for group, members in result.groups.items())
    queries = size_text(within.n_queries, "query", rows, "n_queries")
    intervals = intervals_text(within)
    where = "within" if intervals.startswith("simultaneous") else "of"
    title = (
        f"{name}: differences by groups of subjects, {first_few(sizes, _MOST_GROUPS)}, "
        f"over {queries}\n{intervals[:1].upper()}{intervals[1:]} {where} each group over "
        f"{within.random}; differences between groups significant: {int(apart.sum()):,} of "
        f"{len(apart):,}"
    )
    return PlotData(rows.rename(columns={"group": "subject"}), title)

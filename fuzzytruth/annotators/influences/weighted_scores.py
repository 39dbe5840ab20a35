"""Means of systems under the votes, and under a model of who is reliable."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth._lazy import pd
from fuzzytruth.errors import counted, first_few
from fuzzytruth.show.answer import FrameColumns, Printed, Result, Sentences, printed_table
from fuzzytruth.show.number_text import numbers_format

_MOST_ROWS = 20
ASSUMES = (
    "The model assumes one true answer for each item, and errors that are independent between "
    "subjects given it. It sharpens: people who disagree for good reasons are taken to err, and "
    "near-duplicate judges count as independent evidence."
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeightedScores(Result):
    """Means of systems under the votes, and under a model of who is reliable.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    method : str
    """

    table: pd.DataFrame
    method: str

    @property
    def order_changes(self) -> bool:
        """Whether any rank differs."""
        return bool((self.table["rank"] != self.table["rank_weighted"]).any())

    def __repr__(self) -> str:
        systems = counted(self.table["system"].nunique(), "system")
        order = "changes" if self.order_changes else "stays"
        return f"WeightedScores({self.method}: {systems}, the order {order})"

    def to_frame(self) -> pd.DataFrame:
        """One row for each measure and system.

        Columns: measure, system, unweighted and weighted (means over queries of expected values
        over independent worlds), change (weighted - unweighted), rank (unweighted), rank_weighted.
        """
        return self.table.copy()

    def _answer(self) -> Printed:
        table = self.table
        names = [*dict.fromkeys(table["measure"])]
        shown = table.sort_values("rank", kind="stable")
        shown = shown.sort_values(
            "measure", key=lambda column: column.map(names.index), kind="stable"
        )
        style = numbers_format([*table["unweighted"], *table["weighted"]])
        columns: FrameColumns = {
            "measure": "measure" if len(names) > 1 else None,
            "system": "system",
            "unweighted": ("unweighted", style),
            "weighted": ("weighted", style),
            "change": ("change", f"+{style}"),
            "rank": ("rank", "{:g}".format),
            "rank_weighted": ("weighted", "{:g}".format),
        }
        moved = table[table["rank"] != table["rank_weighted"]]
        changes = f"{len(moved):,} of {counted(len(table), 'rank')} change" + (
            f": {first_few(moved['system'].drop_duplicates(), 4)}" if len(moved) else ""
        )
        return Printed.of(
            f"Means of {counted(table['system'].nunique(), 'system')} by {first_few(names, 3)}, "
            f"unweighted and weighted by {self.method}",
            Sentences.of(f"Under the model {changes}."),
            printed_table(shown, columns, limit=_MOST_ROWS),
            Sentences.of(
                "Means over queries of expected values: each item's truth is drawn from its votes "
                "(unweighted), or from the model's posterior (weighted).",
                ASSUMES,
            ),
        )

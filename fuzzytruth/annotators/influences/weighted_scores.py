"""`WeightedScores`: scores under a model of reliability beside those under the votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.annotators.influences.influence_tables import ranks
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table, first_rows
from fuzzytruth.show.number_text import numbers_format, written

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
        columns = [
            Column.label("system", shown["system"]),
            *(
                Column(name, tuple(written(x, style, signed=name == "change") for x in shown[name]))
                for name in ("unweighted", "weighted", "change")
            ),
            Column("rank", tuple(f"{rank:g}" for rank in shown["rank"])),
            Column("weighted", tuple(f"{rank:g}" for rank in shown["rank_weighted"])),
        ]
        if len(names) > 1:
            columns.insert(0, Column.label("measure", shown["measure"]))
        kept, left = first_rows(columns, _MOST_ROWS)
        moved = table[table["rank"] != table["rank_weighted"]]
        changes = f"{len(moved):,} of {counted(len(table), 'rank')} change" + (
            f": {first_few(moved['system'].drop_duplicates(), 4)}" if len(moved) else ""
        )
        more = f"the first {_MOST_ROWS} of {len(table):,}" if left else ""
        return Printed.of(
            f"Means of {counted(table['system'].nunique(), 'system')} by {first_few(names, 3)}, "
            f"unweighted and weighted by {self.method}",
            Sentences.of(f"Under the model {changes}."),
            Table(kept, more),
            Sentences.of(
                "Means over queries of expected values: each item's truth is drawn from its votes "
                "(unweighted), or from the model's posterior (weighted).",
                ASSUMES,
            ),
        )


def weighted_scores(
    votes: Any, posterior: Any, runs: Any, measures: Any, *, method: str, options: dict[str, Any]
) -> WeightedScores:
    """Evaluate votes and posterior in the same way."""
    plain = evaluate(votes, runs, measures, worlds="independent", **options)
    weighted = evaluate(posterior, runs, measures, worlds="independent", **options)
    up = np.where(plain.higher_is_better, 1.0, -1.0)
    before, after = (one.mean().to_numpy(dtype=float) for one in (plain, weighted))
    scale = np.fmax(np.abs(before), np.abs(after)).max(axis=0)
    k, m = before.shape
    columns = {
        "unweighted": before,
        "weighted": after,
        "change": after - before,
        "rank": ranks(up * before, scale),
        "rank_weighted": ranks(up * after, scale),
    }
    table = pd.DataFrame(
        {
            "measure": np.repeat(np.array(plain.measures, dtype=object), k),
            "system": np.tile(np.array(plain.systems, dtype=object), m),
            **{name: values.T.ravel() for name, values in columns.items()},
        }
    )
    return WeightedScores(table.astype({"measure": str, "system": str}), method)

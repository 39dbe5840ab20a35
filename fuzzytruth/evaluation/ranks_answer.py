"""What is printed of distributions of precision and recall by rank."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Protocol

from fuzzytruth.errors import counted
from fuzzytruth.evaluation.cloud_answer import legend, precision_and_recall
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import few_ranks, short_id

if TYPE_CHECKING:
    from fuzzytruth.data.distribution.distribution import Distribution

MOST_LISTS = 4
#: items from which a single list is shown, for recall takes longer the more items there are
MANY_ITEMS = 20_000


class OfRanks(Protocol):
    """A `RankDistributions`, as far as it is printed."""

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        ...

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the queries."""
        ...

    @property
    def depth(self) -> int:
        """Deepest rank."""
        ...

    def precision(self, system: str, query: str, k: int) -> Distribution:
        """Distribution of precision at rank k."""
        ...

    def recall(self, system: str, query: str, k: int) -> Distribution:
        """Distribution of recall at rank k."""
        ...


def ranks_answer(ranks: OfRanks, n_items: int) -> Printed:
    """What `print` shows: expected precision and recall of a few lists at a few ranks."""
    n_lists = len(ranks.systems) * len(ranks.queries)
    shown = min(n_lists, MOST_LISTS if n_items < MANY_ITEMS else 1)
    lists = list(islice(((s, q) for q, s in product(ranks.queries, ranks.systems)), shown))
    rows = [(s, q, k) for s, q in lists for k in few_ranks(ranks.depth, 12 // shown)]
    columns = (
        Column.label("system", (short_id(system) for system, _, _ in rows)),
        Column.label("query", (short_id(query) for _, query, _ in rows)),
        Column.label("rank", (rank for _, _, rank in rows)),
        *precision_and_recall(
            [ranks.precision(*row) for row in rows], [ranks.recall(*row) for row in rows]
        ),
    )
    title = f"The first {shown} of {counted(n_lists, 'list')}" if shown < n_lists else ""
    return Printed.of(
        f"Precision and recall as distributions: {counted(len(ranks.systems), 'system')}, "
        f"{counted(len(ranks.queries), 'query')}, ranks 1 to {ranks.depth:,}",
        Table(columns, title),
        legend(),
        Sentences.of("More: .to_frame(full=True), .mean_curve(), .precision(system, query, k)"),
    )

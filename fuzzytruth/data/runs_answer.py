"""What is printed of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fuzzytruth.data.ranking import Ranking
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import FIRST_ROWS, first_rows_table, short_id

MOST_SYSTEMS = 15


def runs_answer(rankings: Mapping[str, Ranking]) -> Printed:
    """What `print` shows: the size of each run, and the best items of one list."""
    n_rows = sum(map(len, rankings.values()))
    return Printed.of(
        f"Runs of {counted(len(rankings), 'system')}: {counted(n_rows, 'retrieved item')}",
        _sizes(rankings),
        _first_list(rankings, n_rows),
        Sentences.of("More: .to_frame(), .systems"),
    )


def _sizes(rankings: Mapping[str, Ranking]) -> Table:
    """Queries and lengths of lists of each system."""
    shown = list(rankings.items())[:MOST_SYSTEMS]
    title = ""
    if len(rankings) > MOST_SYSTEMS:
        title = f"The first {MOST_SYSTEMS} of {len(rankings):,} systems"
    return Table(
        (
            Column.label("system", (short_id(name) for name, _ in shown)),
            Column("queries", tuple(f"{len(one.queries):,}" for _, one in shown)),
            Column("items", tuple(f"{len(one):,}" for _, one in shown)),
            Column("items a query", tuple(_lengths(one) for _, one in shown)),
        ),
        title,
    )


def _lengths(ranking: Ranking) -> str:
    """The shortest and the longest list."""
    length = np.bincount(ranking.query, minlength=len(ranking.queries))
    if not len(length):
        return "–"
    least, most = int(length.min()), int(length.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _first_list(rankings: Mapping[str, Ranking], n_rows: int) -> Table | None:
    """The best items of the first list."""
    if not n_rows:
        return None
    name, ranking = next((name, one) for name, one in rankings.items() if len(one))
    rows = np.flatnonzero(ranking.query == ranking.query[0])
    best = rows[np.argsort(-ranking.score[rows], kind="stable")[:FIRST_ROWS]].tolist()
    columns: dict[str, Any] = {
        "system": [name] * len(best),
        "query": [ranking.queries[int(ranking.query[row])] for row in best],
        "item": [ranking.item[row].as_py() for row in best],
        "score": [float(ranking.score[row]) for row in best],
    }
    return first_rows_table(columns, n_rows, rest=".to_frame()")

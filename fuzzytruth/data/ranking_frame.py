"""Rankings as one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.ranks import rank_order
from fuzzytruth.io.arrow import take

if TYPE_CHECKING:
    import pandas as pd


def ranking_frame(rankings: Mapping[str, Ranking]) -> pd.DataFrame:
    """One row a retrieved item: system, query, item, rank, score; see `Runs.to_frame`."""
    import pandas as pd

    parts = []
    for system, ranking in rankings.items():
        order, rank = rank_order(ranking)
        ids = np.array(ranking.queries, dtype=object)
        parts.append(
            pd.DataFrame(
                {
                    "system": system,
                    "query": ids[ranking.query[order]],
                    "item": take(ranking.item, order).to_pylist(),
                    "rank": rank,
                    "score": ranking.score[order],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)

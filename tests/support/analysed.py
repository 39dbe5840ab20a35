"""Judgments by three people, and systems that differ, for tests of `analyse`."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

N_QUERIES = 12
ITEMS = [f"d{j}" for j in range(8)]


@cache
def truth() -> ft.Judgments:
    """Everybody judged every item; the first items are more often relevant."""
    rng = np.random.default_rng(8)
    rows = [
        (f"q{q}", item, subject, int(rng.random() < 0.9 - 0.1 * j))
        for q in range(N_QUERIES)
        for j, item in enumerate(ITEMS)
        for subject in ("ann", "bob", "cyd")
    ]
    return ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )


@cache
def runs() -> dict[str, dict[str, list[str]]]:
    """A good system, one that is little worse, and the reverse of the good one."""
    close = [ITEMS[1], ITEMS[0], *ITEMS[2:]]
    lists = {"good": ITEMS, "close": close, "bad": ITEMS[::-1]}
    return {name: {f"q{q}": items for q in range(N_QUERIES)} for name, items in lists.items()}


@cache
def analysis(*measures: str, **options: Any) -> ft.results.Analysis:
    return ft.analyse(truth(), runs(), list(measures or ("AP",)), n_resamples=199, **options)

"""Scores of a crowd: many subjects who each judged a few of many queries."""

import numpy as np
import pandas as pd

import fuzzytruth as ft


def crowd(n_subjects: int = 10_000, n_queries: int = 100_000, each: int = 20) -> ft.Scores:
    """Three systems, one of them better; 24 GB as a dense table."""
    rng = np.random.default_rng(0)
    query = rng.integers(0, n_queries, n_subjects * each)
    pair = np.unique(np.repeat(np.arange(n_subjects), each) * n_queries + query)
    subject, query = pair // n_queries, pair % n_queries
    values = rng.normal(size=n_queries)[query] + rng.normal(0, 0.3, n_subjects)[subject]
    values = values + rng.normal(0, 0.4, (3, len(pair))) + np.array([[0.0], [0.0], [0.02]])
    return ft.Scores.from_frame(
        pd.DataFrame(
            {
                "system": np.repeat(["a", "b", "c"], len(pair)),
                "query": np.tile(query, 3),
                "subject": np.tile(subject, 3),
                "value": values.ravel(),
            }
        )
    )

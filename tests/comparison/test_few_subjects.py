"""What is said of few subjects, where queries are in clusters and where nothing is borrowed."""

import re

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.comparison.few_subjects import cannot_tell, over_queries

BOTH = ("query", "subject")


def in_clusters(n_subjects: int) -> ft.Scores:
    """Four systems, 8 clusters of 10 queries, that differ by cluster and hardly else."""
    rng = np.random.default_rng(1)
    of_cluster = rng.normal(0, 0.5, (4, 8)).repeat(10, axis=1)[..., None]
    values = of_cluster + rng.normal(0, 0.05, (4, 80, n_subjects))
    rows = [
        (f"s{system}", query, f"p{subject}", query // 10, value)
        for (system, query, subject), value in np.ndenumerate(values)
    ]
    frame = pd.DataFrame(rows, columns=["system", "query", "subject", "c", "value"])
    return ft.Scores.from_frame(frame, clusters="c")


def test_more_subjects_of_clusters() -> None:
    """The forecast is of the same clusters, not of as many queries without clusters."""
    two, three = (ft.compare(in_clusters(n), over=BOTH, clusters="c") for n in (2, 3))
    text = cannot_tell(two, "value")
    assert len(over_queries(two, "value")) == 6
    assert "Over clusters of queries alone 0 of 6 pairs differ" in text
    found = re.search(r"With 3 subjects .* about ±(\S+)\.", text)
    assert found is not None
    half = (three.table["upper"] - three.table["difference"]).median()
    assert float(found[1]) == pytest.approx(half, rel=0.15)


def test_one_pair_of_each_measure_borrows_nothing() -> None:
    rng = np.random.default_rng(2)
    rows = [
        (system, query, subject, measure, rng.normal())
        for system in "ab"
        for query in range(10)
        for subject in range(4)
        for measure in ("m1", "m2", "m3")
    ]
    frame = pd.DataFrame(rows, columns=["system", "query", "subject", "measure", "value"])
    found = ft.compare(ft.Scores.from_frame(frame), over=BOTH, across_measures=True)
    assert found.table["prior_df"].tolist() == [0, 0, 0]
    assert "moderated" not in found.conditions.procedure

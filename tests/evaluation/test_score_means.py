"""Means of scores against plain loops over the rows of a table."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzzytruth as ft

SYSTEMS, MEASURES, QUERIES, SUBJECTS = ("a", "b"), ("AP", "P@5"), ("q1", "q2", "q3", "q4"), "xyz"
GROUPS = {"q1": "short", "q2": "short", "q3": "long", "q4": "short"}
COLUMNS = ["system", "measure", "query", "subject", "value"]
KEYS = [(s, m, q, j) for s in SYSTEMS for m in MEASURES for q in QUERIES for j in SUBJECTS]

#: values of every cell; None: nobody judged it
tables = st.lists(
    st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.5, 0.75, 1.0])),
    min_size=len(KEYS),
    max_size=len(KEYS),
).map(lambda values: {k: v for k, v in zip(KEYS, values, strict=True) if v is not None})


def scores_from(cells) -> ft.Scores:
    frame = pd.DataFrame([(*key, value) for key, value in cells.items()], columns=COLUMNS)
    return ft.Scores.from_frame(frame)


def mean(values) -> float:
    kept = [v for v in values if not np.isnan(v)]
    return fmean(kept) if kept else np.nan


def per_query(cells, system, measure, query, subjects=SUBJECTS) -> float:
    return mean([cells[k] for j in subjects if (k := (system, measure, query, j)) in cells])


def over_groups(values) -> float:
    """Mean over groups of the mean over the queries of each."""
    return mean(
        mean([v for q, v in values.items() if GROUPS[q] == group]) for group in ("short", "long")
    )


@settings(max_examples=40)
@given(tables.filter(lambda cells: {k[0] for k in cells} == set(SYSTEMS)))
def test_all_means_by_plain_loops(cells) -> None:
    scores = scores_from(cells)
    plain, macro = scores.mean(), scores.mean(groups=GROUPS)
    by_subject = scores.mean(by="subject")
    macro_by_subject = scores.mean(by="subject", groups=GROUPS)
    by_group = scores.mean(by="group", groups=GROUPS)
    for system in scores.systems:
        for measure in scores.measures:
            values = {q: per_query(cells, system, measure, q) for q in QUERIES}
            pairs = [
                (plain.loc[system, measure], mean(values.values())),
                (macro.loc[system, measure], over_groups(values)),
            ]
            for subject in scores.subjects:
                own = {q: per_query(cells, system, measure, q, subject) for q in QUERIES}
                row = (system, subject)
                pairs.append((by_subject.loc[row, measure], mean(own.values())))
                pairs.append((macro_by_subject.loc[row, measure], over_groups(own)))
            for group in by_group.loc[system].index:
                own = [v for q, v in values.items() if GROUPS[q] == group]
                pairs.append((by_group.loc[(system, group), measure], mean(own)))
            got, expected = zip(*pairs, strict=True)
            np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_a_query_counts_once_however_many_judged_it() -> None:
    cells = {("a", "AP", "q1", j): 1.0 for j in SUBJECTS} | {("a", "AP", "q2", "x"): 0.0}
    assert scores_from(cells).mean().loc["a", "AP"] == 0.5
    assert scores_from(cells).mean(by="subject")["AP"].tolist() == [0.5, 1.0, 1.0]


def test_index_and_order() -> None:
    scores = scores_from(dict.fromkeys(KEYS, 0.5))
    assert scores.mean().index.tolist() == list(SYSTEMS)
    assert scores.mean().columns.tolist() == list(MEASURES)
    by_subject = scores.mean(by="subject")
    assert by_subject.index.names == ["system", "subject"]
    assert by_subject.index.tolist() == [(s, j) for s in SYSTEMS for j in SUBJECTS]
    by_group = scores.mean(by="group", groups=GROUPS)
    assert by_group.index.names == ["system", "group"]
    assert by_group.index.tolist() == [(s, g) for s in SYSTEMS for g in ("short", "long")]
    assert by_group.columns.name == "measure"


def test_one_group_is_the_plain_mean_and_a_group_each_too() -> None:
    values = iter(np.random.default_rng(0).random(len(KEYS)).tolist())
    scores = scores_from({key: next(values) for key in KEYS})
    for groups in (dict.fromkeys(QUERIES, "all"), {q: q for q in QUERIES}):
        pd.testing.assert_frame_equal(scores.mean(groups=groups), scores.mean())


@pytest.mark.parametrize("groups", [["q1", "q2"], "short", 5])
def test_groups_must_be_a_mapping(groups) -> None:
    with pytest.raises(ft.OptionError, match=r"groups=.*must be \{query: group\}"):
        scores_from(dict.fromkeys(KEYS, 0.5)).mean(groups=groups)

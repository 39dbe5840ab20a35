"""Tables and means of scores, and datasets of xarray."""

import subprocess
import sys
from dataclasses import replace
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kinds_of_scores import evaluated

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.evaluation.scores import score_tables


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
def test_names_have_the_type_of_text(storage: str) -> None:
    names = ("é", "b", "c c")
    scores = ft.Scores(("x",), names, ("AP",), np.arange(3.0)[None, None], Cells.of_queries(3))
    with pd.option_context("mode.string_storage", storage):
        frame, expected = scores.to_frame(), pd.DataFrame({"query": list(names)})
    pd.testing.assert_series_equal(frame["query"], expected["query"])
    assert all(type(name) is str for name in frame["query"])


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


@settings(max_examples=20)
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


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"groups": ["q1", "q2"]}, r"groups=.*must be \{query: group\}"),
        ({"groups": {"q1": "x"}}, "3 queries have no group, the first is 'q2'"),
        ({"by": "group"}, "give groups"),
        ({"by": "query"}, "by='query'"),
    ],
)
def test_means_that_there_are_not(options, words) -> None:
    scores = scores_from(dict.fromkeys(KEYS, 0.5))
    with pytest.raises(ft.errors.OptionError, match=words):
        scores.mean(**options)
    with pytest.raises(ft.errors.OptionError, match="nested in queries"):
        replace(scores, design="nested").mean(by="subject")
    with pytest.raises(ft.errors.OptionError, match="no subjects"):
        evaluated("crisp").mean(by="subject")


def test_attributes_of_queries_are_in_the_dataset() -> None:
    frame = pd.DataFrame({"system": "x", "query": ["q1", "q2"], "value": [0.5, 1.0]})
    frame = frame.assign(lower=["n", "s"], topic=["t", None], measure=["n", "s"])
    scores = ft.Scores.from_frame(frame, clusters=["topic", "lower", "measure"])
    data = scores.to_xarray()
    assert data["topic"][0].item() == "t"
    assert data["topic"].isnull().to_numpy().tolist() == [False, True]
    assert data["lower"].dims == ("query",)
    assert data["query_measure"].to_numpy().tolist() == ["n", "s"]
    assert data["measure"].to_numpy().tolist() == ["value"]
    assert set(data.attrs) == {"version", "design"}
    data["value"][:] = -1  # which leaves the scores alone
    assert scores.values.ravel().tolist() == [0.5, 1.0]


def test_without_xarray() -> None:
    code = (
        "import sys; sys.modules['xarray'] = None; import fuzzytruth as ft; "
        "ft.evaluate({'q': {'a': 1}}, {'s': {'q': {'a': 1}}}, 'AP').to_xarray()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingPackageError" in done.stderr
    assert "pip install 'fuzzytruth[xarray]'" in done.stderr


def test_long_tables_share_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of which two are equally long."""
    names = ("a", "bé", "ccc", "dé")
    scores = ft.Scores(
        names, ("q", "r"), ("AP",), np.arange(8.0).reshape(4, 1, 2), Cells.of_queries(2)
    )
    short = scores.to_frame()
    monkeypatch.setattr(score_tables, "_LONG", 1)
    pd.testing.assert_frame_equal(scores.to_frame(), short)
    assert short["system"].tolist() == [name for name in names for _ in "qr"]

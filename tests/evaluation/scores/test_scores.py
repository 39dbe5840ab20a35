"""`Scores.select`, and what scores answer."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kinds_of_scores import KINDS, evaluated

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


SCORES = {kind: evaluated(kind) for kind in KINDS}


def filtered(scores: ft.Scores, chosen: dict[str, list[str] | None]) -> pd.DataFrame:
    """Rows of the table with these names, in the order of the names, where there are any."""
    frame = scores.to_frame()
    axes = ("system", "query", "measure", *(("subject",) if scores.subjects else ()))
    known = {"query": scores.queries} | {
        axis: getattr(scores, f"{axis}s") for axis in axes if axis != "query"
    }
    for axis in axes:
        names = chosen.get(axis) or list(known[axis])
        frame = frame[frame[axis].isin(names)]
        known[axis] = tuple(names)
    places = [frame[axis].map(known[axis].index) for axis in reversed(axes)]
    return frame.iloc[np.lexsort(places)].reset_index(drop=True)


@settings(deadline=None, max_examples=40)
@given(st.data(), st.sampled_from(sorted(KINDS)))
def test_to_frame_of_a_selection_is_the_frame_filtered(data: Any, kind: str) -> None:
    scores = SCORES[kind]

    def some(names: tuple[str, ...] | None) -> Any:
        if not names:
            return None
        chosen = st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)
        return data.draw(st.none() | chosen)

    chosen = {
        "system": some(scores.systems),
        "measure": some(scores.measures),
        "query": some(scores.queries),
    }
    if scores.subjects is not None:
        chosen["subject"] = some(scores.subjects)
    expected = filtered(scores, chosen)
    options = {{"query": "queries"}.get(axis, f"{axis}s"): names for axis, names in chosen.items()}
    if not len(expected):
        with pytest.raises(ft.errors.OptionError, match="no score is left"):
            scores.select(**options)
        return
    selected = scores.select(**options)
    pd.testing.assert_frame_equal(selected.to_frame(), expected, check_exact=True)
    asked = chosen["query"] or scores.queries
    assert selected.queries == tuple(q for q in asked if q in set(expected["query"]))
    if scores.subjects is not None:
        asked = chosen["subject"] or scores.subjects
        assert selected.subjects == tuple(s for s in asked if s in set(expected["subject"]))
    assert selected.provenance.measures == selected.measures
    assert [system for system, _ in selected.provenance.runs] == list(selected.systems)


def test_subjects_who_judged_none_of_the_queries_are_left_out() -> None:
    scores = ft.Scores.from_frame(
        pd.DataFrame(
            {
                "system": "s",
                "query": [1, 2, 3],
                "subject": ["x", "y", "y"],
                "value": [0.1, 0.2, 0.3],
            }
        )
    )
    assert scores.select(queries="3").subjects == ("y",)
    assert scores.select(subjects="x").queries == ("1",)
    with pytest.raises(ft.errors.OptionError, match="none of the subjects selected judged any"):
        scores.select(queries=[1], subjects="y")


def test_unknown_names_are_one_error_with_the_nearest() -> None:
    with pytest.raises(ft.errors.OptionError) as raised:
        SCORES["subject"].select(systems=["ona", "two"], measures="P@3", subjects="xx")
    assert str(raised.value) == (
        "systems: 'ona' is not among these scores (nearest: 'one'); measures: 'P@3' is not among "
        "these scores (nearest: 'P@2'); subjects: 'xx' is not among these scores (nearest: 'x')"
    )
    with pytest.raises(ft.errors.OptionError, match="systems: 'one' comes 2 times; name it once"):
        SCORES["crisp"].select(systems=["one", "two", "one"])
    with pytest.raises(ft.errors.OptionError, match="measures: 'AP' comes 2 times"):
        SCORES["crisp"].select(measures=["map", "AP"])
    with pytest.raises(ft.errors.OptionError, match=r"queries=\(\): name at least one"):
        SCORES["crisp"].select(queries=[])
    with pytest.raises(ft.errors.OptionError, match="these scores have no subjects"):
        SCORES["crisp"].select(subjects="x")
    for spelling in ("map", ["AP"], ft.measures.parse_measure("AP")):
        assert SCORES["crisp"].select(measures=spelling).measures == ("AP",)


def each_query(scores: ft.Scores) -> None:
    for query in scores.queries:
        for measure in scores.measures:
            for system in scores.systems:
                scores.distribution(system, query, measure)


ASK: dict[str, Callable[[ft.Scores], object]] = {
    "mean": lambda x: x.mean(),
    "mean by subject": lambda x: x.mean(by="subject"),
    "summary over query": lambda x: x.summary(over="query"),
    "summary over subject": lambda x: x.summary(over="subject"),
    "summary over world": lambda x: x.summary(over="world"),
    "summary over query and subject": lambda x: x.summary(over=("query", "subject")),
    "summary over query and world": lambda x: x.summary(over=("query", "world")),
    "distribution": each_query,
    "mean_distribution": lambda x: x.mean_distribution(x.systems[0], x.measures[0]),
}


ONE_EACH = pd.DataFrame({"system": "a", "query": [1, 2], "subject": ["x", "y"], "value": [0.0, 1]})


def kinds(folder) -> Iterator[ft.Scores]:
    for kind in KINDS:
        if kind == "crisp, excluded":  # scores that are undefined in every world
            continue
        scores = evaluated(kind)
        yield scores
        scores.save(folder / "scores.parquet")
        loaded = ft.Scores.load(folder / "scores.parquet")
        yield loaded
        if kind != "bounds":
            new = evaluated(kind, systems=[scores.systems[0]])
            yield ft.concat([new, loaded.select(systems=scores.systems[1:])])
    for design in ("crossed", "nested"):
        yield ft.Scores.from_frame(ONE_EACH, design=design)


def test_what_is_listed_is_answered(tmp_path) -> None:
    seen = set()
    for scores in kinds(tmp_path):
        seen.add(scores.answers)
        assert ("bounds" in scores.answers) == (scores.lower is not None)
        for name, ask in ASK.items():
            if name in scores.answers:
                ask(scores)
            else:
                with pytest.raises(ft.errors.OptionError):
                    ask(scores)
    assert len(seen) >= 7

"""What holds of all measures, or of all of a kind."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.building import Query, batch_of, query
from support.variants import VARIANTS

from fuzzytruth.measures import Measure, parse_measure

MEASURES = [parse_measure(text) for text in VARIANTS]
grade = st.sampled_from([-1.0, 0.0, 0.3, 1.0, 1.7, 2.0, 3.0])
lists = st.builds(
    query, st.lists(st.one_of(st.none(), grade), max_size=12), st.lists(grade, max_size=6)
)
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=str)

#: value for a list that is empty, or has nothing relevant; 0 for the others
EMPTY = {"yaap": -math.log(3), "E": 1.0, "TN": 38.0, "FN": 2.0, "NumRel": 2.0, "RBPResidual": 1.0}

#: measures that count judged non-relevant items
COUNT_JUDGED = ("Judged", "RBPResidual", "bpref", "infAP", "NumNonRelJudgedRet")


def length_matters(measure: Measure) -> bool:
    """Whether items beyond the last relevant one change the value, by the definition."""
    if measure.name in ("FP", "TN", "NumRet", "Judged", "SetAP", "Utility", "Rndcg", "Compat"):
        return True
    if measure.name in ("P", "F", "E", "EPSB", "RelP") and measure.cutoff is None:
        return getattr(measure, "points", "cutoff") != "max"
    return "norm=depth" in str(measure) or "points=mean" in str(measure)


def value(measure: Measure, *queries: Query) -> float:
    return measure.score(batch_of(*queries)).ravel()[0].item()


@every_measure
@settings(max_examples=15)
@given(queries=st.lists(lists, min_size=1, max_size=3))
def test_range_and_shape(measure: Measure, queries: list[Query]) -> None:
    values = measure.score(batch_of(*queries))
    low, high = measure.range
    assert values.shape == (1, len(queries))
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    assert (values >= low).all()
    assert (values <= high + 1e-12).all()


@every_measure
@settings(max_examples=15)
@given(queries=st.lists(lists, min_size=1, max_size=4))
def test_queries_are_independent(measure: Measure, queries: list[Query]) -> None:
    together = measure.score(batch_of(*queries))[0]
    alone = [value(measure, q) for q in queries]
    np.testing.assert_allclose(together, alone, rtol=1e-13, atol=1e-13)


@every_measure
def test_worlds_are_independent(measure: Measure) -> None:
    rng = np.random.default_rng(5)
    grades = rng.choice([0.0, 0.0, 1.0, 2.0, 3.0], size=(2, 9, 4))  # (queries, items, worlds)
    worlds = [
        query([*(tuple(g) for g in q[:4]), None, tuple(q[4])], [tuple(g) for g in q[5:]])
        for q in grades
    ]
    together = measure.score(batch_of(*worlds))
    for w in range(4):
        alone = [
            query([*q[:4, w].tolist(), None, q[4, w].item()], q[5:, w].tolist()) for q in grades
        ]
        np.testing.assert_allclose(together[w], measure.score(batch_of(*alone))[0], rtol=1e-13)


@every_measure
def test_empty_and_irrelevant_lists(measure: Measure) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = EMPTY.get(measure.name, 0.0)
        if measure.name == "Utility":  # whatever its parameters say; test_brute_force has them
            return
        found = value(measure, query([], [3, 3]))
        assert found == pytest.approx(expected, rel=1e-15)  # the last bit of log1p varies
        nothing = 0 if measure.name in ("FN", "NumRel", "yaap") else expected
        if measure.name == "TN":
            nothing = 40
        assert value(measure, query([])) == nothing
        if measure.needs_relevant and measure.threshold != 0:
            assert value(measure, query([0, None, -1], [0])) == measure.empty
        assert measure.score(batch_of()).shape[-1] == 0


@pytest.mark.parametrize("measure", [m for m in MEASURES if not length_matters(m)], ids=str)
@settings(max_examples=15)
@given(answer=lists)
def test_appending_items_that_are_not_relevant(measure: Measure, answer: Query) -> None:
    longer = Query((*answer.ranked, None, None), answer.missed)
    assert value(measure, longer) == pytest.approx(value(measure, answer), abs=1e-13)


LIFTED = "P@3 R@3 AP AP@4 nDCG nDCG@3 nDCG(dcg=burges)@5 RR RBP ERR DCG@3 bpref ADR F@3 Rprec NN"
LIFTED += " FT ST IPrec@0.5 Success@2 CG@2 nCG@3 infAP F(points=max) F(points=mean) RelP@3 TP@3"


@pytest.mark.parametrize("text", LIFTED.split())
@settings(max_examples=60)
@given(data=st.data())
def test_lifting_a_better_item_never_lowers(text: str, data: st.DataObject) -> None:
    graded = st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.0])
    ranked = data.draw(st.lists(graded, min_size=2, max_size=8))
    missed = data.draw(st.lists(graded, max_size=3))
    j = data.draw(st.integers(0, len(ranked) - 2))
    assume(ranked[j] < ranked[j + 1])
    lifted = ranked.copy()
    lifted[j], lifted[j + 1] = lifted[j + 1], lifted[j]
    measure = parse_measure(text)
    before, after = value(measure, query(ranked, missed)), value(measure, query(lifted, missed))
    assert after >= before - 1e-12


@every_measure
def test_missing_grades_count_as_not_relevant(measure: Measure) -> None:
    """NaN, this world has no grade of the item: as if unjudged; to infAP, pooled but unjudged."""

    def score(grade: float | None) -> float:
        return value(measure, query([1, grade, 0, 2], [1, 0]))

    batch = batch_of(query([1, 0, 0, 2], [1, 0]))
    batch.gain[0, 1] = np.nan
    batch = replace(batch, judged=batch_of(query([1, None, 0, 2], [1, 0])).levels)
    scored = measure.score(batch).item()
    assert scored == score(-1 if measure.name == "infAP" else None)
    if measure.name not in COUNT_JUDGED and measure.threshold != 0:
        assert scored == score(0)


@every_measure
def test_input_is_not_changed(measure: Measure) -> None:
    batch = batch_of(query([1, None, 0, 2], [1], ties=[1, 3] if measure.expects_ties else None))
    arrays = [batch.length, batch.offsets, batch.first, batch.last, batch.gain]
    arrays += [batch.levels.offsets, batch.levels.grade, batch.levels.count]
    before = [a.copy() for a in arrays]
    for a in arrays:
        a.flags.writeable = False
    measure.score(batch)
    assert all((a == b).all() for a, b in zip(arrays, before, strict=True))


def test_a_perfect_list_has_the_value_one() -> None:
    perfect = query([3, 3, 2, 1, 1], [0, 0])
    for text in ("AP", "nDCG", "nDCG@3", "nCG", "Rprec", "bpref", "RR", "FT", "ST", "ADR", "F"):
        assert value(parse_measure(text), perfect) == pytest.approx(1, abs=1e-15), text


def test_measures_describe_themselves() -> None:
    for measure in MEASURES:
        assert measure.meaning
        assert measure.reference
        assert measure.__doc__
        assert "\n" not in measure.meaning
    worse = {m.name for m in MEASURES if not m.higher_is_better}
    assert worse == {"E", "FP", "FN", "NumNonRelJudgedRet", "RBPResidual"}

"""Any lists against the definitions, ties against all their orders or samples of them.

The tests beside hold each variant of a measure against its definition.
"""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.building import batch_of, query
from support.definitions import GRADES, check
from support.golden import value
from support.variants import VARIANTS

from fuzzytruth.measures import names, parse_measure, registry

MEASURES = [parse_measure(text) for text in VARIANTS]
grade = st.sampled_from(sorted(set(GRADES)))


def test_every_measure_of_the_library_is_tried() -> None:
    """Those that compare lists take no batch, and those of intents more; they have own tests."""
    classes = {n: registry.lookup(n)[0] for n in names()}
    own = {n for n, c in classes.items() if c.__module__.startswith("fuzzytruth.")}
    others = {n for n, c in classes.items() if c.compares_lists or c.needs_intents}
    assert own - others == {m.name for m in MEASURES}


@settings(max_examples=150)
@given(st.data(), st.sampled_from(MEASURES))
def test_any_lists(data: st.DataObject, measure) -> None:
    queries = []
    for _ in range(data.draw(st.integers(1, 3))):
        ranked = data.draw(st.lists(st.one_of(st.none(), grade), max_size=7))
        ties, left = [], len(ranked)
        while left and measure.expects_ties:
            ties.append(data.draw(st.integers(1, min(left, 4))))
            left -= ties[-1]
        missed = data.draw(st.lists(grade, max_size=3))
        queries.append(query(ranked, missed, ties or None))
    check(measure, queries, 1)


def test_a_tie_of_millions() -> None:
    """Keys of (first, size, count) no longer fit in 64 bits; the values are known anyway."""
    huge = 2_200_000
    small = batch_of(query([1.0], ties=[1]))
    batch = dataclasses.replace(small, length=np.array([huge]), last=np.array([huge]))
    harmonic_number = np.log(huge) + 0.5772156649015329 + 0.5 / huge
    for text, expected in {
        "RR": harmonic_number / huge,
        "AP": harmonic_number / huge,
        "Success@1000": 1000 / huge,
    }.items():
        assert value(text, batch) == pytest.approx(expected, rel=1e-9), text

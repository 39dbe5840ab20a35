"""What is known of measures before `annotate_next`."""

import dataclasses
import inspect
import warnings

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.annotators.planning.annotate_next import relevance_level
from fuzzytruth.errors import MeasureError

GRADES = np.random.default_rng(0).choice(4, (20, 15), p=[0.5, 0.3, 0.1, 0.1])
RUNS = {
    "x": {
        f"q{q}": [f"d{i}" for i in np.random.default_rng(q).permutation(18)[:12]]
        for q in range(len(GRADES))
    }
}
WITH_REL = [
    cls
    for cls in vars(ft.measures).values()
    if inspect.isclass(cls)
    and issubclass(cls, ft.Measure)
    and "rel" in getattr(cls, "__dataclass_fields__", {})
    and not cls.needs_intents
    and not cls.compares_lists
]


def at_two(cls: type[ft.Measure]) -> ft.Measure:
    """The measure with rel=2."""
    for text in filter(None, (cls.example, cls.__name__, f"{cls.__name__}@5")):
        try:
            return dataclasses.replace(ft.parse_measure(text), rel=2)
        except MeasureError:
            continue
    raise AssertionError(cls)


@pytest.mark.parametrize("cls", WITH_REL, ids=lambda cls: cls.__name__)
def test_measures_with_rel_tell_no_other_grades_apart(cls: type[ft.Measure]) -> None:
    measure = at_two(cls)
    assert relevance_level(measure) == 2
    values = []
    for grades in (GRADES, np.where(GRADES >= 2, 3, 0)):
        truth = {
            f"q{q}": {f"d{i}": float(g) for i, g in enumerate(row)} for q, row in enumerate(grades)
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values.append(ft.evaluate(truth, RUNS, measure).values)
    np.testing.assert_allclose(*values)
    assert np.nanstd(values[0]) > 0


def test_other_measures_may_tell_all_grades_apart() -> None:
    assert relevance_level(ft.parse_measure("nDCG@10")) is None

    @dataclasses.dataclass(frozen=True)
    class OfSomebodyElse(ft.measures.AP):
        """May use grades as well."""

    assert relevance_level(OfSomebodyElse()) is None

"""A kind of truth that the library does not know gets all that judgments have."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import graded_by_function
from support.graded_by_function import GradedByFunction

import fuzzytruth as ft

SUBJECTS = ("ann", "bob", "cem")
RUNS = {
    "x": {"q": {"a": 4.0, "b": 3.0, "c": 2.0}, "r": {"d": 2.0, "e": 1.0}},
    "y": {"q": {"c": 4.0, "e": 3.0, "a": 2.0}, "r": {"e": 2.0, "a": 1.0}},
}


def grade(query: str, item: str, subject: str) -> float | None:
    """Everybody judges all but e; who finds it relevant depends on the letters."""
    if item == "e":
        return None
    return float((ord(query) + ord(item) * SUBJECTS.index(subject)) % 3 > 0)


TRUTH = GradedByFunction(grade, SUBJECTS)
ROWS = [
    (query, item, subject, grade(query, item, subject))
    for query in "qr"
    for item in sorted({item for lists in RUNS.values() for item in lists[query]} - {"e"})
    for subject in SUBJECTS
]
JUDGMENTS = pd.DataFrame(ROWS, columns=["query", "item", "subject", "grade"])


def test_it_takes_one_short_file() -> None:
    assert len(Path(graded_by_function.__file__).read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize(
    "options",
    [
        {"worlds": "subject"},
        {"worlds": "subject", "unjudged": "bounds"},
        {"worlds": "independent", "n_worlds": 50},
        {"worlds": "population", "n_worlds": 50},
        {},
    ],
)
@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_evaluate(options: dict[str, Any]) -> None:
    measures = ["P@2", "AP", "R@2"]
    ours = ft.evaluate(TRUTH, RUNS, measures, rng=0, **options)
    theirs = ft.evaluate(JUDGMENTS, RUNS, measures, rng=0, **options)
    pd.testing.assert_frame_equal(ours.to_frame(), theirs.to_frame())
    assert ours.values.std() > 0.1
    if options.get("worlds") == "independent":
        assert ours.uncertainty is not None
        assert ours.uncertainty.exact.all()
        assert ours.distribution("x", "q", "P@2").exact


def test_measures_of_lists() -> None:
    ours, theirs = (ft.evaluate(truth, RUNS, "WD") for truth in (TRUTH, JUDGMENTS))
    np.testing.assert_array_equal(ours.values, theirs.values)

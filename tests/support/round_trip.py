"""Whether a measure survives printing, parsing and pickling."""

from __future__ import annotations

import pickle

from fuzzytruth.measures import Measure, parse_measure


def round_trip(measure: Measure) -> None:
    again = parse_measure(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure

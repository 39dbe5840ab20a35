"""What single queries are computed from again."""

from __future__ import annotations

import numpy as np
import pytest
from support.kinds_of_scores import evaluated

from fuzzytruth.evaluation.worlds.setting import Sources, joined

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def sources(**which: object) -> Sources:
    found = evaluated("independent", **which).uncertainty.sources
    assert found is not None
    return found


def test_a_score_is_found_in_its_own_setting() -> None:
    one, two = sources(systems=["one"]), sources(systems=["two", "three"])
    both = joined([one, None, two], [(1, 3), (2, 3), (2, 3)], 0)
    assert both is not None
    assert both.find(0, 2, 1) == (one.settings[0], 0, 2, 1)
    assert both.find(4, 1, 0) == (two.settings[0], 1, 1, 0)
    assert both.find(1, 0, 0) is None
    assert not both.complete
    part = both.take(np.array([4, 3]), np.array([2]), np.array([2, 0]))
    assert part.complete
    assert part.find(0, 0, 0) == (two.settings[0], 1, 2, 2)
    assert part.find(1, 0, 1) == (two.settings[0], 0, 2, 0)


def test_nothing_joined_is_nothing() -> None:
    assert joined([None, None], [(1, 1), (1, 1)], 0) is None

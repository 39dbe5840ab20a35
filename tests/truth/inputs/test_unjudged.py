"""Views of unjudged items: within a cut-off, binary, and all judged not relevant."""

import numpy as np

from fuzzytruth.truth.inputs import UnjudgedItems

NAN = np.nan
#: lists of 3 and 2 items: grades 2, none, 0; and none, 1; the second has one more item of grade 1
ITEMS = UnjudgedItems(
    gain=np.array([[[2.0, NAN, 0.0], [NAN, 1.0, NAN]]]),
    unjudged=np.array([[[False, True, False], [True, False, False]]]),
    outside=np.array([[1, 0]]),
    length=np.array([3, 2]),
    grades=np.array([[2.0, 0.0, 1.0, 1.0]]),
    offsets=np.array([0, 2, 4]),
    top_grade=2.0,
)


def test_within_a_cut_off() -> None:
    inside = ITEMS.within(1)
    assert inside.length.tolist() == [1, 1]
    assert inside.n_open.tolist() == [[0, 1]]
    assert inside.outside.tolist() == [[2, 0]]
    assert ITEMS.within(3) is ITEMS


def test_as_nonrelevant() -> None:
    judged = ITEMS.as_nonrelevant()
    assert not judged.unjudged.any()
    assert judged.outside.tolist() == [[0, 0]]
    np.testing.assert_array_equal(judged.gain, [[[2, 0, 0], [0, 1, NAN]]])
    assert judged.grades.tolist() == [[2, 0, 0, 0, 1, 1, 0]]
    assert judged.offsets.tolist() == [0, 4, 7]
    assert judged.n_relevant(0).tolist() == [[4, 3]]

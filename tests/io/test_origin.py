"""Messages name rows and columns as the source has them."""

from __future__ import annotations

import numpy as np

from fuzzytruth.io.columns import Origin, column_at, locate_by_row, located, origin_of, unused_hint


def test_columns_have_their_own_names() -> None:
    origin = origin_of(locate_by_row("t"), {"grade": "rel"}, ["rel", "note"])
    assert origin.unused == ("note",)
    assert column_at(origin, 2, "grade") == "t, row 3, column 'rel'"
    assert column_at(origin, 0, "item") == "t, row 1, column 'item'"
    assert column_at(locate_by_row("t"), 0, "item") == "t, row 1, column 'item'"


def test_rows_that_were_taken_keep_their_places() -> None:
    wide = ("grade", ("ann", "bob"), np.array([0, 1, 0, 1]))
    origin = Origin(locate_by_row("t"), rows=np.array([0, 0, 1, 1]), wide=wide)
    assert column_at(origin, 3, "grade") == "t, row 2, column 'bob'"
    assert column_at(origin.take(np.array([2])), 0, "grade") == "t, row 2, column 'ann'"
    assert located(locate_by_row("t"), np.array([4]))(0) == "t, row 5"
    assert located(origin, np.array([3]))(0) == "t, row 2"


def test_hint_at_what_was_not_read() -> None:
    origin = Origin(locate_by_row("t"), {"item": "doc"}, ("who", "note"))
    want = "if a column that is not used ('who', 'note') names the systems, name it: columns="
    assert unused_hint(origin, "system", "names the systems").startswith(want)
    assert "('note') says" in unused_hint(origin, "system", "says", ["note"])
    assert unused_hint(origin, "item", "says") == ""  # was read
    assert unused_hint(locate_by_row("t"), "system", "says") == ""

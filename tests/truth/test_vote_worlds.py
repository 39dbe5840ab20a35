from __future__ import annotations

import pytest

from fuzzytruth.truth.vote_worlds import why_not


@pytest.mark.parametrize(
    ("worlds", "subjects", "reason"),
    [
        ("independent", None, None),
        ("independent", ("a",), None),
        ("subject", ("a",), None),
        ("crisp", ("a",), None),
        ("population", ("a", "b"), None),
        ("crisp", ("a", "b"), "these votes have 2 subjects; use worlds='subject'"),
        ("population", ("a",), "resampling subjects needs at least two of them"),
        ("crisp", None, "do not say who voted"),
        ("subject", None, "do not say who voted"),
        ("population", None, "do not say who voted"),
    ],
)
def test_reasons(worlds, subjects, reason):
    given = why_not(worlds, subjects)
    assert given is None if reason is None else reason in given

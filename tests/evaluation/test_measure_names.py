"""Names of many measures in a message."""

from __future__ import annotations

import pytest

from fuzzytruth.evaluation.validation import few_measures


@pytest.mark.parametrize(
    ("names", "want"),
    [
        ([], ""),
        (["AP", "P@5", "P@10", "P@20", "R@5"], "AP, P@5, P@10, P@20, R@5"),
        (["AP", "P@5", "P@10", "P@20", "R@5", "R@6"], "AP, P at 3 cut-offs, R at 2 cut-offs"),
        (
            [*"ABCD", *(f"P(rel={rel})@{k}" for rel in (1, 2, 3) for k in (5, 10))],
            "A, B, C, D, P(rel=1) at 2 cut-offs, and 2 more measures",
        ),
        (list("ABCDEF"), "A, B, C, D, E, and 1 more measure"),
    ],
)
def test_few_of_many(names: list[str], want: str) -> None:
    assert few_measures(names) == want

import pytest

import fuzzytruth as ft
from fuzzytruth.errors import OptionError

VOTES = ft.Judgments.from_columns(
    [*"qqqqrrrr"], [*"aabb"] * 2, [1, 0, 1, 0, 1, 1, 0, 1], subject=["ann", "bob"] * 4
)
RUNS = {"x": {"q": [*"ab"], "r": [*"ba"]}, "y": {"q": [*"ba"], "r": [*"ab"]}}


def test_a_trillion_worlds_are_refused_at_once() -> None:
    for options in ({}, {"keep_worlds": True}):
        with pytest.raises(OptionError, match=r"would take [\d.]+ TB"):
            ft.evaluate(
                VOTES, RUNS, "AP", worlds="independent", n_worlds=10**12, **options
            ).distribution("x", measure="AP")

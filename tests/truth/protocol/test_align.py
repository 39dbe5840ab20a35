"""Each kind of truth has its own alignment."""

import pytest

import fuzzytruth as ft
from fuzzytruth.truth import align

ITEMS = ft.Runs.from_dict({"x": {"a": {"b": 1.0}}})


def test_other_types_are_refused() -> None:
    with pytest.raises(ft.errors.OptionError, match=r"^truth: int is not registered with align$"):
        align(3, ITEMS, ties="trec")

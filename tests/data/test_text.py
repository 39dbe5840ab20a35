"""Text trees."""

from __future__ import annotations

import numpy as np
import pytest
from support.small_taxonomies import FIGURE, GRAPH

import fuzzytruth as ft
from fuzzytruth.data.taxonomy import indented


def test_text() -> None:
    assert GRAPH.to_text({"all": 1, "fish": 0.12345}, labels={"eel": "Eel"}).splitlines() == [
        "all                  1",
        "├── animal",
        "│   └── pet",
        "│       └── fish     0.123",
        "│           └── Eel",
        "└── food",
        "    └── fish         0.123  (above)",
    ]
    assert FIGURE.to_text(np.arange(8), number=".1f").splitlines()[-1].endswith("  7.0")


def test_indented_text_repeats_a_category_without_its_children() -> None:
    assert indented(GRAPH).splitlines() == [
        "all",
        *("\tanimal", "\t\tpet", "\t\t\tfish", "\t\t\t\teel"),
        *("\tfood", "\t\tfish"),
    ]


@pytest.mark.parametrize("name", [" a", "a ", "a\nb"])
def test_indented_text_cannot_hold_every_name(name: str) -> None:
    with pytest.raises(ft.DataError, match="leading or trailing white space or line breaks"):
        indented(ft.Taxonomy.from_children({"r": [name]}))

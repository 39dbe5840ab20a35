"""One row of part (c)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paper_repro.misprint import Misprint, show
from paper_repro.tables import EXAMPLE

ROW = Misprint("(8)", "a", "b", "c", True, "d", "e", EXAMPLE, "print", "f")


@pytest.mark.parametrize(
    ("where", "source"),
    [
        ("(8)", "Santini"),
        ("Santini (1), (2)", "Santini"),
        ("SHREC 2006 NCG", "SHREC 2006"),
        ("SHREC 2019 tiers", "SHREC 2019"),
        ("NIST R-precision", "NIST"),
        ("E-measure (SHREC 2019, NIST)", "SHREC 2019 and NIST"),
    ],
)
def test_the_source_is_named(where: str, source: str) -> None:
    assert replace(ROW, where=where).source == source


def test_numbers_have_six_digits() -> None:
    assert show(1 / 3, 2) == "0.333333, 2"

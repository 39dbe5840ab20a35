"""Options of scoring."""

from __future__ import annotations

import pytest
import typer

from fuzzytruth.cli.options import threshold_or_thresholds


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("3", 3.0),
        ("-0.5", -0.5),
        ("ann=3,bob=1", {"ann": 3.0, "bob": 1.0}),
        ("a=b=2", {"a=b": 2.0}),
    ],
)
def test_thresholds(text: str, want: object) -> None:
    assert threshold_or_thresholds(text) == want


@pytest.mark.parametrize("text", ["three", "ann=", "ann=3,bob", "=3", "ann=3,ann=4"])
def test_wrong_thresholds(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="ann=3,bob=1"):
        threshold_or_thresholds(text)

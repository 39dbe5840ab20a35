"""Arguments and options."""

from __future__ import annotations

import pytest
import typer

from fuzzytruth.cli.options import threshold_or_thresholds


def test_files_that_cannot_be_read_are_the_readers_business() -> None:
    from typing import get_args

    from fuzzytruth.cli import options

    assert get_args(options.JudgmentsFile)[1].readable is False


def test_groups_of_queries_are_files_or_columns() -> None:
    from typing import get_args

    from fuzzytruth.cli import options

    for annotated in (options.Clusters, options.Strata):
        option = get_args(annotated)[1]
        assert option.metavar == "FILE|COLUMN"
        assert "a column of the table of scores" in option.help


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

"""Arguments and options."""

from __future__ import annotations


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

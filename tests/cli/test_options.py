"""Arguments and options."""

from __future__ import annotations


def test_files_that_cannot_be_read_are_the_readers_business() -> None:
    from typing import get_args

    from fuzzytruth.cli import options

    assert get_args(options.JudgmentsFile)[1].readable is False

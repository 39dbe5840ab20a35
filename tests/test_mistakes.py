"""Plausible mistakes get one message that names the place, the value and the remedy."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest
from support.mistakes import MISTAKES, Mistake

from fuzzytruth.cli.commands import run
from fuzzytruth.errors import FuzzytruthError, FuzzytruthWarning

LEAST = 6  # mistakes for each reader and verb


def messages(mistake: Mistake, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The error, or the warnings, that a mistake gets."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FuzzytruthWarning)
        if mistake.reader.startswith("cli"):
            status = run([str(argument) for argument in mistake.call(folder)])  # type: ignore[attr-defined]
            assert (status == 0) == (mistake.kind == "warning")
            return capsys.readouterr().err.splitlines()
        if mistake.kind == "error":
            with pytest.raises(FuzzytruthError) as error:
                mistake.call(folder)
            return [str(error.value)]
        mistake.call(folder)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.id)
def test_the_message_names_what_helps(
    mistake: Mistake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = messages(mistake, tmp_path, capsys)
    assert any(all(re.search(name, text) for name in mistake.names) for text in found), found


def test_every_reader_and_verb_has_mistakes() -> None:
    readers = [mistake.reader for mistake in MISTAKES]
    assert len(readers) >= 90
    assert {reader: n for reader in readers if (n := readers.count(reader)) < LEAST} == {}

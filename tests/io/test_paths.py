"""Paths as users give them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.files import as_path, matching_files


def test_paths_and_text() -> None:
    assert as_path("path", "a/b") == as_path("path", Path("a/b")) == Path("a/b")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "^out=3: must be the path of a file$"),
        (None, "^out=None: must be"),
        (b"a", "must be the path of a file$"),
        ("", "^out='': must be the path of a file, and not empty$"),
        ("x" * 300, "is longer than the name of a file can be$"),
        ("a\0b", "holds characters that no name of a file can have$"),
        ("\ud800", "holds characters that no name of a file can have$"),
        ("-", "names no file here; write /dev/stdin or /dev/stdout$"),
    ],
)
def test_what_is_no_path(given: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        as_path("out", given)


def test_matching_files(tmp_path: Path) -> None:
    for name in ("b.run", "a.run", "[c].run"):
        (tmp_path / name).touch()
    every = matching_files([str(tmp_path / "[ab].run"), tmp_path / "[c].run"])
    assert [path.name for path in every] == ["a.run", "b.run", "[c].run"]
    with pytest.raises(DataError, match=r"\*\.txt: no file matches this pattern"):
        matching_files(tmp_path / "*.txt")
    with pytest.raises(
        DataError, match=r"is a directory; give a file, or a pattern such as .*/\*$"
    ):
        matching_files(tmp_path)

"""Temporary files and folders do not stay."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from fuzzytruth.io.temporary import remove_all, removed, temporary_folder


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_a_folder_goes_with_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(error), temporary_folder() as folder:  # noqa: PT012
        (folder / "a").write_text("x")
        assert folder.parent == tmp_path
        raise error
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_moved_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("x")
    with removed(path):
        path.replace(tmp_path / "b")
    assert [file.name for file in tmp_path.iterdir()] == ["b"]


def test_all_are_removed_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    paths[0].write_text("x")
    paths[1].mkdir()
    (paths[1] / "c").write_text("y")
    with removed(paths[0]), removed(paths[1]):
        remove_all()
        assert list(tmp_path.iterdir()) == []
    paths[0].write_text("new")
    remove_all()
    assert paths[0].exists()

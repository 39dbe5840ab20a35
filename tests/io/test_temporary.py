"""Temporary files and folders do not stay."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from fuzzytruth.io import writing as temporary
from fuzzytruth.io.writing import own_prefix, remove_all, removed, temporary_folder


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


def ended() -> int:
    """The id of a process that no longer runs."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


@pytest.mark.skipif(os.name != "posix", reason="elsewhere, nothing is removed")
def test_only_what_an_ended_process_of_this_host_left_is_removed(tmp_path: Path) -> None:
    own = own_prefix(tmp_path, ".fuzzytruth.")
    assert platform.node().split(".")[0] in own
    host = own.removesuffix(f"{os.getpid()}.")
    other = host.replace(".fuzzytruth.", ".fuzzytruth.other-")
    kept = [
        f"{own}ab_1",  # of this process
        f"{host}{os.getppid()}.ab_1",
        f"{other}{ended()}.ab_1",
        f"{host}{ended()}",
        f"{host}{ended()}.ab.csv",
        f"{host}1{'0' * 30}.ab_1",
        f"x{host}{ended()}.ab_1",
        ".fuzzytruth.ab_1",
    ]
    for name in (*kept, f"{host}{ended()}.ab_1", f"{host}{ended()}.cd_2"):
        (tmp_path / name).write_text("x")
    assert own_prefix(tmp_path, "fuzzytruth-") == own.replace(".fuzzytruth.", "fuzzytruth-")
    assert len([*tmp_path.iterdir()]) == len(kept) + 2
    assert own_prefix(tmp_path, ".fuzzytruth.") == own
    assert {path.name for path in tmp_path.iterdir()} == {*kept}
    assert own_prefix(tmp_path / "none", ".fuzzytruth.") == own


@pytest.mark.skipif(os.name != "posix", reason="elsewhere, nothing is removed")
def test_folders_of_ended_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    host = own_prefix(tmp_path, "fuzzytruth-").removesuffix(f"{os.getpid()}.")
    left = tmp_path / f"{host}{ended()}.ab_1"
    left.mkdir()
    (left / "part").write_text("x")
    with temporary_folder() as folder:
        assert [*tmp_path.iterdir()] == [folder]


def test_no_process_is_asked_where_that_would_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(*_: int) -> None:
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        patched.setattr(os, "kill", end)
        assert not temporary._has_ended(1)

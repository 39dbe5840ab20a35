"""`ft.show_versions`."""

import sys
from importlib import metadata
from importlib.metadata import PackageNotFoundError, version

import pytest

import fuzzytruth as ft


def test_what_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setitem(sys.modules, "fuzzytruth.core._version", None)  # as in a copy of the source
    assert ft.__version__ == version("fuzzytruth")
    monkeypatch.setattr(metadata, "version", missing)
    assert ft.__version__ == "0+unknown"
    ft.show_versions()
    assert "numpy" in capsys.readouterr().out
    monkeypatch.setattr(metadata, "requires", missing)
    ft.show_versions()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines[2:]] == [["fuzzytruth", "0+unknown"]]

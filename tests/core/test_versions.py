"""`ft.show_versions`."""

import platform
import sys
from importlib import metadata
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.core import versions

REQUIREMENTS = [
    "numpy>=2.0",
    "jinja2>=3.1; extra == 'latex'",
    'matplotlib>=3.9; extra == "plots"',
    'Typer[all]>=0.26 ; python_version > "3"',
    'matplotlib>=3.9; extra == "test"',
    'numpy>=2.0; extra == "test"',
]


def test_lists_python_the_package_and_its_dependencies(capsys: pytest.CaptureFixture[str]) -> None:
    ft.show_versions()
    out = capsys.readouterr().out
    lines = out.splitlines()
    printed = dict(line.split(maxsplit=1) for line in lines)
    assert printed["Python"] == platform.python_version()
    assert printed["platform"] == platform.platform()
    assert printed["fuzzytruth"] == ft.__version__ == version("fuzzytruth")
    assert printed["numpy"] == np.__version__
    assert printed["pandas"] == version("pandas")
    assert "xarray" in printed["xarray"]
    assert [line.split()[0] for line in lines[:3]] == ["Python", "platform", "fuzzytruth"]
    starts = {line.index(line.split(maxsplit=1)[1]) for line in lines}
    assert len(starts) == 1
    for path in (sys.prefix, sys.executable, str(Path.home()), str(Path(ft.__file__).parent)):
        assert path not in out
    assert platform.node() not in out.split()


def test_required_ones_come_first_and_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _: REQUIREMENTS)
    assert list(versions.dependencies().items()) == [
        *(("numpy", ()), ("typer", ())),
        *(("jinja2", ("latex",)), ("matplotlib", ("plots", "test"))),
    ]


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

"""What is installed: the wheel, its metadata, and the demo in an empty folder."""

import re
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from fuzzytruth.cli.app import main

pytest.importorskip("hatchling", reason="hatchling builds the wheel")
pytest.importorskip("hatch_vcs", reason="hatch-vcs tells its version")

HOME = Path(__file__).parent.parent
BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"
#: what `make docs` writes, and data fetched by the benchmarks
MADE = (
    *("docs/_build", "docs/evidence/tables", "docs/figures", "docs/notebooks"),
    "docs/reference/generated",
    "benchmarks/data",
)
#: without the folder of the repository, whose package it would find first
MAIN = "import sys; sys.argv[0] = 'fuzzytruth'; from fuzzytruth.cli.app import main; main()"


def build(kind: str, folder: Path) -> Path:
    call = [sys.executable, "-c", BUILD, kind, str(folder)]
    done = subprocess.run(call, capture_output=True, text=True, cwd=HOME)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("build_wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        return Parser().parsestr(packed.read(name).decode())


def test_it_has_every_file_of_the_package(wheel: Path) -> None:
    package = HOME / "fuzzytruth"
    expected = {
        str(path.relative_to(HOME))
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert {"fuzzytruth/py.typed", "fuzzytruth/datasets/clef_tar2017/runs.parquet"} <= names
    assert {name for name in names if ".dist-info/" not in name} == expected


def test_every_licence_file_is_listed_and_inside(wheel: Path, metadata: Message) -> None:
    datasets = (HOME / "fuzzytruth" / "datasets").glob("*/LICENSE*")
    expected = {"LICENSE", *(str(path.relative_to(HOME)) for path in datasets)}
    assert len(expected) == 9
    assert set(metadata.get_all("License-File") or ()) == expected
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    for name in expected:
        assert any(one.endswith(f".dist-info/licenses/{name}") for one in names), name


def test_metadata(metadata: Message) -> None:
    assert metadata["Author"] == "The fuzzytruth developers"
    named = set(re.split(r" AND ", metadata["License-Expression"]))
    assert named == {"BSD-3-Clause", "MIT", "CC-BY-4.0", "Apache-2.0", "LicenseRef-WordNet"}
    for file in (HOME / "fuzzytruth" / "datasets").glob("*/LICENSE"):
        text = " ".join(file.read_text(encoding="utf-8").split())
        found = {
            licence
            for licence, words in {
                "MIT": r"\bMIT\b",
                "CC-BY-4.0": r"\bCC BY 4\.0\b",
                "Apache-2.0": r"\bApache License, Version 2\.0\b",
                "LicenseRef-WordNet": "LICENSE-WordNet",
            }.items()
            if re.search(words, text)
        }
        assert found, file
        assert found <= named, file
    assert "Typing :: Typed" in (metadata.get_all("Classifier") or ())
    assert metadata.get_payload().startswith("# fuzzytruth")


def test_the_installed_demo_is_that_of_the_repository(
    wheel: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Unpacked where pip would, and run in an empty folder, without the repository."""
    site = tmp_path / "site-packages"
    empty = tmp_path / "empty"
    empty.mkdir()
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
        (name,) = (one for one in packed.namelist() if one.endswith("entry_points.txt"))
        assert "fuzzytruth = fuzzytruth.cli.app:main" in packed.read(name).decode()
    path = f"import sys; sys.path.insert(0, {str(site)!r})"
    where = "import fuzzytruth as f; print(f.__file__, file=sys.stderr)"
    call = [sys.executable, "-I", "-c", f"{path}; {where}; {MAIN}", "demo"]
    done = subprocess.run(call, capture_output=True, text=True, cwd=empty)
    assert done.returncode == 0, done.stderr
    monkeypatch.setattr(sys, "argv", ["fuzzytruth"])
    with pytest.raises(SystemExit):
        main(["demo"])
    shown = capsys.readouterr()
    assert done.stderr == f"{site / 'fuzzytruth' / '__init__.py'}\n{shown.err}"
    assert done.stdout == shown.out
    assert "vit is significantly better than regnety on P@5" in done.stdout
    assert not list(empty.iterdir())


def test_the_source_archive_has_what_tests_and_pages_need(tmp_path: Path) -> None:
    with tarfile.open(build("build_sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    root = {"README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md"}
    root |= {"noxfile.py", "packaging/recipe/recipe.yaml", "packaging/release/check.py"}
    root |= {"packaging/constraints/oldest.txt"}
    root |= {".github/workflows/ci.yml"}
    assert root | {"LICENSE", "Makefile", "pyproject.toml", "notebooks/README.md"} <= names
    for folder in ("fuzzytruth", "tests", "docs", "benchmarks", "paper_repro"):
        kept = {
            str(path.relative_to(HOME))
            for path in (HOME / folder).rglob("*.[mp][dy]")
            if not any(path.is_relative_to(HOME / made) for made in MADE)
        }
        assert kept <= names, sorted(kept - names)[:5]

"""What is installed: the wheel, its metadata, and the demo in an empty folder."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
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
    identity = tomllib.loads((HOME / "packaging/identity.toml").read_text("utf-8"))["software"]
    assert metadata["Author"] or metadata["Author-Email"]
    assert len(metadata.get_all("Project-URL") or ()) == 4
    assert f"Source, {identity['repository']}" in metadata.get_all("Project-URL")
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
    root |= {"CODE_OF_CONDUCT.md", "codemeta.json", "paper.md", "paper.bib"}
    root |= {"packaging/identity.toml", "packaging/identity.py", ".pre-commit-config.yaml"}
    root |= {".github/ISSUE_TEMPLATE/bug.yml", "contrib/README.md", "contrib/sdists.txt"}
    root |= {f"contrib/{patch.name}" for patch in (HOME / "contrib").glob("*.patch")}
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


def test_an_archive_of_the_repository_has_its_version(tmp_path: Path) -> None:
    """As hosting services offer one: without git, but with what `git archive` writes into it."""
    if not (HOME / ".git_archival.txt").exists() or shutil.which("git") is None:
        pytest.skip("not a checkout, or no git")
    repository = tmp_path / "repository"
    repository.mkdir()
    for name in (".git_archival.txt", ".gitattributes", "pyproject.toml", "README.md"):
        shutil.copy(HOME / name, repository)

    def git(*words: str) -> None:
        who = {
            f"GIT_{role}_{key}": "x"
            for role in ("AUTHOR", "COMMITTER")
            for key in ("NAME", "EMAIL")
        }
        subprocess.run(["git", *words], cwd=repository, env=os.environ | who, check=True)

    def archived() -> str:
        shutil.rmtree(tmp_path / "unpacked", ignore_errors=True)
        git("archive", "--output", str(tmp_path / "archive.tar"), "HEAD")
        with tarfile.open(tmp_path / "archive.tar") as packed:
            packed.extractall(tmp_path / "unpacked", filter="data")
        return version_of(tmp_path / "unpacked")

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "First")
    assert archived() == "0.1.dev0"  # nothing to count from
    git("tag", "v0.3.0")
    assert archived() == version_of(repository) == "0.3.0"
    git("commit", "--quiet", "--message", "Second", "--allow-empty")
    assert archived() == version_of(repository) == "0.3.1.dev1"


def version_of(folder: Path) -> str:
    call = [sys.executable, "-W", "ignore", "-m", "hatchling", "version"]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()

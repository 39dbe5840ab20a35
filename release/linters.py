"""Checks of the conda recipe and of the workflow file."""

from __future__ import annotations

import shutil
import tomllib

import yaml
from workplace import HOME, Failed, NotRun, Workplace, said

#: names that differ at conda-forge
CONDA = {"seaborn": "seaborn-base", "matplotlib": "matplotlib-base", "pyarrow": "pyarrow-core"}


def recipe(place: Workplace) -> str:
    """The recipe renders with rattler-build, and has the dependencies of pyproject.toml."""
    path = HOME / "recipe" / "recipe.yaml"
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = yaml.safe_load(path.read_text(encoding="utf-8"))["requirements"]["run"]
    expected = {as_in_conda(one) for one in project["dependencies"]}
    if set(named[1:]) != expected:
        raise Failed(f"recipe and pyproject.toml differ: {sorted(set(named[1:]) ^ expected)}")
    try:
        from rattler_build import Stage0Recipe, VariantConfig
    except ImportError:
        raise NotRun("py-rattler-build is not installed") from None
    try:
        rendered = Stage0Recipe.from_file(path).render(VariantConfig())
    except Exception as error:
        raise Failed(f"rattler-build: {error}") from error
    return f"rendered by rattler-build ({len(list(rendered))} variant), bounds as in pyproject.toml"


def as_in_conda(requirement: str) -> str:
    """A requirement as conda writes it: `numpy >=2.0`."""
    name, bound = requirement.split(">=")
    return f"{CONDA.get(name, name)} >={bound}"


def workflow(place: Workplace) -> str:
    """Actionlint's findings on the workflow files: none."""
    files = sorted((HOME / ".github" / "workflows").glob("*.yml"))
    program = shutil.which("actionlint")
    if program is None:
        raise NotRun("actionlint is not installed")
    said([program, *files])
    return f"actionlint, {len(files)} file"

"""Checks of the conda recipe and of the workflow file."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

import yaml
from workplace import HOME, Failed, NotChecked, Workplace, said

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
        raise NotChecked("py-rattler-build is not installed") from None
    try:
        rendered = Stage0Recipe.from_file(path).render(VariantConfig())
    except Exception as error:
        raise Failed(f"rattler-build: {error}") from error
    return f"rendered by rattler-build ({len(list(rendered))} variant), bounds as in pyproject.toml"


def as_in_conda(requirement: str) -> str:
    """A requirement as conda writes it: `numpy >=2.0`."""
    name, bound = requirement.split(">=")
    return f"{CONDA.get(name, name)} >={bound}"


def conda_forge(place: Workplace) -> str:
    """What conda-forge's own linter says of the recipe: nothing."""
    said([program("conda-smithy"), "recipe-lint", HOME / "recipe"])
    return "conda-smithy recipe-lint"


def workflow_schema(place: Workplace) -> str:
    """The workflow files have the keys and types that GitHub documents."""
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    files = workflows()
    said([*check, "vendor.github-workflows", *files])
    return f"check-jsonschema, {len(files)} file"


def workflow_expressions(place: Workplace) -> str:
    """Actionlint's findings on the workflow files, their expressions included: none."""
    files = workflows()
    said([program("actionlint"), *files])
    return f"actionlint, {len(files)} file"


def workflows() -> list[Path]:
    """The workflow files."""
    return sorted((HOME / ".github" / "workflows").glob("*.yml"))


def program(name: str) -> str:
    """Where a program is that no package of an index contains."""
    found = shutil.which(name)
    if found is None:
        raise NotChecked(f"{name} is not installed")
    return found

"""Checks of the conda recipe and of the workflow file."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from workplace import HOME, Failed, NotChecked, Workplace, said

_RECIPE = HOME / "packaging" / "recipe"


def recipe(place: Workplace) -> str:
    """The recipe renders with rattler-build."""
    try:
        from rattler_build import Stage0Recipe, VariantConfig
    except ImportError:
        raise NotChecked("py-rattler-build is not installed") from None
    try:
        rendered = Stage0Recipe.from_file(_RECIPE / "recipe.yaml").render(VariantConfig())
    except Exception as error:
        raise Failed(f"rattler-build: {error}") from error
    return f"rendered by rattler-build, {len(list(rendered))} variant"


def conda_forge(place: Workplace) -> str:
    """What conda-forge's own linter says of the recipe: nothing."""
    said([program("conda-smithy"), "recipe-lint", _RECIPE])
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

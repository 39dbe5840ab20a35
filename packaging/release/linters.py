"""Checks of the conda recipe, and of files that a hosting service reads."""

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


def schemas(place: Workplace) -> str:
    """Workflows, forms for issues, dependabot's file and the citation have the documented keys."""
    forms = sorted((HOME / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    chooser = HOME / ".github" / "ISSUE_TEMPLATE" / "config.yml"
    by_schema = {
        "github-workflows": workflows(),
        "github-issue-config": [chooser],
        "github-issue-forms": [path for path in forms if path != chooser],
        "dependabot": [HOME / ".github" / "dependabot.yml"],
        "citation-file-format": [HOME / "CITATION.cff"],
    }
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    for schema, files in by_schema.items():
        said([*check, f"vendor.{schema}", *files])
    return f"check-jsonschema, {sum(map(len, by_schema.values()))} files"


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

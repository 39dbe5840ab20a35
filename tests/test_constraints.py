"""The oldest dependencies, the recipe and the documentation have pyproject.toml's lower bounds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

HOME = Path(__file__).parent.parent
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: extras that the package imports; the others are tools
IMPORTED = ("xarray", "ir-measures", "crowd-kit", "dask", "notebooks")
#: names that differ at conda-forge
CONDA = {"seaborn": "seaborn-base", "matplotlib": "matplotlib-base", "pyarrow": "pyarrow-core"}


def bounds(requirements: list[str]) -> dict[str, str]:
    """Name and lower bound of each requirement, which has no other bound."""
    found = {}
    for requirement in requirements:
        match = re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement)
        assert match is not None, requirement
        found[match[1]] = match[2]
    return found


def pinned(section: str) -> dict[str, str]:
    """The pins of packaging/constraints/oldest.txt, of the part after a comment that begins so."""
    text = (HOME / "packaging" / "constraints" / "oldest.txt").read_text(encoding="utf-8")
    (part,) = (one for one in text.split("\n\n") if one.startswith(f"# {section}"))
    lines = [line for line in part.splitlines() if not line.startswith("#")]
    return dict(line.split("==") for line in lines)


def test_constraints_are_the_lower_bounds() -> None:
    required = bounds(PROJECT["dependencies"])
    extras = [one for extra in IMPORTED for one in PROJECT["optional-dependencies"][extra]]
    assert len(required) >= 11
    assert pinned("Lower bounds of dependencies") == required
    assert pinned("Lower bounds of extras") == bounds(extras)


def test_the_recipe_has_the_same_bounds() -> None:
    path = HOME / "packaging" / "recipe" / "recipe.yaml"
    recipe = yaml.safe_load(path.read_text(encoding="utf-8"))
    python, *run = recipe["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert PROJECT["requires-python"] == f">={recipe['context']['python_min']}"
    expected = bounds(PROJECT["dependencies"]).items()
    assert run == [f"{CONDA.get(name, name)} >={bound}" for name, bound in expected]


def test_pages_name_the_same_bounds() -> None:
    page = (HOME / "docs" / "development" / "dependencies.md").read_text(encoding="utf-8")
    table = page.partition("Extras, imported")[0]
    named = dict(re.findall(r"^\| ([\w-]+) ≥ ([\d.]+) \|", table, re.MULTILINE))
    assert {name.lower(): bound for name, bound in named.items()} == bounds(PROJECT["dependencies"])


def test_the_test_extra_allows_no_older_version() -> None:
    own = bounds([one for extra in IMPORTED for one in PROJECT["optional-dependencies"][extra]])
    tools = bounds(PROJECT["optional-dependencies"]["test"])
    assert {name: tools[name] for name in own.keys() & tools.keys()} == {
        name: own[name] for name in own.keys() & tools.keys()
    }
    assert "xarray" in own.keys() & tools.keys()

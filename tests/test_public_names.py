"""Public names, compared with the list in `public_names.json`.

After an intended change, write the list anew and commit it together with the changelog::

    python tests/test_public_names.py
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

import fuzzytruth as ft
from fuzzytruth.adapters import ir_measures, pytrec_eval

LIST = Path(__file__).with_name("public_names.json")


def public_names() -> dict[str, list[str]]:
    """Names that users may import, by module."""
    modules = {
        "fuzzytruth": ft,
        "fuzzytruth.adapters.ir_measures": ir_measures,
        "fuzzytruth.adapters.pytrec_eval": pytrec_eval,
        "fuzzytruth.datasets": ft.datasets,
        "fuzzytruth.measures": ft.measures,
        "fuzzytruth.plots": ft.plots,
        "fuzzytruth.stats": ft.stats,
    }
    return {path: sorted(module.__all__) for path, module in modules.items()}


def test_public_names_are_those_of_the_list() -> None:
    listed = {path: set(names) for path, names in json.loads(LIST.read_text()).items()}
    current = {path: set(names) for path, names in public_names().items()}
    changes = [
        f"{sign}{path}.{name}"
        for path in sorted({*listed, *current})
        for sign, names in (
            ("+", current.get(path, set()) - listed.get(path, set())),
            ("-", listed.get(path, set()) - current.get(path, set())),
        )
        for name in sorted(names)
    ]
    assert not changes, (
        f"public names changed: {', '.join(changes)}. If this is intended, run "
        "`python tests/test_public_names.py`, and name the change in CHANGELOG.md"
    )


def test_every_public_name_exists() -> None:
    for name in ft.__all__:
        assert hasattr(ft, name), name
    for module in (ir_measures, pytrec_eval, ft.datasets, ft.measures, ft.plots, ft.stats):
        for name in module.__all__:
            assert hasattr(module, name), f"{module.__name__}.{name}"


def test_type_checkers_see_every_public_name() -> None:
    """Imports that never run, beside the table of those that do."""
    tree = ast.parse(Path(ft.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = [(f"{node.module}", alias) for node in imports for alias in node.names]
    seen = {alias.asname: module for module, alias in names if alias.asname == alias.name}
    packages = ("datasets", "measures", "plots", "stats")
    assert seen == ft._HOME | dict.fromkeys(packages, "fuzzytruth")


if __name__ == "__main__":
    LIST.write_text(json.dumps(public_names(), indent=1) + "\n")

"""Public names, compared with the list in `public_names.json`.

After an intended change, write the list anew and commit it together with the changelog::

    python tests/test_public_names.py
"""

import ast
import inspect
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth.adapters import ir_measures, pytrec_eval

LIST = Path(__file__).with_name("public_names.json")
REFERENCE = Path(__file__).parent.parent / "docs" / "reference"


SPACES = ft._NAMESPACES
MODULES = (ft, ir_measures, pytrec_eval, *(getattr(ft, name) for name in SPACES))


def public_names() -> dict[str, list[str]]:
    """Names that users may import, by module."""
    return {module.__name__: sorted(module.__all__) for module in MODULES}


def test_public_names_are_those_of_the_list_and_exist() -> None:
    listed = json.loads(LIST.read_text())
    assert public_names() == {path: sorted(names) for path, names in listed.items()}, (
        "public names changed. If this is intended, run `python tests/test_public_names.py`, and "
        "name the change in CHANGELOG.md"
    )
    for module in MODULES:
        for name in module.__all__:
            assert hasattr(module, name), f"{module.__name__}.{name}"


def signature(name: str, value: Any) -> str:
    """A function's parameters with their defaults, without types."""
    parameters = inspect.signature(value).parameters.values()
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    return f"{name}{inspect.Signature(bare)}"


def signatures() -> list[str]:
    """Of public functions, and of methods of public classes."""
    found = []
    for module in MODULES:
        for name in sorted(module.__all__):
            value, path = getattr(module, name), f"{module.__name__}.{name}"
            if inspect.isfunction(value):
                found.append(signature(path, value))
            elif inspect.isclass(value) and module in (ft, ft.results):
                for method, own in inspect.getmembers(value, inspect.isroutine):
                    home = getattr(own, "__module__", None) or ""
                    if home.startswith("fuzzytruth.") and not method.startswith("_"):
                        found.append(signature(f"{path}.{method}", own))
    return found


def test_parameters_and_their_defaults_are_those_stored() -> None:
    assert is_stored("signatures", "\n".join(signatures()))


def listed_in_reference() -> Counter[str]:
    """Names in the tables of the reference pages, with their modules."""
    out: Counter[str] = Counter()
    for page in REFERENCE.glob("*.rst"):
        text, module = page.read_text(encoding="utf-8"), ""
        assert text.count(".. autosummary::") == text.count(":toctree: generated"), page
        inside = False
        for line in text.splitlines():
            if found := re.match(r"\.\. currentmodule:: (.+)", line):
                module = found[1]
            if line and not line.startswith(" "):
                inside = line.startswith(".. autosummary::")
            elif inside and (found := re.fullmatch(r"   (\w+)", line)):
                out[f"{module}.{found[1]}"] += 1
    return out


def test_the_reference_lists_every_public_name_once() -> None:
    assert listed_in_reference() == Counter(
        f"{module}.{name}"
        for module, names in public_names().items()
        for name in names
        if not (module == "fuzzytruth" and name in SPACES)
    )


def test_type_checkers_see_every_public_name() -> None:
    """Imports that never run, beside the table of those that do."""
    tree = ast.parse(Path(ft.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = [(f"{node.module}", alias) for node in imports for alias in node.names]
    seen = {alias.asname: module for module, alias in names if alias.asname == alias.name}
    assert seen == ft._HOME | dict.fromkeys(SPACES, "fuzzytruth")


if __name__ == "__main__":
    LIST.write_text(json.dumps(public_names(), indent=1) + "\n")

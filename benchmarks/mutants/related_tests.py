"""Which test files could notice a change of a module, nearest first."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

#: read all modules, which takes a second
_OF_ALL = ["tests/test_conventions.py", "tests/test_public_names.py"]
#: test files that run every module of a package
_OF_PACKAGE = {
    "truth": [
        "tests/evaluation/evaluate/test_by_example.py",
        "tests/evaluation/evaluate/test_by_item.py",
        "tests/measures/test_brute_force.py",
        "tests/evaluation/test_worlds.py",
        "tests/evaluation/worlds/test_parts.py",
    ],
}


def stages(root: Path, path: str) -> tuple[list[str], list[str]]:
    """Test files of a module: its own with its examples; then others.

    Its own are `test_<module>.py` and those in the folder `<module>`. Others are those of
    conventions and signatures, those of what imports the module, small ones first, those beside its
    own where a package is divided into packages, and those of the whole package.

    Parameters
    ----------
    root : Path
        Folder of the project.
    path : str
        Of the module, from there.
    """
    own = [*_tests_of(root, path), *([path] if (root / path).is_file() else [])]
    importers = _importers(root).get(path, ())
    others = {name for importer in importers for name in _tests_of(root, importer)}
    near = sorted(others - {*own}, key=lambda name: ((root / name).stat().st_size, name))
    folder = Path(_mirrored(path)).parent
    beside = (root / folder).glob("test_*.py") if len(folder.parts) > 2 else ()
    last = [f"{folder}/{file.name}" for file in sorted(beside)]
    last += _OF_PACKAGE.get(path.split("/")[1], [])
    return own, [*_OF_ALL, *near, *(name for name in last if name not in {*own, *near})]


def _tests_of(root: Path, path: str) -> list[str]:
    """The test files of a module; a test file is its own."""
    if path.startswith("tests/"):
        return [path]
    file = root / _mirrored(path)
    folder = file.with_name(file.stem.removeprefix("test_"))
    found = [*([file] if file.is_file() else []), *sorted(folder.glob("test_*.py"))]
    return [name.relative_to(root).as_posix() for name in found]


def _mirrored(path: str) -> str:
    """Where the test file of a module is."""
    *folders, name = path.split("/")[1:]
    return "/".join(["tests", *folders, f"test_{name}"])


@cache
def _importers(root: Path) -> dict[str, set[str]]:
    """Modules and test files that import a module, by its path."""
    found: dict[str, set[str]] = {}
    for path in [*(root / "fuzzytruth").rglob("*.py"), *(root / "tests").rglob("test_*.py")]:
        name = path.relative_to(root).as_posix()
        for module in _imported(path.read_text(encoding="utf-8")):
            found.setdefault(f"{module.replace('.', '/')}.py", set()).add(name)
    return found


def _imported(source: str) -> set[str]:
    """All modules that a text imports, and names that may be modules."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names

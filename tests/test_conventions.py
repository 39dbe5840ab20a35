"""Conventions of the package, read from its modules."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import fuzzytruth

ROOT = Path(fuzzytruth.__file__).parent
PACKAGES = ("core", "stats", "truth", "evaluation", "data", "comparison", "annotators", "show")
ARRAYS = {"Array", "Bools", "Floats", "Ints", "U64"}
#: classes with results that are added up as they come
CHANGING = {"Jackknife", "PartedRuns", "StreamedFile", "SystemFacts", "_Clarity", "_Glad"}
#: a public switch that may be given by its place
PLACED = "include_self"


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """All nodes of these packages, with the names of their modules."""
    return [
        (path.relative_to(ROOT).as_posix(), node)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]


def options_of(cls: ast.ClassDef) -> dict[str, object] | None:
    """Options of `dataclass`; None where a class is none."""
    for decorator in cls.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "dataclass":
            return {k.arg or "": ast.literal_eval(k.value) for k in decorator.keywords}
    return None


def names_in(cls: ast.ClassDef) -> tuple[set[str], set[str]]:
    """Names in the types of its fields, functions apart, and in the decorators of its methods."""
    fields = [node.annotation for node in cls.body if isinstance(node, ast.AnnAssign)]
    fields = [field for field in fields if not ast.unparse(field).startswith("Callable")]
    functions = [node for node in cls.body if isinstance(node, ast.FunctionDef)]
    decorators = [one for function in functions for one in function.decorator_list]
    found = [
        {n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)}
        for parts in (fields, decorators)
    ]
    return found[0], found[1]


def test_dataclasses_are_frozen_slotted_and_equal_by_identity_if_they_hold_arrays() -> None:
    wrong = []
    for module, node in nodes():
        options = options_of(node) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or options is None or node.name in CHANGING:
            continue
        types, decorators = names_in(node)
        expected = {"frozen": True, "slots": "cached_property" not in decorators}
        given = {name: options.get(name, False) for name in expected}
        compares_arrays = bool(types & ARRAYS) and options.get("eq", True)
        if given != expected or compares_arrays:
            wrong.append(f"{module}: {node.name}{options}")
    assert wrong == []


def test_switches_with_a_default_are_given_by_name() -> None:
    wrong = []
    for module, node in nodes():
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
            wrong += [f"{module}: {node.name}({arg.arg}, /)" for arg in node.args.posonlyargs]
            optional = node.args.args[-len(node.args.defaults) :] if node.args.defaults else []
            wrong += [
                f"{module}: {node.name}({arg.arg})"
                for arg in optional
                if arg.annotation is not None
                and ast.unparse(arg.annotation) == "bool"
                and arg.arg != PLACED
            ]
    assert wrong == []


def test_modules_outside_the_package_import_each_other_without_a_cycle() -> None:
    """As `packaging/import_cycles.toml` holds the package's own modules to it."""
    home = ROOT.parent
    for folder in ("benchmarks", "docs", "packaging", "paper_repro", "tests"):
        paths = {path.resolve().as_posix() for path in (home / folder).rglob("*.py")}
        imports = {path: _imported(path, paths, home / folder) - {path} for path in paths}
        TopologicalSorter(imports).prepare()  # raises CycleError with the cycle


def _imported(path: str, paths: set[str], folder: Path) -> set[str]:
    """Modules among `paths` that one imports, by their names from the folder or from the top."""
    names = set()
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    near = (Path(path).parent, folder, folder.parent)
    places = {f"{base}/{name.replace('.', '/')}" for name in names for base in near}
    return {f"{place}{end}" for place in places for end in (".py", "/__init__.py")} & paths

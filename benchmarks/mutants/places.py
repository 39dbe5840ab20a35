"""Places where code can be changed, and the changes: cosmic-ray's operators on our modules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

#: packages whose code is changed
PACKAGES = ("core", "stats", "truth", "evaluation", "data", "comparison", "annotators", "show")
#: operators that need arguments of their own
_LEFT_OUT = ("VariableReplacer", "VariableInserter")
#: the first packages were studied before, and have a new sample
_SEEDS = dict.fromkeys(PACKAGES, "20190721") | dict.fromkeys(PACKAGES[:3], "20261125")


@dataclass(frozen=True, order=True)
class Mutant:
    """One change of one module.

    Parameters
    ----------
    priority : str
        Hash of seed and place, by which a sample is drawn: the first ones.
    path : str
        Of the module, from the project's folder.
    operator : str
        Class of cosmic-ray.
    occurrence : int
        Which of the positions where that operator applies.
    line : int
    digest : str
        Of the module's text: a result holds for this text only.
    """

    priority: str
    path: str
    operator: str
    occurrence: int
    line: int
    digest: str

    @property
    def key(self) -> str:
        return f"{self.path}:{self.digest}:{self.operator}:{self.occurrence}"

    @property
    def package(self) -> str:
        return self.path.split("/")[1]


def sample(root: Path, package: str) -> list[Mutant]:
    """One mutant for each place of a package, in the order in which a sample is drawn."""
    paths = sorted((root / "fuzzytruth" / package).rglob("*.py"))
    return sorted(mutant for path in paths for mutant in _of_module(root, path))


def mutated(root: Path, mutant: Mutant) -> str | None:
    """The text of the changed module; None if it is no Python, or the same program."""
    from cosmic_ray.mutating import mutate_code

    source = (root / mutant.path).read_text(encoding="utf-8")
    text: str | None = mutate_code(source, _operators()[mutant.operator], mutant.occurrence)
    try:
        compile(text or "", mutant.path, "exec")
    except SyntaxError:
        return None
    return None if text == source else text


@cache
def _operators() -> dict[str, Any]:
    from cosmic_ray.operators.provider import OperatorProvider

    provider = OperatorProvider()
    return {name: provider[name]() for name in provider if not name.startswith(_LEFT_OUT)}


def _of_module(root: Path, path: Path) -> Iterator[Mutant]:
    """One of the possible changes at each place, chosen by hash."""
    source = path.read_text(encoding="utf-8")
    digest = hashlib.sha256(source.encode()).hexdigest()[:12]
    name = path.relative_to(root).as_posix()
    seed = _SEEDS[name.split("/")[1]]
    for place, changes in _places(source).items():
        hashed = hashlib.sha256(f"{seed} {name} {digest} {place}".encode()).hexdigest()
        operator, occurrence = changes[int(hashed[:12], 16) % len(changes)]
        yield Mutant(hashed[12:28], name, operator, occurrence, place[1][0], digest)


def _places(source: str) -> dict[tuple[str, Any, Any], list[tuple[str, int]]]:
    """By kind of operator and position: operators, and which of their positions it is."""
    from cosmic_ray.ast import ast_nodes, get_ast

    places: dict[tuple[str, Any, Any], list[tuple[str, int]]] = {}
    counts = dict.fromkeys(_operators(), 0)
    for node in ast_nodes(get_ast(source)):
        for name, operator in _operators().items():
            for start, end in operator.mutation_positions(node):
                counts[name] += 1
                if not _is_annotation(node):
                    place = (name.partition("_")[0], start, end)
                    places.setdefault(place, []).append((name, counts[name] - 1))
    return places


def _is_annotation(node: Any) -> bool:
    """Whether a node is part of an annotation, which is never evaluated."""
    while node.parent is not None:
        parent = node.parent
        if parent.type in ("tfpdef", "annassign") and node is not parent.children[0]:
            return parent.type == "tfpdef" or node is parent.children[1]
        if parent.type in ("funcdef", "lambdef") and node is getattr(parent, "annotation", None):
            return True
        node = parent
    return False

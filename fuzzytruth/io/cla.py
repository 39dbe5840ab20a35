"""Classification files (`.cla`) of the Princeton Shape Benchmark.

White space separates all: ``PSB 1``, the number of classes, the number of models; then each class:
its name, its parent (0: none) and its number of models, followed by their ids. Parents come before
their children.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from fuzzytruth.data.taxonomy.building import Edges
from fuzzytruth.errors import DataError, TaxonomyError, nearest, shown
from fuzzytruth.io.delimited import decode
from fuzzytruth.io.files import Source

_NO_PARENT = "0"


@dataclass(slots=True)
class _Words:
    """The words of a file, one after the other."""

    source: Source
    words: list[re.Match[str]] = field(init=False)
    text: str = field(init=False)
    place: int = 0

    def __post_init__(self) -> None:
        self.text = decode(self.source.path, self.source.text())
        self.words = list(re.finditer(r"\S+", self.text))

    def next(self, what: str) -> str:
        """The next word, which is to be `what`."""
        if self.place == len(self.words):
            raise DataError(f"{self.source.path}: the file ends where {what} should follow")
        self.place += 1
        return self.words[self.place - 1].group()

    def count(self, what: str) -> int:
        """The next word, as a whole number from 0."""
        word = self.next(what)
        if not re.fullmatch(r"[0-9]+", word):
            self.refuse(f"{shown(word)} should be {what}, a whole number from 0")
        return int(word)

    @property
    def line(self) -> int:
        """Line of the last word."""
        return self.text.count("\n", 0, self.words[self.place - 1].start()) + 1

    def refuse(self, message: str, kind: type[DataError] = DataError) -> NoReturn:
        """Raise an error at the last word."""
        raise kind(f"{self.source.path}, line {self.line}: {message}")


def read_cla_edges(source: Source) -> tuple[Edges, dict[str, str]]:
    """Read the classes as edges, and the class of each model.

    Raises
    ------
    DataError
        The file is no such file, a number is none, or counts disagree with what is there.
    TaxonomyError
        A class is defined twice or before its parent, or a model is in two classes.
    """
    words = _Words(source)
    _check_version(words)
    n_classes, n_models = words.count("the number of classes"), words.count("the number of models")
    parents: list[str | None] = []
    line_of: dict[str, int] = {}
    class_of: dict[str, str] = {}
    while words.place < len(words.words):
        name = words.next("a class")
        if name in line_of:
            words.refuse(
                f"class {shown(name)} is defined twice (first: line {line_of[name]}); is the "
                "number of models before it right?",
                TaxonomyError,
            )
        line = words.line
        parent = words.next(f"the parent of {shown(name)}")
        if parent != _NO_PARENT and parent not in line_of:
            words.refuse(
                f"parent {shown(parent)} of {shown(name)} is not defined above it"
                f"{nearest(parent, list(line_of))}; define it first, or give 0 for none",
                TaxonomyError,
            )
        parents.append(None if parent == _NO_PARENT else parent)
        line_of[name] = line
        _read_models(words, name, class_of)
    _check_counts(source, (n_classes, n_models), (len(line_of), len(class_of)))
    lines = list(line_of.values())
    edges = Edges(
        parents, list(line_of), lambda row: f"{source.path}, line {lines[row]}", str(source.path)
    )
    return edges, class_of


def _check_version(words: _Words) -> None:
    if words.next("PSB 1") != "PSB":
        words.refuse("a classification file starts with 'PSB 1'")
    version = words.next("the version")
    if version != "1":
        words.refuse(f"version {shown(version)} of the format is not known; convert it to 1")


def _read_models(words: _Words, name: str, class_of: dict[str, str]) -> None:
    n_models = words.count(f"the number of models of {shown(name)}")
    for _ in range(n_models):
        model = words.next(f"one of the {n_models} models of {shown(name)}")
        if model in class_of:
            words.refuse(
                f"model {shown(model)} of {shown(name)} is in {shown(class_of[model])} already; a "
                "model has one class",
                TaxonomyError,
            )
        class_of[model] = name


def _check_counts(source: Source, said: tuple[int, int], found: tuple[int, int]) -> None:
    for what, expected, there in zip(("classes", "models"), said, found, strict=True):
        if expected != there:
            raise DataError(
                f"{source.path}: the head says {expected} {what}, but there are {there}; correct "
                "the head, or the file is not complete"
            )

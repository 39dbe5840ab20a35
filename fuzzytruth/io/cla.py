"""Classification files (`.cla`) of the Princeton Shape Benchmark.

A file is a sequence of words separated by white space: ``PSB 1``, the number of classes and the
number of models; then, for each class, its name, its parent (0: none), its number of models and
their ids. Parents precede their children.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from fuzzytruth.errors import DataError, TaxonomyError, counted, nearest, shown
from fuzzytruth.io.delimited import decode
from fuzzytruth.io.edges import Edges
from fuzzytruth.io.files import Source

_NO_PARENT = "0"
_WORD = re.compile(r"[^ \t\n\r\v\f]+")  # no other white space of Unicode separates words


@dataclass(slots=True)
class _WordReader:
    """Reads the words of a file one after another."""

    source: Source
    words: list[re.Match[str]] = field(init=False)
    text: str = field(init=False)
    n_read: int = 0

    def __post_init__(self) -> None:
        self.text = decode(self.source.path, self.source.text())
        self.words = list(_WORD.finditer(self.text))

    def next(self, what: str) -> str:
        """The next word, described by `what` in errors."""
        if self.n_read == len(self.words):
            raise DataError(f"{self.source.path}: the file ends where {what} should follow")
        self.n_read += 1
        return self.words[self.n_read - 1].group()

    def count(self, what: str) -> int:
        """The next word as a whole number from 0."""
        word = self.next(what)
        if not re.fullmatch(r"[0-9]{1,18}", word):
            self.refuse(f"{shown(word)} should be {what}, a whole number from 0")
        return int(word)

    @property
    def line(self) -> int:
        """The line of the last word read."""
        before = (0, self.words[self.n_read - 1].start())
        ends = [self.text.count(end, *before) for end in ("\n", "\r", "\r\n")]
        return ends[0] + ends[1] - ends[2] + 1

    def refuse(self, message: str, kind: type[DataError] = DataError) -> NoReturn:
        """Raise an error at the last word read."""
        raise kind(f"{self.source.path}, line {self.line}: {message}")


def read_cla_edges(source: Source) -> tuple[Edges, dict[str, str]]:
    """Read the edges between classes, and the class of each model.

    Raises
    ------
    DataError
        The file is not in this format, a count is not a number, or counts do not match.
    TaxonomyError
        A class is defined twice or before its parent, or a model is in two classes.
    """
    words = _WordReader(source)
    _check_version(words)
    n_classes, n_models = words.count("the number of classes"), words.count("the number of models")
    parents: list[str | None] = []
    line_of: dict[str, int] = {}
    class_of: dict[str, str] = {}
    while words.n_read < len(words.words):
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


def _check_version(words: _WordReader) -> None:
    """Raise unless the file starts with the one known version."""
    if words.next("PSB 1") != "PSB":
        words.refuse("a classification file starts with 'PSB 1'")
    version = words.next("the version")
    if version != "1":
        words.refuse(f"version {shown(version)} of the format is not known; convert it to 1")


def _read_models(words: _WordReader, name: str, class_of: dict[str, str]) -> None:
    """Add the models of class `name` to `class_of`."""
    n_models = words.count(f"the number of models of {shown(name)}")
    n_left = len(words.words) - words.n_read
    if n_left < n_models:
        words.refuse(
            f"class {shown(name)} should have {counted(n_models, 'model')}, but the file ends "
            f"after {n_left:,}; correct the number, or complete the file"
        )
    for _ in range(n_models):
        model = words.next("a model")
        if model in class_of:
            words.refuse(
                f"model {shown(model)} of {shown(name)} is in {shown(class_of[model])} already; a "
                "model has one class",
                TaxonomyError,
            )
        class_of[model] = name


def _check_counts(source: Source, stated: tuple[int, int], read: tuple[int, int]) -> None:
    """Raise unless the numbers of classes and of models are those stated in the head."""
    names = (("class", "classes"), ("model", "models"))
    for name, expected, actual in zip(names, stated, read, strict=True):
        if expected != actual:
            raise DataError(
                f"{source.path}: the head says {counted(expected, *name)}, but the file has "
                f"{actual:,}; correct the head, or complete it"
            )

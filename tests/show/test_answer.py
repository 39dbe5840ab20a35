"""What is shown of a result: the parts of it, and the base class of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from fuzzytruth.show.answer import Column, Parts, Printed, Result, Sentences, Table, without_methods


@dataclass(frozen=True)
class Answered(Result):
    value: float

    def _answer(self) -> Printed:
        return Printed.of("A result", Sentences.of("", f"It is {self.value:g}."), None)


def test_a_result_is_shown_in_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    result = Answered(2.5)
    assert str(result) == "A result\n\nIt is 2.5."
    assert result._repr_html_().count("It is 2.5.") == 1
    assert repr(result) == "Answered(value=2.5)"

    class Printer:
        def __init__(self) -> None:
            self.texts: list[str] = []

        def text(self, text: str) -> None:
            self.texts.append(text)

    printer = Printer()
    result._repr_pretty_(printer, cycle=False)
    result._repr_pretty_(printer, cycle=True)
    assert printer.texts == [str(result), repr(result)]


def test_empty_parts_are_left_out() -> None:
    printed = Printed.of("t", Sentences.of(""), Table(()), Table((Column("x", ()),)), None)
    assert printed.parts == ()


def test_no_control_character_is_obeyed_wherever_it_stands() -> None:
    column = Column("a\x1bb", ("c\nd",), bold=(True,))
    printed = Printed.of("e\rf", Table((column,), "g\x07h"), Sentences(("i\x1bj",)))
    for text in (printed.text(80), printed.html()):
        assert not set("\x1b\r\x07") & set(text)
        for escaped in ("a\\x1bb", "c\\nd", "e\\rf", "g\\x07h", "i\\x1bj"):
            assert escaped in text
    louder = printed.mapped(str.upper)
    assert louder.title == "E\\RF"
    extras = Printed.of("t", Table((Column("x", ("1",)),), "", "x: a\rb")).parts[0]
    assert isinstance(extras, Table)
    assert extras.extras == "x: a\\rb"
    assert louder.parts[0] == Table((Column("A\\X1BB", ("C\\ND",), bold=(True,)),), "G\\X07H")


@dataclass(frozen=True, slots=True, repr=False)
class Named(Result):
    n: int
    _more: ClassVar[str] = ".to_frame()"

    def _title(self) -> str:
        return f"Named: {self.n} rows"

    def _parts(self) -> Parts:
        yield "A sentence."
        yield None


def test_a_result_has_a_title_its_parts_and_what_else_it_has() -> None:
    assert repr(Named(3)) == "Named(3 rows)"
    assert str(Named(3)) == "Named: 3 rows\n\nA sentence.\n\nMore: .to_frame()"
    assert without_methods(Named(3)).text() == "Named: 3 rows\n\nA sentence."


def test_ipython_shows_the_answer_of_classes_with_a_repr_too() -> None:
    # it looks for __repr__ and _repr_pretty_ in one class after the other
    @dataclass(frozen=True, slots=True, repr=False)
    class WithRepr(Named):
        def __repr__(self) -> str:
            return "own"

    written: list[str] = []
    printer = type("Printer", (), {"text": staticmethod(written.append)})
    vars(WithRepr)["_repr_pretty_"](WithRepr(3), printer, False)
    vars(WithRepr)["_repr_pretty_"](WithRepr(3), printer, True)
    assert written == [str(Named(3)), "own"]

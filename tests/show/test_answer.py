"""What is shown of a result: its parts, as text of a given width and as HTML."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pandas as pd
from rich.cells import cell_len
from support.html_reader import Reader

from fuzzytruth.show.answer import (
    Column,
    FrameColumns,
    Parts,
    Printed,
    Result,
    Sentences,
    Table,
    html_of,
    printed_table,
    table_text,
    without_methods,
)

NUMBER = "0.412 [0.351, 0.474]"


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
    assert Named(3)._repr_html_().count("A sentence.") == 1


def test_ipython_shows_the_answer_of_classes_with_a_repr_too() -> None:
    # it looks for __repr__ and _repr_pretty_ in one class after the other
    @dataclass(frozen=True, slots=True, repr=False)
    class WithRepr(Named):
        def __repr__(self) -> str:
            return "own"

    written: list[str] = []
    printer = type("Printer", (), {"text": staticmethod(written.append)})
    for cycle in (False, True):
        vars(WithRepr)["_repr_pretty_"](WithRepr(3), printer, cycle)
    assert written == [str(Named(3)), "own"]


def test_no_control_character_is_obeyed_wherever_it_stands() -> None:
    column = Column("a\x1bb", ("c\nd",), bold=(True,))
    printed = Printed.of("e\rf", Table((column,), "g\x07h", "x: a\rb"), Sentences(("i\x1bj",)))
    for text in (printed.text(80), printed.html()):
        assert not set("\x1b\r\x07") & set(text)
        for escaped in ("a\\x1bb", "c\\nd", "e\\rf", "g\\x07h", "i\\x1bj"):
            assert escaped in text
    louder = printed.mapped(str.upper)
    assert (louder.title, louder.parts) == (
        "E\\RF",
        (
            Table((Column("A\\X1BB", ("C\\ND",), bold=(True,)),), "G\\X07H", "X: A\\RB"),
            Sentences(("I\\X1BJ",)),
        ),
    )
    assert Column.label("system", ["a\nb"]).cells == ("a\\nb",)
    empty = Printed.of("t", Sentences.of(""), Table(()), Table((Column("x", ()),)), None)
    assert empty.parts == ()


def test_a_frame_is_printed_by_its_columns() -> None:
    frame = pd.DataFrame({"who": ["a\nb", "c"], "n": [1500, 2], "low": [0.0, math.nan], "up": 1.0})
    columns: FrameColumns = {
        "who": "subject",
        "n": ("votes", ",", "extra"),
        ("low", "up"): ("95 %", ".1f"),
        "up": ("twice", lambda value: f"{2 * value:g}", "label"),
        "missing": None,
    }
    assert printed_table(frame, columns, extras="Votes.") == Table(
        (
            Column("subject", ("a\\nb", "c"), "label"),
            Column("votes", ("1,500", "2"), "extra"),
            Column("95 %", ("[0.0, 1.0]", "–")),
            Column("twice", ("2", "2"), "label"),
        ),
        extras="Votes.",
    )
    people = pd.DataFrame({"who": [*"abc"]})
    table = printed_table(people, {"who": "subject"}, title="People", limit=2)
    assert (table.title, table.n_rows) == ("People, the first 2 of 3", 2)
    cut = "the lowest {shown} of {rows:,} subjects"
    table = printed_table(people, {"who": "subject"}, limit=2, cut=cut)
    assert table.title == "the lowest 2 of 3 subjects"
    assert printed_table(people, {"who": "subject"}, title="P", limit=3).title == "P"


def test_html() -> None:
    system = Column.label("system", ["<script>alert(1)</script>", "a & b"])
    table = Table((system, Column("AP", ("0.5", "0.25"), bold=(True, False))), "Means <1>", "x")
    html = html_of("2 systems", [Sentences.of("a < b", "c"), table])
    reader = Reader.of(html)
    assert reader.open == []
    assert reader.texts == [
        ("strong", "2 systems"),
        ("p", "a < b"),
        ("p", "c"),
        ("caption", "Means <1>"),
        ("th", "system"),
        ("th", "AP"),
        ("td", "<script>alert(1)</script>"),
        ("strong", "0.5"),
        ("td", "a & b"),
        ("td", "0.25"),
        ("p", "x"),
    ]
    assert html.count("text-align:left") == 3


# Text.


def table(*names: str, measures: int = 3) -> Table:
    numbers = [Column(f"m{j}", (NUMBER,) * len(names)) for j in range(measures)]
    extra = Column("d_z", ("1.25",) * len(names), "extra")
    return Table((Column.label("system", names), *numbers, extra))


def lines_of(text: str, width: int) -> list[str]:
    lines = text.split("\n")
    assert max(map(cell_len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    return lines


def test_extras_are_shown_and_explained_where_there_is_room() -> None:
    one = replace(table("x", "y"), extras="d_z: in standard deviations.")
    lines = lines_of(table_text(one, 100), 100)
    assert lines[0].split() == ["system", "m0", "m1", "m2", "d_z"]
    assert lines[2:4] == [f"{name}       {NUMBER}  {NUMBER}  {NUMBER}  1.25" for name in "xy"]
    assert lines[4:] == ["", "d_z: in standard deviations."]
    lines = lines_of(table_text(one, 73), 73)  # before anything is folded
    assert (len(lines), "d_z" in lines[0]) == (4, False)


def test_a_split_table_repeats_the_labels() -> None:
    lines = table_text(table("x", "y", measures=4), 60).split("\n")
    heads = [line.split() for line in lines if line.startswith("system")]
    assert heads == [["system", "m0", "m1"], ["system", "m2", "m3"]]
    assert [line[0] for line in lines if NUMBER in line] == [*"xyxy"]


def test_two_columns_of_names_share_the_room() -> None:
    """A word of 22 characters would leave 10 to the second column, whose name took 5 lines."""
    columns: Any = (
        Column.label("system", ("UniversityOfSomewhere-run-automatic-03", "bm25")),
        Column.label("minus", ("duoT5", "dense_retriever_v12_hard-negatives_ep10")),
        Column("difference", ("-0.3057*",) * 2),
        Column("95 % interval", ("[-0.3773, -0.2341]",) * 2),
        Column("adjusted p", ("0.0001",) * 2),
    )
    lines = lines_of(table_text(Table(columns), 80), 80)
    assert len(lines) == 3 + 3 + 3  # and one of a heading
    assert lines[1].index("minus") == 20
    names = ["n" * 59, "averyveryveryveryverylongnamewithoutanybreakinit"]
    labels = Column.label("system", names), Column.label("minus", names[::-1])
    for width in (40, 60, 80):
        text = table_text(Table((*labels, Column("p", ("[-0.1234, +0.5678]",) * 2))), width)
        lines_of(text, width)
        assert text.count("[-0.1234, +0.5678]") == 2
        assert text.count("n") >= 2 * 59
    letters = Column.label("AP", ["0.2447 a, b, c, d, e, f, g, h, i, j", "-0.1234"])
    text = table_text(Table((letters, Column("x", ("1" * 30,) * 2))), 44)
    assert "0.2447 a, b," in text
    assert "-0.1234" in text

"""Text for Markdown."""

import pytest
from support.read_tables import markdown_rows, name_of

from fuzzytruth.show.answer import Column, Table
from fuzzytruth.show.markdown import escape, of_table, table


@pytest.mark.parametrize(
    ("given", "escaped"),
    [
        ("plain P@10 (é)", "plain P@10 (é)"),
        ("a|b", r"a\|b"),
        ("a\nb\r", r"a\\nb\\r"),
        ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
        ("`x` *y* _z_ ~~u~~ $v$", r"\`x\` \*y\* \_z\_ \~\~u\~\~ \$v\$"),
        ("![t](http://x)", r"!\[t\](http://x)"),
        ("\x1b[2J", r"\\x1b\[2J"),
    ],
)
def test_marks_are_escaped_and_read_back(given: str, escaped: str) -> None:
    assert escape(given) == escaped
    assert escape("a\\|b") == r"a\\\|b"
    (row,) = markdown_rows(table([escaped, "n"], [[escaped, "1"]]))
    assert {name_of(key): name_of(value) for key, value in row.items()} == {given: given, "n": "1"}


def test_a_table() -> None:
    columns = (
        Column.label("system", ["a", "b|c"]),
        Column("m|n", ("[0.5", "2"), bold=(True, False)),
    )
    rows = "| a | **\\[0.5** |\n| b\\|c | 2 |\n\n\\*\n"
    assert of_table(Table(columns), "*") == f"| system | m\\|n |\n|---|---:|\n{rows}"
    left = of_table(Table(columns), "*", right=False)
    assert left == f"| system | m\\|n |\n|---|---|\n{rows}"
    assert table(["x"], []) == "| x |\n|---|\n"

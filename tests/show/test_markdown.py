"""Text for Markdown."""

from __future__ import annotations

import numpy as np
import pytest
from support.read_tables import markdown_rows, name_of

from fuzzytruth.show.markdown import escape, table


@pytest.mark.parametrize(
    ("given", "escaped"),
    [
        ("plain P@10 (é)", "plain P@10 (é)"),
        ("a|b", r"a\|b"),
        ("a\\|b", r"a\\\|b"),
        ("a\nb\r", r"a\\nb\\r"),
        ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
        ("`x` *y* _z_ ~~u~~ $v$", r"\`x\` \*y\* \_z\_ \~\~u\~\~ \$v\$"),
        ("![t](http://x)", r"!\[t\](http://x)"),
        ("\x1b[2J", r"\\x1b\[2J"),
    ],
)
def test_marks_are_escaped(given: str, escaped: str) -> None:
    assert escape(given) == escaped


def test_a_table() -> None:
    text = table(
        ["system", r"m\|n"],
        [["a", "0.5"], [r"b\|c", "0.25"]],
        bold=np.array([[False, True], [False, False]]),
        right=[False, True],
    )
    assert text == "| system | m\\|n |\n|---|---:|\n| a | **0.5** |\n| b\\|c | 0.25 |\n"
    assert table(["x"], []) == "| x |\n|---|\n"


@pytest.mark.parametrize(
    "name", ["a|b", "*b*", "[c]", "<d>&amp;", "`e` _f_ ~g~ $h$", "i\nj", "Żółw"]
)
def test_escaped_cells_are_read_back(name: str) -> None:
    (row,) = markdown_rows(table([escape(name), "n"], [[escape(name), "1"]]))
    assert {name_of(key): name_of(value) for key, value in row.items()} == {name: name, "n": "1"}

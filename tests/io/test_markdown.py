"""Text for Markdown."""

from __future__ import annotations

import pytest

from fuzzytruth.io.markdown import escape


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

"""JSON is parsed strictly, and errors name the line and character."""

from __future__ import annotations

import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import parse_json


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"a":\n 1,}', "^w, line 2, character [34]: is not JSON"),  # 3 from Python 3.13
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "^w: key 'c' occurs twice in one object$"),
        (b'"\xff"', "^w, line 1: byte 0xff is not UTF-8"),
        (b"[" * 100_000, "^w: is not JSON"),
    ],
)
def test_parsing(text: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse_json(text, "w")


def test_the_line_is_named_once() -> None:
    with pytest.raises(DataError, match=r"^a, line 7, character 2: is not JSON"):
        parse_json(b"{", "a, line 7", is_line=True)

"""Text of runs in blocks of whole queries, cut where the first field of the lines changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LOOK_BACK = 1 << 12  # bytes by which the search for the last query's first line begins


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Whole lines of a file.

    Parameters
    ----------
    text : bytes
    start : int
        Bytes of text before it.
    """

    text: bytes
    start: int


def query_blocks(blocks: Iterable[bytes]) -> Iterator[TextBlock]:
    """Blocks of whole lines, cut anew so that neighbouring lines of a query stay together.

    Lines of a query between which there are others may be in several blocks.
    """
    held: list[bytes] = []  # the last query, which may go on in the next block
    start = 0
    for block in blocks:
        cut = last_change(block)
        if cut or (held and first_field(block, 0) != first_field(held[0], 0)):
            text = b"".join([*held, memoryview(block)[:cut]])
            if text:
                yield TextBlock(text, start)
            start += len(text)
            held = []
        held.append(block[cut:])
    if rest := b"".join(held):
        yield TextBlock(rest, start)


def last_change(block: bytes) -> int:
    r"""Where the first of the last lines that have the same first field starts.

    Examples
    --------
    >>> last_change(b"q1 a\nq2 b\nq2 c\n"), last_change(b"q1 a\nq1 b\n")
    (5, 0)
    """
    last = _line_start(block, _end_of_text(block))
    field = first_field(block, last)
    same, step = last, _LOOK_BACK
    while True:
        if same == 0:
            return 0
        other = _line_start(block, max(same - step, 0))
        if first_field(block, other) != field:
            break
        same, step = other, 2 * step
    while True:  # the line at `other` has another field than the one at `same`
        middle = _line_start(block, (other + same) // 2)
        if middle <= other:
            middle = block.find(b"\n", other) + 1
            if middle >= same:
                return same
        if first_field(block, middle) == field:
            same = middle
        else:
            other = middle


def first_field(text: bytes, start: int) -> bytes:
    """The first field of the line that starts there; empty for a blank line."""
    end = text.find(b"\n", start)
    line = text[start:] if end < 0 else text[start:end]
    fields = line.split(None, 1)
    return fields[0] if fields else b""


def _line_start(text: bytes, place: int) -> int:
    """Where the line of the byte at `place` starts."""
    return text.rfind(b"\n", 0, place) + 1


def _end_of_text(block: bytes) -> int:
    """The place behind the last byte that is no white space."""
    end = len(block)
    while end and block[end - 1 : end].isspace():
        end -= 1
    return end

"""Text to the screen or into a file."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import TextIO

from fuzzytruth.errors import printable

_ESCAPES = "fuzzytruth.escapes"
#: signs of our own, as written where the encoding lacks them
_PLAIN = str.maketrans({"–": "-", "→": "->", "×": "x"})


def emit(write: Callable[[TextIO], object], output: Path | None) -> None:
    """Let `write` write to the screen, or to a file, which appears only when it is complete."""
    if output is None:
        write(sys.stdout)
        sys.stdout.flush()
        return
    buffer = StringIO()
    write(buffer)
    write_file(output, buffer.getvalue().encode(errors=_ESCAPES))


def emit_text(text: str, output: Path | None) -> None:
    """Text for machines as it is; on a terminal, control characters are shown, not obeyed."""
    if output is None and sys.stdout.isatty():
        text = "\n".join(map(printable, text.split("\n")))
    emit(lambda file: file.write(text), output)


def write_file(path: Path, content: bytes) -> None:
    """Write a file, which appears only when it is complete."""
    from fuzzytruth.io.writing import write_whole

    write_whole(path, lambda file: file.write(content))


def legible(text: str, file: TextIO) -> str:
    """A line for people: control characters are escaped, and what the file's encoding lacks."""
    text = printable(text)
    encoding = getattr(file, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN).encode(encoding, errors=_ESCAPES).decode(encoding)
    return text


def print_line(text: str = "", file: TextIO | None = None) -> None:
    """Print text for people, line by line, as `legible`; by default on standard output."""
    file = file or sys.stdout
    for line in text.split("\n"):
        print(legible(line, file), file=file)


def prepare_streams() -> None:
    """Let standard output and error take any character, and nothing where they are closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, StringIO())
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_ESCAPES)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    r"""Characters without a code as ``\u00e9``, which JSON reads, too."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", errors="surrogatepass")
    pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
    return "".join(f"\\u{unit}" for unit in pairs), error.end


codecs.register_error(_ESCAPES, _escaped)

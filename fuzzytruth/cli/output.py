"""Text to the screen or into a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import TextIO


def emit(write: Callable[[TextIO], object], output: Path | None) -> None:
    """Let `write` write to the screen, or to a file, which appears only when it is complete."""
    if output is None:
        write(sys.stdout)
        sys.stdout.flush()
        return
    buffer = StringIO()
    write(buffer)
    write_file(output, buffer.getvalue().encode())


def write_file(path: Path, content: bytes) -> None:
    """Write a file, which appears only when it is complete."""
    from fuzzytruth.io.writing import write_whole

    write_whole(path, lambda file: file.write(content))

"""Printed texts beside what they must say."""

import doctest
import os
from pathlib import Path
from typing import Any

STORED = Path(__file__).parents[1] / "stored_texts"
_CHECKER = doctest.OutputChecker()


def flat(text: Any) -> str:
    """What is printed, on one line."""
    return " ".join(str(text).split())


def says(text: str, expected: str) -> bool:
    """Whether a text is the expected one, in which "..." stands for any words."""
    return _CHECKER.check_output(f"{expected}\n", f"{text}\n", doctest.ELLIPSIS)


def is_stored(name: str, text: str) -> bool:
    """Whether a text is that of a file; with STORE=1 in the environment it is stored first."""
    path = STORED / f"{name.replace(', ', '-').replace(' ', '_')}.txt"
    text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
    if os.environ.get("STORE"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8") == text

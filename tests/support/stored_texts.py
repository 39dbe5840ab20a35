"""Printed texts stored beside the tests, in a file with a section for each."""

import os
from pathlib import Path


def check_stored(path: Path, name: str, text: str) -> None:
    """Raise unless a text is the one stored under this name; STORE_TEXTS=1 stores it instead."""
    lines = "".join(f"{line.rstrip()}\n" for line in text.strip("\n").split("\n"))
    found = _sections(path)
    if os.environ.get("STORE_TEXTS"):
        found[name] = lines
        sections = (f"=== {title}\n{found[title]}" for title in sorted(found))
        path.write_text("".join(sections), encoding="utf-8")
    assert lines == found[name]


def _sections(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    parts = f"\n{path.read_text(encoding='utf-8')}".split("\n=== ")[1:]
    named = (part.split("\n", 1) for part in parts)
    return {name: f"{text.removesuffix(chr(10))}\n" for name, text in named}

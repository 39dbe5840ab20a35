"""Check of who makes the package, and where it lives."""

from __future__ import annotations

import sys

from workplace import HOME, Failed, NotReady, Workplace, said


def identity(place: Workplace) -> str:
    """Files are as packaging/identity.toml says, and a tagged commit has no placeholders there."""
    checkout = place.folder / "first" / "checkout"
    place.built("first", ".whl")
    said([sys.executable, "packaging/identity.py", "--check"], cwd=checkout)
    left = said([sys.executable, "packaging/identity.py"], cwd=checkout).strip()
    return ready(left, said(["git", "tag", "--points-at", "HEAD"], cwd=HOME).split())


def ready(left: str, tags: list[str]) -> str:
    """What packaging/identity.py says is left, if it is nothing."""
    if left == "no placeholders":
        return left
    if any(tag.startswith("v") for tag in tags):
        raise Failed(f"tagged {', '.join(tags)}, but there are {left}")
    raise NotReady(f"with a tag this would be refused: {left}")

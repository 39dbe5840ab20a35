"""Check of who makes the package, and where it lives."""

from __future__ import annotations

import sys

from workplace import HOME, Failed, NotReady, Workplace, said


def identity(place: Workplace) -> str:
    """Files are as packaging/identity.toml says, and a tagged commit has no placeholders there."""
    checkout = place.folder / "first" / "checkout"
    place.built("first", ".whl")
    said([sys.executable, "packaging/identity.py", "--check"], cwd=checkout)
    missing = said([sys.executable, "packaging/identity.py"], cwd=checkout).strip()
    if missing == "no placeholders":
        return missing
    tags = said(["git", "tag", "--points-at", "HEAD"], cwd=HOME).split()
    if any(tag.startswith("v") for tag in tags):
        raise Failed(f"tagged {', '.join(tags)}, but there are {missing}")
    raise NotReady(f"with a tag this would be refused: {missing}")

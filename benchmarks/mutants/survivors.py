"""Why mutants survive: survivors.json has a class and a reason for each changed line."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

#: classes and what they mean, in the order in which they are shown
CLASSES = {
    "equivalent": "no input makes a difference, or none that callers can give",
    "performance": "sizes of blocks, shortcuts, starts of iterations: the same numbers",
    "accuracy": "tolerances and constants of approximations: numbers within the stated error",
    "message": "only the wording of an error differs",
    "test missing": "a wrong number would go unnoticed by the tests that were run",
}
UNKNOWN = "not yet classed"
_FILE = Path(__file__).parent / "survivors.json"


def class_of(result: dict[str, Any]) -> tuple[str, str]:
    """Class and reason of a survivor, by its module and the changed line."""
    module = result["key"].partition(":")[0]
    kind, reason = _known().get(f"{module}: {' → '.join(result['change'])}", (UNKNOWN, ""))
    return kind, reason


@cache
def _known() -> dict[str, list[str]]:
    known: dict[str, list[str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return known

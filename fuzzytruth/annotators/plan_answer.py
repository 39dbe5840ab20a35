"""What is printed of a plan."""
from __future__ import annotations
from typing import Any
from fuzzytruth.io.answer import Printed, Sentences
def plan_answer(result: Any) -> Printed:
    """Words."""
    return Printed.of("Plan", Sentences.of("x"))

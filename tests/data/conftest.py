from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def stored() -> Callable[[str], str]:
    """Printed results of 80 columns, by the name of their file."""
    folder = Path(__file__).parent / "printed"
    return lambda name: (folder / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")

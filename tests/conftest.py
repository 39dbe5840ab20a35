"""What tests have in common."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from fuzzytruth.measures import registry

# The time of an example depends on the machine and on what else it does.
settings.register_profile("default", deadline=None)
settings.load_profile("default")


@pytest.fixture
def own_measures(monkeypatch):
    """Measures that a test registers are gone when it ends."""
    for table in ("_CLASSES", "_SPELLINGS", "_REGISTERED"):
        monkeypatch.setattr(registry, table, getattr(registry, table).copy())


@pytest.fixture
def data() -> Path:
    """Folder of trec_eval's own test files."""
    return Path(__file__).parent / "reference_data" / "trec_eval"

"""What tests have in common."""

from __future__ import annotations

import pytest

from fuzzytruth.measures import registry


@pytest.fixture
def own_measures(monkeypatch):
    """Measures that a test registers are gone when it ends."""
    for table in ("_CLASSES", "_SPELLINGS", "_REGISTERED"):
        monkeypatch.setattr(registry, table, getattr(registry, table).copy())

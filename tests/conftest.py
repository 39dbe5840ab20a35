"""What tests have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzytruth.measures import registry


@pytest.fixture
def own_measures(monkeypatch):
    """Measures that a test registers are gone when it ends."""
    for table in ("_CLASSES", "_SPELLINGS", "_REGISTERED"):
        monkeypatch.setattr(registry, table, getattr(registry, table).copy())


@pytest.fixture
def data() -> Path:
    """Folder of trec_eval's own test files."""
    return Path(__file__).parent / "reference_data" / "trec_eval"

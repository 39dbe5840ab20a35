from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def data() -> Path:
    return Path(__file__).parents[1] / "data" / "trec_eval"

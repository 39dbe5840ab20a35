"""The document that report and notebook are written from."""

import pytest

from paper_repro.document import Cell, cells


@pytest.fixture(scope="session")
def document() -> list[Cell]:
    return cells()

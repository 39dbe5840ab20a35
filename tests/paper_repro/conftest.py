"""The document that report and notebook are written from, run once with fewer worlds."""

from dataclasses import replace

import pytest

from paper_repro.document import Cell, read, run

WORLDS = "n_worlds=100_000"


def fewer(cell: Cell) -> Cell:
    text = cell.text.replace(WORLDS, "n_worlds=5_000")
    return replace(cell, text=text.replace('"n_worlds": 100_000', '"n_worlds": 5_000'))


@pytest.fixture(scope="session")
def story() -> list[Cell]:
    return run([fewer(cell) for cell in read("story")])


@pytest.fixture(scope="session")
def appendix() -> list[Cell]:
    return run(read("appendix"))

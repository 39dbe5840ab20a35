"""What tests have in common."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from fuzzytruth.measures import registry

# The time of an example depends on the machine and on what else it does.
settings.register_profile("default", deadline=None)
settings.load_profile("default")


def pytest_collection_finish() -> None:
    """What is imported stays: statsmodels' corrections collect garbage at every call."""
    gc.freeze()


@pytest.fixture
def own_measures(monkeypatch):
    """Measures that a test registers are gone when it ends."""
    registry.names()  # imports the library's, which stay
    for table in ("_CLASSES", "_SPELLINGS", "_REGISTERED"):
        monkeypatch.setattr(registry, table, getattr(registry, table).copy())


@pytest.fixture
def data() -> Path:
    """Folder of trec_eval's own test files."""
    return Path(__file__).parent / "reference_data" / "trec_eval"


@pytest.fixture
def as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, 80 columns, and the style of figures restored."""
    import matplotlib.pyplot as plt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    with plt.rc_context():
        yield tmp_path
    plt.close("all")

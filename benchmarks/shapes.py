"""The sizes at which tools are compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Shape:
    """Number of queries, and of rows and judgments for each."""

    name: str
    queries: int
    rows: int
    judged: int
    seed: int = 0

    @property
    def total(self) -> int:
        return self.queries * self.rows

    def files(self, folder: Path) -> tuple[Path, Path]:
        """Paths of the judgments and the run."""
        return folder / f"{self.name}.qrels", folder / f"{self.name}.run"


LARGE = Shape("large", 6980, 1000, 1)  # 7.0 M rows, 7 k judgments
SMALL = Shape("small", 200, 1000, 300)  # 200 k rows, 60 k judgments
MANY = Shape("many", 100_000, 20, 2)  # many tiny queries, as dictionaries
START = Shape("start", 50, 100, 60)  # what a shell command starts with
SHAPES = {shape.name: shape for shape in (LARGE, SMALL, MANY, START)}

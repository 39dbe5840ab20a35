"""Golden numbers of printed examples, and columns of tables."""

import json
from pathlib import Path
from typing import Any

from paper_repro.tables import Table

OUT_OF_DATE = "run `make paper`"
GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> dict[str, Any]:
    """Golden numbers by the name of their file."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def column(table: Table, name: str) -> list[str]:
    """One column of a table."""
    return [row[table.columns.index(name)] for row in table.rows]

"""Files for tests of the command line, and its commands."""

from typing import Any

import typer

from fuzzytruth.cli.commands import app

COMMANDS: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 1\n"
A = "q1 Q0 d2 1 3.0 a\nq1 Q0 d1 2 2.0 a\nq1 Q0 d3 3 1.0 a\nq2 Q0 d1 1 1.0 a\n"
B = "q1 Q0 d3 1 3.0 b\nq1 Q0 d2 2 2.0 b\nq2 Q0 d9 1 2.0 b\nq2 Q0 d1 2 1.0 b\n"
VOTES = "query,item,subject,grade\nq1,d1,ann,1\nq1,d1,bob,0\nq1,d2,ann,0\nq1,d2,bob,1\n"
TREE = "all\n  people\n    crowd\n  scenery\n    city\n"
LABELS = "annotator,image,label\n" + "".join(
    f"s{s},{item},{name}\n"
    for item, names in {"i1": ["people", "crowd", "city"], "i2": ["city", "city", "all"]}.items()
    for s, name in enumerate(names)
)

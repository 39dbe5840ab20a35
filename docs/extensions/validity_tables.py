"""The tables of the validity study, a page for each subject, made from its results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: folder of the pages, which `validity` links
FOLDER = Path("evidence") / "tables"


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write(app: Sphinx) -> None:
    benchmarks = Path(app.srcdir).parent / "benchmarks"
    sys.path.append(str(benchmarks))
    from validity.report import pages
    from validity.study import saved

    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    for name, text in pages(
        saved(benchmarks / "validity" / "results.jsonl")
    ).items():
        path = folder / f"{name}.md"
        if (
            not path.exists() or path.read_text("utf-8") != text
        ):  # else Sphinx reads it again
            path.write_text(text, encoding="utf-8")

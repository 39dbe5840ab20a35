"""`python -m paper_repro`: write the report, its pictures and the notebook."""

from __future__ import annotations

import sys

from paper_repro.claims import all_claims
from paper_repro.document import FOLDER, read, run
from paper_repro.notebook import NAME, write_notebook
from paper_repro.report import write_report


def main() -> int:
    story, appendix = run(read("story")), run(read("appendix"))
    write_report([*story, *appendix], FOLDER)
    write_notebook(story, FOLDER / NAME)
    wrong = [row.claim for row in all_claims() if not row.agrees]
    print(f"wrote report.md, figures/ and {NAME} in {FOLDER}; claims that do not agree: {wrong}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

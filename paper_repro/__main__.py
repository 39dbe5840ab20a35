"""`python -m paper_repro`: write the report, its pictures and the executed notebook."""

from __future__ import annotations

import sys

from paper_repro.claims import all_claims, summary
from paper_repro.document import FOLDER
from paper_repro.notebook import NAME, write_notebook
from paper_repro.report import write_report


def main() -> int:
    write_report(FOLDER)
    write_notebook(FOLDER / NAME)
    for whose, total, agree, explained, neither in summary().rows:
        print(f"{whose}: {total} claims, {agree} agree, {explained} explained, {neither} neither")
    print(f"wrote report.md, figures/ and {NAME} in {FOLDER}")
    return int(not all(row.settled for row in all_claims()))


if __name__ == "__main__":
    sys.exit(main())

"""`python -m paper_repro`: write the report, its pictures and the executed notebook."""

from __future__ import annotations

import sys

from paper_repro.claims import all_claims, summary
from paper_repro.document import FOLDER
from paper_repro.misprints import misprints
from paper_repro.notebook import NAME, write_notebook
from paper_repro.report import write_report


def main() -> int:
    import matplotlib as mpl

    mpl.use("Agg")
    write_report(FOLDER)
    write_notebook(FOLDER / NAME)
    ((total, agree, do_not),) = summary().rows
    print(f"{total} claims: {agree} agree, {do_not} do not (the misprints of part (c))")
    print(f"wrote report.md, figures/ and {NAME} in {FOLDER}")
    expected = sum(row.refuted for row in misprints())
    return int(sum(not row.agrees for row in all_claims()) != expected)


if __name__ == "__main__":
    sys.exit(main())

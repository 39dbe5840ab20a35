"""What is written from the results: the page of findings, and a page of tables for each subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from validity import (
    sections_agreement,
    sections_collections,
    sections_communities,
    sections_components,
    sections_crossed,
    sections_directions,
    sections_families,
    sections_few_subjects,
    sections_gates,
    sections_influence,
    sections_judges,
    sections_near_copies,
    sections_pairs,
    sections_people,
    sections_planning,
    sections_powered,
    sections_runs,
    sections_single,
    sections_structure,
)
from validity.findings import TEMPLATE, findings
from validity.tables import Book, Judged, Row, sizes

#: name of a page of tables -> its title, and what writes it
SUBJECTS: dict[str, tuple[str, Callable[[Book], list[str]]]] = {
    "single": ("One and two systems", sections_single.sections),
    "families": ("Many systems over queries", sections_families.sections),
    "near_copies": ("Near copies of a system", sections_near_copies.sections),
    "crossed": ("Queries and annotators, clusters, margins", sections_crossed.sections),
    "few_subjects": ("Few annotators", sections_few_subjects.sections),
    "runs": ("Several runs of a system", sections_runs.sections),
    "gates": ("Margins and gates", sections_gates.sections),
    "collections": ("Several collections", sections_collections.sections),
    "agreement": ("Agreement of a panel", sections_agreement.sections),
    "pairs": ("Agreement of pairs, copies", sections_pairs.sections),
    "judges": ("Model judges", sections_judges.sections),
    "powered": ("Few human judgments, many of a model", sections_powered.sections),
    "people": ("The panel's answers", sections_people.sections),
    "directions": ("Directions by subject", sections_directions.sections),
    "structure": ("Structure of disagreement", sections_structure.sections),
    "communities": ("Communities", sections_communities.sections),
    "influence": ("Influence of one subject", sections_influence.sections),
    "components": ("Variance components", sections_components.sections),
    "planning": ("Plans", sections_planning.sections),
}
_INDEX = """\
# Validity: the tables

All designs that were simulated, by subject; [validity](../validity.md) says what they show. The
pages are made from benchmarks/validity/results.jsonl when the site is built.

Every number is a rate over simulated data sets with its Monte Carlo standard error (MCSE) in
parentheses, in units of the last digits: .051 (7) is .051 with MCSE .007. A cell has {sizes} data
sets, half as many for peers' methods. Targets are ± 2 MCSE for each cell; a cell that misses its
target is bold.

```{{toctree}}
:maxdepth: 1

{pages}
```

## Cells that miss their target

{missed}
"""


def write_findings(rows: list[Row], path: Path) -> None:
    """Write the page of findings."""
    book = Book(rows)
    _tables(book)
    text = findings(book, TEMPLATE.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def pages(rows: list[Row]) -> dict[str, str]:
    """Name of each page of tables, and its text."""
    book = Book(rows)
    tables = _tables(book)
    number = sorted(set(sizes(rows)))
    index = _INDEX.format(
        sizes=f"{number[0]:,} to {number[-1]:,}" if number else "no",
        pages="\n".join(tables),
        missed=_listed(one for one in book.judged if not one.holds),
    )
    return {"index": index, **tables}


def _tables(book: Book) -> dict[str, str]:
    """The tables of each subject, whose cells are thereby judged."""
    return {
        name: "\n".join([f"# {title}\n", *write(book)]) for name, (title, write) in SUBJECTS.items()
    }


def _listed(missed: Iterable[Judged]) -> str:
    """The missed cells, by reason."""
    by_reason: dict[str, list[str]] = {}
    for one in missed:
        by_reason.setdefault(one.target.reason or "no reason known", []).append(one.what)
    out = []
    for reason, cells in by_reason.items():
        out.append(f"{reason[0].upper()}{reason[1:]}:\n")
        out += [f"- {cell}" for cell in cells]
        out.append("")
    return "\n".join(out)

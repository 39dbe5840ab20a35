"""`fuzzytruth measures`."""

from __future__ import annotations

EXAMPLE = """\b
Examples:
  fuzzytruth measures
  fuzzytruth evaluate qrels.txt a.run -m 'nDCG(dcg=jarvelin)@10' -m ndcg_cut_10 -m map
"""


def measures() -> None:
    """List all measures.

    With each: its meaning, its parameters and their defaults, other spellings of its name (in any
    case), and its reference.
    """
    from fuzzytruth.cli.output import emit
    from fuzzytruth.cli.tables import print_table
    from fuzzytruth.io.answer import Column, Table
    from fuzzytruth.measures import registry

    headings = ("measure", "meaning", "parameters", "spellings", "reference")
    rows = []
    for name in sorted(registry.names(), key=str.lower):
        entry = registry.lookup(name)
        if entry is None:
            continue
        measure, _ = entry
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[measure.cutoff_use]
        given = (f"{key}={default}" for key, default in measure.parameters().items())
        spellings = ", ".join(registry.spellings_of(name))
        rows.append(
            (name + cutoff, measure.meaning, ", ".join(given), spellings, measure.reference)
        )
    columns = zip(headings, zip(*rows, strict=True), strict=True)
    table = Table(tuple(Column.label(heading, cells) for heading, cells in columns))
    emit(lambda file: print_table(table, file), None)

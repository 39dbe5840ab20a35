"""`fuzzytruth measures`."""

from __future__ import annotations

import sys

EXAMPLE = """\b
Examples:
  fuzzytruth measures
  fuzzytruth evaluate qrels.txt a.run -m 'nDCG(dcg=jarvelin)@10' -m ndcg_cut_10 -m map
"""


def measures() -> None:
    """List the known measures.

    With each: what it means, its parameters and their defaults, other spellings of its name (in any
    case), and where it comes from.
    """
    from dataclasses import fields

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from fuzzytruth.measures import registry

    headings = ("measure", "meaning", "parameters", "spellings", "reference")
    table = Table(*headings, box=SIMPLE_HEAD, show_edge=False)
    for name in sorted(registry.names(), key=str.lower):
        found = registry.lookup(name)
        if found is None:
            continue
        cls, _ = found
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[cls.cutoff_use]
        parameters = ", ".join(f"{f.name}={f.default}" for f in fields(cls) if f.name != "cutoff")
        spellings = ", ".join(registry.spellings_of(name))
        cells = (name + cutoff, cls.meaning, parameters, spellings, cls.reference)
        table.add_row(*map(Text, cells))
    Console(width=None if sys.stdout.isatty() else 100_000).print(table)
    sys.stdout.flush()

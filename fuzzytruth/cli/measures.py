"""`fuzzytruth measures`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

import typer

from fuzzytruth.cli.derived import with_options
from fuzzytruth.cli.output import emit, print_line

_HEADINGS = ("measure", "meaning", "parameters", "spellings", "reference")


@with_options()
def measures(context: typer.Context) -> None:
    r"""List all measures.

    With each: its meaning, its parameters and their defaults, other spellings of its name (in any
    case), and its reference. In a pipe, a measure is one line.

    Examples
    --------
      fuzzytruth measures
      fuzzytruth evaluate qrels.txt a.run \
        -m 'nDCG(dcg=jarvelin)@10' -m ndcg_cut_10 -m map
    """
    emit(_write, None)


def _write(file: TextIO) -> None:
    """A paragraph a measure on a terminal, else a table."""
    from fuzzytruth.cli.tables import print_table
    from fuzzytruth.show.answer import Column, Table, line_width, wrapped

    rows = _rows()
    if not file.isatty():
        columns = zip(_HEADINGS, zip(*rows, strict=True), strict=True)
        print_table(Table(tuple(Column.label(name, cells) for name, cells in columns)), file)
        return
    for name, meaning, *more in rows:
        parts = zip(_HEADINGS[2:], more, strict=True)
        notes = "; ".join(f"{heading}: {text}" for heading, text in parts if text)
        width = line_width()
        print_line(
            f"{wrapped(f'{name}: {meaning}', width)}\n{wrapped(f'  {notes}', width)}\n", file
        )


def _rows() -> Iterator[tuple[str, str, str, str, str]]:
    """Name, meaning, parameters, spellings and reference of each measure."""
    from fuzzytruth.measures import registry

    for name in sorted(registry.names(), key=str.lower):
        entry = registry.lookup(name)
        if entry is None:
            continue
        measure, _ = entry
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[measure.cutoff_use]
        given = ", ".join(f"{key}={default}" for key, default in measure.parameters().items())
        spellings = ", ".join(registry.spellings_of(name))
        yield name + cutoff, measure.meaning, given, spellings, measure.reference

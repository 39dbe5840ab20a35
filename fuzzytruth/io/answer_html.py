"""Printed results as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from fuzzytruth.io.answer_parts import Sentences, Table

_LEFT, _RIGHT = "text-align:left", "text-align:right"


def html_of(title: str, parts: Iterable[Sentences | Table]) -> str:
    """Title and parts in one `div`."""
    texts = [f"<p><strong>{escape(title)}</strong></p>"] if title else []
    for part in parts:
        if isinstance(part, Table):
            texts.append(_table(part))
        else:
            texts.append("<p>" + "<br>\n".join(map(escape, part.lines)) + "</p>")
    return "<div>\n" + "\n".join(texts) + "\n</div>"


def _table(table: Table) -> str:
    """A table with its title as caption."""
    title = f"<caption>{escape(table.title)}</caption>\n" if table.title else ""
    styles = [_LEFT if column.kind == "label" else _RIGHT for column in table.columns]
    head = "".join(
        f'<th scope="col" style="{style}">{escape(column.heading)}</th>'
        for column, style in zip(table.columns, styles, strict=True)
    )
    rows = []
    for row in range(table.n_rows):
        cells = []
        for column, style in zip(table.columns, styles, strict=True):
            text = escape(column.cells[row])
            if column.bold and column.bold[row]:
                text = f"<strong>{text}</strong>"
            cells.append(f'<td style="{style}">{text}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    body = "\n".join(rows)
    drawn = f"<table>\n{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    return drawn + (f"\n<p>{escape(table.extras)}</p>" if table.extras else "")

"""Reports: texts, tables and figures in, one self-contained HTML page out.

The page needs no network: style, script and figures are in it. It knows no type of the packages
above.
"""

from __future__ import annotations

from fuzzytruth.report.parts import Code, Column, Figure, Page, Section, Table, Text, page_html

__all__ = ["Code", "Column", "Figure", "Page", "Section", "Table", "Text", "page_html"]

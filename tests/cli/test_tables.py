"""Tables as text."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.cli.tables import format_for, print_table, show_frame, to_json
from fuzzytruth.show.answer import Column, Table

FRAME = pd.DataFrame({"item": ["a_1", "b"], "n": [1, 20], "p": [0.5, np.nan]})


def test_formats_by_ending() -> None:
    endings = {"o.csv": "csv", "o.JSON": "json", "o.tex": "latex", "o.txt": "table", "o": "table"}
    endings |= {"o.md": "markdown"}
    assert {name: format_for(Path(name)) for name in endings} == endings
    for name in ("o.parquet", "o.xyz", "o.csv.gz"):
        with pytest.raises(ft.OptionError, match=r"^-o o.* of tables; name the file \.csv, "):
            format_for(Path(name))


def test_numbers_are_flush_right_and_lines_unwrapped() -> None:
    file = StringIO()
    names = Column.label("name", ["x" * 300, "y"])
    print_table(Table((names, Column("value", ("1", "20")))), file)
    lines = file.getvalue().splitlines()
    assert lines[2].endswith("     1")
    assert lines[3].endswith("    20")
    assert len(lines) == 4


def test_bold_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    file = StringIO()
    table = Table((Column.label("s", ["x", "y"]), Column("a", ("1", "2"), bold=(True, False))))
    print_table(table, file)
    assert "\x1b" not in file.getvalue()
    monkeypatch.setattr(file, "isatty", lambda: True, raising=False)
    print_table(table, file)
    assert "\x1b[1m1\x1b[0m" in file.getvalue()
    assert "\x1b[1m2" not in file.getvalue()
    before = file.getvalue()
    monkeypatch.setenv("TERM", "dumb")
    print_table(table, file)
    assert "\x1b" not in file.getvalue().removeprefix(before)


def test_json_has_null_for_what_is_not_finite() -> None:
    frame = pd.DataFrame({"x": [0.1 + 0.2, np.nan, -np.inf]})
    assert [row["x"] for row in json.loads(to_json(frame))] == [0.1 + 0.2, None, None]


def test_latex_of_a_frame(capsys: pytest.CaptureFixture[str]) -> None:
    show_frame(FRAME, output_format="latex", output=None, caption="Items of 50%.")
    text = capsys.readouterr().out
    assert r"a\_1 & 1 & 0.5000 \\" in text
    assert r"b & 20 & -- \\" in text
    assert r"\caption{Items of 50\%.}" in text
    assert r"\begin{tabular}{lrr}" in text


def test_a_frame_in_each_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for output_format, start in {"table": "item", "csv": "item,n,p", "json": "["}.items():
        path = tmp_path / output_format
        show_frame(FRAME, output_format=output_format, output=path, caption="")  # type: ignore[arg-type]
        assert path.read_text().startswith(start)
        show_frame(FRAME, output_format=output_format, output=None, caption="")  # type: ignore[arg-type]
        assert capsys.readouterr().out == path.read_text()


def on_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> StringIO:
    file = StringIO()
    monkeypatch.setattr(file, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "dumb")
    return file


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_no_number_is_broken_on_a_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    file = on_terminal(width, monkeypatch)
    names = ["a rather long name of a system", "waterloo.A-rank-normal"]
    cells = {"difference": "-0.1234*", "interval": "[-0.1234, +0.5678]", "p": "< 0.0001"}
    columns = [Column.label("system", names), Column.label("minus", names)]
    columns += [Column(heading, (cell, cell)) for heading, cell in cells.items()]
    columns.append(Column("w/t/l", ("10/0/10",) * 2, "extra"))
    print_table(Table(tuple(columns)), file)
    text = file.getvalue()
    assert all(text.count(cell) == 2 for cell in cells.values())
    assert text.count("10/0/10") == (2 if width == 120 else 0)
    assert max(map(len, text.splitlines())) <= max(width, 40)


def test_letters_and_cells_are_escaped_and_aligned() -> None:
    file = StringIO()
    names = Column.label("na\x1bme", ["a\nb", "long name"])
    print_table(Table((names, Column.label("v", ["1", "2"]))), file)
    lines = file.getvalue().splitlines()
    assert len(lines) == 4
    assert lines[0].split() == [r"na\x1bme", "v"]
    assert lines[2].index("1") == lines[3].index("2") == lines[0].index("v")

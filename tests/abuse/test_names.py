"""Names that mean something to a spreadsheet, LaTeX, Markdown, HTML or a terminal, read back."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest
from support.read_tables import latex_rows
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.errors import printable

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|'/c calc'!A0", "\t=1", "'=1"]
SPECIAL = [
    'a,b;c"d"',
    "tab\there",
    "line\nbreak\r\nhere\r",
    "#comment",
    "% & $x^2$ _ {a} ~ \\ \\textbf{b}",
    "--- '' ``",
    "[1cm] *",
    "| *a* _b_ `c` ~~d~~ [e](http://f) ![g](h)",
    "<b>&amp;</b><script>alert(1)</script>",
    "\"onload='x'",
    "&lt;",
    "\x1b[31mred\x07\x08",
    "\u202eevil\u2028\u200f",
    " spaces  inside ",
    "Żółw\U0001f600",
    "null",
    "NaN",
    "007",
    "1e5",
    "True",
]
NAMES = [*FORMULAS, *SPECIAL]


@pytest.fixture(scope="module")
def scores() -> ft.Scores:
    values = np.random.default_rng(1).random((len(NAMES), 4))
    return replace(scores_of(values), systems=tuple(NAMES))


def rows_of(path: Path) -> list[dict[str, object]]:
    """A file read by programs that are not ours, nor pandas."""
    match path.suffix:
        case ".csv" | ".tsv":
            with path.open(newline="", encoding="utf-8") as file:
                sep = "," if path.suffix == ".csv" else "\t"
                return list(csv.DictReader(file, delimiter=sep))  # type: ignore[arg-type]
        case ".json":
            return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]
        case ".jsonl":
            lines = path.read_text(encoding="utf-8").split("\n")
            return [json.loads(line) for line in lines if line]
    table = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    return [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_files_for_programs_hold_the_very_names(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    truth = ft.Judgments.from_dict({name: dict.fromkeys(NAMES, 1) for name in NAMES})
    truth.write(path)
    rows = rows_of(path)
    assert {(row["query"], row["item"]) for row in rows} == {(a, b) for a in NAMES for b in NAMES}
    assert ft.read_judgments(path).to_frame().equals(truth.to_frame())
    lists = ft.Runs.from_dict({name: {name: {name: 1.0}} for name in NAMES})
    lists.write(path)
    found = {(row["system"], row["query"], row["item"]) for row in rows_of(path)}
    assert found == {(name,) * 3 for name in NAMES}
    assert set(ft.read_runs(path).systems) == set(NAMES)


def test_saved_scores_and_trees_hold_the_very_names(tmp_path: Path, scores: ft.Scores) -> None:
    scores.save(tmp_path / "s.parquet")
    assert ft.Scores.load(tmp_path / "s.parquet").systems == scores.systems
    assert set(NAMES) == {row["system"] for row in rows_of(tmp_path / "s.parquet")}
    tree = ft.Taxonomy.from_children({"root": NAMES})
    for ending in ("csv", "tsv", "json", "parquet"):
        tree.write(tmp_path / f"t.{ending}")
        assert ft.read_taxonomy(tmp_path / f"t.{ending}").children("root") == tree.children("root")


def test_trec_files_refuse_or_hold_them(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for name in NAMES:
        one = ft.Judgments.from_dict({"q": {name: 1}})
        if re.search(r"[ \t\n\r\v\f]", name):
            with pytest.raises(ft.errors.DataError, match="white space"):
                one.write(path)
        else:
            one.write(path)
            assert path.read_text(encoding="utf-8").rstrip("\n").split(" ") == ["q", "0", name, "1"]


def test_latex_shows_them(scores: ft.Scores) -> None:
    shown = [row["system"] for row in latex_rows(scores.to_latex())]
    assert sorted(map(str.strip, shown)) == sorted(map(visible, NAMES))
    for code in scores.to_latex(), ft.compare(scores).to_latex():
        body = code.partition(r"\toprule")[2].partition(r"\bottomrule")[0]
        assert not re.search(
            r"(?<!\\)[#~^]|(?<!\\)_(?!\{)|(?<!\\)\$x|(?<!\\textbackslash\{\})textbf\\?\{b\}", body
        )
        assert body.isprintable() or set(re.sub(r"[^\x00-\x1f]", "", body)) == {"\n"}


def visible(name: str) -> str:
    """As pages show it: control characters as codes, white space at the ends not at all."""
    return printable(name).strip()


@pytest.mark.parametrize("output_format", ["table", "csv", "json"])
def test_the_command_shows_them(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    output_format: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ft.Judgments.from_dict({"q": {"d": 1}}).write("truth.json")
    ft.Runs.from_dict({name: {"q": {"d": 1.0}} for name in NAMES}).write("runs.json")
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", "truth.json", "runs.json", "-m", "P@1", "--format", output_format])
    assert not stop.value.code
    out = capsys.readouterr().out
    if output_format == "csv":
        found = {row["system"] for row in csv.DictReader(io.StringIO(out, newline=""))}
        assert found == set(NAMES)
    elif output_format == "json":
        assert {row["system"] for row in json.loads(out)} == set(NAMES)
    else:
        assert set(re.sub(r"[^\x00-\x1f]", "", out)) == {"\n"}
        assert "\u202e" not in out

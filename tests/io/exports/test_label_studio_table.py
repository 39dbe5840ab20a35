"""Label Studio CSV, its columns in alphabetical order ("Export Annotations", CSV)."""

from __future__ import annotations

from pathlib import Path

from support.exports import locate, reader_of_table, triples

import fuzzytruth as ft

recognise_header, flatten = reader_of_table("Label Studio (JSON-MIN)")

HEADER = ["annotation_id", "annotator", "class", "created_at", "id", "image_path", "lead_time"]
ROWS = [
    ["2", "1", "daisy", "2023-10-02T09:12:27.480432Z", "7", "http://x/Image_10.jpg", "16.135"],
    ["3", "2", '{"choices":["daisy","rose"]}', "2023-10-02", "7", "http://x/Image_10.jpg", "4.1"],
]


def records(rows: list[list[str]]) -> list[dict[str, str]]:
    return [dict(zip(HEADER, row, strict=True)) for row in rows]


def test_several_labels() -> None:
    assert recognise_header(HEADER)
    assert not recognise_header(["id", "annotator", "label"])
    export = flatten(records(ROWS), locate)
    expected = [("1", "7", "daisy"), ("2", "7", "daisy"), ("2", "7", "rose")]
    assert triples(export, "class") == expected  # which means a category by itself


def test_single_labels_stay_columns() -> None:
    export = flatten(records(ROWS[:1]), locate)
    assert triples(export, "class") == [("1", "7", "daisy")]


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    cells = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in [HEADER, *ROWS]]
    path.write_text("\n".join(",".join(row) for row in cells), encoding="utf-8")
    taxonomy = ft.Taxonomy.from_children({"all": ["daisy", "rose"]})
    votes = ft.read_assignments(path, taxonomy=taxonomy)
    assert votes.membership().probability("7", "rose") == 0.5

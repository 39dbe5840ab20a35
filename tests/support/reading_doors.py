"""Every way by which ids come in, each as a function from ids to the ids that are read."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import fuzzytruth as ft

Ids = list[str]
#: reads ids through files in a folder, or without
Door = Callable[[Ids, Path], Ids]
WHITE_SPACE = " \t\n\r\v\f"  # which separates the fields of TREC files


def _put(folder: Path, name: str, text: str | bytes, pack: bool) -> Path:
    content = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    path = folder / (name + ".gz" * pack)
    path.write_bytes(gzip.compress(content, mtime=0) if pack else content)
    return path


def _items(truth: ft.Judgments | ft.Runs) -> Ids:
    return (
        truth.to_frame()
        .sort_values("grade" if "grade" in truth.to_frame() else "rank")["item"]
        .tolist()
    )


def _trec_run(end: str, blank: str, pack: bool) -> Door:
    def door(ids: Ids, folder: Path) -> Ids:
        fields = ("q", "Q0", "{}", "1", "{}", "t")
        line = blank.join(fields)
        text = "".join(line.format(item, len(ids) - j) + end for j, item in enumerate(ids))
        return _items(ft.read_runs(_put(folder, "a.run", text, pack)))

    return door


def _trec_judgments(ids: Ids, folder: Path) -> Ids:
    text = "".join(f"q 0 {item} {j}\n" for j, item in enumerate(ids))
    return _items(ft.read_judgments(_put(folder, "a.txt", text, False), groups=False))


def _table(separator: str, end: str, quoting: int, pack: bool, number: str = "{}") -> Door:
    """With a number that only the exact parser reads, such as "+{}"."""

    def door(ids: Ids, folder: Path) -> Ids:
        file = io.StringIO(newline="")
        rows = csv.writer(file, delimiter=separator, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]
        rows.writerow(["query", "item", "grade"])
        rows.writerows(["q", item, number.format(j)] for j, item in enumerate(ids))
        name = "a.tsv" if separator == "\t" else "a.csv"
        return _items(ft.read_judgments(_put(folder, name, file.getvalue(), pack)))

    return door


def _json(kind: str, ascii_only: bool) -> Door:
    def door(ids: Ids, folder: Path) -> Ids:
        records = [{"query": "q", "item": item, "grade": j} for j, item in enumerate(ids)]
        texts = [json.dumps(record, ensure_ascii=ascii_only) for record in records]
        if kind == "lines":
            return _items(ft.read_judgments(_put(folder, "a.jsonl", "\n".join(texts), False)))
        if kind == "records":
            text = f"[{', '.join(texts)}]"
        else:
            nested = {"q": {item: j for j, item in enumerate(ids)}}
            text = json.dumps(nested, ensure_ascii=ascii_only)
        return _items(ft.read_judgments(_put(folder, "a.json", text, False)))

    return door


def _parquet(kind: pa.DataType, *, coded: bool = False) -> Door:
    def door(ids: Ids, folder: Path) -> Ids:
        binary = pa.array([item.encode("utf-8", "surrogatepass") for item in ids], pa.binary())
        if pa.types.is_binary(kind):
            column = binary
        else:  # unchecked, as other writers may leave it
            column = pa.Array.from_buffers(kind, len(ids), binary.buffers())
        if coded:
            column = column.dictionary_encode()
        table = pa.table({"query": ["q"] * len(ids), "item": column, "grade": range(len(ids))})
        pq.write_table(table, folder / "a.parquet")
        return _items(ft.read_judgments(folder / "a.parquet"))

    return door


def _columns(ids: Ids, folder: Path) -> Ids:
    rows = range(len(ids))
    return ft.Judgments.from_columns(["q" for _ in rows], ids, list(rows)).item.to_pylist()


def _frame(ids: Ids, folder: Path) -> Ids:
    items = pd.Series(ids, dtype=object)
    frame = pd.DataFrame({"query": "q", "item": items, "score": [-j for j in range(len(ids))]})
    return _items(ft.Runs.from_frame(frame))


def _dict(ids: Ids, folder: Path) -> Ids:
    return _items(ft.Judgments.from_dict({"q": {item: j for j, item in enumerate(ids)}}))


def _queries_of_dict(ids: Ids, folder: Path) -> Ids:
    return list(ft.Runs.from_dict({item: {item: {"d": 1}} for item in ids}).systems)


def _votes(ids: Ids, folder: Path) -> Ids:
    tax = ft.Taxonomy.from_children({"all": ["cat"]})
    path = folder / "votes.jsonl"
    rows = [json.dumps({"subject": i, "item": i, "category": "cat"}) for i in ids]
    path.write_text("\n".join(rows))
    votes = ft.read_assignments(path, taxonomy=tax)
    assert votes.items.to_pylist() == votes.subjects.to_pylist()
    return votes.items.to_pylist()


def _below_root(tax: ft.Taxonomy) -> Ids:
    assert tax.nodes[0] == "all"
    return list(tax.nodes[1:])


def _taxonomy_text(end: str) -> Door:
    def door(ids: Ids, folder: Path) -> Ids:
        text = "all" + end + "".join(f"\t{item}{end}" for item in ids)
        return _below_root(ft.read_taxonomy(_put(folder, "t.txt", text, False)))

    return door


def _taxonomy_json(ids: Ids, folder: Path) -> Ids:
    return _below_root(ft.read_taxonomy(_put(folder, "t.json", json.dumps({"all": ids}), False)))


def _taxonomy_csv(ids: Ids, folder: Path) -> Ids:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([["parent", "child"], *(["all", item] for item in ids)])
    return _below_root(ft.read_taxonomy(_put(folder, "t.csv", file.getvalue(), False)))


def _taxonomy_children(ids: Ids, folder: Path) -> Ids:
    return _below_root(ft.Taxonomy.from_children({"all": ids}))


def _cla(ids: Ids, folder: Path) -> Ids:
    classes = "".join(f"{item} all 0\n" for item in ids)
    text = f"PSB 1\n{len(ids) + 1} 0\nall 0 0\n{classes}"
    return _below_root(ft.read_taxonomy(_put(folder, "t.cla", text, False)))


DOORS: dict[str, Door] = {
    "TREC run": _trec_run("\n", " ", False),
    "TREC run, tabs": _trec_run("\n", "\t", False),
    "TREC run, blanks and tabs": _trec_run("\n", " \t", False),
    "TREC run, \\r\\n": _trec_run("\r\n", " ", False),
    "TREC run, \\r": _trec_run("\r", " ", False),
    "TREC run, \\r and double blanks": _trec_run("\r", "  ", False),
    "TREC run, gz": _trec_run("\n", " ", True),
    "TREC judgments": _trec_judgments,
    "CSV": _table(",", "\n", csv.QUOTE_MINIMAL, False),
    "CSV, quoted": _table(",", "\r\n", csv.QUOTE_ALL, False),
    "CSV, exact": _table(",", "\n", csv.QUOTE_MINIMAL, False, number=" {} "),
    "CSV, quoted, exact": _table(",", "\r\n", csv.QUOTE_ALL, False, number="+{}"),
    "CSV, \\r": _table(",", "\r", csv.QUOTE_ALL, False),
    "semicolons, gz": _table(";", "\n", csv.QUOTE_NONNUMERIC, True),
    "TSV": _table("\t", "\n", csv.QUOTE_MINIMAL, False),
    "JSON records": _json("records", True),
    "JSON records, no ASCII": _json("records", False),
    "JSON nested": _json("nested", False),
    "JSON lines": _json("lines", True),
    "JSON lines, no ASCII": _json("lines", False),
    "Parquet": _parquet(pa.string()),
    "Parquet, binary": _parquet(pa.binary()),
    "Parquet, codes": _parquet(pa.string(), coded=True),
    "columns": _columns,
    "frame": _frame,
    "dict": _dict,
    "dict of systems": _queries_of_dict,
    "votes": _votes,
    "taxonomy as text": _taxonomy_text("\n"),
    "taxonomy as text, \\r": _taxonomy_text("\r"),
    "taxonomy as JSON": _taxonomy_json,
    "taxonomy as CSV": _taxonomy_csv,
    "taxonomy of children": _taxonomy_children,
    "classification": _cla,
}

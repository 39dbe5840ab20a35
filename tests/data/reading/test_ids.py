"""The same ids are read alike by every door, or refused with an error of one line."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzzytruth as ft

Ids = list[str]
#: refused by every door
FORBIDDEN = ("\ufeff", "\0")
WHITE_SPACE = " \t\n\r\v\f"  # which separates the fields of TREC files
#: characters that some way of splitting lines or fields treats as special
ODD = [
    *" \t\n\r\v\f\0\x1a\x1c\x1d\x1e\x1f\x7f\x85\xa0",
    *"\u1680\u2003\u2028\u2029\u202f\u3000\ufeff\u200b",
    *"\ud800\udfff\udcff",
    *"\"'\\,;|#/%{}[]:<>=+-0_",
    *("e\u0301", "\u00e9", "\U0001f600", "\uffff", "NaN", "null", "1.0", "1e5", "\r\n", '""'),
]
PARTS = st.one_of(st.sampled_from(ODD), st.sampled_from("abq"))
TEXTS = st.lists(PARTS, min_size=1, max_size=5).map("".join)


def put(folder: Path, name: str, text: str, pack: bool = False) -> Path:
    content = text.encode("utf-8", "surrogatepass")
    path = folder / (name + ".gz" * pack)
    path.write_bytes(gzip.compress(content, mtime=0) if pack else content)
    return path


def items_of(truth: ft.Judgments | ft.Runs) -> Ids:
    frame = truth.to_frame()
    return frame.sort_values("grade" if "grade" in frame else "rank")["item"].tolist()


def below_root(tax: ft.Taxonomy) -> Ids:
    assert tax.nodes[0] == "all"
    return list(tax.nodes[1:])


def trec_run(ids: Ids, folder: Path, end: str = "\n", blank: str = " ", pack: bool = False) -> Ids:
    line = blank.join(("q", "Q0", "{}", "1", "{}", "t"))
    text = "".join(line.format(item, len(ids) - j) + end for j, item in enumerate(ids))
    return items_of(ft.read_runs(put(folder, "a.run", text, pack)))


def trec_judgments(ids: Ids, folder: Path) -> Ids:
    text = "".join(f"q 0 {item} {j}\n" for j, item in enumerate(ids))
    return items_of(ft.read_judgments(put(folder, "a.txt", text), groups=False))


def table(ids: Ids, folder: Path, number: str = "{}", name: str = "a.csv", **options: Any) -> Ids:
    """With a number that only the exact parser reads, such as "+{}"."""
    file = io.StringIO(newline="")
    rows = csv.writer(file, **options)
    rows.writerow(["query", "item", "grade"])
    rows.writerows(["q", item, number.format(j)] for j, item in enumerate(ids))
    return items_of(ft.read_judgments(put(folder, name, file.getvalue(), ";" in options.values())))


def in_json(ids: Ids, folder: Path, kind: str = "records", ascii_only: bool = False) -> Ids:
    records = [{"query": "q", "item": item, "grade": j} for j, item in enumerate(ids)]
    dumps = partial(json.dumps, ensure_ascii=ascii_only)
    texts = {
        "lines": lambda: "\n".join(map(dumps, records)),
        "records": lambda: dumps(records),
        "nested": lambda: dumps({"q": {item: j for j, item in enumerate(ids)}}),
    }
    name = "a.jsonl" if kind == "lines" else "a.json"
    return items_of(ft.read_judgments(put(folder, name, texts[kind]())))


def parquet(ids: Ids, folder: Path, kind: pa.DataType, coded: bool = False) -> Ids:
    column = pa.array([item.encode("utf-8", "surrogatepass") for item in ids], pa.binary())
    if not pa.types.is_binary(kind):  # unchecked, as other writers may leave it
        column = pa.Array.from_buffers(kind, len(ids), column.buffers())
    column = column.dictionary_encode() if coded else column
    columns = {"query": ["q"] * len(ids), "item": column, "grade": range(len(ids))}
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return items_of(ft.read_judgments(folder / "a.parquet"))


def frame(ids: Ids, folder: Path) -> Ids:
    items = pd.Series(ids, dtype=object)
    scores = [-j for j in range(len(ids))]
    return items_of(
        ft.Runs.from_frame(pd.DataFrame({"query": "q", "item": items, "score": scores}))
    )


def votes(ids: Ids, folder: Path) -> Ids:
    rows = [json.dumps({"subject": i, "item": i, "category": "cat"}) for i in ids]
    read = ft.read_assignments(put(folder, "votes.jsonl", "\n".join(rows)))
    assert read.items.to_pylist() == read.subjects.to_pylist()
    return read.items.to_pylist()


def taxonomy(ids: Ids, folder: Path, ending: str, end: str = "\n") -> Ids:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([["parent", "child"], *(["all", item] for item in ids)])
    classes = "".join(f"{item} all 0\n" for item in ids)
    text = {
        "txt": "all" + end + "".join(f"\t{item}{end}" for item in ids),
        "json": json.dumps({"all": ids}),
        "csv": file.getvalue(),
        "cla": f"PSB 1\n{len(ids) + 1} 0\nall 0 0\n{classes}",
    }[ending]
    return below_root(ft.read_taxonomy(put(folder, f"t.{ending}", text)))


#: reads ids through files in a folder, or without
DOORS: dict[str, Callable[[Ids, Path], Ids]] = {
    "TREC run": trec_run,
    "TREC run, tabs": partial(trec_run, blank="\t", pack=True),
    "TREC run, blanks and tabs": partial(trec_run, blank=" \t", end="\r\n"),
    "TREC run, \\r and double blanks": partial(trec_run, blank="  ", end="\r"),
    "TREC judgments": trec_judgments,
    "CSV": partial(table, lineterminator="\n"),
    "CSV, quoted": partial(table, quoting=csv.QUOTE_ALL),
    "CSV, exact": partial(table, lineterminator="\n", number=" {} "),
    "CSV, quoted, exact": partial(table, quoting=csv.QUOTE_ALL, number="+{}"),
    "CSV, \\r": partial(table, lineterminator="\r", quoting=csv.QUOTE_ALL),
    "semicolons": partial(table, delimiter=";", quoting=csv.QUOTE_NONNUMERIC),
    "TSV": partial(table, delimiter="\t", name="a.tsv"),
    "JSON records": in_json,
    "JSON nested": partial(in_json, kind="nested"),
    "JSON lines": partial(in_json, kind="lines", ascii_only=True),
    "JSON lines, no ASCII": partial(in_json, kind="lines"),
    "Parquet": partial(parquet, kind=pa.string()),
    "Parquet, binary": partial(parquet, kind=pa.binary()),
    "Parquet, codes": partial(parquet, kind=pa.string(), coded=True),
    "columns": lambda ids, _: ft.Judgments.from_columns(
        ["q"] * len(ids), ids, [*range(len(ids))]
    ).item.to_pylist(),
    "frame": frame,
    "dict": lambda ids, _: items_of(
        ft.Judgments.from_dict({"q": {item: j for j, item in enumerate(ids)}})
    ),
    "dict of systems": lambda ids, _: [*ft.Runs.from_dict({i: {i: {"d": 1}} for i in ids})],
    "votes": votes,
    "taxonomy as text": partial(taxonomy, ending="txt"),
    "taxonomy as text, \\r": partial(taxonomy, ending="txt", end="\r"),
    "taxonomy as JSON": partial(taxonomy, ending="json"),
    "taxonomy as CSV": partial(taxonomy, ending="csv"),
    "taxonomy of children": lambda ids, _: below_root(ft.Taxonomy.from_children({"all": ids})),
    "classification": partial(taxonomy, ending="cla"),
}


def check(name: str, ids: Ids, folder: Path) -> bool:
    """Whether a door reads the ids; it must read these, or raise an error of one line."""
    message = ""
    try:
        read = DOORS[name](ids, folder)
    except ft.errors.DataError as error:
        message = str(error)
    if message:
        assert "\n" not in message
        return False
    assert read == ids
    text = "".join(ids)
    assert not any(c in FORBIDDEN or "\ud800" <= c <= "\udfff" for c in text)
    return True


@settings(max_examples=150, derandomize=True, database=None)
@given(st.sampled_from([*DOORS]), st.lists(TEXTS, min_size=1, max_size=4, unique=True))
def test_the_same_ids_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, name: str, ids: Ids
) -> None:
    if name.startswith(("TREC", "classification", "taxonomy as text")):
        ids = [item for item in ids if item.strip(WHITE_SPACE) == item]  # else blanks
    check(name, ids, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("name", DOORS)
def test_ids_that_every_door_reads_and_that_none_does(name: str, tmp_path: Path) -> None:
    """White space of Unicode is part of an id, but for the indentation of a text."""
    texts = ["a\x85b", "a\u2028b", "a\xa0b", "a\x1cb", "e\u0301", "01", "1.0", "NaN", "None"]
    assert check(name, ["b", *texts], tmp_path)
    assert check(name, ["b", "\u3000a"], tmp_path) != name.startswith("taxonomy as text")
    for text in ("\ufeffa", "a\ufeff", "a\0", "\ud800", "a\udcff"):
        assert not check(name, ["b", text], tmp_path), text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.run", "q Q0 a 1 2 t\n\ufeffq Q0 b 2 1 t\n", "line 2, column 'query': value '.ufeffq'"),
        ("a.run", "\ufeff\ufeffq Q0 a 1 2 t\n", "line 1, column 'query': .* byte-order mark"),
        ("a.csv", "query,item,score\n\ufeffq,a,1\n", "line 2, column 'query': .* byte-order mark"),
        (
            "a.csv",
            'query,item,score\nq,a,1\n\n"\ufeffq",b,1\n',
            "line 4, column 'query': .* byte-o",
        ),
        ("a.jsonl", '{"a":1}\n\ufeff{"a":2}\n', "line 2: a byte-order mark .* remove it"),
        ("a.json", "\ufeff\ufeff[]", "a.json: a byte-order mark .* remove it"),
        ("a.csv", '\ufeff"query,item\nq,a,1', "a.csv, header: a quote is open .* close it"),
    ],
)
def test_marks_of_files_that_were_joined(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    with pytest.raises(ft.errors.DataError, match=message):
        ft.read_runs(put(tmp_path, name, content))

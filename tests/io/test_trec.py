"""TREC files: blocks parsed by Arrow and its two fallbacks agree."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from fuzz.mutators import damaged

from fuzzytruth.errors import DataError
from fuzzytruth.io import files
from fuzzytruth.io.files import Source
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.io.trec import (
    QRELS,
    RUN,
    LineError,
    LineFormat,
    normalise_white_space,
    parse_block,
    parse_lines,
    read_trec,
)

PLAIN = "q1 Q0 d9 1 2.5 t\nq1 Q0 d10 2 1e-3 t\nq2 Q0 d9 1 -3 t\n"
ROWS = [("q1", "d9", 2.5), ("q1", "d10", 0.001), ("q2", "d9", -3.0)]


def read(path: Path, text: str | bytes, *names: str) -> dict[str, Any]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_trec(Source.of(path), RUN, names or ("query", "item", "score", "tag"))


def rows(columns: dict[str, Any]) -> list[tuple[str, str, float]]:
    query, item = columns["query"].to_pylist(), columns["item"].to_pylist()
    return list(zip(query, item, columns["score"].tolist(), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace(" ", "\t"),
        PLAIN.replace(" ", "  \t "),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", " \n"),
        PLAIN.replace("\n", "\r"),
        " " + PLAIN.replace("\n", "\n\n \t\n "),
        "\ufeff" + PLAIN,
        "\ufeff\r\n" + PLAIN.replace("\n", "\r\n"),
        PLAIN.replace(" t\n", " t more junk\n"),
        PLAIN.replace("d9 1 2.5", "d9 1 +2.5"),
        PLAIN.replace("q1 Q0 d9 1 2.5 t", "q1\tQ0\td9\t1\t  2.5\tt"),
        PLAIN.replace(" Q0 ", " \N{SNOWMAN} "),
    ],
)
def test_white_space_and_trailing_text_do_not_matter(tmp_path: Path, text: str) -> None:
    columns = read(tmp_path / "a.run", text)
    assert columns["tag"] == ("t",)
    assert rows(columns) == ROWS
    np.testing.assert_array_equal(columns["item_hash"], hash_ids(columns["item"]))


@pytest.mark.parametrize(
    "id_", ["NA", "null", "nan", "NULL", "", "007", "1e5", "true", '"d', "#N/A", "é", "\u3000"]
)
def test_ids_stay_as_they_are(tmp_path: Path, id_: str) -> None:
    text = f"x{id_} Q0 {id_ or 'd'} 1 1.5 NA\n"
    columns = read(tmp_path / "a.run", text)
    assert columns["tag"] == ("NA",)
    ((query, item, _),) = rows(columns)
    assert (query, item) == (f"x{id_}", id_ or "d")


@pytest.mark.parametrize("size", [1, 7, 40, 200])
@pytest.mark.parametrize("ending", ["run", "run.gz"])
def test_blocks_make_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, ending: str
) -> None:
    monkeypatch.setattr(files, "_BLOCK_BYTES", size)
    rng = np.random.default_rng(size)
    expected = [
        (f"q{q}", f"d{d}", float(s))
        for q in rng.permutation(12)
        for d, s in enumerate(rng.normal(size=rng.integers(1, 9)).round(3))
    ]
    text = "".join(f"{q} Q0 {d} 1 {s} {q}\n" for q, d, s in expected).encode()
    path = tmp_path / f"a.{ending}"
    columns = read(path, gzip.compress(text) if ending.endswith("gz") else text)
    assert rows(columns) == expected
    assert columns["tag"] == tuple(dict.fromkeys(q for q, _, _ in expected))


@pytest.mark.parametrize("size", [10, 64, 10**6])
def test_line_numbers_count_all_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(files, "_BLOCK_BYTES", size)
    text = "\ufeff" + PLAIN.replace("\n", "\r\n\r\n") + "q3 Q0 d1 1 abc t\r\n"
    with pytest.raises(DataError, match=r"a\.run, line 7, column 'score': value 'abc' is not"):
        read(tmp_path / "a.run", text)


def test_first_bad_line_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BLOCK_BYTES", 16)
    with pytest.raises(DataError, match=r"line 2, .*'x'"):
        read(tmp_path / "a.run", "q Q0 a 1 1 t\nq Q0 b 1 x t\nq Q0 c 1 y t\nq Q0 d 1 z t\n")


@pytest.mark.parametrize("text", ["", "\n \n\t\r\n"])
def test_an_empty_file_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"a\.run: the file is empty; a line of a TREC run has 6"):
        read(tmp_path / "a.run", text)


def test_only_the_named_columns_are_parsed(tmp_path: Path) -> None:
    text = "q Q0 b - 1.0 t\nq Q0 a - 2.0 t\n"
    assert read(tmp_path / "a.run", text, "item").keys() == {"item", "item_hash", "tag"}
    with pytest.raises(DataError, match="line 1, column 'rank': value '-'"):
        read(tmp_path / "a.run", text, "item", "rank")


def test_judgments(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("q1 0 a 1\nq1 x b -2\n")
    columns = read_trec(Source.of(path), QRELS, QRELS.fields)
    assert columns["group"].to_pylist() == ["0", "x"]
    assert columns["grade"].tolist() == [1, -2]


def test_parsing_by_line_agrees_with_arrow(tmp_path: Path) -> None:
    by_line = parse_lines(PLAIN.encode(), RUN, ("query", "item", "score"))
    by_arrow = read(tmp_path / "a.run", PLAIN)
    assert rows(by_line) == rows(by_arrow) == ROWS
    assert by_line["item"].equals(by_arrow["item"])


def test_white_space_is_one_blank_between_fields() -> None:
    assert normalise_white_space(b"  a \t b\v\fc  \r\n\r\n   \n d\r\n") == b"a b c\n\n\nd\n"
    assert normalise_white_space(b"") == b""
    assert normalise_white_space(b"  a") == b"a"


@pytest.mark.parametrize("seed", range(10))
def test_white_space_equals_splitting_each_line(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = bytes(rng.choice(np.frombuffer(b" \t\v\fab\n", np.uint8), 60))
    lines = [b" ".join(line.split()) for line in text.split(b"\n")]
    assert normalise_white_space(text) == b"\n".join(lines)


TREC_RUN = b"".join(
    b"q%d Q0 d%d %d %d.5 t\n" % (q, d, d, 3 - d) for q in range(3) for d in range(3)
)
TREC_QRELS = b"".join(b"q%d 0 d%d %d\n" % (q, d, d) for q in range(3) for d in range(3))


def plain(columns: dict[str, Any]) -> dict[str, list[Any]]:
    """Columns as lists, numbers by their bits."""
    out: dict[str, list[Any]] = {}
    for name, column in columns.items():
        if isinstance(column, np.ndarray):
            out[name] = column.view(np.int64).tolist()
        elif name == "tag":
            coded = column if not isinstance(column, pa.DictionaryArray) else column.dictionary
            out[name] = coded.to_pylist()
        else:
            out[name] = column.to_pylist()
    out.pop("item_hash", None)
    return out


@pytest.mark.parametrize(
    ("line_format", "names", "text"),
    [
        (RUN, ("query", "item", "score", "tag"), TREC_RUN),
        (RUN, ("query", "item", "score", "tag", "rank"), TREC_RUN),
        (QRELS, QRELS.fields, TREC_QRELS),
    ],
)
def test_the_fast_parser_of_trec_reads_what_the_exact_one_does(
    line_format: LineFormat, names: tuple[str, ...], text: bytes
) -> None:
    rng = random.Random(",".join(names))
    n_read = 0
    for _ in range(600):
        block = damaged(text, rng).replace(b"\0", b"0")
        if not block.strip():
            continue
        try:
            exact = plain(parse_lines(block, line_format, names))
        except LineError:
            with pytest.raises(LineError):
                parse_block(line_format, names, block)
            continue
        assert plain(parse_block(line_format, names, block)) == exact
        n_read += 1
    assert n_read > 100

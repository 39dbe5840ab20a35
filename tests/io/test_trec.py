"""TREC files: blocks parsed by Arrow and its two fallbacks agree, and errors name the line."""

import gzip
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from fuzz.mutators import damaged

from fuzzytruth.io import files, trec
from fuzzytruth.io.files import Source
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.io.trec import (
    QRELS,
    RUN,
    LineError,
    LineFormat,
    first_field,
    last_change,
    parse_block,
    parse_lines,
    query_blocks,
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


@pytest.mark.parametrize(("size", "ending"), [(1, "run"), (7, "run.gz"), (40, "run.gz"), (200, "")])
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


GOOD = b"q1 Q0 d1 1 2.5 t\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"q1 Q0 d3 3 0.5\n", r"^: 5 fields in 'q1 Q0 d3 3 0.5', but a line of a TREC run has 6 f"),
        (b"q1\n", r"^: 1 field in 'q1', but"),
        (b"q1,d1,1\n", r"columns separated by commas are read from a file named \.csv$"),
        (b"q1|d1|1\n", r"separated by bars"),
        (b"q1 Q0 my d 1 2.5 t\n", "; an id must not hold white space$"),
        (b"q1 Q0 d 1 x t\n", "^, column 'score': value 'x' is not a number; every row needs one$"),
        (b"q1 Q0 d 1 nan t\n", "^, column 'score': value 'nan' is not a finite number"),
        (b"q1 Q0 d\xe9 1 1 t\n", r"^, column 'item': value 'd.' is not UTF-8 \(byte 0xe9\)"),
    ],
)
def test_errors_name_the_line(line: bytes, message: str) -> None:
    with pytest.raises(LineError, match=message) as caught:
        parse_lines(GOOD + b"\n" + line + b"worse\n", RUN, ("query", "item", "score"))
    assert caught.value.line == 3


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
    for _ in range(300):
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
    assert n_read > 50


def random_lines(rng: random.Random) -> list[bytes]:
    queries = [rng.choice(["a", "bb", "ccc", "a_longer_one"]) for _ in range(rng.randint(1, 8))]
    each = [(query, rng.randint(1, 12)) for query in queries]
    return [f"{q} {'x' * rng.randint(0, 5)}\n".encode() for q, n in each for _ in range(n)]


@pytest.mark.parametrize("look_back", [1, 4, 1 << 12])
def test_neighbours_with_one_query_stay_together(
    look_back: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec, "_LOOK_BACK", look_back)
    rng = random.Random(look_back)
    n_blocks = 0
    for _ in range(150):
        lines = random_lines(rng)
        cuts = sorted(rng.sample(range(len(lines) + 1), min(len(lines), 5)))
        pieces = [b"".join(lines[a:b]) for a, b in pairwise([0, *cuts, len(lines)]) if a < b]
        blocks = list(query_blocks(pieces))
        assert b"".join(block.text for block in blocks) == b"".join(lines)
        starts = [sum(len(block.text) for block in blocks[:j]) for j in range(len(blocks))]
        assert [block.start for block in blocks] == starts
        heads = [[line.split()[0] for line in block.text.splitlines()] for block in blocks]
        assert all(before[-1] != after[0] for before, after in pairwise(heads))
        n_blocks += len(blocks)
    assert n_blocks > 300


def test_the_last_change_of_queries() -> None:
    rng = random.Random(5)
    for _ in range(200):
        lines = random_lines(rng)
        at = last_change(b"".join(lines))
        n_before = b"".join(lines)[:at].count(b"\n")
        queries = [line.split()[0] for line in lines]
        assert queries[n_before] == queries[-1]
        assert at == 0 or queries[n_before - 1] != queries[-1]
        grouped = b"".join(sorted(lines))
        last = [line for line in lines if line.split()[0] == max(queries)]
        assert last_change(grouped) == len(grouped) - len(b"".join(last))
    assert last_change(b"a 1\na 2\n\n  \n") == 0
    assert last_change(b"a 1\n b 2\n \n") == 4
    assert last_change(b"\n\n") == 0
    assert [*query_blocks([])] == []
    texts = [block.text for block in query_blocks([b"a 1\n", b"\n", b"a 2"])]
    assert texts == [b"a 1\n", b"\n", b"a 2"]
    assert first_field(b"x\n  y z", 2) == b"y"

"""TREC files: the fast parse, its two fallbacks, and what they must agree on."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.io import files
from fuzzytruth.io.trec import normalise_white_space
from fuzzytruth.io.trec_lines import RUN, LineError, parse_lines

PLAIN = "q1 Q0 d9 1 2.5 t\nq1 Q0 d10 2 1e-3 t\nq2 Q0 d9 1 -3 t\n"
ROWS = [("q1", "d9", 2.5), ("q1", "d10", 0.001), ("q2", "d9", -3.0)]


def rows_of(ranking):
    queries = [ranking.queries[code] for code in ranking.query]
    return list(zip(queries, ranking.item.to_pylist(), ranking.score.tolist(), strict=True))


def read(path, text, **options):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ft.read_runs(path, **options)


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
def test_white_space_and_junk_do_not_matter(tmp_path, text):
    runs = read(tmp_path / "a.run", text)
    assert runs.systems == ("t",)
    assert rows_of(runs["t"]) == ROWS


@pytest.mark.parametrize(
    "id_", ["NA", "null", "nan", "NULL", "", "007", "1e5", "true", '"d', "#N/A", "é", "\u3000"]
)
def test_ids_stay_as_they_are(tmp_path, id_):
    text = f"x{id_} Q0 {id_ or 'd'} 1 1.5 NA\n"
    ((query, item, _),) = rows_of(read(tmp_path / "a.run", text)["NA"])
    assert (query, item) == (f"x{id_}", id_ or "d")


@pytest.mark.parametrize("piece", [1, 7, 40, 200])
@pytest.mark.parametrize("ending", ["run", "run.gz"])
def test_pieces_make_one_run(tmp_path, monkeypatch, piece, ending):
    monkeypatch.setattr(files, "_BLOCK_BYTES", piece)
    rng = np.random.default_rng(piece)
    rows = [
        (f"q{q}", f"d{d}", float(s))
        for q in rng.permutation(12)
        for d, s in enumerate(rng.normal(size=rng.integers(1, 9)).round(3))
    ]
    text = "".join(f"{q} Q0 {d} 1 {s} sys\n" for q, d, s in rows).encode()
    path = tmp_path / f"a.{ending}"
    runs = read(path, gzip.compress(text) if ending.endswith("gz") else text)
    assert rows_of(runs["sys"]) == rows


@pytest.mark.parametrize("piece", [10, 64, 10**6])
def test_line_numbers_count_all_lines(tmp_path, monkeypatch, piece):
    monkeypatch.setattr(files, "_BLOCK_BYTES", piece)
    text = "\ufeff" + PLAIN.replace("\n", "\r\n\r\n") + "q3 Q0 d1 1 abc t\r\n"
    with pytest.raises(ft.DataError, match=r"a\.run, line 7, column 'score': value 'abc' is not"):
        read(tmp_path / "a.run", text)
    text = "\ufeff" + PLAIN.replace("\n", "\r\n\r\n") + "q1 Q0 d10 1 1 t\r\n"
    with pytest.raises(ft.DataError, match=r"line 7, .* 'd10' .* 'q1' \(first: .*a\.run, line 3\)"):
        read(tmp_path / "a.run", text)


def test_first_bad_line_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_BLOCK_BYTES", 16)
    with pytest.raises(ft.DataError, match=r"line 2, .*'x'"):
        read(tmp_path / "a.run", "q Q0 a 1 1 t\nq Q0 b 1 x t\nq Q0 c 1 y t\nq Q0 d 1 z t\n")


def test_normalise_white_space_leaves_one_blank_between_fields():
    assert normalise_white_space(b"  a \t b\v\fc  \r\n\r\n   \n d\r\n") == b"a b c\n\n\nd\n"
    assert normalise_white_space(b"") == b""
    assert normalise_white_space(b"  a") == b"a"


def test_exact_parser_agrees_with_arrow(tmp_path):
    columns = parse_lines(PLAIN.encode(), RUN, ("query", "item", "score"))
    fast = read(tmp_path / "a.run", PLAIN)["t"]
    assert columns["query"].to_pylist() == ["q1", "q1", "q2"]
    assert columns["item"].equals(fast.item)
    assert np.array_equal(columns["score"], fast.score)


def test_text_may_follow_the_tag_but_an_id_must_not_be_broken():
    parse_lines(b"q Q0 d 1 2.5 t x y\n", RUN, ("item",))
    with pytest.raises(LineError, match="an id must not hold white space"):
        parse_lines(b"q Q0 my d 1 2.5 t\n", RUN, ("item",))


def test_rank_column_is_read_only_when_it_orders(tmp_path):
    text = "q Q0 b - 1.0 t\nq Q0 a - 2.0 t\n"
    assert len(read(tmp_path / "a.run", text)["t"]) == 2
    with pytest.raises(ft.DataError, match="line 1, column 'rank': value '-'"):
        read(tmp_path / "a.run", text, order_by="rank")


def test_trec_evals_truncated_results_hold_junk(data):
    runs = ft.read_runs(data / "results.trunc")
    assert runs.systems == ("STANDARD",)
    assert len(runs["STANDARD"]) == 584
    whole = rows_of(ft.read_runs(data / "results.test.gz")["STANDARD"])
    assert set(rows_of(runs["STANDARD"])) <= set(whole)

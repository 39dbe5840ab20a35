"""The same ids are read alike by every door, or refused with an error of one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.reading_doors import DOORS, WHITE_SPACE

import fuzzytruth as ft

#: refused by every door
FORBIDDEN = ("\ufeff", "\0")
#: characters that some way of splitting lines or fields treats as special
ODD = [
    *" \t\n\r\v\f\0\x1a\x1c\x1d\x1e\x1f\x7f\x85\xa0",
    *"\u1680\u2003\u2028\u2029\u202f\u3000\ufeff\u200b",
    *"\ud800\udfff\udcff",
    *"\"'\\,;|#/%{}[]:<>=+-0_",
    *("e\u0301", "\u00e9", "\U0001f600", "\uffff", "NaN", "null", "1.0", "1e5", "\r\n", '""'),
]
PARTS = st.one_of(st.sampled_from(ODD), st.sampled_from("abq"))
IDS = st.lists(
    st.lists(PARTS, min_size=1, max_size=5).map("".join), min_size=1, max_size=4, unique=True
)


def refused_everywhere(text: str) -> bool:
    """Whether no door may read this id."""
    surrogate = any("\ud800" <= c <= "\udfff" for c in text)
    return surrogate or any(c in text for c in FORBIDDEN)


def check(name: str, ids: list[str], folder: Path) -> bool:
    """Whether a door reads the ids; it must read these, or raise an error of one line."""
    message = ""
    try:
        read = DOORS[name](ids, folder)
    except ft.DataError as error:
        message = str(error)
    if message:
        assert "\n" not in message
        return False
    assert read == ids
    assert not any(map(refused_everywhere, ids))
    return True


@pytest.mark.parametrize("name", DOORS)
@settings(max_examples=60, derandomize=True, database=None)
@given(ids=IDS)
def test_the_same_ids_or_an_error(
    name: str, ids: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    if name.startswith(("TREC", "classification", "taxonomy as text")):
        ids = [item for item in ids if item.strip(WHITE_SPACE) == item]  # else blanks
    check(name, ids, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize(
    "text",
    ["a\x85b", "a\u2028b", "a\xa0b", "\u3000a", "a\x1cb", "e\u0301", "01", "1.0", "NaN", "None"],
)
def test_every_door_reads_these(name: str, text: str, tmp_path: Path) -> None:
    """White space of Unicode is part of an id, but for the indentation of a text."""
    refused = name.startswith("taxonomy as text") and text[0] == "\u3000"
    assert check(name, ["b", text], tmp_path) == (not refused)


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize("text", ["\ufeffa", "a\ufeff", "a\0", "\ud800", "a\udcff"])
def test_no_door_reads_these(name: str, text: str, tmp_path: Path) -> None:
    assert not check(name, ["b", text], tmp_path)


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**300])
def test_whole_numbers_of_any_size(number: int, tmp_path: Path) -> None:
    text = str(number)
    import pandas as pd

    frame = pd.DataFrame({"query": [number, 1], "item": [1, number], "grade": [1, 0]}, dtype=object)
    truth = ft.Judgments.from_frame(frame)
    assert truth.queries == (text, "1")
    assert truth.item.to_pylist() == ["1", text]
    assert ft.Judgments.from_dict({number: {number: 1}}).queries == (text,)
    assert ft.Runs.from_dict({number: {1: {number: 1}}}).systems == (text,)
    path = tmp_path / "a.json"
    path.write_text(f'[{{"query": {number}, "item": 1, "grade": 1}}]')
    assert ft.read_judgments(path).queries == (text,)
    tax = ft.Taxonomy.from_children({0: [number]})
    assert tax.nodes == ("0", text)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.run", "q Q0 a 1 2 t\n\ufeffq Q0 b 2 1 t\n", "line 2, column 'query': value '.ufeffq'"),
        ("a.run", "\ufeff\ufeffq Q0 a 1 2 t\n", "line 1, column 'query': .* byte-order mark"),
        ("a.csv", "query,item,score\n\ufeffq,a,1\n", "line 2, column 'query': .* byte-order mark"),
        (
            "a.csv",
            'query,item,score\nq,a,1\n\n"\ufeffq",b,1\n',
            "line 4, column 'query': .* byte-or",
        ),
        ("a.jsonl", '{"a":1}\n\ufeff{"a":2}\n', "line 2: a byte-order mark .* remove it"),
        ("a.json", "\ufeff\ufeff[]", "a.json: a byte-order mark .* remove it"),
        ("a.csv", '\ufeff"query,item\nq,a,1', "a.csv, header: a quote is open .* close it"),
    ],
)
def test_byte_order_marks_of_files_that_were_joined(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ft.DataError, match=message):
        ft.read_runs(path)


@pytest.mark.parametrize("size", [24, 48, 10**6])
def test_a_mark_at_the_start_of_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Arrow skips it at the start of what it parses, wherever that lies in the file."""
    from fuzzytruth.io import files

    monkeypatch.setattr(files, "_BLOCK_BYTES", size)
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n\ufeffq2 Q0 b 2 1 t\nq2 Q0 c 2 1 t\n")
    with pytest.raises(ft.DataError, match=r"a\.run, line 3, column 'query': .* byte-order mark"):
        ft.read_runs(path)
    path.write_text("\ufeffq1 Q0 a 1 2 t\n")
    assert ft.read_runs(path)["a"].queries == ("q1",)

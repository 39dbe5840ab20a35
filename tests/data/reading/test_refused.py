"""Every broken file gives one error, of one line, that says where and what."""

import gzip
import re
from pathlib import Path

import pytest

import fuzzytruth as ft

GOOD = b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n"
PACKED = gzip.compress(GOOD, mtime=0)
CUT = gzip.compress(GOOD * 999, mtime=0)[:60]
HEADER = b"query,item,score\n"
QUOTED = b'\xef\xbb\xbf\r\nquery,item,score\r\n\r\n"q\n1",d1,1\r\n\r\nq1,d2,abc\r\n'
RECORD = b'{"query":"q","item":"d","score":1}'
LONG = b"x" * 200_000
MINE = b"query,item,grade,subject\nq,d,1,"

BAD_RUNS = [
    ("empty.run", b"", "empty.run: the file is empty"),
    ("empty.run.gz", b"", "empty.run.gz: the file is empty"),
    ("five.run", GOOD + b"q1 Q0 d3 3 0.5 \n", "line 3: 5 fields in 'q1 Q0 d3 3 0.5', but .* 6"),
    ("word.run", GOOD + b"\nq1 Q0 d 3 abc t\n", "line 4, column 'score': value 'abc' is not a num"),
    ("huge.run", GOOD + b"q1 Q0 d 3 1e999 t\n", "line 3, .* '1e999' is beyond the range"),
    ("twice.run", GOOD + b"q1 Q0 d1 3 0 t\n", r"line 3, .* 'd1' .*twice.* \(first: .*, line 1\)"),
    ("binary.run", b"\x7fELF\0\0\n", "binary.run: is not a text file"),
    ("packed.run", PACKED, "packed.run: is not a text file"),
    ("utf16.run", GOOD.decode().encode("utf-16"), "is not a text file"),
    ("latin.run", GOOD + b"q1 Q0 d\xe9 3 1 t\n", "line 3, column 'item': .* not UTF-8 .*0xe9"),
    ("cut.run.gz", CUT, "cut.run.gz: the compressed .* truncated"),
    ("plain.run.gz", GOOD, "plain.run.gz: is not a valid gzip file"),
    ("flipped.run.gz", PACKED[:-8] + bytes(8), "is not a valid gzip file"),
    ("long.run", GOOD + LONG, r"line 3: 1 field in 'x+'\.\.\. \(200000 characters\)"),
    ("id.run", GOOD + b"q1 Q0 " + LONG + b" 3 zz t\n", "line 3, column 'score': value 'zz'"),
    ("score.run", GOOD + b"q1 Q0 d 3 " + LONG + b" t\n", "line 3, .*200000 characters"),
    ("space.run", GOOD + b"q1 Q0 my doc 3 1 t\n", "line 3: 7 fields .* must not hold white space"),
    ("no_header.csv", b"q1,d1,1.5\n", "'q1,d1,1.5' names no known column; the first line must"),
    ("no_score.csv", b"query,item\nq1,d1\n", "no column for 'score'.*distance"),
    ("short.csv", HEADER + b"q1,d1,1\n\nq1,d1\n", "line 4: 2 fields in 'q1,d1', but the header na"),
    ("open_quote.csv", HEADER + b'q1,"d1,1\nq1,d2,2\n', "line 2: 2 fields"),
    ("word.csv", QUOTED, "line 7, column 'score': value 'abc' is not a number"),
    ("gap.csv", HEADER + b"q1,d1,\n", "line 2, column 'score': value '' is not a number"),
    ("no_id.csv", HEADER + b"q1,d1,1\nq1,,1\n", "line 3, column 'item': the id is empty"),
    (
        "twice.csv",
        HEADER + b'q1,"d\n1",1\n\nq1,"d\n1",2\n',
        r"line 5, .* 'd\\n1' is listed twice .*\(first: .*line 2\)",
    ),
    ("twin.csv", b"qid,q_id,item,score\na,b,c,1\n", "columns 'qid', 'q_id' all mean 'query'"),
    ("long.csv", HEADER + b"q1,d1,1\n" + LONG + b"\n", "line 3: field larger than field limit"),
    ("binary.csv", HEADER + b"q,d\0,1\n", "is not a text file"),
    ("comma.tsv", HEADER + b"q,d,1\n", "must name the columns, .* separated by tabs"),
    ("shallow.json", b'{"q1": 3}', "query 'q1': 3 does not belong there"),
    ("columns.json", b'{"query": ["a"], "item": ["b"]}', "does not belong there"),
    ("mixed.json", b'{"s": {"q": {"d": 1}}, "t": 1}', "system 't': 1 does not belong there"),
    ("id.json", b'[{"query":"q","item":["d"],"score":1}]', "record 1, column 'item': .*'d'"),
    ("nan.json", b'{"q": {"d": NaN}}', "query 'q', item 'd', column 'score': value nan is not"),
    ("twice.json", b'{"q": {"d": 1, "d": 2}}', "key 'd' occurs twice in one object"),
    ("cut.json", b'{"q":\n {"d"', "line 2, character 6: is not JSON"),
    ("deep.json", b"[" * 100_000, "is not JSON"),
    ("latin.json", b'{"q": {"\xe9": 1}}', "latin.json, line 1: byte 0xe9 is not UTF-8"),
    ("twice.jsonl", RECORD + b"\n\n" + RECORD, r"line 3, .* 'd' is listed .*\(first: .*line 1\)"),
    ("cut.jsonl", RECORD + b'\r\n\r\n{"query"', "line 3, character 9: is n"),
    ("list.jsonl", RECORD + b"\n[]\n", "line 2: .* is not a record"),
    ("word.jsonl", RECORD.replace(b"1", b'"x"'), "line 1, column 'score': value 'x' is"),
    ("cut.parquet", b"PAR1hello", "cut.parquet: is a damaged Parquet file"),
]
BAD_JUDGMENTS = [
    ("empty.txt", b"", "the file is empty; a line of TREC judgments has 4 fields"),
    ("word.txt", b"q 0 d 1\nq 0 e x\n", "line 2, column 'grade': value 'x' is not a number"),
    ("space.txt", b"q 0 d 1\nq 0 my doc 1\n", "line 2: 5 fields .* must not hold white space"),
    ("twice.txt", b"q 0 d 1\n\nq 0 d 2\n", r"line 3, .* judged twice .*\(first: .*line 1\)"),
    ("no_grade.csv", b"query,item\nq,d\n", "no column for 'grade' .*relevance"),
    (
        "twice.csv",
        MINE + b"ann\nq,d,0,bob\nq,d,0,ann\n",
        r"line 4, .* for query 'q' by subject 'ann' \(first: .*, line 2\)",
    ),
    ("no_subject.csv", MINE + b"\n", "line 2, column 'subject': the id is"),
    (
        "position.csv",
        MINE.replace(b"subject", b"position") + b"x\n",
        "line 2, column 'position': value 'x'",
    ),
    ("systems.json", b'{"s": {"q": {"d": 1}}}', "query 's', item 'q': .* does not belong there"),
]


@pytest.mark.parametrize(
    ("name", "content", "message"), BAD_RUNS + BAD_JUDGMENTS, ids=lambda x: x if len(x) < 20 else ""
)
def test_bad_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    judgments = (name, content, message) in BAD_JUDGMENTS
    with pytest.raises(ft.errors.DataError) as caught:
        ft.read_judgments(path) if judgments else ft.read_runs(path)
    shown = str(caught.value)
    assert re.search(message, shown), shown
    assert shown.startswith(str(path))
    assert "\n" not in shown
    assert len(shown) < 600 + len(str(path))


@pytest.mark.parametrize("ending", ["run", "csv", "json", "jsonl", "parquet", "run.gz"])
def test_missing_files_and_directories(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    readers = [ft.read_runs, ft.read_judgments, lambda path: ft.read_runs({"a": path})]
    for read in readers:
        with pytest.raises(ft.errors.DataError, match="no such file"):
            read(path)
    path.mkdir()
    folder = "is a directory; give a file"
    messages = [
        f"{folder}, or a pattern such as {path}/*",
        "there is no file in this folder",
        folder,
    ]
    for read, message in zip(readers, messages, strict=True):
        with pytest.raises(ft.errors.DataError) as caught:
            read(path)
        assert str(caught.value) == f"{path}: {message}"


def test_refused_opening_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(GOOD)

    def refused(*_args: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refused)
    with pytest.raises(ft.errors.DataError, match=r"a\.run: cannot be read \(Permission denied\)"):
        ft.read_runs(path)


def test_unknown_options(tmp_path: Path) -> None:
    for option in ({"order_by": "size"}, {"duplicates": "last"}):
        with pytest.raises(ft.errors.OptionError, match="must be one of"):
            ft.read_runs(tmp_path / "a.run", **option)
    for option in ({"design": "mixed"}, {"groups": "yes"}):
        with pytest.raises(ft.errors.OptionError, match="must be one of"):
            ft.read_judgments(tmp_path / "a.txt", **option)

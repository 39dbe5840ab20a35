"""The stored report and its pictures are those of the code."""

import re

from support.printed import OUT_OF_DATE

from paper_repro.document import FOLDER, Cell
from paper_repro.pictures import Picture
from paper_repro.report import picture_name, report_text


def test_report_is_in_step() -> None:
    text = (FOLDER / "report.md").read_text(encoding="utf-8")
    assert text == report_text(), OUT_OF_DATE
    for title in "abcdef":
        assert f"\n## ({title}) " in text
    total, agree, explained, neither = map(int, re.findall(r"\d+", text.rstrip().splitlines()[-1]))
    assert (agree + explained, neither) == (total, 0)


def test_pictures_exist(document: list[Cell]) -> None:
    drawn = {picture_name(c) for c in document if c.call and isinstance(c.value(), Picture)}
    present = {path.name for path in (FOLDER / "figures").iterdir()}
    assert drawn == present, OUT_OF_DATE
    assert len(drawn) >= 9
    for name in present:
        head = (FOLDER / "figures" / name).read_bytes()[:24]
        width, height = (int.from_bytes(head[a : a + 4], "big") for a in (16, 20))
        assert head.startswith(b"\x89PNG")
        assert min(width, height) >= 350

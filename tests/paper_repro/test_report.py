"""The stored report is that of the code, and short."""

import re
from pathlib import Path

from support.printed import OUT_OF_DATE

from paper_repro.document import FOLDER, Cell, is_picture, read
from paper_repro.report import report_text, write_report

NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:e-?\d+)?")
STORED = (FOLDER / "report.md").read_text(encoding="utf-8")


def parts(text: str) -> tuple[str, list[float]]:
    """The text without numbers and line ends, and the numbers."""
    numbers = [float(found.replace(",", "")) for found in NUMBER.findall(text)]
    return " ".join(NUMBER.sub("0", text).split()), numbers


def test_report_is_in_step(story: list[Cell], appendix: list[Cell]) -> None:
    """Word for word, and numbers but for what fewer worlds change."""
    before, _, after = STORED.partition("\n# Appendix\n")
    assert report_text(appendix).partition("\n# Appendix\n")[2] == after, OUT_OF_DATE
    (words, numbers), (stored, printed) = parts(report_text(story)), parts(before)
    assert words == stored, OUT_OF_DATE
    off = [(a, b) for a, b in zip(numbers, printed, strict=True) if abs(a - b) > 0.025]
    assert off == [], OUT_OF_DATE


def test_the_report_is_short_and_begins_with_its_result() -> None:
    before, _, after = STORED.partition("\n# Appendix\n")
    assert len(before.split()) <= 3500
    assert after
    title, first, picture = before.split("\n\n")[1:4]
    assert title.startswith("# ")
    assert "memberships do not determine" in " ".join(first.split())
    assert picture == "![result](figures/result.png)"
    sections = re.findall(r"^## (.+)$", before, re.MULTILINE)
    assert [name.split(":")[0] for name in sections] == [
        "Figure 1",
        "The experiment",
        "What one truth hides",
        "Individual comparison",
        "After (14)",
        "The same on real votes",
    ]


def test_pictures_are_those_of_the_document(story: list[Cell], appendix: list[Cell]) -> None:
    drawn = [cell.name for cell in [*story, *appendix] if is_picture(cell.value)]
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) == {path.stem for path in (FOLDER / "figures").iterdir()}, OUT_OF_DATE
    shown = re.findall(r"!\[(\w+)\]\(figures/(\w+)\.png\)", STORED)
    assert sorted(shown) == sorted((name, name) for name in drawn)  # each once


def test_pictures_that_are_no_more_go(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "old.png").touch()
    write_report([Cell("Words.")], tmp_path)
    assert list((tmp_path / "figures").iterdir()) == []
    assert (tmp_path / "report.md").read_text().endswith("\n\nWords.\n")


def test_simulated_numbers_are_of_100_000_worlds() -> None:
    code = "\n".join(cell.text for cell in read("story") if cell.is_code)
    assert set(re.findall(r'n_worlds"?(?:=|: )([\d_]+)', code)) == {"100_000"}


def test_no_number_of_the_synthetic_parts_is_typed() -> None:
    """Prose has no decimals or percentages but those of its design."""
    typed = []
    for cell in read("story"):
        if not cell.is_code:
            prose = re.sub(r"\{\{.+?\}\}", "", cell.text, flags=re.DOTALL)
            typed += re.findall(r"(?<![\w.@])\d*\.\d+|\d+ ?%", prose)
    # levels of intervals, and the lists worked out by hand
    assert sorted(set(typed)) == [".2", ".5", ".8", "95 %"]

"""Every example of README.md and docs/ runs once, and prints what is shown below it."""

import doctest
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import __version_info__, image
from support.example_files import write_example_files
from support.pages import blocks_of, commands_of, public_pages, run
from support.scores_for_tests import dense

import fuzzytruth as ft

HOME = Path(__file__).parent.parent
PAGES = {str(page.relative_to(HOME)): page.read_text("utf-8") for page in public_pages(HOME)}
#: pages with many short blocks, for which the files of tests/support/example_files.py stand
READS_FILES = {
    "README.md",
    "docs/guide/analyse.md",
    "docs/guide/command_line.md",
    "docs/guide/comparing.md",
    "docs/guide/figures.md",
}
Defined = dict[str, Any]


def check_index(defined: Defined, page: str) -> None:
    found = defined["found"]
    half = [found.distribution(system, "bear9").sf(0.49) for system in ("vit", "regnety")]
    assert half == pytest.approx([0.7, 0.2], abs=0.02)
    check_each_person(found)
    check_structure(found)


def check_tutorial(defined: Defined, page: str) -> None:
    found = defined["found"]
    check_each_person(found)
    for system in found.scores.systems:
        law = defined["first"].distribution(system, "bear9", "P@5")
        assert law.cdf(law.mean() + 0.1) - law.cdf(law.mean() - 0.1) < 0.15
    table = found.to_frame(full=True).query("measure == 'P@5'")
    assert (table["one_truth"] > table[["memberships", "people", "highest"]].max(axis=1)).all()
    check_structure(found)


def check_structure(found: ft.results.Santini) -> None:
    """Exchanged votes lower the means, and spread the difference nearly as far."""
    assert found.structure is not None
    means, differences = found.structure.means, found.structure.differences
    assert means is not None
    assert (means["own"] > means["permuted"]).all()
    assert (means["p_own"] < 0.05).all()
    assert differences is not None
    assert (differences["p_adjusted"] > 0.05).all()


def check_each_person(found: ft.results.Santini) -> None:
    """On bear9 those who saw an elephant are better served by RegNetY, on all queries nobody."""
    assert found.people is not None
    each = found.people.to_frame().query("measure == 'P@5'")
    gaps = each.pivot(index=["query", "subject"], columns="system", values="value")
    gap = gaps["vit"] - gaps["regnety"]
    votes = found.votes.to_frame().query("item == 'bear9'").set_index("subject")["category"]
    elephants = votes.index[votes == "elephant"]
    assert list(gap.loc["bear9"].index[gap.loc["bear9"] < 0]) == list(elephants)
    assert len(elephants) == 2
    assert (gap.groupby("subject").mean() > 0).all()


def check_comparing(defined: Defined, page: str) -> None:
    said = " ".join(line.removeprefix("# ") for line in page.splitlines())
    verdict = defined["result"].verdicts()[5]
    assert "is significantly better than" in verdict
    assert "adjusted p = 0.0098)" in verdict
    assert verdict in said
    assert defined["parted"].verdicts()[0] in said


def check_annotate_next(defined: Defined, page: str) -> None:
    assert f"a correlation of {defined['order'].correlation:.2f}" in page


def check_gate(defined: Defined, page: str) -> None:
    said = re.findall(r"^# (passed: .*\n)# (.*)", page, re.MULTILINE)[0]
    assert defined["result"].lines()[1].split() == "".join(said).split()
    rows = re.findall(r"^\| (`.*?`) \|", page.partition("| key | is |")[2], re.MULTILINE)
    keys = defined["result"].to_dict()
    assert [key for row in rows for key in row.split("`")[1::2]] == [*keys, *keys["tests"][0]]


def check_judges(defined: Defined, page: str) -> None:
    third = defined["result"].rows[5]  # "by .04 to .13"
    assert [third.model_lower, third.model_upper] == pytest.approx([-0.13, -0.04], abs=0.005)
    assert third.lower < 0 < third.upper


def check_worlds(defined: Defined, page: str) -> None:
    scores = defined["scores"]
    assert defined["better"] == pytest.approx(2 / 3)
    assert dense(scores)[0, 0, 0, 0] == pytest.approx(0.5)
    law = scores.distribution("a", "q", "P@2").probabilities
    assert law == pytest.approx([2 / 9, 5 / 9, 2 / 9])
    assert scores.uncertainty.exact.all()
    assert not scores.distribution("a", "q", "AP").exact


#: page -> what its text says of the objects that its blocks define
SAID: dict[str, Callable[[Defined, str], None]] = {
    "docs/index.md": check_index,
    "docs/tutorial.md": check_tutorial,
    "docs/guide/comparing.md": check_comparing,
    "docs/guide/planning.md": check_annotate_next,
    "docs/guide/gate.md": check_gate,
    "docs/guide/judges.md": check_judges,
    "docs/guide/worlds.md": check_worlds,
}


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.usefixtures("own_measures")
@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if blocks_of(page)])
def test_page_prints_what_it_shows(name: str, as_printed: Path) -> None:
    if name in READS_FILES:  # other pages write the files that they read
        write_example_files(as_printed)
    defined, differences = run(blocks_of(PAGES[name]), name)
    for difference in differences:
        assert difference.printed == difference.shown, f"{name}:{difference.line}"
    if name in SAID:
        SAID[name](defined, PAGES[name])


REFERENCE = sorted((HOME / "docs" / "reference").glob("*.rst"))


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.usefixtures("own_measures", "as_printed")
@pytest.mark.parametrize("page", REFERENCE, ids=lambda page: page.stem)
def test_a_page_of_the_reference_begins_with_calls_that_run(page: Path) -> None:
    text = page.read_text("utf-8").partition(".. currentmodule")[0]
    found = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert sum("import" not in one.source for one in found.examples) >= 5
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found)
    assert failed == 0


def test_the_first_screen_of_readme() -> None:
    """One picture, the two commands and the example come before the first heading."""
    first = PAGES["README.md"].partition("\n## ")[0]
    for part in ("](docs/pictures/readme.png)", "make demo", "make test", "significant"):
        assert part in first
    for word in ("Santini", "membership", "distribution", "each person"):
        assert word in "\n".join(first.splitlines()[:60])
    code = [block.text for block in blocks_of(first) if block.language == "python"]
    assert len("".join(code).splitlines()) == 12


def test_the_site_begins_with_the_framework() -> None:
    first = PAGES["docs/index.md"].partition("```{image}")[0]
    for word in ("Santini", "membership", "distribution", "each person"):
        assert word in first


@pytest.mark.skipif(__version_info__ < (3, 11), reason="Matplotlib 3.10 draws letters otherwise")
def test_the_picture_of_readme_is_drawn_by_its_script(
    as_printed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = HOME / "docs" / "pictures"
    monkeypatch.setattr(sys, "argv", ["readme.py", "readme.png"])
    runpy.run_path(str(pictures / "readme.py"), run_name="__main__")
    drawn, committed = (image.imread(path / "readme.png") for path in (as_printed, pictures))
    assert drawn.shape == committed.shape
    assert np.mean(np.abs(drawn - committed)) < 0.01


def differences(page: str) -> list[tuple[int, list[str], list[str]]]:
    return [(d.line, d.shown, d.printed) for d in run(blocks_of(page), "page.md")[1]]


PAGE = '```python\nx = 3\n```\n\n```python\nprint(x)\nprint("more")\n```\n\n```text\n{}\n```\n'


@pytest.mark.parametrize(
    ("shown", "is_printed"),
    [
        *(("3\nmore", True), ("3\n...", True), ("...", True)),
        *(("4\nmore", False), ("3", False), ("3\n\nmore", False)),
    ],
)
def test_text_below_a_block_is_what_it_prints(shown: str, is_printed: bool) -> None:
    expected = [] if is_printed else [(6, shown.split("\n"), ["3", "more"])]
    assert differences(PAGE.format(shown)) == expected


@pytest.mark.parametrize(
    ("page", "line"),
    [("```python\n1\n```\nThen:\n```text\n1\n```\n", 6), ("```text\n1\n```\n", 2)],
)
def test_text_that_no_block_prints_is_refused(page: str, line: int) -> None:
    with pytest.raises(ValueError, match=f"line {line}: no block above"):
        blocks_of(page)


def test_prompts_are_doctests_and_errors_name_the_line_of_the_page() -> None:
    assert differences("```python\n>>> y = 2\n>>> y + 1\n3\n```\n") == []
    ((line, _, printed),) = differences("```python\n>>> 1 + 1\n3\n```\n")
    assert line == 2
    assert "Got:" in " ".join(printed)
    with pytest.raises(ZeroDivisionError) as error:
        run(blocks_of("# Page\n\n```python\na = 1\na / 0\n```\n"), "page.md")
    assert error.traceback[-1].lineno + 1 == 5


@pytest.mark.usefixtures("as_printed")
def test_commands_print_what_is_shown_below_them(capsys: pytest.CaptureFixture[str]) -> None:
    page = "```console\n$ fuzzytruth --version\n{}\n$ ls nothing\n```\n"
    assert differences(page.format(f"fuzzytruth {ft.__version__}")) == []
    ((_, _, printed),) = differences(page.format("fuzzytruth 0"))
    assert ft.__version__ in printed[0]
    block = blocks_of("```console\n$ one \\\n  two\nout\n$ three\n```\n")[0]
    assert commands_of(block) == [("one    two", "out\n"), ("three", None)]
    with pytest.raises(RuntimeError, match="exit status 1"):
        run(blocks_of("```console\n$ fuzzytruth evaluate none.txt a.run\n```\n"), "page.md")
    assert "none.txt" in capsys.readouterr().err

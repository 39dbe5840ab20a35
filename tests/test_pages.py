"""Every example of README.md and docs/ runs, and prints what is shown below it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.example_files import write_example_files
from support.pages import blocks_of, commands_of, public_pages, run

import fuzzytruth as ft

HOME = Path(__file__).parent.parent
PAGES = {str(page.relative_to(HOME)): page for page in public_pages(HOME)}
#: other pages write the files that they read
ON_EXAMPLE_FILES = ("README.md", "docs/guide/command_line.md", "docs/guide/python_tour.md")
WITH_CODE = [name for name, page in PAGES.items() if blocks_of(page.read_text("utf-8"))]


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.usefixtures("own_measures")
@pytest.mark.parametrize("name", WITH_CODE)
def test_page_prints_what_it_shows(name: str, as_printed: Path) -> None:
    if name in ON_EXAMPLE_FILES:
        write_example_files(as_printed)
    _, differences = run(blocks_of(PAGES[name].read_text("utf-8")), name)
    for difference in differences:
        assert difference.printed == difference.shown, f"{name}:{difference.line}"


def differences(page: str) -> list[tuple[int, list[str], list[str]]]:
    return [(d.line, d.shown, d.printed) for d in run(blocks_of(page), "page.md")[1]]


PAGE = """\
```python
x = 3
```

```python
print(x)
print("more")
```

```text
{shown}
```
"""


@pytest.mark.parametrize("shown", ["3\nmore", "3\n...", "..."])
def test_text_below_a_block_is_what_it_prints(shown: str) -> None:
    assert differences(PAGE.format(shown=shown)) == []


@pytest.mark.parametrize("shown", ["4\nmore", "3", "3\nmore\nyet more", "3\n\nmore"])
def test_any_other_text_is_a_difference(shown: str) -> None:
    assert differences(PAGE.format(shown=shown)) == [(6, shown.split("\n"), ["3", "more"])]


def test_text_that_no_block_prints_is_refused() -> None:
    with pytest.raises(ValueError, match="line 6: no block above"):
        blocks_of("```python\n1\n```\nThen:\n```text\n1\n```\n")
    with pytest.raises(ValueError, match="line 2: no block above"):
        blocks_of("```text\n1\n```\n")


def test_prompts_are_doctests() -> None:
    assert differences("```python\n>>> y = 2\n>>> y + 1\n3\n```\n") == []
    ((line, _, printed),) = differences("```python\n>>> 1 + 1\n3\n```\n")
    assert line == 2
    assert "Got:" in " ".join(printed)


def test_errors_name_the_line_of_the_page() -> None:
    with pytest.raises(ZeroDivisionError) as error:
        run(blocks_of("# Page\n\n```python\na = 1\na / 0\n```\n"), "page.md")
    assert error.traceback[-1].lineno + 1 == 5


@pytest.mark.usefixtures("as_printed")
def test_commands_print_what_is_shown_below_them() -> None:
    page = "```console\n$ fuzzytruth --version\n{}\n$ ls nothing\n```\n"
    version = ft.__version__
    assert differences(page.format(f"fuzzytruth {version}")) == []
    ((_, _, printed),) = differences(page.format("fuzzytruth 0"))
    assert version in printed[0]
    block = blocks_of("```console\n$ one \\\n  two\nout\n$ three\n```\n")[0]
    assert commands_of(block) == [("one    two", "out\n"), ("three", None)]


@pytest.mark.usefixtures("as_printed")
def test_a_command_that_fails_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="exit status 1"):
        run(blocks_of("```console\n$ fuzzytruth evaluate none.txt a.run\n```\n"), "page.md")
    assert "none.txt" in capsys.readouterr().err

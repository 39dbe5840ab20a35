"""Pages of documentation as programs: their blocks run, and print what is shown below them.

Blocks marked ``python`` run in order, in one namespace and one folder. A ``text`` block right below
one is exactly what it prints; a last line ``...`` stops early. Blocks of prompts, ``>>>``, are
doctests. Of a ``console`` block, commands ``$ fuzzytruth ...`` run, and what is shown below a
command is what it prints.
"""

import doctest
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from fuzzytruth.cli.app import main

DOTS = "..."
PROMPT = ">>> "
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_RUN = ("python", "console")
_FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Parameters
    ----------
    language : str
    text : str
    line : int
        Of its first line, from 1.
    printed : str or None
        The text block right below it.
    """

    language: str
    text: str
    line: int
    printed: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What a block should print, and what it does."""

    line: int
    shown: list[str]
    printed: list[str]


def blocks_of(page: str) -> list[Block]:
    """Blocks of Python and of the console, with the text below them.

    Raises
    ------
    ValueError
        A text block is not right below a block that could print it.
    """
    out: list[Block] = []
    end, open_for_text = 0, False
    for match in _FENCE.finditer(page):
        language, text, line = match[1], match[2], page.count("\n", 0, match.start()) + 2
        is_next = not page[end : match.start()].strip()
        if language == "text":
            if not (is_next and open_for_text):
                raise ValueError(f"line {line}: no block above prints this text")
            last = out[-1]
            out[-1] = Block(last.language, last.text, last.line, text)
        elif language in _RUN:
            out.append(Block(language, text, line))
        end, open_for_text = match.end(), language == "python"
    return out


def run(blocks: list[Block], name: str) -> tuple[dict[str, Any], list[Difference]]:
    """Run the blocks of a page; what it defined, and where it prints something else."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    differences: list[Difference] = []
    for block in blocks:
        if block.language == "console":
            pairs = list(_run_commands(block))
        elif block.text.startswith(PROMPT):
            pairs = [_run_prompts(block, name, namespace)]
        else:
            pairs = [(block.printed, _run_python(block, name, namespace))]
        differences += [
            Difference(block.line, *compared)
            for shown, printed in pairs
            if shown is not None
            for compared in [_compared(shown, printed)]
            if compared[0] != compared[1]
        ]
    return namespace, differences


def _run_python(block: Block, name: str, namespace: dict[str, Any]) -> str:
    code = compile("\n" * (block.line - 1) + block.text, name, "exec")  # lines as in the page
    with redirect_stdout(StringIO()) as printed:
        exec(code, namespace)
    return printed.getvalue()


def _run_prompts(block: Block, name: str, namespace: dict[str, Any]) -> tuple[str, str]:
    """Nothing, and the report of what failed."""
    test = doctest.DocTestParser().get_doctest(block.text, namespace, name, name, block.line - 1)
    report = StringIO()
    doctest.DocTestRunner(optionflags=_FLAGS).run(test, out=report.write, clear_globs=False)
    namespace.update(test.globs)
    return "", report.getvalue()


def commands_of(block: Block) -> list[tuple[str, str | None]]:
    """Commands of a console block, each with what is shown below it, if anything."""
    parts = re.split(r"^\$ ", block.text.replace("\\\n", " "), flags=re.MULTILINE)[1:]
    return [(line, shown or None) for line, _, shown in (part.partition("\n") for part in parts)]


def _run_commands(block: Block) -> Iterator[tuple[str | None, str]]:
    for command, shown in commands_of(block):
        program, *arguments = shlex.split(command, comments=True)
        if program == "fuzzytruth":
            yield shown, _run_command(arguments)


def _run_command(arguments: list[str]) -> str:
    """What a command prints; one that fails raises."""
    with redirect_stdout(StringIO()) as printed:
        try:
            main(arguments)
        except SystemExit as stop:
            if stop.code not in (0, 3, None):  # 3: a gate that is not passed
                raise RuntimeError(f"{arguments}: exit status {stop.code}") from stop
    for flag in {"-o", "--figure"} & {*arguments}:
        if not Path(arguments[arguments.index(flag) + 1]).exists():
            raise RuntimeError(f"{arguments}: no file is written")
    return printed.getvalue()


def _compared(shown: str, printed: str) -> tuple[list[str], list[str]]:
    """Lines to compare: up to the dots, without white space at their ends."""
    wanted = [line.rstrip() for line in shown.rstrip("\n").split("\n")]
    given = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
    if wanted[-1] == DOTS:
        wanted = wanted[:-1]
        given = given[: len(wanted)]
    return wanted, given


def public_pages(home: Path) -> list[Path]:
    """README.md and all pages of docs/ that are not generated."""
    found = sorted((home / "docs").rglob("*.md"))
    generated = {"_build", "generated", "figures", "tables"}
    return [home / "README.md", *(p for p in found if generated.isdisjoint(p.parts))]

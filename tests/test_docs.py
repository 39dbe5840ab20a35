"""The examples in docs/ must run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest
from support.scores_for_tests import dense

DOCS = Path(__file__).parent.parent / "docs"
#: pages whose blocks are one program each
PROGRAMS = ("categories.md", "comparing.md")


@pytest.mark.parametrize("name", ["taxonomies.md"])
def test_examples_run(name: str) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    results = doctest.testfile(str(DOCS / name), module_relative=False, optionflags=flags)
    assert results.attempted > 5
    assert results.failed == 0


def test_every_page_with_code_is_run() -> None:
    """taxonomies.md as a doctest, displacement.md beside its data, the others here."""
    pages = {path.name for path in DOCS.glob("*.md") if "```python" in path.read_text("utf-8")}
    assert pages == {"taxonomies.md", "displacement.md", "worlds.md", "measures.md", *PROGRAMS}


def run_blocks(name: str, least: int) -> dict[str, Any]:
    """All blocks of Python, as one program; what it defined."""
    text = (DOCS / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= least
    found: dict[str, Any] = {}
    exec(compile("\n".join(blocks), name, "exec"), found)
    return found


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("name", PROGRAMS)
def test_blocks_run(name: str) -> None:
    run_blocks(name, 4)


@pytest.mark.usefixtures("own_measures")
def test_measures_of_the_reader_run() -> None:
    run_blocks("measures.md", 2)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_worlds_say_what_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    found = run_blocks("worlds.md", 1)
    matplotlib.pyplot.close(found["ax"].figure)
    assert found["better"] == pytest.approx(2 / 3)
    scores = found["scores"]
    assert dense(scores)[0, 0, 0, 0] == pytest.approx(0.5)
    law = scores.distribution("a", "q", "P@2").probabilities
    assert law == pytest.approx([2 / 9, 5 / 9, 2 / 9])
    assert scores.uncertainty.exact.all()
    assert not scores.distribution("a", "q", "AP").exact

"""Trees as indented text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fuzzytruth.errors import TaxonomyError
from fuzzytruth.io.files import Source
from fuzzytruth.io.taxonomies import read_indented


def read(path: Path, text: str) -> list[tuple[str | None, str]]:
    path.write_text(text)
    edges = read_indented(Source.of(path))
    return list(zip(edges.parent, edges.child, strict=True))


@pytest.mark.parametrize("blanks", ["\t", "  ", "     "])
@pytest.mark.parametrize("seed", range(5))
def test_any_tree_reads_back(tmp_path: Path, blanks: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    depth, lines, branch, want = 0, [], ["0"], [(None, "0")]
    lines = ["0"]
    for node in range(1, 30):
        depth = int(rng.integers(1, depth + 2))
        want.append((branch[depth - 1], str(node)))
        branch[depth:] = [str(node)]
        lines.append(blanks * depth + str(node) + " " * int(rng.integers(0, 2)))
    assert read(tmp_path / "a.txt", "\n\n".join(lines)) == want


def test_widths_may_differ_between_branches(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", "a\n b\n    c\n d\n  e\n") == [
        *((None, "a"), ("a", "b"), ("b", "c"), ("a", "d"), ("d", "e"))
    ]


def test_edges_are_located_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a\n\n\tb\n")
    assert read_indented(Source.of(path)).locate(1) == f"{path}, line 3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n\tx\n  y\n", "line 3: 'y' is indented with spaces, but the lines above with tabs"),
        ("a\n \tx\n", "line 2: 'x' is indented with tabs, but the lines above with spaces"),
        ("a\n\u3000x\n y\n", r"line 2: '\\u3000x' is indented with '\\u3000'; use spaces, or tabs"),
        ("a\n    x\n  y\n", "line 3: 'y' is indented by 2, like no line above it"),
        ("  a\n    x\ny\n", "line 3: 'y' is indented by 0, like no line above it"),
    ],
)
def test_errors(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TaxonomyError, match=message):
        read(tmp_path / "a.txt", text)

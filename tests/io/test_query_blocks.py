"""Blocks of whole queries, against lines grouped one by one."""

from __future__ import annotations

import random
from itertools import groupby, pairwise

import pytest

from fuzzytruth.io import trec as module
from fuzzytruth.io.trec import first_field, last_change, query_blocks


def random_text(rng: random.Random) -> bytes:
    lines = []
    for _ in range(rng.randint(1, 8)):
        query = rng.choice(["a", "bb", "ccc", "a longer one".replace(" ", "_")])
        lines += [f"{query} {'x' * rng.randint(0, 5)}\n" for _ in range(rng.randint(1, 12))]
    return "".join(lines).encode()


def first(line: bytes) -> bytes:
    return first_field(line, 0)


def pieces(rng: random.Random, text: bytes) -> list[bytes]:
    lines, out = text.splitlines(keepends=True), []
    while lines:
        n = rng.randint(1, 10)
        out.append(b"".join(lines[:n]))
        lines = lines[n:]
    return out


@pytest.mark.parametrize("look_back", [1, 4, 1 << 12])
def test_neighbours_with_one_query_stay_together(
    look_back: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOOK_BACK", look_back)
    rng = random.Random(look_back)
    n_blocks = 0
    for _ in range(500):
        text = random_text(rng)
        blocks = list(query_blocks(pieces(rng, text)))
        assert b"".join(block.text for block in blocks) == text
        starts = [sum(len(block.text) for block in blocks[:j]) for j in range(len(blocks))]
        assert [block.start for block in blocks] == starts
        lines = [[first_field(line, 0) for line in block.text.splitlines()] for block in blocks]
        for before, after in pairwise(lines):
            assert before[-1] != after[0]
        n_blocks += len(blocks)
    assert n_blocks > 1000


def test_the_last_change() -> None:
    rng = random.Random(5)
    for _ in range(500):
        text = random_text(rng)
        at = last_change(text)
        lines = [line.split()[0] for line in text.splitlines()]
        n_before = text[:at].count(b"\n")
        assert lines[n_before] == lines[-1]
        assert at == 0 or lines[n_before - 1] != lines[-1]
        grouped = b"".join(sorted(text.splitlines(keepends=True)))
        runs = [b"".join(run) for _, run in groupby(grouped.splitlines(keepends=True), first)]
        assert last_change(grouped) == len(grouped) - len(runs[-1])


def test_blank_lines_and_ends() -> None:
    assert last_change(b"a 1\na 2\n\n  \n") == 0
    assert last_change(b"a 1\n b 2\n \n") == 4
    assert last_change(b"\n\n") == 0
    assert [*query_blocks([])] == []
    texts = [block.text for block in query_blocks([b"a 1\n", b"\n", b"a 2"])]
    assert texts == [b"a 1\n", b"\n", b"a 2"]
    assert first_field(b"x\n  y z", 2) == b"y"

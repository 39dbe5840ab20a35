"""Half a minute of fuzzing, everything that was ever found, and checks of the checker."""

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

import fuzzytruth as ft
from fuzz import stream_targets
from fuzz.run import fuzz, main
from fuzz.targets import TARGETS
from fuzz.verdict import judge, time_limit
from fuzzytruth.data import reading

INPUTS = 40  # of each target
CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files(name: str) -> None:
    """Another seed: FUZZ_SEED=7 pytest tests/fuzz."""
    tally = fuzz(TARGETS[name], int(os.environ.get("FUZZ_SEED", "0")), range(INPUTS))
    assert not tally.findings
    assert tally.counts["refused"] > 0
    assert tally.counts["checked"] + tally.counts["read"] > 0


@pytest.mark.parametrize("name", TARGETS)
def test_valid_files_are_read(name: str, tmp_path: Path) -> None:
    for seed in TARGETS[name].seeds:
        verdict = judge(TARGETS[name], seed, tmp_path)
        assert verdict.kind in ("checked", "read"), verdict.text


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_what_was_ever_found(path: Path, tmp_path: Path) -> None:
    target = TARGETS[path.name.partition("--")[0]]
    verdict = judge(target, path.read_bytes(), tmp_path)
    assert verdict.kind != "finding", verdict.text


@pytest.mark.parametrize("name", [target.name for target in stream_targets.TARGETS])
def test_files_that_are_read_in_blocks(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    path = tmp_path / target.file
    for seed in target.seeds:
        path.write_bytes(seed)
        with stream_targets.in_blocks():
            streamed = reading.stream_files(reading.named_files(path))
            assert streamed is not None
            assert all(n > 1 for n in map(len, streamed.each_block(len).values()))


def test_an_input_depends_on_its_number_alone() -> None:
    target = TARGETS["runs.csv"]
    assert target.input(3, 7) == target.input(3, 7) != target.input(3, 8)


TABLE = TARGETS["judgments.csv"]


def raise_(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (replace(TABLE, rows=lambda found: TABLE.rows(found)[1:]), "lost .* a warning that counts"),
        (replace(TABLE, rows=lambda found: [("a", "x", 9.0)]), "which the plain parser does not"),
        (replace(TABLE, rows=lambda found: [("a", "x", float("nan"))]), "NaN was read"),
        (replace(TABLE, read=lambda path: raise_(KeyError("x"))), "KeyError"),
        (replace(TABLE, read=lambda path: raise_(ft.errors.DataError("a\u2028b"))), None),
        (replace(TABLE, read=lambda path: raise_(ft.errors.MeasureError("m"))), "MeasureError"),
        (replace(TABLE, plain=lambda data: raise_(ValueError("no"))), "parser refuses it: no"),
    ],
)
def test_defects_are_found(broken, problem: str | None, tmp_path: Path) -> None:
    verdict = judge(broken, TABLE.seeds[0], tmp_path)
    assert verdict.kind == ("finding" if problem else "refused")
    assert re.search(problem or "", verdict.text)


def test_a_hang_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.verdict.SECONDS", 0.05)
    verdict = judge(replace(TABLE, read=lambda path: time.sleep(5)), b"", tmp_path)
    assert verdict.text == "still reading after 0.05 s"
    with time_limit(0.05):
        pass
    time.sleep(0.1)  # nothing rings any more


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--inputs", "6", "--target", "trec-run"]
    assert main([*options, "--first", "3", "--keep", str(tmp_path / "found")]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["target", "trec-run", "all"]
    assert rows[1].split()[1] == "6"
    assert not (tmp_path / "found").exists()

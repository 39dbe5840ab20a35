"""Runs read block by block, against the same files read at once."""

import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data import reading, run_stream
from fuzzytruth.data.reading import named_files, stream_files
from fuzzytruth.errors import DataError, TagWarning
from fuzzytruth.io import files, table_files

ITEMS = [f"d{j}" for j in range(30)] + ["q3", "é", "😀"]
MEASURES = ["AP", "nDCG@5", "P@3", "R@10"]
COLUMNS = ["query", "item", "score", "system"]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BLOCK_BYTES", 300)
    monkeypatch.setattr(run_stream, "_PART", 500)


@pytest.fixture
def large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_LARGE", 0)
    monkeypatch.setattr(table_files, "_ROWS", 30)


def lines_of(seed: int, *, shuffled: bool = False) -> list[str]:
    rng = np.random.default_rng(seed)
    lines = [
        f"q{q} Q0 {item} {rank} {rng.choice([3.0, 2.0, 1.0 + 1e-9, 1.0, -0.0])} tag\n"
        for q in rng.permutation(12)
        for rank, item in enumerate(rng.permutation(ITEMS)[: rng.integers(1, 20)], start=1)
    ]
    return [lines[j] for j in rng.permutation(len(lines))] if shuffled else lines


def truth() -> ft.Judgments:
    rng = np.random.default_rng(0)
    rows = [
        (f"q{q}", str(item), int(rng.integers(-1, 3)))
        for q in range(11)
        for item in rng.permutation(ITEMS)[:9]
    ]
    return ft.Judgments.from_columns(*zip(*rows, strict=True))


TRUTH = truth()


def written(folder: Path, lines: list[str], name: str = "run.txt") -> Path:
    path = folder / name
    text = "".join(lines).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


def check_same(path: Any, measures: Any = MEASURES, **options: Any) -> list[str]:
    """Scores and warnings of a file read in blocks are those of one read at once."""
    found, said = [], []
    for runs in (path, ft.read_runs(path)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append(ft.evaluate(TRUTH, runs, measures, **options))
        said.append([str(one.message) for one in caught])
    streamed, whole = found
    np.testing.assert_array_equal(streamed.values, whole.values)
    assert streamed.to_frame().equals(whole.to_frame())
    assert (streamed.systems, streamed.provenance) == (whole.systems, whole.provenance)
    assert said[0] == said[1]
    return said[0]


def check_same_error(path: Path) -> str:
    with pytest.raises(DataError) as streamed:
        ft.evaluate(TRUTH, path, "AP")
    with pytest.raises(DataError) as whole:
        ft.read_runs(path)
    assert str(streamed.value) == str(whole.value)
    return str(whole.value)


ORDERS: dict[str, Callable[[list[str]], list[str]]] = {
    "by query": lambda lines: lines,
    "blank lines": lambda lines: [text for line in lines for text in ("\n", line)],
    "tabs": lambda lines: [line.replace(" ", "\t") for line in lines],
    "no line end": lambda lines: [*lines[:-1], lines[-1].rstrip("\n")],
}


@pytest.mark.parametrize(
    ("order", "shuffled", "name", "ties"),
    [
        ("by query", False, "run.txt", "trec"),
        ("by query", True, "run.txt", "expected"),
        ("by query", True, "run.gz", "order"),
        ("blank lines", True, "run.txt", "trec"),
        ("tabs", False, "run.gz", "expected"),
        ("no line end", False, "run.txt", "order"),
    ],
)
def test_streamed_scores_are_the_same(
    tmp_path: Path, order: str, shuffled: bool, name: str, ties: str
) -> None:
    measures = MEASURES if ties == "expected" else [*MEASURES, "RR", "bpref"]
    path = written(tmp_path, ORDERS[order](lines_of(0, shuffled=shuffled)), name)
    check_same(path, measures, ties=ties)


def test_bounds_and_self_hits(tmp_path: Path) -> None:
    path = written(tmp_path, lines_of(2))
    check_same(path, ["AP", "P@5"], unjudged="bounds")
    said = check_same(path, ["AP", "P@5"], exclude_self=True)
    assert sum("left out" in text for text in said) == 1
    # the last query of this file, a block of its own, retrieves nothing but itself
    written(tmp_path, ["q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.5 t\n", "q2 Q0 q2 1 3.0 t\n"])
    for unjudged in ("nonrelevant", "bounds"):
        check_same(path, ["AP", "Rprec"], exclude_self=True, unjudged=unjudged)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines.insert(100, lines[97]), "line 101, column 'item': .* is listed twice"),
        (lambda lines: lines.insert(90, "q 1 2\n"), "line 91: 3 fields"),
        (lambda lines: lines.insert(90, "q Q0 d 1 nan t\n"), "line 91, column 'score'"),
        (lambda lines: lines.clear(), "the file is empty"),
        (lambda lines: lines.__setitem__(slice(None), ["\n", " \n"]), "the file is empty"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, change: Any, message: str) -> None:
    for shuffled in (False, True):
        lines = lines_of(3, shuffled=shuffled)
        change(lines)
        path = written(tmp_path, lines)
        check_same_error(path)
        with pytest.raises(DataError, match=message):
            ft.evaluate(TRUTH, path, "AP")


def test_names_tags_and_formats(tmp_path: Path) -> None:
    lines = lines_of(4)
    first, second = written(tmp_path, lines, "a.txt"), written(tmp_path, lines, "b.run")
    runs = stream_files(named_files([first, second]))
    assert runs is not None
    assert runs.systems == ("a", "b")
    assert runs.checksums == ft.read_runs([first, second]).checksums
    assert {*runs.queries["a"]} == {*ft.read_runs(first)["a"].queries}
    named = stream_files(named_files({"x": first}))
    assert named is not None
    assert named.systems == ("x",)
    (tmp_path / "other").mkdir()
    twin = written(tmp_path / "other", lines, "a.run")
    with pytest.raises(DataError, match="its system is called 'a', and so is one of"):
        stream_files(named_files([first, twin]))
    small = write_table(table(0, shuffled=False), tmp_path / "c.csv")
    np.save(tmp_path / "d.npy", np.eye(2))
    for others in ([first, small], small, tmp_path / "d.npy"):
        assert stream_files(named_files(others)) is None
    tagged = written(tmp_path, [lines[0], lines[1].replace("tag", "other")], "t.txt")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ft.evaluate(TRUTH, tagged, "AP")
    (said,) = [str(one.message) for one in caught if one.category is TagWarning]
    assert "read as one run called 't'" in said


def test_files_that_are_parts_of_a_table(tmp_path: Path) -> None:
    for number in range(2):
        write_table(table(0, shuffled=False), tmp_path / f"part.{number}.parquet")
    said = check_same_error(tmp_path / "*.parquet")
    assert "part.1.parquet: one of its systems is called 'b', and so is" in said
    assert "join them before" in said


def test_several_files_by_workers(tmp_path: Path) -> None:
    paths = [written(tmp_path, lines_of(s, shuffled=True), f"{s}.txt") for s in range(2)]
    assert check_same(paths) == check_same(paths, n_jobs=2)


def table(seed: int, *, shuffled: bool) -> pd.DataFrame:
    rows = [
        (query, f'{item}, "x"' if k % 7 == 0 else item, float(score), system)
        for system in ("b", "a")
        for k, line in enumerate(lines_of(seed + (system == "a")))
        for query, _, item, _, score, _ in [line.split()]
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.sample(frac=1, random_state=seed) if shuffled else frame


def write_table(frame: pd.DataFrame, path: Path) -> Path:
    if path.suffix == ".parquet":
        frame.to_parquet(path, index=False, row_group_size=40)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.mark.usefixtures("large_tables")
@pytest.mark.parametrize(
    ("ending", "shuffled", "named"),
    [
        (".csv", True, True),
        (".csv", False, False),
        (".tsv", False, True),
        (".jsonl", True, False),
        (".parquet", True, True),
        (".parquet", False, False),
    ],
)
def test_tables(tmp_path: Path, ending: str, shuffled: bool, named: bool) -> None:
    frame = table(0, shuffled=shuffled)
    frame = frame if named else frame[frame["system"] == "a"][COLUMNS[:3]]
    path = write_table(frame, tmp_path / f"t{ending}")
    streamed = stream_files(named_files(path))
    assert streamed is not None
    assert sum(map(len, streamed.each_block(len).values())) > 3
    assert streamed.checksums == ft.read_runs(path).checksums
    for system, queries in streamed.queries.items():
        own = frame[frame["system"] == system] if named else frame
        assert list(queries) == own["query"].drop_duplicates().tolist()
    check_same(path)


@pytest.mark.usefixtures("large_tables")
@pytest.mark.parametrize(
    ("ending", "shuffled", "names"),
    [
        (".csv", True, {}),
        (".csv", False, {"query": "topic", "item": "doc", "score": "sim"}),
        (".jsonl", True, {"query": "topic", "item": "doc", "score": "sim"}),
        (".parquet", False, {}),
    ],
)
def test_errors_in_tables_name_the_place(
    tmp_path: Path, ending: str, shuffled: bool, names: dict[str, str]
) -> None:
    frame = table(3, shuffled=shuffled)
    twice = pd.concat([frame[:200], frame[150:151], frame[200:]])
    wrong = frame.astype({"score": object})
    wrong.iloc[180, 2] = "high"
    for number, case in enumerate([twice] if ending == ".parquet" else [twice, wrong]):
        case = case.rename(columns=names).assign(page=1)
        said = check_same_error(write_table(case, tmp_path / f"{number}{ending}"))
        assert any(f"column '{name}'" in said for name in case.columns)

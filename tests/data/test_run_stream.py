"""Runs read block by block, against the same files read at once."""

from __future__ import annotations

import gzip
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data import reading, run_stream
from fuzzytruth.data.reading import named_files, stream_files
from fuzzytruth.errors import DataError, TagWarning
from fuzzytruth.io import files, table_files

ITEMS = [f"d{j}" for j in range(30)] + ["q3", "é", "😀"]
MEASURES = ["AP", "nDCG@5", "P@3", "RR", "bpref", "R@10"]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BLOCK_BYTES", 300)
    monkeypatch.setattr(run_stream, "_PART", 500)


def lines_of(seed: int, n_queries: int = 12) -> list[str]:
    rng = np.random.default_rng(seed)
    return [
        f"q{q} Q0 {item} {rank} {rng.choice([3.0, 2.0, 1.0 + 1e-9, 1.0, -0.0])} tag\n"
        for q in rng.permutation(n_queries)
        for rank, item in enumerate(rng.permutation(ITEMS)[: rng.integers(1, 20)], start=1)
    ]


def truth(seed: int = 0) -> ft.Judgments:
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{q}", str(item), int(rng.integers(-1, 3)))
        for q in range(11)
        for item in rng.permutation(ITEMS)[:9]
    ]
    return ft.Judgments.from_columns(*zip(*rows, strict=True))


def written(folder: Path, lines: list[str], name: str = "run.txt") -> Path:
    path = folder / name
    text = "".join(lines).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


def orders(seed: int) -> dict[str, list[str]]:
    lines = lines_of(seed)
    rng = np.random.default_rng(seed)
    return {
        "by query": lines,
        "shuffled": [lines[j] for j in rng.permutation(len(lines))],
        "blank lines": [text for line in lines for text in ("\n", line)],
        "tabs": [line.replace(" ", "\t") for line in lines],
        "no line end": [*lines[:-1], lines[-1].rstrip("\n")],
    }


@pytest.mark.parametrize("ties", ["trec", "order", "expected"])
@pytest.mark.parametrize("name", ["run.txt", "run.gz"])
@pytest.mark.parametrize("order", orders(0))
def test_streamed_scores_are_the_same(tmp_path: Path, order: str, name: str, ties: str) -> None:
    measures = [m for m in MEASURES if ties != "expected" or m not in ("bpref", "RR")]
    for seed in range(3):
        path = written(tmp_path, orders(seed)[order], name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            streamed = ft.evaluate(truth(seed), path, measures, ties=ties)  # type: ignore[arg-type]
            whole = ft.evaluate(truth(seed), ft.read_runs(path), measures, ties=ties)  # type: ignore[arg-type]
        np.testing.assert_array_equal(streamed.values, whole.values)
        assert streamed.provenance == whole.provenance
        assert streamed.systems == whole.systems == ("run",)


def test_blocks_hold_whole_queries(tmp_path: Path) -> None:
    lines = lines_of(1)
    for rows in (lines, sorted(lines, key=lambda line: line.split()[2])):
        streamed = stream_files(named_files(written(tmp_path, rows)))
        assert streamed is not None
        (blocks,) = streamed.each_block(lambda block: ({*block.queries}, len(block))).values()
        assert len(blocks) > 3
        every = [query for queries, _ in blocks for query in queries]
        assert sorted(every) == sorted({line.split()[0] for line in lines})
        assert sum(n for _, n in blocks) == len(lines)


def test_bounds_and_self_hits(tmp_path: Path) -> None:
    path = written(tmp_path, [*lines_of(2), "q3 Q0 x 1 9 tag\n"][:-1])
    said = []
    for options in ({"unjudged": "bounds"}, {"exclude_self": True}):
        found = []
        for runs in (path, ft.read_runs(path)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found.append(ft.evaluate(truth(), runs, ["AP", "P@5"], **options))
            said.append([str(one.message) for one in caught])
        np.testing.assert_array_equal(found[0].values, found[1].values)
        assert found[0].provenance == found[1].provenance
        assert found[0].to_frame().equals(found[1].to_frame())
    assert said[0] == said[1]
    assert said[2] == said[3]
    assert sum("left out" in text for text in said[2]) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines.insert(100, lines[97]), "line 101, column 'item': .* is listed twice"),
        (lambda lines: lines.insert(90, "q 1 2\n"), "line 91: 3 fields"),
        (
            lambda lines: lines.insert(90, "q Q0 d 1 nan t\n"),
            "line 91, column 'score'",
        ),
        (lambda lines: lines.clear(), "the file is empty"),
        (lambda lines: lines.__setitem__(slice(None), ["\n", " \n"]), "the file is empty"),
    ],
)
@pytest.mark.parametrize("shuffled", [False, True])
def test_errors_name_the_line(tmp_path: Path, change, message: str, shuffled: bool) -> None:
    lines = lines_of(3)
    if shuffled:
        lines = [lines[j] for j in np.random.default_rng(0).permutation(len(lines))]
    change(lines)
    path = written(tmp_path, lines)
    with pytest.raises(DataError, match=message) as streamed:
        ft.evaluate(truth(), path, "AP")
    with pytest.raises(DataError) as whole:
        ft.evaluate(truth(), ft.read_runs(path), "AP")
    assert str(streamed.value) == str(whole.value)


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
    table = tmp_path / "c.csv"
    table.write_text("query,item,score\nq1,d1,2\n")
    assert stream_files(named_files([first, table])) is None
    np.save(tmp_path / "d.npy", np.eye(2))
    assert stream_files(named_files(tmp_path / "d.npy")) is None
    tagged = written(tmp_path, [lines[0], lines[1].replace("tag", "other")], "t.txt")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ft.evaluate(truth(), tagged, "AP")
    (said,) = [str(one.message) for one in caught if one.category is TagWarning]
    assert "read as one run called 't'" in said


def test_temporary_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = written(tmp_path, orders(0)["shuffled"])
    runs = stream_files(named_files(path))
    assert runs is not None
    seen = runs.each_block(lambda _: [p.name for p in tmp_path.glob("fuzzytruth-*")])
    assert any(seen["run"])
    assert not [*tmp_path.glob("fuzzytruth-*")]


@pytest.mark.parametrize("at_once", [False, True])
def test_files_that_are_parts_of_a_table(tmp_path: Path, at_once: bool) -> None:
    frame = table(0, shuffled=False)
    for number in range(2):
        frame.to_parquet(tmp_path / f"part.{number}.parquet", index=False)
    message = r"part.1.parquet: one of its systems is called 'b', and so is .*join them before"
    pattern = tmp_path / "*.parquet"
    with pytest.raises(DataError, match=message):
        ft.evaluate(truth(), ft.read_runs(pattern) if at_once else pattern, "AP")


def test_several_files_by_workers(tmp_path: Path) -> None:
    paths = [written(tmp_path, orders(seed)["shuffled"], f"{seed}.txt") for seed in range(3)]
    found = []
    for n_jobs in (1, 2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append((ft.evaluate(truth(), paths, MEASURES, n_jobs=n_jobs), len(caught)))
    np.testing.assert_array_equal(found[0][0].values, found[1][0].values)
    assert found[0][0].provenance == found[1][0].provenance
    assert found[0][1] == found[1][1]


COLUMNS = ["query", "item", "score", "system"]


def table(seed: int, *, shuffled: bool) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (query, f'{item}, "x"' if k % 7 == 0 else item, float(score), system)
        for system in ("b", "a")
        for k, line in enumerate(lines_of(seed + (system == "a")))
        for query, _, item, _, score, _ in [line.split()]
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.sample(frac=1, random_state=rng.integers(99)) if shuffled else frame


def write_table(frame: pd.DataFrame, path: Path) -> Path:
    if path.suffix == ".parquet":
        frame.to_parquet(path, index=False, row_group_size=40)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.fixture
def large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_LARGE", 0)
    monkeypatch.setattr(table_files, "_ROWS", 30)


@pytest.mark.usefixtures("large_tables")
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_tables(tmp_path: Path, ending: str, shuffled: bool) -> None:
    for seed, columns in ((0, COLUMNS), (1, COLUMNS[:3])):
        frame = table(seed, shuffled=shuffled)
        frame = (frame if "system" in columns else frame[frame["system"] == "a"])[columns]
        path = write_table(frame, tmp_path / f"t{seed}{ending}")
        streamed = stream_files(named_files(path))
        assert streamed is not None
        n_blocks = sum(map(len, streamed.each_block(len).values()))
        assert n_blocks > 3
        whole = ft.read_runs(path)
        assert streamed.systems == whole.systems
        for system, queries in streamed.queries.items():
            own = frame[frame["system"] == system] if "system" in columns else frame
            assert list(queries) == own["query"].drop_duplicates().tolist()
        assert streamed.checksums == whole.checksums
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a, b = (ft.evaluate(truth(seed), runs, MEASURES) for runs in (path, whole))
        assert a.systems == b.systems
        np.testing.assert_array_equal(a.values, b.values)


@pytest.mark.usefixtures("large_tables")
@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("names", [{}, {"query": "topic", "item": "doc", "score": "sim"}])
def test_errors_in_tables_name_the_place(
    tmp_path: Path, ending: str, shuffled: bool, names: dict[str, str]
) -> None:
    frame = table(3, shuffled=shuffled)
    twice = pd.concat([frame[:200], frame[150:151], frame[200:]])
    wrong = frame.astype({"score": object})
    wrong.iloc[180, 2] = "high"
    cases = [twice] if ending == ".parquet" else [twice, wrong]
    for number, case in enumerate(cases):
        case = case.rename(columns=names).assign(page=1)
        path = write_table(case, tmp_path / f"{number}{ending}")
        with pytest.raises(DataError) as streamed:
            ft.evaluate(truth(), path, "AP")
        with pytest.raises(DataError) as whole:
            ft.read_runs(path)
        assert str(streamed.value) == str(whole.value)
        assert any(f"column '{name}'" in str(whole.value) for name in case.columns)


@pytest.mark.usefixtures("large_tables")
def test_records_of_a_large_file_have_the_same_columns(tmp_path: Path) -> None:
    lines = [f'{{"query": "q{j}", "item": "d", "score": 1}}' for j in range(40)]
    lines[30] = '{"query": "q30", "item": "d", "rank": 1, "system": "s"}'
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"mixed\.jsonl, line"):
        ft.evaluate(truth(), path, "AP")


def test_small_tables_are_read_at_once(tmp_path: Path) -> None:
    assert (
        stream_files(named_files(write_table(table(0, shuffled=False), tmp_path / "t.csv"))) is None
    )

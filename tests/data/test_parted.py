"""Dask frames as partitions of whole queries, and judgments in them."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.parted import (
    PartedJudgments,
    PartedTable,
    parquet_folder,
    rows_of_part,
    whole_queries,
)
from fuzzytruth.data.runs import COLUMNS
from fuzzytruth.errors import TagWarning, UnjudgedQueryWarning

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
dd = pytest.importorskip("dask.dataframe")
TRUTH = {"a": {"x": 1}, "b": {"y": 1}}
SMALL = pd.DataFrame({"query": ["a", "b"], "item": ["x", "z"], "score": [1.0, 2.0]})
THREE = pd.DataFrame({"query": ["a", "a", "b"], "item": ["x", "y", "y"], "score": [2.0, 1, 3]})


def parts_of(frame: pd.DataFrame, n_partitions: int = 2) -> Any:
    return dd.from_pandas(frame, npartitions=n_partitions, sort=False)


def table_of(frame: pd.DataFrame, n_partitions: int = 3) -> PartedTable:
    return PartedTable.of(parts_of(frame, n_partitions), COLUMNS, "runs", Workers())


def judgments_of(frame: pd.DataFrame, n_partitions: int = 4) -> PartedJudgments:
    return PartedJudgments.of(parts_of(frame, n_partitions), Workers())


def rows(n: int, n_queries: int) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    query = [f"q{q}" for q in rng.integers(0, n_queries, n)]
    item = np.arange(n).astype(str)
    return pd.DataFrame({"qid": query, "docid": item, "score": rng.random(n), "note": "n"})


def judged(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "query": [f"q{q}" for q in rng.integers(0, 6, n)],
            "item": np.arange(n).astype(str),
            "subject": [f"s{s}" for s in rng.integers(0, 3, n)],
            "grade": rng.integers(0, 4, n),
        }
    )


@pytest.fixture(scope="module")
def client() -> Any:
    with distributed.Client(processes=False, n_workers=1, dashboard_address=":0") as client:
        yield client


def test_scattered_queries_are_shuffled_and_keep_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = rows(200, 20)
    table = table_of(frame, 5)
    whole, queries = whole_queries(table, table.ids(["query"]))
    assert sorted(query for part in queries for query in part) == sorted(set(frame["qid"]))
    parts = whole.workers.results(whole.tasks, "runs")
    assert [set(part["qid"]) for part in parts] == [set(part) for part in queries]
    for part in parts:
        for query, own in part.groupby("qid", sort=False):
            assert own["docid"].tolist() == frame[frame["qid"] == query]["docid"].tolist()
    columns, origin = rows_of_part(parts[0], COLUMNS, "runs", 0)
    assert sorted(columns) == ["item", "query", "score"]
    place = int(parts[0].iloc[0]["docid"])  # items are numbers of rows
    assert origin(0) == f"runs, partition {place // 40}, row {place % 40 + 1}"
    lost = table_of(frame[:150], 5)
    monkeypatch.setattr(PartedTable, "by_query", lambda self: lost)
    with pytest.raises(ft.errors.DataError, match=r"^runs: Dask's shuffle gave 150 of 200 rows"):
        whole_queries(table, table.ids(["query"]))


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingQueryWarning")
@pytest.mark.parametrize("systems", [["01", "1e3"], ["01", "1"]])
def test_names_of_folders_are_text(tmp_path: Path, systems: list[str], client: Any) -> None:
    frame = pd.DataFrame({"topic": ["001", "001", "01", "001"], "doc": ["a", "b", "a", "a"]})
    frame = frame.assign(model=systems * 2, score=[1.0, 2.0, 3.0, 4.0])
    frame.to_parquet(tmp_path / "runs", partition_cols=["model", "topic"])
    truth = {"001": {"a": 1}, "01": {"a": 1}}
    scores = ft.evaluate(truth, tmp_path / "runs", ["RR"], client=client)
    assert {*scores.systems} == {*systems}
    expected = ft.evaluate(truth, frame, ["RR"]).mean().loc[systems]
    pd.testing.assert_frame_equal(scores.mean().loc[systems], expected)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.TieWarning")
def test_files_of_systems_without_their_names(tmp_path: Path, client: Any) -> None:
    SMALL.to_parquet(tmp_path / "one.parquet")
    SMALL.assign(item=["y", "x"]).to_parquet(tmp_path / "two.parquet")
    with pytest.warns(TagWarning, match="no column names systems, and some queries are in se"):
        ft.evaluate(TRUTH, tmp_path, ["AP"], client=client)
    SMALL.assign(query=["c", "d"]).to_parquet(tmp_path / "two.parquet")
    with warnings.catch_warnings():
        warnings.simplefilter("error", TagWarning)
        warnings.simplefilter("ignore", UnjudgedQueryWarning)
        ft.evaluate(TRUTH, tmp_path, ["AP"], client=client)
    SMALL.assign(query=["c", "d"], score=np.nan).to_parquet(tmp_path / "two.parquet")
    message = rf"^{tmp_path}, partition 1, row 1.*column 'score': value nan"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.evaluate(TRUTH, tmp_path, ["AP"], client=client)


def test_empty_partitions_and_named_levels_of_an_index() -> None:
    frame = parts_of(SMALL)
    expected = ft.evaluate(TRUTH, SMALL, ["AP"]).values.tolist()
    for given in (
        dd.concat([frame, frame[frame["score"] > 9]]),
        parts_of(SMALL.set_index("query")),
    ):
        assert ft.evaluate(TRUTH, given, ["AP"]).values.tolist() == expected


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        *(
            (lambda change=change: parts_of(SMALL.assign(**change)), {}, f"^runs, .* 1, row 1.*{x}")
            for change, x in (
                ({"score": [1.0, np.nan]}, "not a finite number"),
                ({"item": ["x", None]}, "the id is missing"),
                ({"query": ["a", None]}, "the id is missing"),
            )
        ),
        (lambda: parts_of(SMALL[["query", "score"]]), {}, "^runs: no column for 'item'"),
        (lambda: parts_of(SMALL).query("score > 9"), {}, "^runs: there are no rows in any partit"),
        (
            lambda: parts_of(SMALL.set_index("query", drop=False)),
            {},
            "^runs: there are several columns 'query'",
        ),
        (lambda: parts_of(SMALL).to_dask_array(), {}, "^runs: give Runs, a frame"),
        (lambda: {"mine": parts_of(SMALL)}, {}, "a single one with all systems"),
        (lambda: parts_of(SMALL), {"client": 3}, r"^client=3: must be a dask\.distributed\.Client"),
        (lambda: SMALL, {"client": object()}, "^runs=.*: a client is for runs in a Dask frame"),
    ],
)
def test_frames_that_are_refused(
    make: Callable[[], Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.evaluate(TRUTH, make(), ["AP"], **options)


def test_frames_elsewhere_and_closed_clients() -> None:
    given = parts_of(SMALL)
    for read, message in (
        (ft.Runs.from_frame, "^frame: Dask frames are for evaluate"),
        (ft.Judgments.from_frame, "^frame: Dask frames are for evaluate"),
        (ft.read_runs, "^paths: this is a Dask frame"),
        (lambda runs: ft.curves(TRUTH, runs), "^runs: Dask frames are for evaluate"),
    ):
        with pytest.raises(ft.errors.OptionError, match=message):
            read(given)
    closed = distributed.Client(processes=False, n_workers=1, dashboard_address=":0")
    closed.close()
    with pytest.raises(ft.errors.OptionError, match="is closed; make a new one"):
        ft.evaluate(TRUTH, given, ["AP"], client=closed)
    with pytest.raises(ft.errors.DataError, match="the client of the cluster is closed"):
        Workers(closed).results([dask.delayed(1)], "runs")


def test_folders_of_parquet_files(tmp_path: Path) -> None:
    for number in range(2):
        SMALL[number : number + 1].to_parquet(tmp_path / f"part.{number}.parquet")
    assert len(parquet_folder(tmp_path)) == 2
    with pytest.raises(
        ft.errors.OptionError, match=r"is a folder of Parquet files, .*client=Client\(\)"
    ):
        ft.evaluate(TRUTH, tmp_path, ["AP"])
    (tmp_path / "empty").mkdir()
    for folder, message in (
        ("part.0.parquet", "is a file; client= is for folders"),
        ("nowhere", "no such folder"),
        ("empty", "there is no Parquet file"),
    ):
        with pytest.raises(ft.errors.DataError, match=message):
            parquet_folder(tmp_path / folder)
    whole = (tmp_path / "part.1.parquet").read_bytes()
    (tmp_path / "part.1.parquet").write_bytes(whole[:4] + b"xxxx" * 20 + whole[84:])
    with pytest.raises(ft.errors.DataError, match=r"^runs, partition 1: it cannot be read"):
        ft.evaluate(TRUTH, parquet_folder(tmp_path), ["AP"])
    (tmp_path / "part.0.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ft.errors.DataError, match="cannot be read as a folder of Parquet files"):
        parquet_folder(tmp_path)


def test_ids_of_a_query_that_differ_in_type_are_refused() -> None:
    columns = {"item": list("xyz"), "score": [3.0, 2.0, 1.0]}
    parts = [pd.DataFrame({"query": query, **columns}) for query in ([1, 2, 1], ["1", "2", "1"])]
    frame = dd.from_delayed([dask.delayed(p) for p in parts], meta=parts[1][:0], verify_meta=False)
    with pytest.raises(
        ft.errors.DataError, match=r"^runs: query '[12]' is a number in some partitions"
    ):
        ft.evaluate(TRUTH, frame, ["AP"])


class TestJudgments:
    def test_facts_are_those_of_all_judgments(self) -> None:
        frame = judged()
        truth, whole = judgments_of(frame), ft.Judgments.from_frame(frame)
        assert (truth.queries, truth.subjects) == (whole.queries, whole.subjects)
        assert truth.checksum == whole.checksum
        assert (truth.grades.low, truth.grades.high, truth.grades.count) == (0, 3, 60)
        for rel in (2, {"s0": 1, "s1": 2, "s2": 3}):
            assert truth.binary(rel).checksum == whole.binary(rel).checksum

    def test_groups_of_queries_have_all_their_rows_in_order(self) -> None:
        frame = judged()
        truth = judgments_of(frame)
        found = truth.of_groups([("q3", "unknown"), (), ("q0", "q5")])
        assert found[1] is None
        for number, group in ((0, ["q3"]), (2, ["q0", "q5"]), (3, ["q1", "q2", "q4"])):
            part = found[number]
            assert part is not None
            tasks, numbers = part
            assert len(tasks) == len(numbers)
            given = pd.concat(p.to_frame() for p in truth.workers.results(tasks, "judgments"))
            expected = frame[frame["query"].isin(group)].to_numpy().tolist()
            assert given.to_numpy().tolist() == expected

    def test_mistakes_name_the_partition(self) -> None:
        frame = judged()
        wrong = frame.assign(grade=[*range(59), np.nan])
        empty = parts_of(frame).query("grade > 9")
        counts = frame[:6].assign(query="a", item="x", count=0).drop(columns="subject")
        twice = pd.DataFrame({"query": "q", "item": [*"abca"], "subject": "s", "grade": 1})
        runs = parts_of(pd.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]}), 1)
        for do, message in (
            (lambda: judgments_of(wrong), "^judgments, partition 3, row 15.*not a finite number"),
            (
                lambda: judgments_of(frame).binary({"s0": 1, "s1": 1}),
                "no threshold for 1 subject: s2",
            ),
            (
                lambda: PartedJudgments.of(empty, Workers()),
                "^judgments: there are no rows in any partition",
            ),
            (
                lambda: judgments_of(counts.assign(grade=range(6)), 3),
                "^judgments, partition 0, row 1, .*'count': item 'x' of query 'a' has no votes",
            ),
            (
                lambda: ft.evaluate(parts_of(twice), runs, ["AP"], worlds="subject"),
                "value 'a' is judged twice",
            ),
        ):
            with pytest.raises(ft.FuzzytruthError, match=message):
                do()

    @pytest.mark.parametrize(("iterations", "intents"), [("0011", True), ("0000", False)])
    def test_a_column_iteration_names_intents_if_partitions_differ(
        self, iterations: str, intents: bool
    ) -> None:
        frame = pd.DataFrame({"query": ["a", "a", "b", "b"], "item": list("xyyx"), "grade": 1})
        frame = frame.assign(iteration=list(iterations))
        truth = judgments_of(frame, 2)  # the first two rows, and the others
        assert ("intent" in truth.columns) == intents
        assert truth.checksum == ft.Judgments.from_frame(frame).checksum
        expected = ft.evaluate(frame, THREE, ["P@1"])
        scores = ft.evaluate(parts_of(frame), parts_of(THREE), ["P@1"])
        assert scores.values.tolist() == expected.values.tolist()
        assert scores.provenance == expected.provenance

    @pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
    @pytest.mark.parametrize(("rel", "n_partitions"), [(None, 2), (1, 3), (1, 7)])
    def test_counts_of_an_item_in_several_partitions(
        self, rel: float | None, n_partitions: int
    ) -> None:
        frame = pd.DataFrame(
            {
                "query": ["b", "a", "a", "a", "b", "b", "a"],
                "item": ["y", "x", "x", "y", "y", "x", "x"],
                "grade": [0, 0, 1, 0, 2, 1, 2],
                "count": [0, 0, 0, 3, 1, 2, 4],
            }
        )
        expected = ft.evaluate(frame, THREE, ["P@1", "AP"], rel=rel)
        given = parts_of(frame, n_partitions), parts_of(THREE)
        scores = ft.evaluate(*given, ["P@1", "AP"], rel=rel)
        assert scores.queries == expected.queries == ("b", "a")
        np.testing.assert_array_equal(scores.values, expected.values)
        assert scores.provenance == expected.provenance


def test_judgments_in_a_single_partition() -> None:
    frame = judged(4)
    assert judgments_of(frame, 1).checksum == ft.Judgments.from_frame(frame).checksum

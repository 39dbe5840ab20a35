"""Dask frames as partitions of whole queries."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.parted import PartedTable, parquet_folder, rows_of_part, whole_queries
from fuzzytruth.data.runs import COLUMNS
from fuzzytruth.errors import TagWarning, UnjudgedQueryWarning

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
dd = pytest.importorskip("dask.dataframe")
TRUTH = {"a": {"x": 1}, "b": {"y": 1}}


def table_of(frame: pd.DataFrame, n_partitions: int = 3) -> PartedTable:
    parted = dd.from_pandas(frame, npartitions=n_partitions, sort=False)
    return PartedTable.of(parted, COLUMNS, "runs", Workers())


def rows(n: int, n_queries: int) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    query = [f"q{q}" for q in rng.integers(0, n_queries, n)]
    return pd.DataFrame(
        {"qid": query, "docid": np.arange(n).astype(str), "score": rng.random(n), "note": "n"}
    )


def test_columns_have_any_of_their_names() -> None:
    table = table_of(rows(12, 3))
    assert table.names == {"query": "qid", "item": "docid", "score": "score"}
    assert list(table.frame.columns) == ["qid", "docid", "score"]
    assert [part.of["query"] for part in table.ids(["query", "system"])] == [
        tuple(dict.fromkeys(rows(12, 3)["qid"][start : start + 4])) for start in (0, 4, 8)
    ]


def test_scattered_queries_are_shuffled_and_keep_their_order() -> None:
    frame = rows(200, 20)
    table = table_of(frame, 5)
    whole, queries = whole_queries(table, table.ids(["query"]))
    assert sorted(query for part in queries for query in part) == sorted(set(frame["qid"]))
    parts = whole.workers.results(whole.tasks, "runs")
    assert [set(part["qid"]) for part in parts] == [set(part) for part in queries]
    for part in parts:
        for query, own in part.groupby("qid", sort=False):
            expected = frame[frame["qid"] == query]
            assert own["docid"].tolist() == expected["docid"].tolist()
    columns, origin = rows_of_part(parts[0], COLUMNS, "runs", 0)
    assert sorted(columns) == ["item", "query", "score"]
    first = parts[0].iloc[0]
    same = (frame["qid"] == first["qid"]) & (frame["docid"] == first["docid"])
    place = int(np.flatnonzero(same)[0])
    assert origin(0) == f"runs, partition {place // 40}, row {place % 40 + 1}"


def test_rows_that_a_shuffle_loses_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = rows(200, 20)
    table = table_of(frame, 5)
    lost = table_of(frame[:150], 5)
    monkeypatch.setattr(PartedTable, "by_query", lambda self: lost)
    with pytest.raises(ft.DataError, match=r"^runs: Dask's shuffle gave 150 of 200 rows"):
        whole_queries(table, table.ids(["query"]))


def test_errors_after_a_shuffle_name_the_place_before_it() -> None:
    frame = rows(200, 20)
    wrong = frame.assign(score=[*[1.0] * 130, np.nan, *[1.0] * 69])
    parted = dd.from_pandas(wrong, npartitions=5, sort=False)
    with pytest.raises(
        ft.DataError, match=r"^runs, partition 3, row 11, column 'score': value nan"
    ):
        ft.evaluate(TRUTH, parted, ["AP"])
    items = ["d", *frame["docid"][1:199], "d"]
    twice = frame.assign(docid=items, qid=["a", *["b"] * 198, "a"])
    parted = dd.from_pandas(twice, npartitions=5, sort=False)
    first = r"\(first: runs, partition 0, row 1\)"
    message = rf"^runs, partition 4, row 40, column 'docid': value 'd' is listed twice.*{first}"
    with pytest.raises(ft.DataError, match=message):
        ft.evaluate(TRUTH, parted, ["AP"])


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingQueryWarning")
@pytest.mark.parametrize("systems", [["01", "1e3"], ["01", "1"]])
def test_names_of_folders_are_text(tmp_path: Path, systems: list[str]) -> None:
    frame = pd.DataFrame(
        {
            "topic": ["001", "001", "01", "001"],
            "doc": ["a", "b", "a", "a"],
            "model": [systems[0], systems[1], systems[0], systems[1]],
            "score": [1.0, 2.0, 3.0, 4.0],
        }
    )
    frame.to_parquet(tmp_path / "runs", partition_cols=["model", "topic"])
    truth = {"001": {"a": 1}, "01": {"a": 1}}
    with distributed.Client(processes=False, n_workers=1, dashboard_address=":0") as client:
        scores = ft.evaluate(truth, tmp_path / "runs", ["RR"], client=client)
    expected = ft.evaluate(truth, frame, ["RR"])
    assert {*scores.systems} == {*systems}
    found = scores.mean().loc[systems]
    pd.testing.assert_frame_equal(found, expected.mean().loc[systems])


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.TieWarning")
def test_files_of_systems_without_their_names(tmp_path: Path) -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "item": ["x", "y"], "score": [1.0, 2.0]})
    frame.to_parquet(tmp_path / "one.parquet")
    frame.assign(item=["y", "x"]).to_parquet(tmp_path / "two.parquet")
    with distributed.Client(processes=False, n_workers=1, dashboard_address=":0") as client:
        with pytest.warns(TagWarning, match="no column names systems, and some queries are in se"):
            ft.evaluate(TRUTH, tmp_path, ["AP"], client=client)
        frame.assign(query=["c", "d"]).to_parquet(tmp_path / "two.parquet")
        with warnings.catch_warnings():
            warnings.simplefilter("error", TagWarning)
            warnings.simplefilter("ignore", UnjudgedQueryWarning)
            ft.evaluate(TRUTH, tmp_path, ["AP"], client=client)
        message = rf"^{tmp_path}, partition 1, row 1.*column 'score': value nan"
        frame.assign(query=["c", "d"], score=np.nan).to_parquet(tmp_path / "two.parquet")
        with pytest.raises(ft.DataError, match=message):
            ft.evaluate(TRUTH, tmp_path, ["AP"], client=client)


def test_whole_queries_stay_where_they_are() -> None:
    table = table_of(rows(90, 9).sort_values("qid"), 1)
    assert whole_queries(table, table.ids(["query"]))[0] is table


def test_empty_partitions_and_named_levels_of_an_index() -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "item": ["x", "z"], "score": [1.0, 2.0]})
    empty = dd.from_pandas(frame, npartitions=2, sort=False)
    empty = dd.concat([empty, empty[empty["score"] > 9]])
    expected = ft.evaluate(TRUTH, frame, ["AP"])
    assert ft.evaluate(TRUTH, empty, ["AP"]).values.tolist() == expected.values.tolist()
    indexed = dd.from_pandas(frame.set_index("query"), npartitions=2, sort=False)
    assert ft.evaluate(TRUTH, indexed, ["AP"]).values.tolist() == expected.values.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [1.0, np.nan]}, r"^runs, partition 1, row 1.*not a finite number"),
        ({"item": ["x", None]}, r"^runs, partition 1, row 1.*the id is missing"),
        ({"query": ["a", None]}, r"^runs, partition 1, row 1.*the id is missing"),
    ],
)
def test_errors_name_the_partition(change: dict[str, list[object]], message: str) -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "item": ["x", "z"], "score": [1.0, 2.0]})
    parted = dd.from_pandas(frame.assign(**change), npartitions=2, sort=False)
    with pytest.raises(ft.DataError, match=message):
        ft.evaluate(TRUTH, parted, ["AP"])


def test_missing_columns_no_rows_and_other_truths() -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "item": ["x", "z"], "score": [1.0, 2.0]})
    parted = dd.from_pandas(frame, npartitions=2, sort=False)
    with pytest.raises(ft.DataError, match=r"^runs: no column for 'item'"):
        ft.evaluate(TRUTH, parted[["query", "score"]], ["AP"])
    with pytest.raises(ft.DataError, match=r"^runs: there are no rows in any partition"):
        ft.evaluate(TRUTH, parted[parted["score"] > 9], ["AP"])
    with pytest.raises(ft.OptionError, match=r"^runs: Dask frames are for evaluate"):
        ft.curves(TRUTH, parted)
    with pytest.raises(ft.OptionError, match=r"^runs=.*: a client is for runs in a Dask frame"):
        ft.evaluate(TRUTH, frame, ["AP"], client=object())


def test_folders_of_parquet_files(tmp_path: Path) -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "item": ["x", "z"], "score": [1.0, 2.0]})
    for number in range(2):
        frame[number : number + 1].to_parquet(tmp_path / f"part.{number}.parquet")
    assert len(parquet_folder(tmp_path)) == 2
    with pytest.raises(ft.OptionError, match=r"is a folder of Parquet files, .*client=Client\(\)"):
        ft.evaluate(TRUTH, tmp_path, ["AP"])
    with pytest.raises(ft.DataError, match="is a file; client= is for folders"):
        parquet_folder(tmp_path / "part.0.parquet")
    with pytest.raises(ft.DataError, match="no such folder"):
        parquet_folder(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ft.DataError, match="there is no Parquet file"):
        parquet_folder(tmp_path / "empty")
    whole = (tmp_path / "part.1.parquet").read_bytes()
    (tmp_path / "part.1.parquet").write_bytes(whole[:4] + b"xxxx" * 20 + whole[84:])
    with pytest.raises(ft.DataError, match=r"^runs, partition 1: it cannot be read"):
        ft.evaluate(TRUTH, parquet_folder(tmp_path), ["AP"])
    (tmp_path / "part.0.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ft.DataError, match="cannot be read as a folder of Parquet files"):
        parquet_folder(tmp_path)


def test_ids_of_a_query_that_differ_in_type_are_refused() -> None:
    columns = {"item": list("xyz"), "score": [3.0, 2.0, 1.0]}
    parts = [pd.DataFrame({"query": query, **columns}) for query in ([1, 2, 1], ["1", "2", "1"])]
    frame = dd.from_delayed([dask.delayed(p) for p in parts], meta=parts[1][:0], verify_meta=False)
    with pytest.raises(ft.DataError, match=r"^runs: query '[12]' is a number in some partitions"):
        ft.evaluate(TRUTH, frame, ["AP"])


def test_an_index_named_like_a_column_is_refused() -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "item": ["x", "z"], "score": [1.0, 2.0]})
    parted = dd.from_pandas(frame.set_index("query", drop=False), npartitions=2, sort=False)
    with pytest.raises(ft.DataError, match=r"^runs: there are several columns 'query'"):
        ft.evaluate(TRUTH, parted, ["AP"])


def test_collections_of_dask_that_are_no_frames_and_frames_elsewhere() -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "item": ["x", "z"], "score": [1.0, 2.0]})
    parted = dd.from_pandas(frame, npartitions=2, sort=False)
    with pytest.raises(ft.OptionError, match=r"^runs: give Runs, a frame"):
        ft.evaluate(TRUTH, parted.to_dask_array(), ["AP"])
    with pytest.raises(ft.OptionError, match="a single one with all systems"):
        ft.evaluate(TRUTH, {"mine": parted}, ["AP"])
    for read in (ft.Runs.from_frame, ft.Judgments.from_frame):
        with pytest.raises(ft.OptionError, match=r"^frame: Dask frames are for evaluate"):
            read(parted)
    with pytest.raises(ft.OptionError, match=r"^client=3: must be a dask\.distributed\.Client"):
        ft.evaluate(TRUTH, parted, ["AP"], client=3)


def test_ids_of_each_partition_whatever_the_order_of_the_columns(tmp_path: Path) -> None:
    for number in range(6):
        columns = {"system": ["s", "t"], "note": ["n" * 99] * 2, "query": [f"q{number}"] * 2}
        frame = pd.DataFrame(columns | {"item": ["x", "x"], "score": [1.0, 2.0]})
        frame.to_parquet(tmp_path / f"part.{number}.parquet", index=False)
    table = PartedTable.of(parquet_folder(tmp_path), COLUMNS, "runs", Workers())
    ids = table.ids(["query", "system"])
    assert [part.of["query"] for part in ids] == [(f"q{number}",) for number in range(6)]
    assert len(table.tasks) == 6
    truth = {f"q{number}": {"x": 1} for number in range(6)}
    assert ft.evaluate(truth, parquet_folder(tmp_path), ["AP"]).values.tolist() == [[[1.0] * 6]] * 2


def test_a_closed_client_is_refused(tmp_path: Path) -> None:
    client = distributed.Client(processes=False, n_workers=1, dashboard_address=":0")
    client.close()
    parted = dd.from_pandas(rows(4, 2), npartitions=1)
    with pytest.raises(ft.OptionError, match="is closed; make a new one"):
        ft.evaluate(TRUTH, parted, ["AP"], client=client)
    with pytest.raises(ft.DataError, match="the client of the cluster is closed"):
        Workers(client).results([dask.delayed(1)], "runs")


def test_frames_are_no_paths() -> None:
    parted = dd.from_pandas(rows(4, 2), npartitions=1)
    with pytest.raises(ft.OptionError, match=r"^paths: this is a Dask frame"):
        ft.read_runs(parted)

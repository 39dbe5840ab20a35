"""The two verbs: formats, names of systems, patterns, order and duplicates, groups of judgments."""

import gzip
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import GroupNotice, TagWarning

RUN = "q1 Q0 b 1 2.0 {tag}\nq1 Q0 a 2 1.0 {tag}\n"


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def rows(runs: ft.Runs, system: str) -> list[tuple[str, str, float]]:
    frame = runs.to_frame().query("system == @system")
    return [*frame[["query", "item", "score"]].itertuples(index=False, name=None)]


class TestNamesOfSystems:
    def test_a_file_names_its_system_whatever_the_others(self, tmp_path: Path) -> None:
        same, other = (put(tmp_path / f"{n}.run", RUN.format(tag=t)) for n, t in ("zx", "yy"))
        for name, system in (
            *(("bm25.run", "bm25"), ("bm25.run.gz", "bm25"), ("bm25.txt.gz", "bm25")),
            *(("bm25.v2.run", "bm25.v2"), ("bm25-b0.75", "bm25-b0.75"), ("bm25", "bm25")),
            *(("bm25-b0.75.gz", "bm25-b0.75"), (".run", ".run"), ("a[1].run", "a[1]")),
            *(("bm25.csv", "bm25"), ("bm25.tsv.gz", "bm25"), ("a.csv.gz", "a")),
        ):
            separator = "\t" if ".tsv" in name else ","
            table = separator.join(("query", "item", "score\nq", "a", "1\n"))
            is_table = ".csv" in name or ".tsv" in name
            path = put(tmp_path / name, table if is_table else RUN.format(tag="x"))
            assert ft.read_runs(str(path)).systems == (system,)
            assert ft.read_runs([path, same]).systems == (system, "z")
            assert ft.read_runs([other, path]).systems == ("y", system)
        assert ft.read_runs({"one": path, "two": str(path)}).systems == ("one", "two")

    def test_tags_if_asked_for(self, tmp_path: Path) -> None:
        paths = [put(tmp_path / f"{tag}.run", RUN.format(tag=f"tag-{tag}")) for tag in "ab"]
        paths.append(put(tmp_path / "c.csv", "query,item,score\nq,a,1\n"))
        paths.append(put(tmp_path / "d.csv", "system,query,item,score\nx,q,a,1\n"))
        assert ft.read_runs(paths, name="tag").systems == ("tag-a", "tag-b", "c", "x")
        twin = put(tmp_path / "twin.run", RUN.format(tag="tag-a"))
        two = put(tmp_path / "two.run", RUN.format(tag="x") + RUN.format(tag="y").replace("1", "2"))
        for given, error, message in (
            (
                [paths[0], twin],
                ft.errors.DataError,
                r"called 'tag-a', and so is one of .*a\.run; name",
            ),
            (two, ft.errors.DataError, r"two\.run: the tag .*'x', 'y'.* name='file'"),
            ({"a": paths[0]}, ft.errors.OptionError, "keys of the dict already name"),
        ):
            with pytest.raises(error, match=message):
                ft.read_runs(given, name="tag")
        with pytest.raises(ft.errors.OptionError, match="name='Tag': must be one of 'file', 'tag'"):
            ft.read_runs(paths, name="Tag")  # type: ignore[arg-type]
        with pytest.warns(TagWarning, match=r"tag changes .*'x', 'y'.* called 'two'$"):
            assert ft.read_runs(two).systems == ("two",)
        assert ft.read_runs({"mine": two}).systems == ("mine",)

    def test_a_file_whose_name_is_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "b\udcff.run"
        try:
            path.write_text(RUN.format(tag="x"))
        except OSError:
            pytest.skip("the file system refuses such names")
        with pytest.raises(ft.errors.DataError, match="is not UTF-8 text"):
            ft.read_runs(path)
        assert ft.read_runs({"b": path}).systems == ("b",)

    def test_a_column_tells_systems_apart(self, tmp_path: Path) -> None:
        path = put(tmp_path / "all.csv", "run,qid,docno,sim\nx,q,a,1\ny,q,a,2\nx,q,b,3\n")
        runs = ft.read_runs(path, name="tag")
        assert runs.systems == ("x", "y")
        assert runs["x"].item.to_pylist() == ["a", "b"]
        with pytest.raises(
            ft.errors.DataError, match="holds 2 systems and cannot be called 'mine'"
        ):
            ft.read_runs({"mine": path})
        path = put(tmp_path / "all.csv", "system,query,item,score\nx,q,a,1\n")
        assert ft.read_runs({"mine": path}).systems == ("mine",)

    def test_patterns_in_order_of_names(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("b.run", "a.run", "c.txt"):
            put(tmp_path / name, RUN.format(tag=name))
        (tmp_path / "d.run").mkdir()
        assert ft.read_runs(str(tmp_path / "*.run")).systems == ("a", "b")
        assert ft.read_runs([tmp_path / "?.txt"]).systems == ("c",)
        monkeypatch.chdir(tmp_path)
        assert ft.read_runs("*.run").systems == ("a", "b")
        with pytest.raises(ft.errors.DataError, match=r"\*\.csv: no file matches this pattern"):
            ft.read_runs(str(tmp_path / "*.csv"))
        for nothing in ([], {}, ()):
            with pytest.raises(ft.errors.DataError, match="there are no paths"):
                ft.read_runs(nothing)


def test_order_and_duplicates(tmp_path: Path) -> None:
    twice = put(tmp_path / "a.run", "q Q0 a 3 1.0 t\nq Q0 b 1 2.0 t\nq Q0 a 2 3.0 t\n")
    cases: dict[Any, Any] = {
        "score": [("q", "a", 3.0), ("q", "b", 2.0)],
        "rank": [("q", "b", -1.0), ("q", "a", -2.0)],
    }
    for order_by, want in cases.items():
        with pytest.raises(ft.errors.DataError, match=r"line 3, .* listed twice .*line 1"):
            ft.read_runs(twice, order_by=order_by)
        first = ft.read_runs(twice, order_by=order_by, duplicates="first")
        assert rows(first, "a") == want
    path = put(tmp_path / "a.run", "q Q0 a 2 0 t\nq Q0 b 1 0 t\nq Q0 c 10 0 t\n")
    frame = ft.read_runs(path, order_by="rank").to_frame()
    assert frame[["item", "rank"]].to_numpy().tolist() == [["b", 1], ["a", 2], ["c", 3]]
    path = put(tmp_path / "a.run", "q Q0 b - 1.0 t\nq Q0 a - 2.0 t\n")
    assert len(ft.read_runs(path)["a"]) == 2  # the rank is read only when it orders
    with pytest.raises(ft.errors.DataError, match="line 1, column 'rank': value '-'"):
        ft.read_runs(path, order_by="rank")
    path = put(tmp_path / "a.csv", "query,item,distance\nq,near,0.5\nq,far,9\n")
    assert ft.read_runs(path).to_frame()["item"].tolist() == ["near", "far"]
    with pytest.raises(
        ft.errors.DataError, match="no column for 'rank', which order_by='rank' needs"
    ):
        ft.read_runs(path, order_by="rank")


def test_trec_evals_truncated_results_hold_junk(data: Path) -> None:
    runs = ft.read_runs(data / "results.trunc")
    assert (runs.systems, len(runs["results"])) == (("results",), 584)
    whole = ft.read_runs(data / "results.test.gz", name="tag")
    assert {*rows(runs, "results")} <= {*rows(whole, "STANDARD")}


class TestGroups:
    def test_trec_evals_judgment_groups(self, data: Path) -> None:
        path = data / "qrels.123.gz"
        with pytest.warns(ft.FuzzytruthWarning, match=r"as 3 subjects \('0', '1', '2'\)") as log:
            truth = ft.read_judgments(path)
        assert log[0].filename == __file__
        assert (truth.subjects, len(truth)) == (("0", "1", "2"), 10362)
        truth = ft.read_judgments(path, groups=True, design="nested")
        assert (truth.subjects, truth.design) == (("0", "1", "2"), "nested")
        with pytest.raises(ft.errors.DataError, match="judged twice"):
            ft.read_judgments(path, groups=False)
        assert ft.read_judgments(data / "qrels.test.gz").subjects is None  # one group


def test_ids_of_parquet_are_text(tmp_path: Path) -> None:
    for kind in (pa.int32(), pa.uint64(), pa.float64(), pa.string()):
        ids = pa.array([7, 12]).cast(kind)
        table = {"query": ids, "item": ids.dictionary_encode(), "grade": pa.array([1, 0])}
        pq.write_table(pa.table(table), tmp_path / "a.parquet")
        truth = ft.read_judgments(tmp_path / "a.parquet")
        assert truth.query.to_pylist() == truth.item.to_pylist() == ["7", "12"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("text", ["q Q0 a 1 1 t\n", "query,a\nq,1\n", "q Q0 a 1 1 t\n\nq Q0 a 2"])
def test_pipes_are_read_once_and_still_located(tmp_path: Path, text: str) -> None:
    path = tmp_path / ("pipe.csv" if "," in text else "pipe")
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(text,))
    writer.start()
    truth = {"q": {"a": 1, "b": 1}}
    if "\n\n" in text:
        with pytest.raises(ft.errors.DataError, match="line 3: 4 fields"):
            ft.evaluate(truth, {"x": path}, ["R@1"])
    else:
        assert ft.evaluate(truth, {"x": path}, ["R@1"]).mean()["R@1"].item() == 0.5
    writer.join()


def test_reading_trec_files_needs_no_pandas(tmp_path: Path) -> None:
    run = put(tmp_path / "a.run", RUN.format(tag="x"))
    qrels = put(tmp_path / "q.txt", "q1 0 a 1\nq1 0 b 0\n")
    code = (
        "import sys, fuzzytruth as ft\n"
        "assert not {'pandas', 'pyarrow', 'scipy'} & set(sys.modules)\n"
        f"ft.read_runs({str(run)!r}), ft.read_judgments({str(qrels)!r})\n"
        "assert 'pandas' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_other_second_columns_of_other_pairs_are_no_subjects(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("q1 0 d1 1\nq1 0 d2 1\nq2 0 d1 1\nq2 1 d3 1\nq3 0 d2 1\nq3 1 d3 0\n")
    assert ft.read_judgments(path).subject is None
    path.write_text(path.read_text() + "q3 0 d3 1\n")
    with pytest.warns(GroupNotice, match=r"read as 2 subjects \('0', '1'\)"):
        assert ft.read_judgments(path).subject is not None


def test_books_of_quepid(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text("query,docid,Ann Lee,bob@x.org\nstar wars,11,3,2\nrambo,7,1,\n")
    with pytest.warns() as made:
        truth = ft.read_judgments(path)
    assert {one.category for one in made} == {GroupNotice, ft.errors.LeftOutWarning}
    assert truth.subjects == ("Ann Lee", "bob@x.org")
    assert truth.grade.tolist() == [3, 2, 1]
    path.write_text("query,docid,Anonymous\nstar wars,11,3.0\n")
    with pytest.warns(GroupNotice):
        truth = ft.read_judgments(path)
    assert truth.to_frame().values.tolist() == [["star wars", "11", "Anonymous", 3.0]]
    path.write_text("query,docid,rating\nstar wars,11,3\n")
    assert ft.read_judgments(path).subjects is None
    path.write_text("query,docid,Ann,Unknown\nstar wars,11,2.0,1|3\n")
    message = "book.csv, line 2, column 'Unknown': value '1|3' is not a number"
    with pytest.warns(GroupNotice), pytest.raises(ft.errors.DataError, match=re.escape(message)):
        ft.read_judgments(path)


def test_predictions_that_mteb_saves(tmp_path: Path) -> None:
    path = tmp_path / "Task_predictions.json"
    meta = {"mteb_model_meta": {"model_name": "org/m", "revision": "1a2b"}}
    lists = {"q1": {"d1": 0.9, "d2": 0.4}, "q2": {"d2": 0.1}}
    path.write_text(json.dumps(meta | {"default": {"test": lists}}))
    runs = ft.read_runs({"m": path})
    assert (runs.systems, runs["m"].queries) == (("m",), ("q1", "q2"))
    assert runs["m"].item.to_pylist() == ["d1", "d2", "d2"]
    path.write_text(json.dumps(meta | {"en": {"dev": lists, "test": lists}}))
    with pytest.raises(ft.errors.DataError, match="predictions of en/dev, en/test; give one split"):
        ft.read_runs(path)
    path.write_text(json.dumps(lists))  # as before its version 2
    assert ft.read_runs(path).systems == ("Task_predictions",)

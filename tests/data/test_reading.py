"""The two verbs: formats, names of systems, patterns, groups of judgments."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fuzzytruth as ft

RUN = "q1 Q0 b 1 2.0 {tag}\nq1 Q0 a 2 1.0 {tag}\n"


def put(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


class TestNamesOfSystems:
    @pytest.mark.parametrize(
        ("name", "system"),
        [
            ("bm25.run", "bm25"),
            ("bm25.run.gz", "bm25"),
            ("bm25.txt.gz", "bm25"),
            ("bm25.v2.run", "bm25.v2"),
            ("bm25-b0.75", "bm25-b0.75"),
            ("bm25-b0.75.gz", "bm25-b0.75"),
            ("bm25", "bm25"),
            (".run", ".run"),
            ("bm25.csv", "bm25"),
            ("bm25.tsv.gz", "bm25"),
        ],
    )
    def test_a_file_names_its_system_whatever_the_others(self, tmp_path, name, system):
        table = {".csv": ",", ".tsv": "\t"}.get(name[4:8])
        text = RUN.format(tag="x")
        if table:
            text = "query,item,score\nq,a,1\n".replace(",", table)
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
        same_tag = put(tmp_path / "z.run", RUN.format(tag="x"))
        other_tag = put(tmp_path / "y.run", RUN.format(tag="y"))
        assert ft.read_runs(path).systems == (system,)
        assert ft.read_runs([path, same_tag]).systems == (system, "z")
        assert ft.read_runs([other_tag, path]).systems == ("y", system)

    def test_tags_if_asked_for(self, tmp_path):
        paths = [put(tmp_path / f"{tag}.run", RUN.format(tag=f"tag-{tag}")) for tag in "ab"]
        paths.append(put(tmp_path / "c.csv", "query,item,score\nq,a,1\n"))
        paths.append(put(tmp_path / "d.csv", "system,query,item,score\nx,q,a,1\n"))
        assert ft.read_runs(paths, name="tag").systems == ("tag-a", "tag-b", "c", "x")
        assert ft.read_runs(paths[:1], name="tag").systems == ("tag-a",)
        twin = put(tmp_path / "twin.run", RUN.format(tag="tag-a"))
        with pytest.raises(ft.DataError, match=r"called 'tag-a', and so is one of .*a\.run; name"):
            ft.read_runs([paths[0], twin], name="tag")
        two = put(tmp_path / "two.run", RUN.format(tag="x") + RUN.format(tag="y").replace("1", "2"))
        with pytest.raises(ft.DataError, match=r"two\.run: the tag .*'x', 'y'.* name='file'"):
            ft.read_runs(two, name="tag")
        with pytest.raises(ft.OptionError, match="keys of the dict already name"):
            ft.read_runs({"a": paths[0]}, name="tag")
        with pytest.raises(ft.OptionError, match="name='Tag': must be one of 'file', 'tag'"):
            ft.read_runs(paths, name="Tag")

    @pytest.mark.parametrize("names", [{1: "a", "1": "b"}, {1.0: "a", "1": "b"}])
    def test_keys_that_are_the_same_text(self, tmp_path, names):
        paths = {
            key: put(tmp_path / f"{name}.run", RUN.format(tag="x")) for key, name in names.items()
        }
        with pytest.raises(ft.DataError, match=r"b\.run: its system is called '1', and so is"):
            ft.read_runs(paths)

    def test_a_file_whose_name_is_no_text(self, tmp_path):
        path = tmp_path / "b\udcff.run"
        try:
            path.write_text(RUN.format(tag="x"))
        except OSError:
            pytest.skip("the file system refuses such names")
        with pytest.raises(ft.DataError, match="is not UTF-8 text"):
            ft.read_runs(path)
        assert ft.read_runs({"b": path}).systems == ("b",)

    def test_dict_names_them(self, tmp_path):
        path = put(tmp_path / "a.run", RUN.format(tag="x"))
        assert ft.read_runs({"one": path, "two": str(path)}).systems == ("one", "two")

    def test_packed_file_drops_both_endings(self, tmp_path):
        for name in ("a.run.gz", "a.csv.gz"):
            path = tmp_path / name
            text = RUN.format(tag="x") if "run" in name else "query,item,score\nq,a,1\n"
            path.write_bytes(gzip.compress(text.encode()))
        paths = [tmp_path / "a.run.gz", put(tmp_path / "b.run", RUN.format(tag="x"))]
        assert ft.read_runs(paths).systems == ("a", "b")
        assert ft.read_runs(tmp_path / "a.csv.gz").systems == ("a",)

    def test_equal_names_are_refused(self, tmp_path):
        paths = [put(tmp_path / d / "a.run", RUN.format(tag="x")) for d in "de"]
        with pytest.raises(ft.DataError, match=r"called 'a', and so is one of .*d.a\.run; name"):
            ft.read_runs(paths)

    def test_column_tells_systems_apart(self, tmp_path):
        path = put(tmp_path / "all.csv", "run,qid,docno,sim\nx,q,a,1\ny,q,a,2\nx,q,b,3\n")
        runs = ft.read_runs(path)
        assert runs.systems == ("x", "y")
        assert runs["x"].item.to_pylist() == ["a", "b"]
        with pytest.raises(ft.DataError, match="holds 2 systems and cannot be called 'mine'"):
            ft.read_runs({"mine": path})

    def test_one_system_in_a_column_can_be_renamed(self, tmp_path):
        path = put(tmp_path / "all.csv", "system,query,item,score\nx,q,a,1\n")
        assert ft.read_runs({"mine": path}).systems == ("mine",)

    def test_changing_tag_is_said(self, tmp_path):
        text = RUN.format(tag="x") + RUN.format(tag="y").replace("q1", "q2")
        path = put(tmp_path / "a.run", text)
        with pytest.warns(ft.FuzzytruthWarning, match=r"tag changes .*'x', 'y'.* called 'a'"):
            assert ft.read_runs(path).systems == ("a",)
        assert ft.read_runs({"mine": path}).systems == ("mine",)


class TestPatterns:
    def test_pattern_in_order_of_names(self, tmp_path, monkeypatch):
        for name in ("b.run", "a.run", "c.txt"):
            put(tmp_path / name, RUN.format(tag=name))
        (tmp_path / "d.run").mkdir()
        assert ft.read_runs(str(tmp_path / "*.run")).systems == ("a", "b")
        assert ft.read_runs([tmp_path / "?.txt"]).systems == ("c",)
        monkeypatch.chdir(tmp_path)
        assert ft.read_runs("*.run").systems == ("a", "b")

    def test_no_match_is_an_error(self, tmp_path):
        with pytest.raises(ft.DataError, match=r"\*\.run: no file matches this pattern"):
            ft.read_runs(str(tmp_path / "*.run"))

    @pytest.mark.parametrize("nothing", [[], {}, ()])
    def test_no_paths_are_an_error(self, nothing):
        with pytest.raises(ft.DataError, match="there are no paths"):
            ft.read_runs(nothing)

    def test_a_name_with_brackets_is_a_name(self, tmp_path):
        path = put(tmp_path / "a[1].run", RUN.format(tag="x"))
        assert ft.read_runs(str(path)).systems == ("a[1]",)


class TestOrderAndDuplicates:
    TEXT = "q Q0 a 3 1.0 t\nq Q0 b 1 2.0 t\nq Q0 a 2 3.0 t\n"

    def test_twice_is_an_error(self, tmp_path):
        path = put(tmp_path / "a.run", self.TEXT)
        for order_by in ("score", "rank"):
            with pytest.raises(ft.DataError, match=r"line 3, .* listed twice .*line 1"):
                ft.read_runs(path, order_by=order_by)

    def test_first_is_the_better_placed(self, tmp_path):
        path = put(tmp_path / "a.run", self.TEXT)
        for order_by, scores in (("score", {"a": 3.0, "b": 2.0}), ("rank", {"b": -1.0, "a": -2.0})):
            frame = ft.read_runs(path, order_by=order_by, duplicates="first").to_frame()
            assert frame["item"].tolist() == list(scores)
            assert frame.set_index("item")["score"].to_dict() == scores

    def test_rank_orders_lists_that_scores_do_not(self, tmp_path):
        path = put(tmp_path / "a.run", "q Q0 a 2 0 t\nq Q0 b 1 0 t\nq Q0 c 10 0 t\n")
        frame = ft.read_runs(path, order_by="rank").to_frame()
        assert frame["item"].tolist() == ["b", "a", "c"]
        assert frame["rank"].tolist() == [1, 2, 3]

    def test_distance_column(self, tmp_path):
        path = put(tmp_path / "a.csv", "query,item,distance\nq,near,0.5\nq,far,9\n")
        assert ft.read_runs(path).to_frame()["item"].tolist() == ["near", "far"]

    def test_missing_rank(self, tmp_path):
        path = put(tmp_path / "a.csv", "query,item,score\nq,a,1\n")
        with pytest.raises(ft.DataError, match="no column for 'rank', which order_by='rank' needs"):
            ft.read_runs(path, order_by="rank")


class TestGroups:
    def test_trec_evals_judgment_groups(self, data):
        with pytest.warns(
            ft.FuzzytruthWarning, match=r"read as 3 subjects \('0', '1', '2'\)"
        ) as log:
            truth = ft.read_judgments(data / "qrels.123.gz")
        assert log[0].filename == __file__
        assert truth.subjects == ("0", "1", "2")
        assert len(truth) == 10362

    def test_agreeing_is_silent(self, data):
        truth = ft.read_judgments(data / "qrels.123.gz", groups=True, design="nested")
        assert (truth.subjects, truth.design) == (("0", "1", "2"), "nested")

    def test_ignored_groups_are_duplicates(self, data):
        with pytest.raises(ft.DataError, match="judged twice"):
            ft.read_judgments(data / "qrels.123.gz", groups=False)

    def test_groups_may_be_intents(self, tmp_path):
        path = put(tmp_path / "diversity.txt", "1 2 a 1\n1 1 a 0\n1 1 b 2\n2 1 a -1\n")
        truth = ft.read_judgments(path, groups="intent")
        assert (truth.intents, truth.subjects, len(truth)) == (("2", "1"), None, 4)
        run = {"s": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}}
        with pytest.warns(ft.FuzzytruthWarning, match="relevant"):
            scores = ft.evaluate(truth, run, ["StRecall@1", "P@2"])
        assert scores.values[0].tolist() == [[0.5, 0], [1, 0]]
        with pytest.warns(ft.FuzzytruthWarning, match="groups='intent' reads intents"):
            assert ft.read_judgments(path).subjects == ("2", "1")
        twice = put(tmp_path / "twice.txt", "1 2 a 1\n1 2 a 0\n")
        with pytest.raises(ft.DataError, match=r"line 2, .* intent '2' \(first: .*line 1\)"):
            ft.read_judgments(twice, groups="intent")

    def test_one_group_is_no_subject(self, data):
        assert ft.read_judgments(data / "qrels.test.gz").subjects is None

    def test_values_without_a_common_item_are_no_subjects(self, tmp_path):
        path = put(tmp_path / "q.txt", "q 0 a 1\nq 1 b 1\n")
        assert ft.read_judgments(path).subjects is None
        assert ft.read_judgments(path, groups=True).subjects == ("0", "1")

    def test_a_subject_judges_once(self, tmp_path):
        path = put(tmp_path / "q.txt", "q 0 a 1\nq 1 a 1\nq 1 a 0\n")
        message = r"line 3, .* by subject '1' \(first: .*line 2\)"
        with pytest.warns(ft.FuzzytruthWarning), pytest.raises(ft.DataError, match=message):
            ft.read_judgments(path)


class TestIdsAreText:
    @pytest.mark.parametrize("ending", ["csv", "tsv"])
    def test_delimited(self, tmp_path, ending):
        text = 'docno,topic,rel\n007,1,1\nNA,1,0\n"x,y",nan,2\n1e5,null, 3 \n'
        if ending == "tsv":
            text = text.replace(",", "\t").replace("x\ty", "x,y")
        truth = ft.read_judgments(put(tmp_path / f"a.{ending}", text))
        assert truth.item.to_pylist() == ["007", "NA", "x,y", "1e5"]
        assert truth.query.to_pylist() == ["1", "1", "nan", "null"]
        assert truth.grade.tolist() == [1, 0, 2, 3]

    def test_semicolons(self, tmp_path):
        path = put(tmp_path / "a.csv", "query;item;grade;note\nq;a,b;1;x\n")
        assert ft.read_judgments(path).item.to_pylist() == ["a,b"]

    def test_json(self, tmp_path):
        text = '[{"query": 1, "item": "007", "grade": 1}, {"query": "q", "item": 7, "grade": 0.5}]'
        truth = ft.read_judgments(put(tmp_path / "a.json", text))
        assert truth.query.to_pylist() == ["1", "q"]
        assert truth.item.to_pylist() == ["007", "7"]

    @pytest.mark.parametrize("kind", [pa.int32(), pa.uint64(), pa.float64(), pa.string()])
    def test_parquet(self, tmp_path, kind):
        path = tmp_path / "a.parquet"
        ids = pa.array([7, 12]).cast(kind)
        table = {"query": ids, "item": ids.dictionary_encode(), "grade": pa.array([1, 0])}
        pq.write_table(pa.table(table), path)
        truth = ft.read_judgments(path)
        assert truth.query.to_pylist() == truth.item.to_pylist() == ["7", "12"]

    def test_parquet_with_a_gap(self, tmp_path):
        path = tmp_path / "a.parquet"
        pq.write_table(
            pa.table({"query": ["q", "q"], "item": ["a", "b"], "grade": [1, None]}), path
        )
        with pytest.raises(ft.DataError, match=r"a\.parquet, row 2, column 'grade': value nan"):
            ft.read_judgments(path)
        pq.write_table(pa.table({"query": ["q", None], "item": ["a", "b"], "grade": [1, 0]}), path)
        with pytest.raises(ft.DataError, match="row 2, column 'query': the id is missing"):
            ft.read_judgments(path)
        pq.write_table(pa.table({"query": ["q"], "item": ["a"], "grade": ["x"]}), path)
        with pytest.raises(ft.DataError, match="row 1, column 'grade': value 'x' is not a number"):
            ft.read_judgments(path)


def test_text_files_need_no_threads(tmp_path, monkeypatch):
    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    qrels = put(tmp_path / "qrels.txt", "q1 0 a 1\nq1 0 b 0\n")
    run = put(tmp_path / "r.run", RUN.format(tag="x"))
    assert len(ft.read_judgments(qrels)) == 2
    assert len(ft.read_runs(run)["r"]) == 2
    table = put(tmp_path / "qrels.csv", "query,item,rel\nq,a,1\n")
    assert len(ft.read_judgments(table)) == 1
    assert ft.evaluate(qrels, {"r": run}, "RR").values.tolist() == [[[0.5]]]


def test_nested_objects(tmp_path):
    path = put(tmp_path / "a.json", '{"q1": {"b": 2, "a": 1.5}, "q2": {}, "q3": {"a": -1}}')
    assert ft.read_judgments(path).grade.tolist() == [2, 1.5, -1]
    assert ft.read_runs(path).systems == ("a",)
    path = put(tmp_path / "b.json", '{"x": {"q1": {"b": 2}}, "y": {"q1": {"b": 3}}}')
    assert ft.read_runs(path).systems == ("x", "y")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_read_once_and_still_located(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("q Q0 a 1 1 t\n\nq Q0 a 2 0 t\n",))
    writer.start()
    with pytest.raises(ft.DataError, match=r"line 3, .*line 1"):
        ft.read_runs(path)
    writer.join()


@pytest.mark.parametrize("text", ["q Q0 a 1 1 t\n", "query,a\nq,1\n"])
def test_evaluate_reads_pipes_once(tmp_path, text):
    path = tmp_path / ("pipe.csv" if "," in text else "pipe")
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(text,))
    writer.start()
    scores = ft.evaluate({"q": {"a": 1, "b": 1}}, {"x": path}, ["R@1"])
    writer.join()
    assert scores.mean()["R@1"].item() == 0.5


def test_formats_agree(tmp_path):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "query": np.repeat(["q1", "q2", "ü"], 40),
            "item": np.tile([f"d{j}" for j in rng.permutation(40)], 3),
            "score": rng.normal(size=120),
        }
    )
    wanted = ft.Runs.from_frame(frame, name="s").to_frame()
    for ending in ("run", "csv", "tsv", "json", "jsonl", "parquet"):
        for packed in ("", ".gz"):
            path = tmp_path / f"s.{ending}{packed}"
            ft.Runs.from_frame(frame, name="s").write(path)
            pd.testing.assert_frame_equal(ft.read_runs(path).to_frame(), wanted)


def test_reading_trec_files_needs_no_pandas(tmp_path):
    run = put(tmp_path / "a.run", RUN.format(tag="x"))
    qrels = put(tmp_path / "q.txt", "q1 0 a 1\nq1 0 b 0\n")
    code = (
        "import sys, fuzzytruth as ft\n"
        "assert not {'pandas', 'pyarrow', 'scipy'} & set(sys.modules)\n"
        f"ft.read_runs({str(run)!r}), ft.read_judgments({str(qrels)!r})\n"
        "assert 'pandas' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

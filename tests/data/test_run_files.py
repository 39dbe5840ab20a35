"""Files of ranked lists: the systems in a file, their names, and places of duplicate rows."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.data.reading import read_run_file
from fuzzytruth.errors import TagWarning
from fuzzytruth.io import files
from fuzzytruth.io.files import Source
from fuzzytruth.io.trec import RUN, parse_lines

PLAIN = "q1 Q0 d9 1 2.5 t\nq1 Q0 d10 2 1e-3 t\nq2 Q0 d9 1 -3 t\n"


def rows(ranking):
    queries = [ranking.queries[code] for code in ranking.query]
    return list(zip(queries, ranking.item.to_pylist(), ranking.score.tolist(), strict=True))


def read(path, text, **options):
    path.write_text(text)
    return ft.read_runs(path, **options)


def test_a_trec_file_is_one_system(tmp_path):
    path = tmp_path / "a.v2.run"
    path.write_text(PLAIN)
    file = read_run_file(Source.of(path), "score", "error")
    assert (list(file.systems), file.tags) == (["a.v2"], ("t",))
    assert list(file.named(None, "file")) == ["a.v2"]
    assert list(file.named(None, "tag")) == ["t"]
    assert list(file.named("mine", "file")) == ["mine"]


def test_a_table_may_hold_several(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("system,query,item,score\nx,q,a,1\ny,q,a,1\n")
    file = read_run_file(Source.of(path), "score", "error")
    assert (list(file.systems), file.tags) == (["x", "y"], ())
    assert list(file.named(None, "file")) == ["x", "y"]
    assert list(file.named(None, "tag")) == ["x", "y"]
    with pytest.raises(ft.DataError, match="holds 2 systems and cannot be called 'mine'"):
        file.named("mine", "file")


def test_several_tags_are_one_system_and_a_warning(tmp_path):
    path = tmp_path / "a.run"
    path.write_text(PLAIN.replace("-3 t", "-3 u"))
    file = read_run_file(Source.of(path), "score", "error")
    with pytest.warns(TagWarning, match=r"the tag changes within the file \('t', 'u'\).* 'a'$"):
        assert list(file.named(None, "file")) == ["a"]
    with pytest.raises(ft.DataError, match=r"the tag changes .* cannot name its system"):
        file.named(None, "tag")
    assert list(file.named("mine", "file")) == ["mine"]


def test_columns_are_those_of_the_exact_parser(tmp_path):
    columns = parse_lines(PLAIN.encode(), RUN, ("query", "item", "score"))
    ranking = read(tmp_path / "a.run", PLAIN)["a"]
    assert columns["item"].equals(ranking.item)
    assert np.array_equal(columns["score"], ranking.score)
    assert rows(ranking) == [("q1", "d9", 2.5), ("q1", "d10", 0.001), ("q2", "d9", -3.0)]


@pytest.mark.parametrize("size", [10, 64, 10**6])
def test_both_lines_of_a_duplicate_are_named(tmp_path, monkeypatch, size):
    monkeypatch.setattr(files, "_BLOCK_BYTES", size)
    text = "\ufeff" + PLAIN.replace("\n", "\r\n\r\n") + "q1 Q0 d10 1 1 t\r\n"
    with pytest.raises(ft.DataError, match=r"line 7, .* 'd10' .* 'q1' \(first: .*a\.run, line 3\)"):
        read(tmp_path / "a.run", text)


def test_rank_column_is_read_only_when_it_orders(tmp_path):
    text = "q Q0 b - 1.0 t\nq Q0 a - 2.0 t\n"
    assert len(read(tmp_path / "a.run", text)["a"]) == 2
    with pytest.raises(ft.DataError, match="line 1, column 'rank': value '-'"):
        read(tmp_path / "a.run", text, order_by="rank")


def test_trec_evals_truncated_results_hold_junk(data):
    runs = ft.read_runs(data / "results.trunc")
    assert runs.systems == ("results",)
    assert len(runs["results"]) == 584
    whole = rows(ft.read_runs(data / "results.test.gz", name="tag")["STANDARD"])
    assert set(rows(runs["results"])) <= set(whole)


def test_files_of_labels_are_lists_of_categories(tmp_path):
    path = tmp_path / "net.csv"
    path.write_text("image,label\na,cat\nb,dog\n")
    runs = ft.read_runs(path)
    assert tuple(runs) == ("net",)
    assert runs.to_frame()[["query", "item"]].values.tolist() == [["a", "cat"], ["b", "dog"]]
    path.write_text("pic,guess,score\na,cat,1\na,dog,2\n")
    runs = ft.read_runs(path, columns={"item": "pic", "category": "guess"})
    assert runs.to_frame()["item"].tolist() == ["dog", "cat"]
    path.write_text("image,label\na,cat\na,dog\n")
    with pytest.raises(ft.DataError, match=r"net\.csv, line 3: item 'a' has another category"):
        ft.read_runs(path)


def test_votes_are_no_lists_of_a_classifier(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("annotator,image,label\nann,a,cat\nbob,a,dog\n")
    with pytest.raises(ft.DataError, match=r"no column for 'query'.*votes for categories"):
        ft.read_runs(path)
    path.write_text("model_id,image,label\nnet,a,cat\nold,a,dog\n")
    assert tuple(ft.read_runs(path, columns={"system": "model_id"})) == ("net", "old")

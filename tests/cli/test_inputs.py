"""Files and options that commands read: truths, runs, matrices, groups; scoring them."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.command_line import A
from support.read_tables import printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.inputs import groups_of_option

OWN = (
    "topic_no,doc,who,verdict\n"
    "q1,d1,ann,good\nq1,d1,bob,bad\nq1,d2,ann,na\nq1,d2,bob,good\nq2,d1,ann,good\nq2,d1,bob,good\n"
)
CLA = "PSB 1\n2 4\n\ndog 0 2\nm1\nm2\ncat 0 2\nm3\nm4\n"
NEAR = np.array([[0, 2, 1, 3], [1, 0, 2, 3], [1, 2, 0, 3], [3, 2, 1, 0.0]])  # distances


@pytest.fixture
def files(folder: Path) -> None:
    texts = {
        "own.csv": OWN,
        "wide.csv": "query,item,ann,bob\nq1,d1,1,0\nq1,d2,0,1\n",
        "own_run.csv": "query,item,cosine\nq1,d1,2\nq1,d2,1\nq2,d1,1\n",
        "t.cla": CLA,
        "ids.txt": "m1\nm2\nm3\nm4\n",
        "r.json": '{"s": {"q1": {"d1": 1}}}',
        "both.json": '{"q1": {"d1": 1}}',
        "bad.txt": "q1 0 d1 1\nq1 0 d2 x\n",
        "lists.csv": "query,item,subject,grade\nq1,d1,ann,1\nq1,d2,bob,1\nq2,d1,ann,1\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    np.save(folder / "d.npy", NEAR)
    np.savetxt(folder / "e.dist", NEAR)
    np.savez(folder / "f.npz", distances=NEAR)
    (folder / "bad.bin").write_bytes(bytes(range(256)))
    scores = ft.evaluate("qrels.txt", "a.run", ["AP"])
    scores.save("s.parquet")
    scores.to_frame().to_csv("s.csv", index=False)


def test_runs_by_name_pattern_and_tag(printed, error, folder: Path) -> None:
    def names(runs: str) -> list[str]:
        table = printed_tables(printed(f"evaluate qrels.txt {runs} -m AP"))[0]
        return [row["system"] for row in table]

    assert names("*.run") == ["a", "b"]
    assert set(names("new=a.run b.run")) == {"new", "b"}
    (folder / "x=y.run").write_text(A)
    assert names("x=y.run") == ["x=y"]
    for name, tag in (("new", "a"), ("old", "b")):
        (folder / f"{name}.run").write_text(A.replace(" a\n", f" tag-{tag}\n"))
    assert names("new.run old.run") == ["new", "old"]
    assert names("new.run old.run --name tag") == ["tag-a", "tag-b"]
    for command in ("evaluate", "compare", "displacement"):
        status, message = error(f"{command} qrels.txt x=new.run y=old.run --name tag")
        assert status == 2
        assert "--name tag: every run is named by NAME=FILE" in message


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("evaluate nope.txt a.run", 1, "nope.txt: no such file"),
        ("evaluate qrels.txt no*.run", 1, r"no\*.run.*no file"),
        ("evaluate qrels.txt a.run a.run", 1, "'a'"),
        ("evaluate qrels.txt a=b.run a.run", 1, "'a'"),
        ("evaluate qrels.txt a=a.run a=b.run", 2, "twice"),
        ("evaluate qrels.txt =a.run", 2, "NAME=FILE"),
        ("evaluate bad.txt a.run", 1, "bad.txt, line 2.*'x'"),
        ("convert bad.bin out.csv", 1, "bad.bin"),
        ("convert both.json out.csv", 2, "--kind"),
        ("convert qrels.txt {system}.run", 2, "{system}"),
        ("evaluate a.run qrels.txt", 1, "a.run, line 1: 6 fields .* a line of a TREC run: were"),
        ("evaluate qrels.txt qrels.txt", 1, "line 1: 4 fields .* of TREC judgments: were judg"),
        ("evaluate qrels.txt qrels.txt a.run -m AP", 1, r"\? Several files of .* by commas, or"),
        ("compare a.run qrels.txt", 1, "a.run, line 1: .*: were judgments and runs swapped"),
        ("displacement a.run votes.csv", 1, "a.run, line 1: .*: were judgments and runs swap"),
        ("evaluate s.parquet a.run", 1, "s.parquet: no column for 'item' .* those of scores; see"),
        ("evaluate s.csv a.run", 1, "s.csv, header: no column .* those of scores; see"),
        ("evaluate qrels.txt s.parquet", 1, "s.parquet: no column .* those of scores; see"),
        ("evaluate qrels.txt votes.csv", 1, "votes.csv, header: .* those of judgments; see"),
        ("evaluate r.json a.run", 1, "r.json, query 's', .*; several systems are those of a run"),
        ("compare qrels.txt", 1, "qrels.txt: holds no scores; give what evaluate --save wrote, or"),
        ("compare votes.csv", 1, "votes.csv, header: no column for 'system' .* of judgments"),
        ("convert s.parquet x.csv", 1, "s.parquet: no column .* those of scores; see"),
        ("convert qrels.txt x.xyz", 1, "x.xyz: the ending '.xyz' names no format to write; name"),
        ("evaluate t.cla a.run --columns query=x", 2, "--columns: t.cla has no named columns; l"),
        ("evaluate qrels.txt a.run --drop na", 2, "--drop: qrels.txt has no named columns"),
        ("evaluate own.csv a.run --by-item --grades a=1", 2, "--grades: votes have categories, no"),
        ("convert own_run.csv x.run --kind runs --drop na", 2, "--drop: is for judgments, not ru"),
        ("evaluate wide.csv own_run.csv --subjects ann,bob", 1, "--run-columns score="),
        ("evaluate qrels.txt d.npy", 1, "does not name its queries; .* by --queries"),
        ("evaluate qrels.txt a.run --depth 3", 2, "and only matrices take --depth"),
        ("evaluate qrels.txt a.run --distances", 2, "and only matrices take --distances"),
        ("evaluate t.cla d.npy --depth 0", 2, "--depth 0: must be a whole number from 1"),
        ("evaluate t.cla d.npy --queries no.txt", 1, "no.txt: no such file"),
        ("evaluate t.cla d.npy --aggregate mean", 2, "t.cla says which model is in"),
        ("convert d.npy d.run", 1, "^d.npy: is 4 × 4 numbers and does not name its q"),
        ("evaluate t.cla d.npy -o ids.txt --items ids.txt", 2, "is read, and must"),
    ],
)
def test_files_for_the_wrong_argument(error, line: str, status: int, message: str) -> None:
    found, text = error(line)
    assert found == status
    assert re.search(message, text)


def test_names_that_nothing_can_hold(error) -> None:
    message = r"paths, system: value '\udcff' is not UTF-8 text (surrogates not allowed)"
    ended = error("evaluate qrels.txt", "\udcff=a.run", "--format", "csv")
    assert ended == (1, f"{message}; convert it")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("c.csv", "query,cluster\nq1,x\nq2,y\nq1,x\nq3,\n", {"q1": "x", "q2": "y"}),
        ("c.tsv", "qid\tgroup\tnote\nq1\tx\tn\nq2\ty\tn\n", {"q1": "x", "q2": "y"}),
        ("c.csv", "Topic;Cluster\nq1;x\n", {"q1": "x"}),
        ("c.json", '[{"query": "q1", "cluster": "x"}]', {"q1": "x"}),
        ("group.2", None, "group.2"),  # a column of the table of scores
        ("Topic 2", None, "Topic 2"),
        ("no.csv", None, r"no\.csv"),
        ("c.csv", "query,cluster\nq1,x\nq1,y\n", r"c\.csv, line 3: query 'q1' has cluster 'y', a"),
        ("c.csv", "query,cluster\n,x\n", r"c\.csv, line 2, column 'query': the id is empty"),
        ("c.csv", "query,stratum\n1,10\n", r"c\.csv, header: no column for 'cluster'"),
        ("c.txt", "query,cluster\n", r"c\.txt: must be a table with named columns query, clu"),
    ],
)
def test_groups_of_queries(name: str, text: str | None, found: object, folder: Path) -> None:
    if text is not None:
        (folder / name).write_text(text)
    if name == found or isinstance(found, dict):
        assert groups_of_option(name, "clusters") == found
    else:
        with pytest.raises((ft.errors.DataError, OSError), match=str(found)):
            groups_of_option(name, "clusters")
    (folder / "s.csv").write_text("query,stratum\n1,10\n2,20\n")
    assert groups_of_option("s.csv", "strata") == {"1": "10", "2": "20"}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("evaluate qrels.txt a.run --seed 1 --n-worlds 9", "--n-worlds, --seed"),
        ("evaluate votes.csv a.run --worlds subject --seed 0", "--seed"),
        ("compare qrels.txt a.run b.run --n-worlds 9", "--n-worlds"),
        ("evaluate votes.csv a.run --n-worlds 20 --seed 1", ""),
        ("compare qrels.txt a.run b.run --seed 1", ""),
    ],
)
def test_options_of_worlds_where_none_are_drawn(run, line: str, named: str) -> None:
    status, _, err = run(f"{line} -m P@1")
    assert status == 0
    message = f"warning: {named}: no effect, for these scores draw no worlds; see --worlds"
    assert err.splitlines().count(message) == bool(named)
    assert ("no effect" in err) == bool(named)


@pytest.mark.parametrize(
    "typed",
    [
        "ann=people/ann.txt,bob=people/bob.txt",
        "people/ann.txt,people/bob.txt",
        "people",
        "people/*",
    ],
)
def test_one_file_for_each_assessor(printed, error, folder: Path, typed: str) -> None:
    (folder / "people").mkdir()
    texts = {"ann": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n", "bob": "q1 0 d1 0\nq1 0 d2 1\nq2 0 d1 1\n"}
    for name, text in texts.items():
        (folder / "people" / f"{name}.txt").write_text(text)
    named = {name: f"people/{name}.txt" for name in texts}
    assert printed(f"convert {typed} all.csv") == ""
    written = ft.read_judgments("all.csv")
    assert written.checksum == ft.read_judgments(named).checksum
    for line in (
        "evaluate {} a.run b.run -m P@1 --worlds subject --missing nonrelevant",
        "compare {} a.run b.run -m P@1",
        "agreement {} --over query",
        "structure {} --n-permutations 19",
        "annotate-next {} a.run b.run -m P@1",
        "displacement {} a.run b.run",
        "judges {} --people ann --n-resamples 99",
    ):
        own, of_table = (printed(line.format(votes)) for votes in (typed, "all.csv"))
        assert own == of_table
    for line in (
        f"evaluate {typed} a.run -m AP --format csv -o people/ann.txt",
        f"convert {typed} people/ann.txt",
    ):
        status, message = error(line)
        assert status == 2
        assert message.endswith("ann.txt: is read, and must not be overwritten")


def test_assessors_as_typed(error) -> None:
    for typed, message in {
        "a=qrels.txt,a=votes.csv": "the name 'a' is given twice, to qrels.txt and to votes.csv",
        "a=qrels.txt,b=": "write NAME=FILE,NAME=FILE, a name for each assessor",
        "a=qrels.txt,b=qrels.txt": "qrels.txt: is given as 'a' and as 'b'; give the file of each",
        "a=none.txt,b=qrels.txt": "none.txt: no such file",
    }.items():
        assert message in error(f"evaluate {typed} a.run -m AP")[1]


def test_duplicate_votes(printed, error, folder: Path) -> None:
    (folder / "twice.csv").write_text("query,item,rater,grade\nq1,d1,ann,3\nq1,d1,ann,1\n")
    line = "evaluate twice.csv a.run -m P@1 --format csv"
    status, message = error(line)
    assert status == 1
    assert message.endswith("--duplicate-votes first (or 'last', 'mean', 'repeat')")
    for how in ("first", "last", "mean", "repeat"):
        assert "P@1" in printed(f"{line} --duplicate-votes {how}")
    status, message = error(f"{line} --duplicate-votes all")
    assert (status, message.startswith("--duplicate-votes all: must be one of")) == (2, True)
    (folder / "counts.csv").write_text("query,item,grade,count\nq1,d1,1,5\n")
    status, message = error("evaluate counts.csv a.run -m P@1 --duplicate-votes last")
    assert (status, message.startswith("--duplicate-votes last: is for votes of single")) == (
        2,
        True,
    )


@pytest.mark.usefixtures("files")
def test_counts_and_soft_labels(records, printed, error, folder: Path) -> None:
    counts = np.array([[6, 3, 1], [0, 8, 2], [5, 5, 0]])
    items, categories = ["x", "y", "z"], ["cat", "dog", "fox"]
    np.save("counts.npy", counts)
    np.save("soft.npy", counts / 10)
    np.savez("named.npz", matrix=counts, queries=items, items=categories)
    rows = [
        f"{i},{c},{n / 10}" for i, of in zip(items, counts, strict=True)
        for c, n in zip(categories, of, strict=True)
    ]  # fmt: skip
    (folder / "p.csv").write_text("\n".join(["item,category,probability", *rows]) + "\n")
    (folder / "items.txt").write_text("\n".join(items))
    (folder / "categories.txt").write_text("\n".join(categories))
    (folder / "labels.csv").write_text("item,category\nx,cat\ny,dog\nz,dog\n")
    ids = "--queries items.txt --items categories.txt"
    for truth in (f"counts.npy {ids}", f"soft.npy {ids}", "named.npz", "p.csv"):
        (row,) = records(f"evaluate {truth} labels.csv --by-item -m P@1")
        assert row["value"] == pytest.approx((0.6 + 0.8 + 0.5) / 3)
    np.save("net.npy", counts + np.arange(3) / 9)
    for more in ("", ids):
        (row,) = records(f"evaluate counts.npy net.npy --by-item -m P@1 {more}")
        assert row["value"] == pytest.approx((0.6 + 0.8 + 0.5) / 3)
    np.save("sim.npy", np.eye(3)[[1, 0, 0]])
    by_example = ft.Membership.from_probabilities("soft.npy").by_example()
    runs = ft.read_runs("sim.npy", queries=range(3), items=range(3))
    expected = ft.evaluate(by_example, runs, "P@1").mean().iloc[0, 0]
    assert records("evaluate soft.npy sim.npy --by-example -m P@1")[0]["value"] == expected
    votes = ft.Assignments.from_counts(counts)
    (row,) = records("agreement counts.npy")
    assert row["value"] == ft.agreement(votes).value
    shown = printed("membership named.npz").splitlines()[2].split()
    assert shown == ["x", "1.0000", "0.6000", "0.3000", "0.1000"]
    assert "add --by-item, for classifiers, or --by-example" in error("evaluate soft.npy a.run")[1]
    assert "these are probabilities" in error("agreement soft.npy")[1].lower()
    message = error("evaluate soft.npy net.npy --by-item --drop x")[1]
    assert message == "--drop: soft.npy has numbers of items and categories; leave it out"


@pytest.mark.usefixtures("files")
def test_two_classifications(records, error, folder: Path) -> None:
    (folder / "u.cla").write_text(
        CLA.replace("0 2\nm1\nm2\ncat 0 2\nm3", "0 3\nm1\nm2\nm3\ncat 0 1")
    )
    line = "evaluate one=t.cla,two=u.cla f.npz d.npy --distances -m NN --worlds subject"
    rows = records(f"{line} --undefined exclude")
    assert {row["subject"] for row in rows} == {"one", "two"}
    alone = records("evaluate t.cla d.npy --distances -m NN")[0]["value"]
    found = {(row["system"], row["subject"]): row["value"] for row in rows}
    assert found["d", "one"] == alone
    assert ft.read_assignments(["t.cla", "u.cla"]).categorisation("u")["m3"] == "dog"
    assert records("agreement one=t.cla,two=u.cla")[0]["observed"] == 0.25
    assert "t.cla: is given as 'a' and as 'b'" in error("evaluate a=t.cla,b=t.cla d.npy -m NN")[1]

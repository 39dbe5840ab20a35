"""`fuzzytruth judges`."""

from __future__ import annotations

import json
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer

import fuzzytruth as ft
from fuzzytruth.cli.commands import app
from fuzzytruth.errors import ScaleWarning

EXAMPLE = typer.main.get_command(app).commands["judges"].epilog  # type: ignore[attr-defined]


@pytest.fixture
def judged(folder: Path) -> pd.DataFrame:
    """Grades of three people and two judges, in one file and in two."""
    rng = np.random.default_rng(0)
    true = rng.integers(1, 4, 80)
    names = {"ann": 0.2, "bob": 0.2, "cat": 0.2, "gpt": 0.1, "dice": 0.9}
    frame = pd.concat(
        [
            pd.DataFrame(
                {
                    "query": [f"q{j // 4}" for j in range(80)],
                    "item": [f"d{j}" for j in range(80)],
                    "subject": name,
                    "grade": np.where(rng.random(80) < wrong, rng.integers(0, 4, 80), true),
                }
            )
            for name, wrong in names.items()
        ]
    )
    frame.to_csv(folder / "all.csv", index=False)
    is_person = frame["subject"].isin(["ann", "bob", "cat"])
    frame[is_person].to_csv(folder / "people.csv", index=False)
    frame[~is_person].to_csv(folder / "models.csv", index=False)
    wide = frame.pivot(index=["query", "item"], columns="subject", values="grade").reset_index()
    wide.to_csv(folder / "wide.csv", index=False)
    for name in ("x", "y"):
        lists = frame[frame["subject"] == "ann"].assign(score=rng.random(80))
        lists[["query", "item", "score"]].to_csv(folder / f"{name}.csv", index=False)
    return frame


def test_agreement_and_test(run, judged: pd.DataFrame) -> None:
    status, out, err = run("judges", "people.csv", "models.csv", "--n-resamples", "199")
    assert (status, err) == (0, "")
    people = judged[judged["subject"].isin(["ann", "bob", "cat"])]
    models = judged[~judged["subject"].isin(["ann", "bob", "cat"])]
    human, model = map(ft.Judgments.from_frame, (people, models))
    agreement = ft.judge_agreement(human, model, n_resamples=199)
    test = ft.alternative_annotator(human, model)
    one = str(agreement).rsplit("\nMore: ", 1)[0].strip()
    two = str(test).rsplit("\nMore: ", 1)[0].strip()
    assert out.startswith(one)
    assert out.strip().endswith(two)
    assert "gpt passes" not in out  # there are two
    assert "1 of 2 models passes: gpt." in out


def test_one_file_or_two(run, judged: pd.DataFrame) -> None:
    typed = ("--format", "csv", "--n-resamples", "99")
    status, two, _ = run("judges", "people.csv", "models.csv", *typed)
    assert status == 0
    assert run("judges", "all.csv", "--people", "ann,bob,cat", *typed)[1] == two
    wide = ("wide.csv", "--subjects", "ann,bob,cat,gpt,dice", "--people", "ann,bob,cat")
    tables = [pd.read_csv(StringIO(text)) for text in (run("judges", *wide, *typed)[1], two)]
    pd.testing.assert_frame_equal(
        *(table.sort_values("judge", ignore_index=True) for table in tables)
    )
    status, one, _ = run("judges", "people.csv", "models.csv", "--judges", "gpt", *typed)
    assert one.splitlines()[0] == two.splitlines()[0]
    assert len(one.splitlines()) == 2


def test_tables_for_programs(run, judged: pd.DataFrame, folder: Path) -> None:
    typed = ("judges", "people.csv", "models.csv", "--n-resamples", "99", "--format", "json")
    rows = json.loads(run(*typed)[1])
    assert {row["judge"] for row in rows} == {"gpt", "dice"}
    assert "weighted_kappa_lower" in rows[0]
    rows = json.loads(run(*typed, "--table", "test")[1])
    assert {row["model"]: row["passes"] for row in rows} == {"gpt": True, "dice": False}
    rows = json.loads(run(*typed, "--table", "people", "--epsilon", "0.1")[1])
    assert len(rows) == 6
    orders = (*typed, "--table", "orders", "--runs", "x=x.csv", "--runs", "y=y.csv")
    rows = json.loads(run(*orders, "-m", "nDCG@3,AP")[1])
    assert [(row["judge"], row["measure"]) for row in rows] == [
        ("gpt", "nDCG@3"),
        ("dice", "nDCG@3"),
        ("gpt", "AP"),
        ("dice", "AP"),
    ]
    status, out, _ = run("judges", "people.csv", "models.csv", "-o", "out.md")
    assert (status, out) == (0, "")
    assert "| gpt" in (folder / "out.md").read_text()


def test_runs_are_shown(run, judged: pd.DataFrame) -> None:
    typed = ("judges", "people.csv", "models.csv", "--n-resamples", "99", "--by", "agreement")
    status, out, _ = run(*typed, "--runs", "x=x.csv", "--runs", "y.csv", "--measure", "AP")
    assert status == 0
    assert "Order of the systems by AP" in out
    assert "agreement over 20 queries" in out
    assert "items" in run(*typed, "--independent")[1].splitlines()[0]


def test_few_items_make_a_note(run, judged: pd.DataFrame) -> None:
    typed = ("judges", "people.csv", "models.csv", "--min-items", "500", "--n-resamples", "99")
    status, out, err = run(*typed)
    assert status == 0
    assert "Alternative annotator" not in out
    assert "note: no alternative annotator test: " in err
    assert "no person shares 500 items" in err
    status, _, err = run(*typed, "--table", "test")
    assert status == 1
    assert "no person shares 500 items" in err


def test_categories(run, folder: Path) -> None:
    rng = np.random.default_rng(0)
    items = [f"i{j}" for j in range(40)]

    def votes(*names: str) -> pd.DataFrame:
        return pd.concat(
            [
                pd.DataFrame({"subject": name, "item": items, "category": rng.choice([*"ab"], 40)})
                for name in names
            ]
        )

    votes("s", "t", "u").to_csv(folder / "people.csv", index=False)
    votes("m").to_csv(folder / "model.csv", index=False)
    (folder / "tree.txt").write_text("all\n  a\n  b\n")
    typed = ("judges", "people.csv", "model.csv", "--taxonomy", "tree.txt")
    status, out, err = run(*typed, "--metric", "taxonomy")
    assert (status, err) == (0, "")
    assert "over 40 items" in out
    assert "(epsilon 0.2, taxonomy)" in out
    status, _, err = run("judges", "people.csv", "--taxonomy", "tree.txt", "--people", "s")
    assert status == 2
    assert "--taxonomy: votes for categories by people and by judges are in a file each" in err
    assert run(*typed, "--grades", "a=1")[0] == 2


@pytest.mark.parametrize(
    ("typed", "status", "message"),
    [
        (("all.csv",), 2, "MODEL: name the file of the judges, or say who of HUMAN are people"),
        (("all.csv", "--people", "an"), 2, "--people 'an': is not among the subjects, ann, bob"),
        (("all.csv", "--people", "ann,"), 2, "--people: a name is empty"),
        (("people.csv", "--people", "ann,bob,cat"), 1, "all of its subjects are people"),
        (("people.csv", "models.csv", "-m", "AP"), 2, "--measure: scores the systems of --runs"),
        (("people.csv", "models.csv", "--run-columns", "score=s"), 2, "--run-columns: is of the"),
        (("all.csv", "--people", "ann", "--model-subjects", "x"), 2, "--model-subjects: is of"),
        (("people.csv", "models.csv", "--table", "orders"), 2, "--table orders: is of systems"),
        (("people.csv", "models.csv", "--epsilon", "2"), 2, "--epsilon 2.0: must lie between"),
        (("people.csv", "models.csv", "-o", "people.csv"), 2, "must not be overwritten"),
        (("people.csv", "people.csv"), 1, "are among the people and among the models"),
    ],
)
def test_what_is_wrong(
    run, judged: pd.DataFrame, typed: tuple[str, ...], status: int, message: str
) -> None:
    found, out, err = run("judges", *typed)
    assert (found, out) == (status, "")
    assert message in err


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_the_examples_of_shipped_data_run(run, folder: Path) -> None:
    lines = EXAMPLE.replace("\\\n", " ").splitlines()
    calls = [line.split()[1:] for line in lines if line.strip().startswith("fuzzytruth")][:3]
    assert [call[0] for call in calls] == ["demo", "judges", "judges"]
    for call in calls:
        status, out, _ = run(*call)
        assert status == 0
    assert "Order of the systems by nDCG@10" in out


def test_people_who_judged_some_queries(run, judged: pd.DataFrame, folder: Path) -> None:
    by_ann = judged[
        (judged["subject"] == "ann") & judged["query"].isin([f"q{j}" for j in range(9)])
    ]
    by_ann.to_csv(folder / "some.csv", index=False)
    typed = ("judges", "some.csv", "models.csv", "--runs", "x.csv", "--runs", "y.csv")
    typed = (*typed, "-m", "nDCG@3", "--n-resamples", "99")
    status, out, _ = run(*typed)
    assert status == 0
    human = ft.Judgments.from_frame(by_ann)
    model = ft.Judgments.from_frame(judged[judged["subject"].isin(["gpt", "dice"])])
    runs = ft.as_runs({name: str(folder / f"{name}.csv") for name in ("x", "y")})
    powered = ft.prediction_powered(human, model, runs, ["nDCG@3"], by="judge")
    assert out.strip().endswith(str(powered).rsplit("\nMore: ", 1)[0].strip())
    status, out, _ = run(*typed, "--table", "powered", "--format", "csv")
    assert status == 0
    wanted = powered.to_frame(full=True)
    got = pd.read_csv(StringIO(out))
    assert got["judge"].tolist() == wanted["judge"].tolist()
    assert got["width_ratio"].to_numpy() == pytest.approx(wanted["width_ratio"].to_numpy())
    status, _, err = run("judges", "people.csv", *typed[2:], "--table", "powered")
    assert status == 1
    assert "people judged all queries that the judges did" in err
    status, _, err = run("judges", "some.csv", "models.csv", "--table", "powered")
    assert (status, "--table powered: is of systems; add --runs" in err) == (2, True)


def test_tables_with_names_of_their_own(run, judged: pd.DataFrame, folder: Path) -> None:
    """Runs have --run-columns, and the columns of MODEL's judges are others than HUMAN's."""
    typed = ("--n-resamples", "99", "-m", "nDCG@3")
    runs = ("--runs", "x.csv", "--runs", "y.csv")
    status, plain, _ = run("judges", "people.csv", "models.csv", *typed, *runs)
    assert status == 0
    for name in ("x", "y"):
        frame = pd.read_csv(folder / f"{name}.csv")
        frame.columns = ["topic_no", "passage", "cosine"]
        frame.to_csv(folder / f"{name}.csv", index=False)
    wide = pd.read_csv(folder / "wide.csv")
    wide[["query", "item", "ann", "bob", "cat"]].to_csv(folder / "w1.csv", index=False)
    wide[["query", "item", "gpt", "dice"]].to_csv(folder / "w2.csv", index=False)
    files = ("w1.csv", "w2.csv", "--subjects", "ann,bob,cat", "--model-subjects", "gpt,dice")
    status, _, err = run("judges", *files, *typed, *runs)
    assert (status, "--run-columns query=topic_no" in err) == (1, True)
    own = ("--run-columns", "query=topic_no,item=passage,score=cosine")
    status, out, _ = run("judges", *files, *typed, *runs, *own)
    assert (status, sorted(out.splitlines())) == (0, sorted(plain.splitlines()))


def test_judges_of_several_files_are_together(run, judged: pd.DataFrame, folder: Path) -> None:
    models = pd.read_csv("models.csv")
    for name in ("gpt", "dice"):
        own = models[models["subject"] == name]
        own.to_csv(f"{name}_with_subject.csv", index=False)
        own.drop(columns="subject").to_csv(f"{name}.csv", index=False)
    typed = ("--format", "csv", "--n-resamples", "99")
    together = run("judges", "people.csv", "models.csv", *typed)[1]
    assert together.count("\n") == 3
    for files in (("gpt_with_subject.csv", "dice_with_subject.csv"), ("gpt.csv", "dice.csv")):
        status, apart, err = run("judges", "people.csv", *files, *typed)
        assert (status, err) == (0, "")
        assert apart == together
    status, _, err = run("judges", "people.csv", "gpt.csv", "models.csv", *typed)
    assert status == 1
    assert err.startswith("error: models.csv: the judge 'gpt' is in gpt.csv, too")
    three = ("people.csv", "gpt.csv", "dice.csv", "--model-subjects", "a,b")
    status, _, err = run("judges", *three)
    assert (status, err.partition(":")[2].split(";")[0]) == (
        2, " --model-subjects: is of one MODEL"
    )  # fmt: skip


def test_files_of_judges_with_other_columns(run, judged: pd.DataFrame) -> None:
    models = pd.read_csv("models.csv").query("subject == 'gpt'").drop(columns="subject")
    models.to_csv("gpt.csv", index=False)
    models.assign(intent="i").to_csv("other.csv", index=False)
    status, _, err = run("judges", "people.csv", "gpt.csv", "other.csv")
    assert status == 1
    assert err.startswith("error: other.csv: gpt.csv differs from it in having intent;")


def test_categories_by_judges_of_several_files(run, folder: Path, categories: None) -> None:
    labels = pd.read_csv("labels.csv")
    parts = {name: labels.assign(annotator=name).iloc[::3] for name in ("gpt", "llama")}
    for name, part in parts.items():
        part.to_csv(f"{name}.csv", index=False)
    pd.concat(parts.values()).to_csv("models.csv", index=False)
    typed = ("--taxonomy", "tree.txt", "--format", "csv", "--n-resamples", "99")
    status, apart, _ = run("judges", "labels.csv", "gpt.csv", "llama.csv", *typed)
    assert status == 0
    assert apart == run("judges", "labels.csv", "models.csv", *typed)[1]
    assert apart.count("\n") == 3


@pytest.mark.parametrize(("table", "axis"), [(None, "kappa with people"), ("test", "share of")])
def test_figure(run, judged: pd.DataFrame, folder: Path, table: str | None, axis: str) -> None:
    which = () if table is None else ("--table", table)
    files = ("people.csv", "models.csv", "--figure", "f.svg", "--n-resamples", "99")
    status, _, err = run("judges", *files, *which)
    assert (status, err) == (0, "")
    assert axis in (folder / "f.svg").read_text("utf-8")


def test_scales_of_judges(run, judged: pd.DataFrame, folder: Path) -> None:
    low = judged.assign(grade=judged["grade"].where(judged["subject"] != "gpt", 1))
    low.to_csv(folder / "mixed.csv", index=False)
    typed = ("judges", "mixed.csv", "--people", "ann,bob,cat", "--format", "csv")
    typed = (*typed, "--n-resamples", "99")
    status, _, err = run(*typed)
    assert status == 0
    assert err.count("keep to a shorter scale (gpt 1 to 1)") == 1
    assert err.strip().endswith("give each subject a threshold, --rel gpt=...,...")
    err = run(*typed, "--by", "weighted-kappa")[2]
    assert "--rel gpt=...,..., or use --rescale own" in err
    both = [ft.Judgments.from_frame(low[is_in]) for is_in in _sides(low)]
    for rel, as_typed in ((2, "2"), ({"dice": 3, "gpt": 1, "ann": 2, "bob": 2, "cat": 2}, None)):
        text = as_typed or ",".join(f"{name}={level}" for name, level in rel.items())
        status, out, err = run(*typed, "--rel", text)
        assert (status, err.count("shorter")) == (0, 0)
        said = err.count("--rel: the grades of 1 of 5 subjects never reach the threshold (gpt up")
        assert said == (rel == 2)
        with nullcontext() if rel != 2 else pytest.warns(ScaleWarning, match="gpt up to 1, thre"):
            expected = ft.judge_agreement(*both, rel=rel, n_resamples=99).to_frame(full=True)
        pd.testing.assert_frame_equal(pd.read_csv(StringIO(out)), expected, check_dtype=False)
    scales = "gpt=0:1,dice=0:3,ann=0:3,bob=0:3,cat=0:3"
    status, out, _ = run(*typed, "--rescale", scales)
    share = low.assign(grade=low["grade"] / np.where(low["subject"] == "gpt", 1, 3))
    both = [ft.Judgments.from_frame(share[is_in]) for is_in in _sides(low)]
    expected = ft.judge_agreement(*both, n_resamples=99).to_frame(full=True)
    pd.testing.assert_frame_equal(pd.read_csv(StringIO(out)), expected, check_dtype=False)


def _sides(frame: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Which rows are people's, and which are judges'."""
    of_people = frame["subject"].isin(["ann", "bob", "cat"])
    return of_people, ~of_people

"""`fuzzytruth judges`."""

from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

PEOPLE = ["ann", "bob", "cat"]
TWO = "judges people.csv models.csv --n-resamples 99"


def shown(result: Any) -> str:
    return str(result).rsplit("\nMore: ", 1)[0].strip()


def sides(frame: pd.DataFrame) -> list[ft.Judgments]:
    """People and judges."""
    is_person = frame["subject"].isin(PEOPLE)
    return [ft.Judgments.from_frame(frame[is_person]), ft.Judgments.from_frame(frame[~is_person])]


@pytest.fixture(autouse=True)
def judged(folder: Path) -> pd.DataFrame:
    """Grades of three people and two judges, in one file and in two."""
    rng = np.random.default_rng(0)
    true = rng.integers(1, 4, 80)
    names = {"ann": 0.2, "bob": 0.2, "cat": 0.2, "gpt": 0.1, "dice": 0.9}
    columns = {"query": [f"q{j // 4}" for j in range(80)], "item": [f"d{j}" for j in range(80)]}
    frame = pd.concat(
        pd.DataFrame(columns).assign(
            subject=name,
            grade=np.where(rng.random(80) < wrong, rng.integers(0, 4, 80), true),
        )
        for name, wrong in names.items()
    )
    wide = frame.pivot(index=["query", "item"], columns="subject", values="grade").reset_index()
    tables = {
        "all": frame,
        "people": frame[frame["subject"].isin(PEOPLE)],
        "models": frame[~frame["subject"].isin(PEOPLE)],
        "wide": wide,
        "wide_people": wide[["query", "item", *PEOPLE]],
        "wide_models": wide[["query", "item", "gpt", "dice"]],
    }
    for name in ("gpt", "dice"):
        tables[f"{name}_named"] = frame[frame["subject"] == name]
        tables[name] = tables[f"{name}_named"].drop(columns="subject")
    tables["other"] = tables["gpt"].assign(intent="i")
    for name in ("x", "y"):
        tables[name] = pd.DataFrame(columns).assign(score=rng.random(80))
        tables[f"own_{name}"] = tables[name].set_axis(["topic_no", "passage", "cosine"], axis=1)
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    return frame


def test_agreement_and_test(run, judged: pd.DataFrame) -> None:
    status, out, err = run(TWO)
    assert (status, err) == (0, "")
    human, model = sides(judged)
    assert out.startswith(shown(ft.judge_agreement(human, model, n_resamples=99)))
    assert out.strip().endswith(shown(ft.alternative_annotator(human, model)))
    assert "1 of 2 models passes: gpt." in out


def test_other_tables(printed, records, folder: Path) -> None:
    rows = records(f"{TWO} --table test")
    assert {row["judge"]: row["passes"] for row in rows} == {"gpt": True, "dice": False}
    assert len(records(f"{TWO} --table people --epsilon 0.1")) == 6
    runs = "--runs x=x.csv --runs y=y.csv"
    rows = records(f"{TWO} --table orders {runs} -m nDCG@3,AP")
    assert [(row["judge"], row["measure"]) for row in rows] == [
        (judge, measure) for measure in ("nDCG@3", "AP") for judge in ("gpt", "dice")
    ]
    assert printed(f"{TWO} -o out.md") == ""
    assert "| gpt" in (folder / "out.md").read_text()
    for table, axis in (("", "kappa with people"), ("--table test", "share of")):
        printed(f"{TWO} {table} --figure f.svg")
        assert axis in (folder / "f.svg").read_text("utf-8")
    out = printed(f"{TWO} --coefficient percent --runs x=x.csv --runs y.csv --measure AP")
    assert "Order of the systems by AP" in out
    assert "agreement over 20 queries" in out
    assert "items" in printed(f"{TWO} --coefficient percent --over item").splitlines()[0]


def test_few_items_make_a_note(run, error) -> None:
    status, out, err = run(f"{TWO} --min-items 500")
    assert (status, "Alternative annotator" in out) == (0, False)
    assert "note: no alternative annotator test: " in err
    assert "no person shares 500 items" in err
    status, message = error(f"{TWO} --min-items 500 --table test")
    assert (status, "no person shares 500 items" in message) == (1, True)


@pytest.mark.usefixtures("categories")
def test_categories(run, records, folder: Path) -> None:
    rng = np.random.default_rng(0)
    items = [f"i{j}" for j in range(40)]
    for name, subjects in {"humans": "stu", "gpt": "g", "llama": "l", "both": "gl"}.items():
        pd.concat(
            pd.DataFrame({"subject": s, "item": items, "category": rng.choice([*"ab"], 40)})
            for s in subjects
        ).to_csv(folder / f"{name}.csv", index=False)
    pd.concat(map(pd.read_csv, ("gpt.csv", "llama.csv"))).to_csv("both.csv", index=False)
    (folder / "ab.txt").write_text("all\n  a\n  b\n")
    line = "judges humans.csv both.csv --taxonomy ab.txt --n-resamples 99"
    status, out, err = run(f"{line} --metric taxonomy")
    assert (status, err) == (0, "")
    assert "over 40 items" in out
    assert "(epsilon 0.2, taxonomy)" in out
    apart = records(line.replace("both.csv", "gpt.csv llama.csv"))
    assert apart == records(line)
    assert len(apart) == 2


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_people_who_judged_some_queries(printed, records, error, judged, folder) -> None:
    some = judged[(judged["subject"] == "ann") & judged["query"].isin([f"q{j}" for j in range(9)])]
    some.to_csv(folder / "some.csv", index=False)
    line = f"{TWO} --runs x.csv --runs y.csv -m nDCG@3"
    runs = ft.as_runs({name: f"{name}.csv" for name in ("x", "y")})
    human = ft.Judgments.from_frame(some)
    powered = ft.prediction_powered(human, sides(judged)[1], runs, ["nDCG@3"], by="judge")
    of_some = line.replace("people.csv", "some.csv")
    assert printed(of_some).strip().endswith(shown(powered))
    wanted = powered.to_frame(full=True)[["judge", "width_ratio"]]
    got = pd.DataFrame(records(f"{of_some} --table powered"))[["judge", "width_ratio"]]
    pd.testing.assert_frame_equal(got, wanted)
    status, message = error(f"{line} --table powered")
    assert status == 1
    assert "people judged all queries that the judges did" in message


def test_tables_with_names_of_their_own(printed, error) -> None:
    """Runs have --run-columns, and the columns of MODEL's judges are others than HUMAN's."""
    options = "-m nDCG@3 --n-resamples 99"
    plain = printed(f"judges people.csv models.csv {options} --runs x.csv --runs y.csv")
    files = "wide_people.csv wide_models.csv --subjects ann,bob,cat --model-subjects gpt,dice"
    line = f"judges {files} {options} --runs x=own_x.csv --runs y=own_y.csv"
    status, message = error(line)
    assert (status, "--run-columns query=topic_no" in message) == (1, True)
    out = printed(f"{line} --run-columns query=topic_no,item=passage,score=cosine")
    assert sorted(out.splitlines()) == sorted(plain.splitlines())


def test_scales_of_judges(run, records, judged: pd.DataFrame, folder: Path) -> None:
    low = judged.assign(grade=judged["grade"].where(judged["subject"] != "gpt", 1))
    low.to_csv(folder / "mixed.csv", index=False)
    line = "judges mixed.csv --people ann,bob,cat --n-resamples 99"
    err = run(f"{line} --format csv")[2]
    assert err.count("keep to a shorter scale (gpt 1 to 1)") == 1
    assert err.strip().endswith("give each subject a threshold, --rel gpt=...,...")
    assert (
        "--rel gpt=...,..., or use --rescale own" in run(f"{line} --coefficient weighted-kappa")[2]
    )
    err = run(f"{line} --rel 2 --format csv")[2]
    assert "--rel: the grades of 1 of 5 subjects never reach the threshold (gpt up" in err
    assert "shorter" not in err
    rel = {"dice": 3, "gpt": 1, "ann": 2, "bob": 2, "cat": 2}
    typed = ",".join(f"{name}={level}" for name, level in rel.items())
    assert run(f"{line} --rel {typed}")[2] == ""
    share = low.assign(grade=low["grade"] / np.where(low["subject"] == "gpt", 1, 3))
    for options, frame, more in (
        (f"--rel {typed}", low, {"rel": rel}),
        ("--rescale gpt=0:1,dice=0:3,ann=0:3,bob=0:3,cat=0:3", share, {}),
    ):
        out = run(f"{line} {options} --format csv")[1]
        expected = ft.judge_agreement(*sides(frame), n_resamples=99, **more).to_frame(full=True)
        pd.testing.assert_frame_equal(pd.read_csv(StringIO(out)), expected, check_dtype=False)


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("all.csv", 2, "MODEL: name the file of the judges, or say who of HUMAN are people"),
        ("all.csv --people an", 2, "--people 'an': is not among the subjects, ann, bob"),
        ("all.csv --people ann,", 2, "--people: a name is empty"),
        ("people.csv --people ann,bob,cat", 1, "all of its subjects are people"),
        ("people.csv models.csv -m AP", 2, "--measure: scores the systems of --runs"),
        ("people.csv models.csv --run-columns score=s", 2, "--run-columns: is of the"),
        ("all.csv --people ann --model-subjects x", 2, "--model-subjects: is of"),
        ("people.csv gpt.csv dice.csv --model-subjects a,b", 2, "--model-subjects: is of one MOD"),
        ("people.csv models.csv --table orders", 2, "--table orders: is of systems"),
        ("people.csv models.csv --table powered", 2, "--table powered: is of systems; add --runs"),
        ("people.csv models.csv --epsilon 2", 2, "--epsilon 2.0: must lie between"),
        ("people.csv people.csv", 1, "are among the people and among the models"),
        ("people.csv gpt.csv models.csv", 1, "models.csv: the subject 'gpt' is in gpt.csv, too"),
        (
            "people.csv gpt.csv other.csv",
            1,
            "other.csv: either this file or gpt.csv has a",
        ),
        (
            "people.csv --taxonomy tree.txt --people s",
            2,
            "--taxonomy: votes for categories by people and by judges are in a file each",
        ),
        ("people.csv models.csv --taxonomy tree.txt --grades a=1", 2, "--grades: votes have categ"),
    ],
)
@pytest.mark.usefixtures("categories")
def test_mistakes(error, line: str, status: int, message: str) -> None:
    found, text = error(f"judges {line}")
    assert found == status
    assert message in text

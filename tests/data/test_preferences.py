"""How frames of preferences are read, and what is wrong with those that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning, UnusedColumnWarning

CYCLE = {"winner": ["a", "b", "c", "a"], "loser": ["b", "c", "a", "b"]}
SIDES = {"left": ["a", "c", "c", "b"], "right": ["b", "b", "a", "a"]}

#: the same four preferences: a over b, b over c, c over a, a over b
FORMS: dict[str, dict[str, Any]] = {
    "chosen": {"chosen": CYCLE["winner"], "rejected": CYCLE["loser"]},
    "words": {**SIDES, "preferred": ["left", "right", "left", "right"]},
    "letters": {
        "response_a": SIDES["left"],
        "response_b": SIDES["right"],
        "vote": ["a", "B", " A", "b"],
    },
    "names of columns": {
        "model_a": SIDES["left"],
        "model_b": SIDES["right"],
        "winner": ["model_a", "model_b", "model_a", "model_b"],
    },
    "items": {"item_1": SIDES["left"], "item_2": SIDES["right"], "winner": CYCLE["winner"]},
    "numbers": {
        "left": [1, 3, 3, 2],
        "right": [2, 2, 1, 1],
        "preferred": [1, 2, 3, 1],
    },
    "counts": {
        "winner": ["a", "b", "c", "b"],
        "loser": ["b", "c", "a", "a"],
        "count": [2, 1, 1, 0],
    },
    "weights": {"winner": ["a", "b", "c"], "loser": ["b", "c", "a"], "weight": [2.0, 1.0, 1.0]},
    "other columns": {**CYCLE, "text": ["x"] * 4},
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str) -> None:
    expected = ft.bradley_terry(pd.DataFrame(CYCLE)).to_frame(full=True)
    found = ft.bradley_terry(pd.DataFrame(FORMS[form]), order_effect=False).to_frame(full=True)
    numbers = ["strength", "std_error", "comparisons", "wins"]
    np.testing.assert_allclose(found[numbers], expected[numbers], atol=1e-14)
    letters = {"1": "a", "2": "b", "3": "c"} if form == "numbers" else {}
    assert found["item"].replace(letters).tolist() == expected["item"].tolist() == ["a", "c", "b"]


@pytest.mark.parametrize("word", ["tie", "Tie (bothbad)", "draw", "n", "neutral", "equal"])
def test_ties(word: str) -> None:
    sides = {"model_a": ["x", "x", "y"], "model_b": ["y", "y", "x"]}
    data = pd.DataFrame({**sides, "winner": ["model_a", word, "model_a"]})
    half = ft.bradley_terry(data.assign(winner=["model_a", "x", word]), order_effect=False)
    assert half.probability("x", "y") == pytest.approx(2.5 / 3, rel=1e-12)
    assert half.wins.tolist() == [2.5, 0.5]
    dropped = ft.bradley_terry(data, ties="drop", order_effect=False)
    assert dropped.comparisons.tolist() == [2, 2]
    assert dropped.probability("x", "y") == pytest.approx(0.5)


def test_own_names_of_columns() -> None:
    frame = pd.DataFrame({"x": SIDES["left"], "y": SIDES["right"], "best": list("xyxy")})
    frame["model_a"] = "no column of ours"
    fit = ft.bradley_terry(frame, columns={"left": "x", "right": "y", "preferred": "best"})
    assert fit.probability("a", "b") == pytest.approx(
        ft.bradley_terry(pd.DataFrame(CYCLE)).probability("a", "b"), rel=1e-12
    )


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    expected = ft.bradley_terry(pd.DataFrame(CYCLE)).to_frame(full=True)
    pd.testing.assert_frame_equal(
        ft.bradley_terry(polars.DataFrame(CYCLE)).to_frame(full=True), expected
    )


def test_queries_keep_their_own_items() -> None:
    frame = pd.DataFrame(CYCLE)
    both = pd.concat([frame.assign(query="q2"), frame.replace({"c": "d"}).assign(query="q1")])
    fit = ft.bradley_terry(both)
    assert fit.queries == ("q2", "q1")
    assert fit.items == ("a", "b", "c", "a", "b", "d")
    assert fit.offsets.tolist() == [0, 3, 6]


TWO = {"left": ["x", "y"], "right": ["y", "x"]}
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "no form": ({"text": ["x"]}, "needs columns 'winner' and 'loser', or .*present: 'text'"),
    "no preferred": (TWO, "no column for 'preferred' .* present: 'left', 'right'"),
    "no winner": ({"loser": ["x"]}, "no column for 'winner'"),
    "no right": ({"left": ["x"], "vote": ["a"]}, "no column for 'right'"),
    "both forms": ({**TWO, "winner": ["x", "y"], "loser": ["y", "x"]}, "keep 'winner' and 'loser'"),
    "empty": ({"winner": [], "loser": []}, "the table is empty"),
    "itself": (
        {"winner": ["x", "y"], "loser": ["y", "y"]},
        "row 2.*: columns 'winner' and 'loser' both hold 'y'; an item cannot be compared",
    ),
    "one item": ({"winner": ["x"], "loser": ["x"]}, "row 1.*: .* cannot be compared with itself"),
    "unknown winner": (
        {**TWO, "winner": ["x", "z"]},
        "row 2.*, column 'winner': value 'z' is neither 'y' nor 'x', .* 'left', 'a'",
    ),
    "coded": ({**TWO, "vote": [1, 0]}, "row 1.*, column 'vote': value '1' is neither 'x' nor 'y'"),
    "no answer": ({**TWO, "vote": ["a", None]}, "row 2.*, column 'vote': the id is missing"),
    "ambiguous": (
        {"left": ["a", "b"], "right": ["b", "a"], "vote": ["a", "a"]},
        "row 2.*, column 'vote': value 'a' is an item, and also a word for the left item",
    ),
    "an item called tie": (
        {"left": ["tie", "x"], "right": ["x", "tie"], "vote": ["tie", "tie"]},
        "value 'tie' is an item, and also a word for a tie",
    ),
    "missing item": ({"winner": ["x", None], "loser": ["y", "x"]}, "row 2.*, column 'winner'"),
    "negative": (
        {**CYCLE, "count": [1, -1, 2, 1]},
        "row 2.*'count': value -1 is negative",
    ),
    "no number": ({**CYCLE, "count": ["two"] * 4}, "row 1.*, column 'count': value 'two' is not"),
    "count and weight": (
        {**CYCLE, "count": [1] * 4, "weight": [1] * 4},
        "and 'weight' both",
    ),
    "two queries": ({**CYCLE, "qid": ["q"] * 4, "q_id": ["q"] * 4}, "all mean 'query'; keep one"),
    "extreme counts": ({**CYCLE, "count": [1e300, 1e-300, 1, 1]}, "cannot be computed .* counts"),
}


def test_columns_that_seem_to_name_who_judged() -> None:
    frame = pd.DataFrame({**CYCLE, "annotator_name": list("stst")})
    message = r"^preferences: not used: 'annotator_name'; if .* columns={'subject': 'annotator_nam"
    with pytest.warns(UnusedColumnWarning, match=message):
        ft.bradley_terry(frame)
    fit = ft.bradley_terry(frame, columns={"subject": "annotator_name"}, covariance="subject")
    assert fit.df.tolist() == [1]


@pytest.mark.parametrize("form", ["chosen", "items", "own"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_files(tmp_path: Path, ending: str, form: str) -> None:
    own = {"x": SIDES["left"], "y": SIDES["right"], "best": CYCLE["winner"]}
    frame = pd.DataFrame({"own": own, **FORMS}[form])
    columns = {"left": "x", "right": "y", "preferred": "best"} if form == "own" else None
    path = tmp_path / f"votes.{ending}"
    match ending:
        case "parquet":
            frame.to_parquet(path)
        case "json" | "jsonl":
            frame.to_json(path, orient="records", lines=ending == "jsonl")
        case _:
            frame.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    expected = ft.bradley_terry(pd.DataFrame(CYCLE)).to_frame(full=True)
    found = ft.bradley_terry(
        path if form == "own" else str(path), columns=columns, order_effect=False
    ).to_frame(full=True)
    numbers = ["strength", "std_error", "comparisons", "wins"]
    np.testing.assert_allclose(found[numbers], expected[numbers], atol=1e-14)


def test_mistakes_in_files(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    pd.DataFrame({"winner": ["x", "y"], "loser": ["y", "y"]}).to_csv(path, index=False)
    with pytest.raises(ft.DataError, match=r"votes.csv, line 3: columns 'winner' and 'loser' both"):
        ft.bradley_terry(path)
    path.write_text("winner,loser\nx,y\n")
    with pytest.raises(ft.DataError, match=r"^.*votes.csv: 'x' won every comparison"):
        ft.bradley_terry(path)
    path.write_text("text\nx\n")
    with pytest.raises(ft.DataError, match=r"votes.csv: needs columns .* present: 'text'$"):
        ft.bradley_terry(path)
    path.write_text("")
    with pytest.raises(ft.DataError, match=r"votes.csv: the file is empty"):
        ft.bradley_terry(path)
    (tmp_path / "votes.txt").write_text("x y\n")
    with pytest.raises(ft.DataError, match=r"preferences need named columns \(left, right, pref"):
        ft.bradley_terry(tmp_path / "votes.txt")


def test_preferences_that_are_none() -> None:
    frame = pd.DataFrame({**CYCLE, "winner": [*CYCLE["winner"][:3], None]})
    with pytest.warns(LeftOutWarning, match=r"^preferences: 1 row of 4 left out, column 'winner'"):
        fit = ft.bradley_terry(frame, drop=[None])
    assert fit.to_frame()["comparisons"].sum() == 2 * 3


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake: str) -> None:
    columns, message = MISTAKES[mistake]
    with pytest.raises(ft.DataError, match=f"^preferences.*{message}"):
        ft.bradley_terry(pd.DataFrame(columns))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "davidson"}, "ties='davidson': must be one of 'half', 'drop'"),
        ({"prior": -1}, "prior=-1.0: must be 0 or more"),
        ({"prior": "weak"}, "prior='weak': must be a finite number"),
        ({"level": 95}, "level=95: must lie between 0 and 1"),
        ({"covariance": "worker"}, "covariance='worker': must be one of"),
        ({"covariance": "subject"}, "covariance='subject': the preferences have no column of sub"),
        ({"columns": "winner"}, "columns='winner': must be {name: your column}"),
        ({"columns": {"lost": "loser"}}, "'lost' is no column .* winner, loser, left"),
        ({"columns": {"winner": "winer"}}, r"no column 'winer' \(nearest: 'winner'\)"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.bradley_terry(pd.DataFrame(CYCLE), **options)


def test_no_frame() -> None:
    with pytest.raises(ft.OptionError, match="preferences=5: must be a"):
        ft.bradley_terry(5)

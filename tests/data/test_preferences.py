"""How frames of preferences are read, and what is wrong with those that cannot be."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.forms import write_table

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning, UnusedColumnWarning

CYCLE: dict[str, Any] = {"winner": ["a", "b", "c", "a"], "loser": ["b", "c", "a", "b"]}
SIDES: dict[str, Any] = {"left": ["a", "c", "c", "b"], "right": ["b", "b", "a", "a"]}
NAMES = {"left": "x", "right": "y", "preferred": "best"}

#: the same four preferences: a over b, b over c, c over a, a over b
FORMS: dict[str, dict[str, Any]] = {
    "chosen": {"chosen": CYCLE["winner"], "rejected": CYCLE["loser"]},
    "words": {**SIDES, "preferred": ["left", "right", "left", "right"]},
    "letters": {"response_a": SIDES["left"], "response_b": SIDES["right"]}
    | {"vote": ["a", "B", " A", "b"]},
    "names of columns": {"model_a": SIDES["left"], "model_b": SIDES["right"]}
    | {"winner": ["model_a", "model_b", "model_a", "model_b"]},
    "items": {"item_1": SIDES["left"], "item_2": SIDES["right"], "winner": CYCLE["winner"]},
    "numbers": {"left": [1, 3, 3, 2], "right": [2, 2, 1, 1], "preferred": [1, 2, 3, 1]},
    "counts": {"winner": [*"abcb"], "loser": [*"bcaa"], "count": [2, 1, 1, 0]},
    "weights": {"winner": [*"abc"], "loser": [*"bca"], "weight": [2.0, 1.0, 1.0]},
    "other columns": {**CYCLE, "text": ["x"] * 4},
    "own": {"x": SIDES["left"], "y": SIDES["right"], "best": [*"xyxy"], "model_a": ["no"] * 4},
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str, tmp_path: Path) -> None:
    expected = ft.bradley_terry(pd.DataFrame(CYCLE)).to_frame(full=True)
    numbers = ["strength", "std_error", "comparisons", "wins"]
    letters = {"1": "a", "2": "b", "3": "c"} if form == "numbers" else {}
    ending = (".csv", ".tsv", ".json", ".jsonl", ".parquet")[[*FORMS].index(form) % 5]
    path = write_table(tmp_path, FORMS[form], ending)
    for given in (pd.DataFrame(FORMS[form]), pl.DataFrame(FORMS[form]), path, str(path)):
        columns = NAMES if form == "own" else None
        fit = ft.bradley_terry(given, columns=columns, order_effect=False)
        found = fit.to_frame(full=True)
        np.testing.assert_allclose(found[numbers], expected[numbers], atol=1e-14)
        items = found["item"].replace(letters).tolist()
        assert items == expected["item"].tolist() == ["a", "c", "b"]


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


def test_queries_keep_their_own_items() -> None:
    frame = pd.DataFrame(CYCLE)
    both = pd.concat([frame.assign(query="q2"), frame.replace({"c": "d"}).assign(query="q1")])
    fit = ft.bradley_terry(both)
    assert (fit.queries, fit.items) == (("q2", "q1"), ("a", "b", "c", "a", "b", "d"))
    assert fit.offsets.tolist() == [0, 3, 6]


def test_columns_and_rows_that_are_left_out() -> None:
    frame = pd.DataFrame({**CYCLE, "annotator_name": list("stst")})
    message = r"^preferences: not used: 'annotator_name'; if .* columns={'subject': 'annotator_nam"
    with pytest.warns(UnusedColumnWarning, match=message):
        ft.bradley_terry(frame)
    fit = ft.bradley_terry(frame, columns={"subject": "annotator_name"}, covariance="subject")
    assert fit.df.tolist() == [1]
    frame = pd.DataFrame({**CYCLE, "winner": [*CYCLE["winner"][:3], None]})
    with pytest.warns(LeftOutWarning, match=r"^preferences: 1 row of 4 left out, column 'winner'"):
        fit = ft.bradley_terry(frame, drop=[None])
    assert fit.to_frame()["comparisons"].sum() == 2 * 3


TWO = {"left": ["x", "y"], "right": ["y", "x"]}
NONE = {"winner": ["x"], "loser": ["x"]}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": ["x"]}, "needs columns 'winner' and 'loser', or .*present: 'text'"),
        (TWO, "no column for 'preferred' .* present: 'left', 'right'"),
        ({"loser": ["x"]}, "no column for 'winner'"),
        ({"left": ["x"], "vote": ["a"]}, "no column for 'right'"),
        ({**TWO, "winner": ["x", "y"], "loser": ["y", "x"]}, "keep 'winner' and 'loser'"),
        ({"winner": [], "loser": []}, "the table is empty"),
        (
            {"winner": ["x", "y"], "loser": ["y", "y"]},
            "row 2.*: columns 'winner' and 'loser' both hold 'y'; an item cannot be comp",
        ),
        (NONE, "row 1.*: .* cannot be compared with itself"),
        ({**TWO, "winner": ["x", "z"]}, "row 2.*'winner': value 'z' is neither 'y' nor 'x', .* 'l"),
        ({**TWO, "vote": [1, 0]}, "row 1.*, column 'vote': value '1' is neither 'x' nor 'y'"),
        ({**TWO, "vote": ["a", None]}, "row 2.*, column 'vote': the id is missing"),
        (
            {"left": ["a", "b"], "right": ["b", "a"], "vote": ["a", "a"]},
            "row 2.*, column 'vote': value 'a' is an item, and also a word for the left item",
        ),
        (
            {"left": ["tie", "x"], "right": ["x", "tie"], "vote": ["tie", "tie"]},
            "value 'tie' is an item, and also a word for a tie",
        ),
        ({"winner": ["x", None], "loser": ["y", "x"]}, "row 2.*, column 'winner'"),
        ({**CYCLE, "count": [1, -1, 2, 1]}, "row 2.*'count': value -1 is negative"),
        ({**CYCLE, "count": ["two"] * 4}, "row 1.*, column 'count': value 'two' is not"),
        ({**CYCLE, "count": [1] * 4, "weight": [1] * 4}, "and 'weight' both"),
        ({**CYCLE, "qid": ["q"] * 4, "q_id": ["q"] * 4}, "all mean 'query'; keep one"),
        ({**CYCLE, "count": [1e300, 1e-300, 1, 1]}, "cannot be computed .* counts"),
    ],
)
def test_mistakes(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.errors.DataError, match=f"^preferences.*{message}"):
        ft.bradley_terry(pd.DataFrame(columns))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "winner,loser\nx,y\ny,y\n", "a.csv, line 3: columns 'winner' and 'loser' both"),
        ("a.csv", "winner,loser\nx,y\n", "a.csv: 'x' won every comparison"),
        ("a.csv", "text\nx\n", "a.csv: needs columns .* present: 'text'$"),
        ("a.csv", "", "a.csv: the file is empty"),
        ("a.txt", "x y\n", r"a.txt: preferences need named columns \(left, right, pref"),
    ],
)
def test_mistakes_in_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ft.errors.DataError, match=message):
        ft.bradley_terry(tmp_path / name)


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
        ({"preferences": 5}, "preferences=5: must be a"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.bradley_terry(**{"preferences": pd.DataFrame(CYCLE), **options})

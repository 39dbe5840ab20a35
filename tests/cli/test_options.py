"""Values of options: what they are parsed to, and what shells offer for them."""

import re
from collections.abc import Callable

import pytest
import typer

import fuzzytruth as ft
from fuzzytruth.cli.inputs import matrix_options
from fuzzytruth.cli.options import (
    TableOptions,
    columns_of,
    complete_measures,
    dropped,
    grades_of,
    margin_or_margins,
    names_of,
    threshold_or_thresholds,
)
from fuzzytruth.cli.plan import whole_numbers


def test_commas_and_equal_signs_in_names() -> None:
    assert columns_of("--columns", ["grade=a, b=c"]) == {"grade": "a", "b": "c"}
    assert columns_of("--columns", ["grade=Rating, 0-3", "query=a=b"]) == {
        "grade": "Rating, 0-3",
        "query": "a=b",
    }
    assert grades_of(["a=b=1", "c=0.5"]) == {"a=b": 1.0, "c": 0.5}
    assert dropped(["na", ""]) == ("na", "", None)
    assert names_of("--subjects", ["ann, bob", "eve"]) == ("ann", "bob", "eve")
    assert TableOptions.from_options(drop=["na"]).given == {"drop": ("na",)}
    assert TableOptions.from_options() == TableOptions()
    nothing = {"queries": None, "items": None, "distances": False, "exclude_self": False}
    assert matrix_options({**nothing, "depth": None}).given == []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: columns_of("--columns", ["query:topic"]), "--columns 'query:topic': write NAME="),
        (lambda: columns_of("--run-columns", ["=x"]), "--run-columns '=x'"),
        (lambda: columns_of("--columns", ["query="]), "'query='"),
        (lambda: columns_of("--columns", ["query=a", "query=b"]), "a column twice"),
        (lambda: grades_of(["good,bad=0"]), "--grades 'good': write WORD=GRADE"),
        (lambda: grades_of(["good=one"]), "'good=one'"),
        (lambda: grades_of(["good=1,good=2"]), "'good' is given twice"),
        (lambda: names_of("--subjects", ["ann,,bob"]), "--subjects: a name is empty"),
    ],
)
def test_wrong_names(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        wrong()


@pytest.mark.parametrize(
    ("parse", "texts", "example"),
    [
        (threshold_or_thresholds, ["three", "ann=", "ann=3,bob", "=3", "a=3,a=4"], "ann=3,bob=1"),
        (margin_or_margins, ["", "x", "AP=", "=.1", "AP=.1,AP=.2", "A=.1,B"], "AP=.01,P@10=.02"),
        (whole_numbers, ["", "x", "0", "1-2-3", "5-", "-5", "9-2"], "whole numbers from 1"),
    ],
)
def test_wrong_numbers(parse: Callable[[str], object], texts: list[str], example: str) -> None:
    for text in texts:
        with pytest.raises(typer.BadParameter, match=re.escape(example)):
            parse(text)


def test_completed_measures_are_measures() -> None:
    names = complete_measures("")
    whole = [name for name in names if not name.endswith("@")]
    assert len(whole) > 50
    parsed = ft.measures.parse_measures(whole)
    assert [str(measure).split("(")[0] for measure in parsed] == whole
    assert complete_measures("AP,P@5,prec") == []
    assert complete_measures("AP,ndcg_") == ["AP,ndcg_rel"]
    assert {name.partition("@")[0] for name in names} >= {*ft.measures.registry.names()} - {"TN"}

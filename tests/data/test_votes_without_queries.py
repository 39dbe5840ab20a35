"""Votes without queries: words are categories, numbers are grades of one query."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data.votes_without_queries import as_votes, read_votes
from fuzzytruth.errors import GroupNotice

ROWS = [("ann", "i"), ("bob", "i"), ("ann", "j"), ("bob", "j"), ("ann", "k"), ("bob", "k")]
WORDS, NUMBERS = ["cat", "dog", "cat", "cat", "dog", "dog"], [1, 2, 3, 3, 1, 1]


def table(answers: list, column: str = "label") -> pd.DataFrame:
    return pd.DataFrame(ROWS, columns=["worker", "item"]).assign(**{column: answers})


@pytest.mark.parametrize("column", ["label", "category", "choice"])
def test_words_are_categories(column: str) -> None:
    with pytest.warns(GroupNotice, match=f"no queries, and the words in '{column}' are votes for"):
        votes = as_votes(table(WORDS, column))
    assert isinstance(votes, ft.Assignments)
    named = table(WORDS).rename(columns={"label": "category"})
    expected = ft.agreement(ft.Assignments.from_frame(named)).value
    with pytest.warns(GroupNotice):
        assert ft.agreement(table(WORDS, column)).value == expected


@pytest.mark.parametrize("column", ["label", "rating", "score", "response"])
def test_numbers_are_grades_of_one_query(column: str) -> None:
    with pytest.warns(GroupNotice, match=f"the numbers in '{column}' are grades of one query; Ass"):
        votes = as_votes(table(NUMBERS, column))
    assert votes.queries == ("the only query",)
    assert votes.grade.tolist() == NUMBERS
    three = pd.concat([table(NUMBERS, "grade"), table(NUMBERS, "grade").assign(worker="eve")[::2]])
    expected = ft.reliability(ft.Judgments.from_frame(three.assign(query="q")), level=None)
    with pytest.warns(GroupNotice):
        fit = ft.reliability(three.rename(columns={"grade": column}), level=None)
    assert fit.subjects["accuracy"].tolist() == expected.subjects["accuracy"].tolist()


def test_what_has_queries_stays_what_it_is() -> None:
    frame = table(NUMBERS, "grade").assign(query="q")
    assert as_votes(frame).checksum == ft.Judgments.from_frame(frame).checksum
    judged = ft.Judgments.from_frame(frame)
    assert as_votes(judged) is judged
    with pytest.raises(ft.errors.OptionError, match="votes: give Judgments, Assignments, a frame"):
        as_votes(3)


def test_files_and_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table(WORDS).to_csv("words.csv", index=False)
    table(["1", "na", "2", "2", "3", "3"]).to_csv("mixed.csv", index=False)
    wide = pd.DataFrame({"item": ["i", "j"], "ann": [1, 2], "bob": [3, 4]})
    wide.to_csv("wide.csv", index=False)
    wide[["item"]].assign(label=["cat", "dog"]).to_csv("eve.csv", index=False)
    wide[["item"]].assign(label=["cat", "cat"]).to_csv("fay.csv", index=False)
    with pytest.warns(
        GroupNotice,
        match=r"words.csv: .* votes for categories; if they are grades, say which: grades=",
    ):
        assert isinstance(read_votes("words.csv"), ft.Assignments)
    graded = read_votes("words.csv", grades={"cat": 1, "dog": 0})
    assert graded.grade.tolist() == [1, 0, 1, 1, 0, 0]
    message = r"mixed.csv, line 3, column 'label': value 'na' is a word, .*drop=\['na'\]; Assign"
    with pytest.raises(ft.errors.DataError, match=message):
        read_votes("mixed.csv")
    with pytest.warns(ft.errors.LabelWarning):
        assert len(read_votes("mixed.csv", columns={"category": "label"}).taxonomy) == 5
    with pytest.warns() as made:
        graded = read_votes("mixed.csv", drop="na")
    assert {one.category for one in made} == {GroupNotice, ft.errors.LeftOutWarning}
    assert graded.grade.tolist() == [1, 2, 2, 3, 3]
    with pytest.warns(GroupNotice):
        assert read_votes("wide.csv", subjects=["ann", "bob"]).grade.tolist() == [1, 3, 2, 4]
    with pytest.warns(GroupNotice):
        assert read_votes(["eve.csv", "fay.csv"]).subject_names == ("eve", "fay")
    with pytest.raises(ft.errors.DataError, match=r"eve.csv, header: no column for 'query'"):
        read_votes("eve.csv")


TWEETS = pd.DataFrame(
    {"sentiment": ["pos", "neg", "pos", "neg"], "tweet": [7, 7, 8, 9], "worker_id": [*"abab"]}
)
UNNAMED = [
    (TWEETS, r"(\w+.from_frame\(frame|read_assignments\(path), columns=\{'item': 'tweet', 'categ"),
    (TWEETS.assign(sentiment=[1, 2, 2, 1]), "some: 'tweet' to 'item', 'sentiment' to 'grade'$"),
    (TWEETS.rename(columns={"tweet": "doc"}), r"say which it is: .*'category': 'sentiment'\}\)$"),
]


@pytest.mark.parametrize(("votes", "message"), UNNAMED)
def test_columns_of_votes_that_are_not_known(
    votes: pd.DataFrame, message: str, tmp_path: Path
) -> None:
    """The answers are the column of fewest values; nobody asks for queries."""
    path = tmp_path / "votes.csv"
    votes.to_csv(path, index=False)
    for given in (votes, path):
        with pytest.raises(ft.errors.DataError, match=message) as error:
            as_votes(given)
        assert "query" not in str(error.value)
        assert "question" not in str(error.value)


def test_words_may_be_called_grades(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    TWEETS.to_csv(path, index=False)
    with pytest.warns(GroupNotice, match="words in 'sentiment' are votes"):
        votes = read_votes(path, columns={"item": "tweet", "grade": "sentiment"})
    assert {*votes.taxonomy.nodes} >= {"pos", "neg"}
    TWEETS.assign(sentiment=[1, 2, 2, 1]).to_csv(path, index=False)
    with pytest.raises(ft.errors.DataError, match=r"; or say .* columns=\{'item': 'tweet', 'gr"):
        read_votes(path)


def test_annotate_next_takes_the_runs_query_and_categories() -> None:
    runs = {"a": {"q7": ["i", "j"]}, "b": {"q7": ["k", "j"]}}
    judged = ft.Judgments.from_frame(table(NUMBERS, "grade").assign(query="q7"))
    expected = ft.annotate_next(judged, runs, "P@1", rel=2).to_frame()
    with pytest.warns(GroupNotice):
        found = ft.annotate_next(table(NUMBERS), runs, "P@1", rel=2).to_frame()
    pd.testing.assert_frame_equal(found, expected)
    votes = ft.Assignments.from_frame(table(WORDS, "category"))
    labels = {"a": {one: ["cat"] for one in "ijk"}, "b": {one: ["dog"] for one in "ijk"}}
    by_item, by_example = votes.by_item(), votes.by_example()
    like = {"a": {"i": ["j"], "j": ["k"], "k": ["i"]}, "b": {"i": ["k"], "j": ["i"], "k": ["j"]}}
    for lists, truth in ((labels, by_item), (like, by_example)):
        expected = ft.annotate_next(truth, lists, "P@1").to_frame()
        pd.testing.assert_frame_equal(ft.annotate_next(votes, lists, "P@1").to_frame(), expected)


def test_evaluate_keeps_its_error() -> None:
    with pytest.raises(
        ft.errors.DataError, match=r"no column for 'query'.* Assignments.from_frame reads"
    ):
        ft.evaluate(table(WORDS), {"q": ["i"]}, "P@1")
    with pytest.raises(
        ft.errors.DataError, match="if all are of one query, add a column with its id"
    ):
        ft.evaluate(table(NUMBERS, "rating"), {"q": ["i"]}, "P@1")


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.GroupNotice")
def test_a_few_votes_for_several_categories_are_told() -> None:
    rows = [(w, f"i{j}", "xy"[j % 2]) for w in "abc" for j in range(20)]
    once = pd.DataFrame(rows, columns=["worker", "item", "label"])
    twice = pd.concat([once, pd.DataFrame([("b", "i4", "y")], columns=once.columns)])
    with pytest.warns(ft.errors.LabelWarning, match="1 vote is for several .* of 'b' on 'i4'"):
        votes = as_votes(twice)
    assert len(votes.sets) == 3
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        as_votes(once)
        as_votes(pd.concat([once, once.assign(label="z")]))  # all have several: they mean it
    assert not [one for one in caught if "several" in str(one.message)]


def test_usual_names_of_crowds() -> None:
    frame = pd.DataFrame({"annotator": [*"ab"], "task_id": [*"ii"], "answer": [*"xy"]})
    with pytest.warns(ft.errors.GroupNotice, match="the words in 'answer' are votes"):
        assert as_votes(frame).set_names() == ["x", "y"]

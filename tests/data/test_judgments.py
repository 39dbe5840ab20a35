"""Judgments: what they accept, what they refuse, how subjects merge."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth.io import ids


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "query": ["q1", "q1", "q1", "q2"],
            "item": ["a", "a", "b", "a"],
            "subject": ["ann", "bob", "ann", "bob"],
            "grade": [1.0, 0.0, 2.0, 0.5],
        }
    )


def test_columns_go_by_many_names(frame):
    wanted = ft.Judgments.from_frame(frame).to_frame()
    for names in (
        ["qid", "docno", "annotator", "rel"],
        ["Query_ID", " DOCID ", "Worker", "Label"],
        ["topic", "image", "rater", "gain"],
        ["q_id", "doc_id", "judge", "relevance"],
    ):
        renamed = frame.set_axis(names, axis="columns")
        pd.testing.assert_frame_equal(ft.Judgments.from_frame(renamed).to_frame(), wanted)


def as_ids(kind):
    numbers = [7, 12, 7, 300]
    match kind:
        case "python int":
            return pd.Series(numbers, dtype=object)
        case "category of int":
            return pd.Series(pd.Categorical(numbers))
        case "category of text":
            return pd.Series(pd.Categorical([str(n) for n in numbers]))
        case "arrow text":
            return pd.Series([str(n) for n in numbers], dtype=pd.ArrowDtype(pa.string()))
        case "arrow large text":
            return pd.Series([str(n) for n in numbers], dtype=pd.ArrowDtype(pa.large_string()))
        case "object text":
            return pd.Series([str(n) for n in numbers], dtype=object)
        case "mixed":
            return pd.Series([7, "12", np.int8(7), 300.0], dtype=object)
        case "numpy text":
            return np.array([str(n) for n in numbers])
        case "list":
            return [str(n) for n in numbers]
        case _:
            return pd.Series(numbers).astype(kind)


ID_KINDS = [
    *("int64", "int16", "uint32", "Int64", "float64", "float32", "Float64", "string", "str"),
    *("python int", "category of int", "category of text", "arrow text", "arrow large text"),
    *("object text", "mixed", "numpy text", "list"),
]


@pytest.mark.parametrize("kind", ID_KINDS)
def test_ids_of_any_type_become_text(kind):
    frame = pd.DataFrame({"query": as_ids(kind), "item": ["a", "b", "c", "d"], "grade": 1})
    truth = ft.Judgments.from_frame(frame)
    assert truth.query.to_pylist() == ["7", "12", "7", "300"]
    assert truth.queries == ("7", "12", "300")


@pytest.mark.parametrize(
    "kind", ["float32", "float64", "int8", "int64", "uint8", "bool", "Int64", "Float64", "object"]
)
def test_grades_of_any_type_become_doubles(frame, kind):
    frame["grade"] = pd.Series([1, 0, 1, 1]).astype(kind)
    grade = ft.Judgments.from_frame(frame).grade
    assert grade.dtype == np.float64
    assert grade.tolist() == [1, 0, 1, 1]


@pytest.mark.parametrize("kind", ["double[pyarrow]", "int64[pyarrow]", "float[pyarrow]"])
def test_arrow_grades(frame, kind):
    frame["grade"] = frame["grade"].round().astype(kind)
    assert ft.Judgments.from_frame(frame).grade.tolist() == [1, 0, 2, 0]


def test_a_float32_grade_is_exact(frame):
    frame["grade"] = np.float32(0.1)
    assert ft.Judgments.from_frame(frame).grade[0] == float(np.float32(0.1))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, None, pd.NA, "high"])
def test_a_grade_must_be_a_finite_number(frame, bad):
    frame["grade"] = pd.Series([1, 0, bad, 1], dtype=object)
    with pytest.raises(
        ft.DataError, match=r"frame, row 3 \(index 2\), column 'grade': value .* is not a"
    ):
        ft.Judgments.from_frame(frame)


@pytest.mark.parametrize("bad", [np.nan, None, pd.NA, pd.NaT])
@pytest.mark.parametrize("column", ["query", "item", "subject"])
def test_ids_are_required(frame, column, bad):
    frame[column] = pd.Series(["x", "y", "z", bad], dtype=object)
    with pytest.raises(
        ft.DataError, match=rf"frame, row 4 \(index 3\), column '{column}': the id is missing"
    ):
        ft.Judgments.from_frame(frame)


def test_whole_numbers_with_a_gap_do_not_become_3_point_0(frame):
    frame["item"] = [1.0, 2.0, 3.0, 4.0]
    assert ft.Judgments.from_frame(frame).item.to_pylist() == ["1", "2", "3", "4"]


def test_a_subject_judges_an_item_once(frame):
    frame.loc[1, "subject"] = "ann"
    message = (
        r"frame, row 2 \(index 1\), .* 'a' is judged twice .* 'q1' by subject 'ann' "
        r"\(first: frame, row 1 \(index 0\)\)"
    )
    with pytest.raises(ft.DataError, match=message):
        ft.Judgments.from_frame(frame)


def test_ids_side_by_side_do_not_run_together():
    judgments = ft.Judgments.from_columns(["ab", "a"], ["c", "bc"], [1, 1])
    assert len(judgments) == 2
    rows = judgments.to_frame()[["query", "item"]].to_numpy().tolist()
    assert rows == [["ab", "c"], ["a", "bc"]]


def test_columns_must_be_of_one_length():
    with pytest.raises(ft.DataError, match="columns differ in length"):
        ft.Judgments.from_columns(["q", "q"], ["a", "b"], [1])


def test_empty_frame(frame):
    with pytest.raises(ft.DataError, match="no judgments"):
        ft.Judgments.from_frame(frame.iloc[:0])


def test_missing_column(frame):
    with pytest.raises(
        ft.DataError, match=r"no column for 'grade' .*present: 'query', 'item', 'sub"
    ):
        ft.Judgments.from_frame(frame.drop(columns="grade"))


def test_design_is_kept(frame):
    assert ft.Judgments.from_frame(frame, design="nested").design == "nested"
    with pytest.raises(ft.OptionError, match="design='mixed'"):
        ft.Judgments.from_frame(frame, design="mixed")


def test_from_dict_and_back():
    truth = ft.Judgments.from_dict({"q1": {"b": 1, "a": 0}, 2: {3: np.float32(0.5)}})
    assert truth.to_frame().to_numpy().tolist() == [["q1", "b", 1], ["q1", "a", 0], ["2", "3", 0.5]]


def test_the_callers_data_stay_as_they_are(frame):
    before = frame.copy(deep=True)
    grades = np.array([1.0, 0.0, 2.0, 0.5])
    truth = ft.Judgments.from_columns(
        frame["query"], frame["item"], grades, subject=frame["subject"]
    )
    table = truth.to_frame()
    table["grade"] += 1
    assert truth.grade.tolist() == grades.tolist() == [1.0, 0.0, 2.0, 0.5]
    grades[0] = 7
    assert truth.grade[0] == 1
    ft.Judgments.from_frame(frame).grade[0] = 5
    pd.testing.assert_frame_equal(frame, before)


def test_positions_are_kept(frame):
    frame["position"] = [1, 1, 2, 1]
    truth = ft.Judgments.from_frame(frame)
    assert truth.to_frame()["position"].tolist() == [1, 1, 2, 1]
    assert truth.select_subject("ann").position.tolist() == [1, 2]


def test_select_subject(frame):
    truth = ft.Judgments.from_frame(frame)
    assert truth.select_subject("bob").to_frame().to_numpy().tolist() == [
        ["q1", "a", 0.0],
        ["q2", "a", 0.5],
    ]
    with pytest.raises(ft.OptionError, match="subject 'eve' is not among the subjects: ann, bob"):
        truth.select_subject("eve")


def test_equal_hashes_do_not_merge_ids(frame, monkeypatch):
    def constant(data, offsets):
        return np.zeros(len(offsets) - 1, dtype=np.uint64)

    monkeypatch.setattr(ids, "hash_strings", constant)
    assert len(ft.Judgments.from_frame(frame)) == 4
    frame.loc[1, "subject"] = "ann"
    with pytest.raises(ft.DataError, match=r"row 2 \(index 1\), .*row 1 \(index 0\)"):
        ft.Judgments.from_frame(frame)


class TestProbabilities:
    truth = ft.Judgments.from_probabilities(["q", "q", "q"], ["a", "b", "c"], [0.0, 0.25, 1.0])

    def test_a_grade_is_optional_beside_a_probability(self):
        frame = pd.DataFrame({"qid": ["q"], "docno": ["a"], "Probability": [0.25]})
        result = ft.Judgments.from_frame(frame)
        assert (result.grade.tolist(), result.probability.tolist()) == ([1.0], [0.25])
        with pytest.raises(ft.DataError, match=r"no column for 'grade' or 'probability'"):
            ft.Judgments.from_frame(frame[["qid", "docno"]])
        with pytest.raises(ft.DataError, match="neither grades nor probabilities"):
            ft.Judgments.from_columns(["q"], ["a"])

    def test_subjects_do_not_give_probabilities(self):
        frame = self.truth.to_frame()
        with pytest.raises(ft.DataError, match="for 'probability' and for 'subject'"):
            ft.Judgments.from_frame(frame.assign(subject="s"))
        with pytest.raises(ft.DataError, match="for 'probability' and for 'position'"):
            ft.Judgments.from_frame(frame.assign(position=1))
        with pytest.raises(ft.DataError, match=r"row 2 .*'probability': value 25 is not a"):
            ft.Judgments.from_frame(frame.assign(probability=[0, 25, 100]))

    def test_merging_gives_expected_grades(self):
        doubled = ft.Judgments.from_frame(self.truth.to_frame().assign(grade=2))
        merged = doubled.aggregate("mean")
        assert merged.grade.tolist() == [0.0, 0.5, 2.0]
        assert merged.probability is None
        with pytest.raises(ft.OptionError, match=r"how='max': these judgments are probabilities"):
            self.truth.aggregate("max")


def test_two_columns_of_grades_are_an_error():
    frame = pd.DataFrame({"query": ["q"], "item": ["a"], "grade": [1], "relevance": [0]})
    with pytest.raises(ft.DataError, match="columns 'grade', 'relevance' all mean 'grade'"):
        ft.Judgments.from_frame(frame)


def test_numbers_of_one_are_singular():
    votes = pd.DataFrame({"query": ["q"], "item": ["a"], "subject": ["s"], "grade": [1]})
    assert repr(ft.Judgments.from_frame(votes)) == "Judgments(1 row, 1 query, 1 subject, crossed)"
    assert repr(ft.Runs.from_dict({"s": {"q": {"a": 1}}})) == "Runs(1 system: s; 1 row)"


class TestIntents:
    """An item may be judged once for each intent of a query."""

    @pytest.fixture
    def frame(self):
        return pd.DataFrame(
            {
                "query": ["q1", "q1", "q1", "q1", "q2"],
                "item": ["a", "a", "a", "b", "a"],
                "subtopic": [1, 2, 1, 1, 1],
                "subject": ["ann", "ann", "bob", "bob", "bob"],
                "grade": [1.0, 0.0, 2.0, 1.0, 3.0],
            }
        )

    def test_they_are_kept(self, frame):
        truth = ft.Judgments.from_frame(frame)
        assert repr(truth) == "Judgments(5 rows, 2 queries, 2 intents, 2 subjects, crossed)"
        assert truth.intents == ("1", "2")
        assert list(truth.to_frame()) == ["query", "item", "intent", "subject", "grade"]
        assert truth.to_frame()["intent"].tolist() == ["1", "2", "1", "1", "1"]
        again = ft.Judgments.from_frame(truth.to_frame())
        pd.testing.assert_frame_equal(again.to_frame(), truth.to_frame())
        assert ft.Judgments.from_frame(frame.drop(columns="subtopic").iloc[1:]).intents is None

    @pytest.mark.parametrize(
        "name", ["intent", "Subtopic", "ASPECT", "nugget_id", "facet", "interpretation"]
    )
    def test_their_column_goes_by_several_names(self, frame, name):
        assert ft.Judgments.from_frame(frame.rename(columns={"subtopic": name})).intents

    def test_iterations_are_intents_where_they_differ(self, frame):
        frame = frame.rename(columns={"subtopic": "iteration"})
        assert ft.Judgments.from_frame(frame).intents == ("1", "2")
        for same in ("0", None):
            truth = ft.Judgments.from_frame(frame.iloc[2:].assign(iteration=same))
            assert truth.intents is None

    def test_other_intents_are_other_judgments(self, frame):
        truth = ft.Judgments.from_frame(frame)
        assert truth.checksum == ft.Judgments.from_frame(frame.iloc[::-1]).checksum
        other = ft.Judgments.from_frame(frame.assign(subtopic=[2, 1, 1, 1, 1]))
        assert truth.checksum != other.checksum
        assert truth.binary(2).intents == truth.rescaled((0, 3)).intents == ("1", "2")

    def test_an_item_is_judged_once_for_each(self, frame):
        frame.loc[1, "subtopic"] = 1
        message = (
            r"frame, row 2 .*, .* 'a' is judged twice for query 'q1', intent '1' by subject 'ann' "
            r"\(first: frame, row 1 \(index 0\)\); a subject judges an item once for each intent"
        )
        with pytest.raises(ft.DataError, match=message):
            ft.Judgments.from_frame(frame)
        with pytest.raises(ft.DataError, match=r"row 2 .*'subtopic': the id is missing"):
            ft.Judgments.from_frame(frame.assign(subtopic=[1, None, 1, 1, 1]))
        with pytest.raises(ft.DataError, match="columns differ in length"):
            ft.Judgments.from_columns(["q", "q"], ["a", "b"], [1, 1], intent=["1"])

    def test_one_subjects_judgments(self, frame):
        own = ft.Judgments.from_frame(frame).select_subject("ann")
        assert own.to_frame().to_numpy().tolist() == [["q1", "a", "1", 1.0], ["q1", "a", "2", 0.0]]

    def test_grades_merge_for_each(self, frame):
        merged = ft.Judgments.from_frame(frame).aggregate("mean").to_frame()
        assert merged.to_numpy().tolist() == [
            *(["q1", "a", "1", 1.5], ["q1", "a", "2", 0.0], ["q1", "b", "1", 1.0]),
            ["q2", "a", "1", 3.0],
        ]

    def test_probabilities(self):
        truth = ft.Judgments.from_columns(
            ["q", "q"], ["a", "a"], probability=[0.5, 1.0], intent=["x", "y"]
        )
        assert repr(truth) == "Judgments(2 rows, 1 query, 2 intents, probabilities)"
        merged = truth.aggregate("mean")
        assert (merged.grade.tolist(), merged.intents) == ([0.5, 1.0], ("x", "y"))


def test_select_takes_subjects_and_queries_in_the_order_of_rows() -> None:
    votes = ft.Judgments.from_columns(
        ["q", "q", "r", "r"], ["a", "a", "b", "c"], [3, 1, 2, 0], subject=["ann", "bob"] * 2
    )
    assert votes.select(subjects=["bob", "ann"]).grade.tolist() == [3, 1, 2, 0]
    assert votes.select(subjects="bob").grade.tolist() == [1, 0]
    assert votes.select(subjects="bob", queries="r").grade.tolist() == [0]
    with pytest.raises(ft.OptionError, match="subjects: not among these judgments: 'bop'"):
        votes.select(subjects=["bop"])
    with pytest.raises(ft.OptionError, match=r"queries=\(\): name at least one"):
        votes.select(queries=[])
    with pytest.raises(ft.OptionError, match="these judgments have no subjects"):
        ft.Judgments.from_dict({"q": {"a": 1}}).select(subjects="ann")
    lone = votes.select(subjects="ann", queries="q")
    with pytest.raises(ft.OptionError, match="not among"):
        lone.select(queries="r")


@pytest.mark.parametrize("name", ["epoch", "seed"])
def test_repeats_are_not_taken_for_subjects(name: str) -> None:
    table = {"query": ["q", "q"], "item": ["a", "a"], name: [1, 2], "rel": [0, 1]}
    both = rf"columns=\{{'repeat': '{name}', 'subject': '...'\}}; else keep one row$"
    with pytest.raises(ft.DataError, match=f"if '{name}' tells repeats by one subject .*: {both}"):
        ft.Judgments.from_frame(table)
    table["who"] = ["x", "x"]
    named = {"subject": "who"}
    with pytest.raises(ft.DataError, match=rf"such as columns=\{{'repeat': '{name}'\}}$"):
        ft.Judgments.from_frame(table, columns=named)
    truth = ft.Judgments.from_frame(table, columns={**named, "repeat": name})
    assert truth.repeat is not None

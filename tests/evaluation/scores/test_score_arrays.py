"""Axes, sizes, names and provenance of scores."""

from dataclasses import replace

import numpy as np
import pytest
from support.kinds_of_scores import CRISP, EXAMPLE, VOTES, evaluated, runs_of
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.evaluation.scores.score_arrays import Provenance, check_over

PLAIN = scores_of(np.zeros((2, 3)))


CROSSED = scores_of(np.zeros((2, 4, 3)))


def one_query_each() -> ft.Scores:
    values = np.full((2, 6, 3), np.nan)
    values[:, np.arange(6), np.arange(6) // 2] = 1.0
    return scores_of(values)


def test_people_who_are_a_sample() -> None:
    assert CROSSED._over_people == ("query", "subject")
    assert evaluated("population")._over_people == ("query", "world")
    nested = replace(CROSSED, design="nested")
    single = scores_of(np.zeros((2, 1, 4)))
    assert single.subjects is not None
    assert len(single.subjects) == 1
    for scores in (PLAIN, nested, one_query_each(), single, evaluated("independent")):
        assert scores._over_people is None
    resampled = replace(evaluated("population"), design="nested")  # which has no subjects
    kinds = (CROSSED, nested, one_query_each(), PLAIN, resampled)
    assert [one._are_nested for one in kinds] == [False, True, True, False, True]


@pytest.mark.parametrize(
    ("over", "scores", "words"),
    [
        (("query", "world"), evaluated("independent"), "no sample of people.*'population'.*'subj"),
        ("subject", one_query_each(), "design='nested'"),
        ("queries", PLAIN, "over='queries': must be 'query', 'subject', 'world'"),
        ((), PLAIN, "name what is random"),
        ("subject", PLAIN, "worlds='subject'"),
        ("world", PLAIN, "worlds='independent'"),
        ("world", CROSSED, "they have subjects: over='subject'"),
    ],
)
def test_axes_that_scores_lack(over, scores: ft.Scores, words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        check_over(over, scores)


def test_a_measure_is_known_by_any_of_its_spellings() -> None:
    scores = ft.Scores(
        systems=("a",),
        queries=("q",),
        measures=("AP", "P@10", "a measure of my own"),
        values=np.zeros((1, 3, 1)),
        cells=Cells.of_queries(1),
        higher_is_better=(True, True, True),
    )
    assert scores.measure_place("map") == 0
    assert scores.measure_place("P_10") == scores.measure_place("P@10") == 1
    assert scores.measure_place("a measure of my own") == 2
    with pytest.raises(ft.errors.OptionError, match=r"measure 'AP@3'.*AP, P@10"):
        scores.measure_place("AP@3")
    with pytest.raises(ft.errors.OptionError, match="measure 'PA'"):
        scores.measure_place("PA")
    assert replace(scores, measures=("map", "x", "y")).measure_place("map") == 0


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_the_same_data_have_the_same_checksums(tmp_path) -> None:
    """Read from files, or with rows in another order."""
    ft.Judgments.from_frame(VOTES.sample(frac=1, random_state=0)).write(tmp_path / "truth.csv")
    frame = runs_of("crisp").to_frame().sample(frac=1, random_state=1)
    ft.Runs.from_frame(frame).write(tmp_path / "runs.json")
    files = tmp_path / "truth.csv", tmp_path / "runs.json"
    read = ft.evaluate(*files, ["AP", "P@2", "nDCG@3"], n_worlds=100, rng=7).provenance
    made = evaluated("independent").provenance
    assert (read.truth, sorted(read.runs)) == (made.truth, sorted(made.runs))


def test_whether_queries_share_items(tmp_path) -> None:
    """One vote serves many queries by example alone; it is kept, and unknown of other scores."""
    columns = {"system": ["one"] * 5, "item": list("abcde"), "category": ["sea"] * 5}
    labels = ft.Runs.from_labels(columns)
    by_item = ft.evaluate(EXAMPLE.votes.by_item(), labels, ["P@1"], worlds="independent")
    for scores, shared in (
        (evaluated("subject"), False),
        (evaluated("crisp"), False),
        (by_item, False),
        (evaluated("by example"), True),
    ):
        system, *others = scores.systems
        scores.save(tmp_path / "scores.parquet")
        loaded = ft.Scores.load(tmp_path / "scores.parquet")
        assert loaded.provenance is not None
        assert loaded.provenance.queries_share_items is shared
        assert loaded.select(systems=system)._queries_share_items is shared
        if others:
            first, rest = (scores.select(systems=names) for names in (system, others))
            assert ft.concat([first, rest])._queries_share_items is shared
    assert PLAIN._queries_share_items is None
    old = {"version": "0.1", "worlds": "crisp", "ties": "trec"}
    old |= {"undefined": "zero", "unjudged": "nonrelevant"}
    assert Provenance.from_dict(old).queries_share_items is None


def test_every_change_of_a_run_changes_its_checksum() -> None:
    run = {f"q{q}": {f"d{d}": float(d) for d in range(3)} for q in range(3)}
    changes = [run]
    for query, items in run.items():
        changes.append({**run, query + "x": items})
        changes.append({name: other for name, other in run.items() if name != query})
        changes.append({**run, query: {**items, "new": 0.0}})
        for item, score in items.items():
            rest = {name: s for name, s in items.items() if name != item}
            changes += [{**run, query: new} for new in (rest, rest | {item + "x": score})]
            changes += [{**run, query: items | {item: score + more}} for more in (0.5, 2**20)]
            if item != "d0":  # two items swap their scores
                changes.append({**run, query: {**items, item: 0.0, "d0": score}})
    sums = {ft.Runs.from_dict(changed)["system"].checksum for changed in changes}
    assert len(sums) == len(changes)


def test_every_change_of_a_truth_changes_its_checksum() -> None:
    frames = [VOTES, VOTES.iloc[1:], CRISP, CRISP.assign(subject="a"), CRISP.assign(intent="a")]
    frames.append(CRISP.assign(position=1.0))
    for column in ("query", "item", "subject", "grade"):
        for row in (0, 7, len(VOTES) - 1):
            changed = VOTES.copy()
            other = 9 if column == "grade" else "new"
            changed[column] = changed[column].where(np.arange(len(VOTES)) != row, other)
            frames.append(changed)
    truths = [ft.Judgments.from_frame(frame) for frame in frames]
    truths.append(ft.Judgments.from_frame(VOTES, design="nested"))
    votes, tree = EXAMPLE.votes, EXAMPLE.votes.taxonomy
    labels = votes.to_frame()
    category = labels["category"].iloc[0]
    truths += [
        EXAMPLE,
        ft.Assignments.from_frame(labels.iloc[1:], taxonomy=tree).by_example(),
        ft.Assignments.from_frame(labels.assign(weight=2.0), taxonomy=tree).by_example(),
        votes.by_example(queries=["a"]),
        votes.by_example(category=category),
        votes.by_example(category={"a": category}),
        votes.by_example(relevance="path"),
        votes.by_example(relevance="path", digits=2),
        votes.by_example(keep_query=True),
    ]
    assert len({truth.checksum for truth in truths}) == len(truths)
    mixed = ft.Assignments.from_frame(labels.sample(frac=1, random_state=1), taxonomy=tree)
    assert mixed.by_example().checksum == EXAMPLE.checksum

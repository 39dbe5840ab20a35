"""Provenance of scores, and the checksums in it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.kinds_of_scores import CRISP, EXAMPLE, MISSING, RUNS, VOTES, evaluated, runs_of

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
TRUTH = ft.Judgments.from_frame(VOTES)


def test_it_prints_what_was_evaluated() -> None:
    provenance = evaluated("pooled").provenance
    lines = provenance._answer().text(200).splitlines()
    heads = ["fuzzytruth", "truth:", "runs:", "measures:", "options:", "seed:"]
    assert [line.split()[0] for line in lines if line] == heads
    assert f"truth: {provenance.truth}" in lines
    assert "measures: AP, P@2, nDCG@3" in lines
    assert (
        "options: worlds=subject, ties=trec, undefined=zero, unjudged=nonrelevant, "
        "missing=pooled, n_worlds=20"
    ) in lines


def test_options_without_effect_are_left_out() -> None:
    made = evaluated("subject", missing="nonrelevant", n_worlds=12).provenance
    assert (made.missing, made.n_worlds, made.seed) == (None, None, None)
    made = ft.evaluate(MISSING, RUNS, ["Kendall"], worlds="subject", missing="exclude").provenance
    assert made.missing is None


def test_it_is_saved_and_not_in_the_table(tmp_path) -> None:
    scores = evaluated("independent")
    scores.save(tmp_path / "scores.parquet")
    back = ft.Scores.load(tmp_path / "scores.parquet")
    assert back.provenance == scores.provenance
    assert str(tmp_path) not in repr(back.provenance)
    columns = ["system", "query", "measure", "value", "std", "exact", "mc_error"]
    assert list(back.to_frame().columns) == columns


def test_scores_from_elsewhere_have_none(tmp_path) -> None:
    scores = ft.Scores.from_frame(evaluated("crisp").to_frame())
    assert scores.provenance is None
    scores.save(tmp_path / "scores.parquet")
    assert ft.Scores.load(tmp_path / "scores.parquet").provenance is None


def test_the_same_data_from_a_file_have_the_same_checksums(tmp_path) -> None:
    TRUTH.write(tmp_path / "truth.csv")
    runs = runs_of("crisp")
    runs.write(tmp_path / "runs.json")
    one = evaluated("independent").provenance
    two = ft.evaluate(
        tmp_path / "truth.csv", tmp_path / "runs.json", ["AP", "P@2", "nDCG@3"], n_worlds=100, rng=7
    ).provenance
    assert one == two


def test_checksums_of_runs_ignore_the_order_of_rows() -> None:
    frame = runs_of("crisp").to_frame()
    rng = np.random.default_rng(0)
    expected = {name: run.checksum for name, run in ft.Runs.from_frame(frame).items()}
    assert len(set(expected.values())) == 3
    for _ in range(5):
        mixed = ft.Runs.from_frame(frame.iloc[rng.permutation(len(frame))])
        assert {name: run.checksum for name, run in mixed.items()} == expected


def test_every_change_of_a_run_changes_its_checksum() -> None:
    run = {f"q{q}": {f"d{d}": float(d) for d in range(9)} for q in range(9)}
    seen = {ft.Runs.from_dict(run)["system"].checksum}
    changes = []
    for query, items in run.items():
        changes.append({**run, query + "x": run[query]})
        changes.append({name: other for name, other in run.items() if name != query})
        changes.append({**run, query: {**items, "new": 0.0}})
        for item, score in items.items():
            rest = {name: s for name, s in items.items() if name != item}
            changes.append({**run, query: rest})
            changes.append({**run, query: {**items, item: score + 0.5}})
            changes.append({**run, query: {**items, item: score + 2**20}})
            changes.append({**run, query: {**rest, item + "x": score}})
            if item != "d0":  # two items swap their scores
                changes.append({**run, query: {**items, item: 0.0, "d0": score}})
            if query != "q0":  # two queries swap two items
                y, z = item + "y", item + "z"
                changes.append({**run, query: {**rest, y: score}, "q0": {**run["q0"], z: score}})
                changes.append({**run, query: {**rest, z: score}, "q0": {**run["q0"], y: score}})
    seen |= {ft.Runs.from_dict(changed)["system"].checksum for changed in changes}
    assert len(seen) == len(changes) + 1


def test_the_checksum_of_judgments_ignores_the_order_of_rows() -> None:
    mixed = ft.Judgments.from_frame(VOTES.sample(frac=1, random_state=0))
    assert mixed.checksum == TRUTH.checksum


@pytest.mark.parametrize("column", ["query", "item", "subject", "grade"])
def test_every_change_of_judgments_changes_their_checksum(column: str) -> None:
    seen = {TRUTH.checksum}
    for row in range(len(VOTES)):
        changed = VOTES.copy()
        changed[column] = changed[column].where(
            np.arange(len(VOTES)) != row, 9 if column == "grade" else "new"
        )
        seen.add(ft.Judgments.from_frame(changed).checksum)
    for other in (VOTES.iloc[1:], CRISP):
        seen.add(ft.Judgments.from_frame(other).checksum)
    seen.add(ft.Judgments.from_frame(VOTES, design="nested").checksum)
    assert len(seen) == len(VOTES) + 4


def test_a_column_of_other_meaning_has_another_checksum() -> None:
    frame = CRISP.assign(subject="a")
    others = [frame.rename(columns={"subject": "intent"}), frame, CRISP, CRISP.assign(position=1.0)]
    sums = {ft.Judgments.from_frame(other).checksum for other in others}
    assert len(sums) == 4


def test_query_by_example_has_a_checksum() -> None:
    votes = EXAMPLE.votes
    frame, tree = votes.to_frame(), votes.taxonomy
    mixed = ft.Assignments.from_frame(frame.sample(frac=1, random_state=1), taxonomy=tree)
    assert mixed.by_example().checksum == EXAMPLE.checksum
    category = frame["category"].iloc[0]
    fewer = ft.Assignments.from_frame(frame.iloc[1:], taxonomy=tree)
    heavier = ft.Assignments.from_frame(frame.assign(weight=2.0), taxonomy=tree)
    others = [
        EXAMPLE,
        fewer.by_example(),
        heavier.by_example(),
        votes.by_example(queries=["a"]),
        votes.by_example(category=category),
        votes.by_example(category={"a": category}),
        votes.by_example(relevance="path"),
        votes.by_example(relevance="path", digits=2),
        votes.by_example(keep_query=True),
    ]
    assert len({truth.checksum for truth in others}) == len(others)


def test_an_empty_column_of_names_is_no_other_row() -> None:
    frame = pd.DataFrame({"query": ["ab", "a"], "item": ["c", "bc"], "grade": 1})
    swapped = frame.assign(item=frame["item"][::-1].to_numpy())
    sums = {ft.Judgments.from_frame(f).checksum for f in (frame, swapped)}
    assert len(sums) == 2

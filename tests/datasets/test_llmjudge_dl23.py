"""The grades of a person and of model judges."""

from __future__ import annotations

import numpy as np

import fuzzytruth as ft
from fuzzytruth.io.ids import encode


def test_everybody_judged_everything() -> None:
    votes = ft.datasets.load_llmjudge_dl23()
    assert votes.subjects is not None
    assert len(votes.subjects) == 34
    assert votes.subjects[0] == "human"
    assert len(votes.queries) == 25
    assert len(votes) == 34 * 4423


def test_only_three_grades_are_outside_the_scale() -> None:
    votes = ft.datasets.load_llmjudge_dl23()
    outside = votes.to_frame().query("grade > 3")[["subject", "grade"]]
    assert sorted(map(tuple, outside.to_numpy().tolist())) == [
        ("RMITIR-llama70B", 5.0),
        ("RMITIR-llama70B", 5.0),
        ("h2oloo-zeroshot2", 10.0),
    ]
    assert votes.grade.min() == 0


def test_near_duplicates_agree_as_published() -> None:
    votes = ft.datasets.load_llmjudge_dl23()
    assert votes.subject is not None
    code, names = encode(votes.subject)
    table = {name: votes.grade[code == place] for place, name in enumerate(names.to_pylist())}
    for kind, least in (("instruct", 0.997), ("reason", 0.999)):
        for a, b in ((0, 1), (0, 2), (1, 2)):
            first, second = (table[f"NISTRetrieval-{kind}{number}"] for number in (a, b))
            assert np.mean(first == second) > least

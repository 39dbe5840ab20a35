"""Votes of every form as coordinates."""

import pytest

import fuzzytruth as ft
from fuzzytruth.data.ratings import Ratings, make_ratings


def rows(ratings: Ratings) -> list[tuple[object, ...]]:
    """(unit's ids, subject, value, weight) of each vote."""
    ids = list(zip(*(column.to_pylist() for column in ratings.units.values()), strict=True))
    names = ratings.subjects or ("",)
    return [
        (ids[u], names[s], ratings.names[v], w)
        for u, s, v, w in zip(
            ratings.unit.tolist(),
            ratings.subject.tolist(),
            ratings.value.tolist(),
            ratings.weight.tolist(),
            strict=True,
        )
    ]


def test_repeats_share_a_vote() -> None:
    votes = ft.Judgments.from_columns(
        ["q"] * 4, ["a"] * 4, [1, 0, 1, 1], subject=[*"ssst"], repeat=[1, 2, 3, 1]
    )
    assert [row[1:] for row in rows(make_ratings(votes))] == [
        ("s", "0", 1 / 3),
        ("s", "1", 1 / 3),
        ("s", "1", 1 / 3),
        ("t", "1", 1.0),
    ]


@pytest.mark.parametrize(
    ("votes", "said"),
    [
        (ft.Judgments.from_probabilities(["q"], ["a"], [0.5]), "these are probabilities"),
        (ft.Judgments.from_dict({"q": {"a": 1}}), "unknown author"),
    ],
)
def test_votes_of_nobody_are_refused(votes: ft.Judgments, said: str) -> None:
    with pytest.raises(ft.errors.DataError, match=said):
        make_ratings(votes)

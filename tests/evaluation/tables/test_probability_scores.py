"""Brier and log score against votes, by loops over votes and published properties."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import MissingQueryWarning, UnjudgedItemWarning

NAMES = ["cat", "dog", "cow"]


TAX = ft.Taxonomy.from_children({"all": NAMES})


def votes_of(seed: int, *, weights: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{s}", f"i{i}", str(rng.choice(NAMES)), float(rng.integers(1, 4)) if weights else 1.0)
        for i in range(6)
        for s in range(4)
        if s == 0 or rng.random() < 0.7
    ]
    return pd.DataFrame(rows, columns=["subject", "item", "category", "weight"])


@pytest.mark.parametrize("weights", [False, True])
def test_scores_are_expected_over_votes(weights: bool) -> None:
    frame = votes_of(1, weights=weights)
    votes = ft.Assignments.from_frame(frame, taxonomy=TAX)
    items = ["i3", "i0", "i5", "i1", "i2", "i4"]
    columns = ["dog", "cow", "cat"]
    p = {name: np.random.default_rng(k).dirichlet(np.ones(3), 6) for k, name in enumerate("xy")}
    scores = ft.classification.probability_scores(votes, p, items=items, categories=columns)
    assert scores.systems == ("x", "y")
    assert scores.queries == tuple(items)
    assert scores.higher_is_better == (False, False)
    for s, matrix in enumerate(p.values()):
        for q, item in enumerate(items):
            rows = frame[frame["item"] == item]
            right = np.array([[float(c == given) for c in columns] for given in rows["category"]])
            brier = ((matrix[q] - right) ** 2).sum(axis=1)
            log = -np.log((matrix[q] * right).sum(axis=1))
            for m, each in enumerate((brier, log)):
                want = np.average(each, weights=rows["weight"])
                assert scores.values[s, m, q] == pytest.approx(want, abs=1e-12)


def test_both_are_proper() -> None:
    votes = ft.Assignments.from_frame(votes_of(2), taxonomy=TAX)
    m = votes.membership()
    items = votes.items.to_pylist()
    share = np.array([[m.direct(i).get(c, 0.0) for c in NAMES] for i in items])
    rng = np.random.default_rng(0)
    others = {f"o{k}": 0.8 * share + 0.2 * rng.dirichlet(np.ones(3), 6) for k in range(20)}
    options: Any = {"items": items, "categories": NAMES}
    scores = ft.classification.probability_scores(
        votes, {"share": share, **others}, clip=1e-9, **options
    )
    assert (scores.values[0] < scores.values[1:] + 1e-12).all()
    entropy = -(share * np.log(np.where(share > 0, share, 1))).sum(axis=1)
    np.testing.assert_allclose(scores.values[0, 1], entropy, atol=1e-12)
    np.testing.assert_allclose(scores.values[0, 0], 1 - (share**2).sum(axis=1), atol=1e-12)
    soft = ft.Membership.from_probabilities(share, **options)  # whose labels are votes
    again = ft.classification.probability_scores(soft, {"share": share}, clip=1e-9, **options)
    np.testing.assert_allclose(again.values, scores.values[:1], atol=1e-12)


P = [[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]]


VOTES = ft.Assignments.from_columns(["s", "s"], ["a", "b"], ["cat", "cow"], taxonomy=TAX)
SEVERAL = ft.Assignments.from_columns(["s", "s"], ["a", "a"], ["cat", "cow"], taxonomy=TAX)
ASKED = pd.DataFrame({"subject": ["s"], "item": ["a"], "category": ["cat"]})
PARTLY = ft.Assignments.from_frame(ASKED, taxonomy=TAX, asked=ASKED)


def test_what_has_no_counterpart_is_left_out_with_a_count() -> None:
    with pytest.warns(MissingQueryWarning, match="^left out: 1 item with votes, but without a row"):
        scores = ft.classification.probability_scores(VOTES, P[:1], items=["b"], categories=NAMES)
    assert scores.queries == ("b",)
    with pytest.warns(UnjudgedItemWarning, match="^left out: 1 row of probabilities, of items w"):
        scores = ft.classification.probability_scores(
            VOTES, [*P, P[0]], items=["a", "b", "z"], categories=NAMES
        )
    assert scores.queries == ("a", "b")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"p": [[0.5, 0.5, 0.5], P[1]]}, r"item 'a': the row sums to 1.5, not 1; give all"),
        ({"p": [[-0.5, 1, 0.5], P[1]]}, "item 'a', category 'cat': value -0.5 is no probability"),
        ({"p": [[np.nan, 1, 0], P[1]]}, "row 1 .*'a'.*, column 1 .*'cat'.*: nan is not allowed"),
        ({"p": P[:1]}, r"shape \(1, 3\) does not fit 2 items and 3 categories"),
        ({"p": "text"}, "must be rows × columns of numbers"),
        ({"p": {"x": P, "y": [[9.0, 1, 1], P[1]]}}, "^p of system 'y', item 'a', category 'cat'"),
        ({"p": {}}, "there is no system in it"),
        ({"p": [[0, 0.5, 0.5], P[1]]}, "item 'a', category 'cat': probability 0, but .*clip=1e-6"),
        ({"items": ["a", "a"]}, "^items: 'a' is listed twice among the items"),
        ({"items": ["x", "y"]}, "^items: none of them has votes; items are such as 'x', and"),
        ({"items": "ab"}, "^items='ab': must be a list of ids"),
        ({"categories": ["cat", "dog", "wolf"]}, "wolf"),
        ({"categories": ["cat", "dog", "all"]}, r"1 vote is for categories .*: 'cow' \(the first"),
        ({"measures": "brier"}, "^measures='brier': must be one of 'Brier', 'log score'"),
        ({"measures": ()}, "must be distinct names"),
        ({"clip": 0}, "clip=0.*: must be above 0"),
        ({"votes": 3}, "^votes=3: must be Assignments"),
        ({"votes": SEVERAL}, "vote on item 'a' is for 2 categories, but"),
        ({"votes": PARTLY}, "subjects were asked about some"),
        ({"items": None}, r"p: does not name its items; give items="),
    ],
)
def test_mistakes(changes: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"votes": VOTES, "p": P, "items": ["a", "b"], "categories": NAMES}
    given |= changes
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.classification.probability_scores(given.pop("votes"), given.pop("p"), **given)

"""RBP, ERR, Compat and C/W/L measures: definitions, examples of their papers, large grades."""

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query
from support.definitions import hold_to_definition
from support.golden import value
from support.variants import variants_in

import fuzzytruth as ft

SCALE = query([0, 2, None, 3, 1])
DISCOUNT = 1 / np.log2(np.arange(2, 5))


@pytest.mark.parametrize("measure", variants_in("user_models"), ids=str)
def test_definition(measure) -> None:
    hold_to_definition(measure)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (query([1, 0, 1]), {"RBP": 0.2 * (1 + 0.64)}),  # Moffat and Zobel 2008
        (query([0, 1, 1]), {"RBP(p=0.5)@2": 0.25}),
        (  # rank 2, rank 4 and all from 5 on are open
            query([1, None, 0, None]),
            {"RBPResidual": 0.2 * 0.8 + 0.2 * 0.8**3 + 0.8**4, "RBPResidual@3": 0.16 + 0.8**3},
        ),
        (query([]), {"RBPResidual": 1, "BPM@5": 0, "SDCG@5": 0, "NERR10": 0, "INST": 0, "INSQ": 0}),
        (query([0, None, -1]), {"NERR8@5": 0, "NERR9@5": 0, "NERR11": 0, "INST": 0, "Compat": 0}),
        # the ideal list is (second, first): overlap 0 and 1 at depths 1 and 2
        (query([1, 2]), {"Compat(p=0.5)": 0.5 / 1.5, "Compat(p=0.5,normalize=False)": 0.5 / 1.5}),
        (query([1], [1]), {"Compat(p=0.5)": (1 + 0.25) / (1 + 0.5)}),
        (query([2, 1, 1]), {"Compat": 1}),
        (query([1, 1, 0, None]), {"Compat": 1}),
        (
            SCALE,  # BPM of T=0.5 has enough at rank 2
            {"BPM(T=0.5)@5": (2 / 3) / 2, "BPM(T=9)@5": (2 / 3 + 1 + 1 / 3) / 5}
            | {"NERR8@3": (2 / 3) / (1 + 1 + 1 / 3), "NERR9@3": (2 / 3 / 2) / (1 + 1 / 2 + 1 / 9)}
            | {"SDCG@3": 2 / 3 * DISCOUNT[1] / DISCOUNT.sum()},
        ),
        (query([3, 3]), {"INST(T=0.5)@5": 1, "NERR8@5": 1}),  # a user who stops for certain
    ],
)
def test_by_hand(answer, expected: dict[str, float]) -> None:
    found = {text: value(text, batch_of(answer)) for text in expected}
    assert found == pytest.approx(expected, abs=1e-12)


def test_expected_reciprocal_rank_of_chapelle_2009() -> None:
    """Grades 3, 2, 4 of 0..4; R = 7/16, 3/16, 15/16."""
    batch = batch_of(query([3, 2, 4]), top_grade=4)
    expected = 7 / 16 + 9 / 16 * 3 / 16 / 2 + 9 / 16 * 13 / 16 * 15 / 16 / 3
    assert value("ERR", batch) == pytest.approx(expected)
    with pytest.raises(ft.errors.MeasureError, match="a grade of 4, which is above gmax"):
        value("ERR(gmax=2)", batch)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_expected_residual_of_an_item_that_one_of_two_people_judged() -> None:
    """p = .8, ranks 1 and 3: b is in the pool of one of them, and judged by the other."""
    rows = [("q", "a", "ann", 1), ("q", "a", "bob", 0), ("q", "b", "ann", -1), ("q", "b", "bob", 1)]
    truth = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"a": 3.0, "u": 2.0, "b": 1.0}}}
    names = ["RBPResidual", "RBPResidual(judged_only=True)"]
    scores = ft.evaluate(truth, runs, names, worlds="independent", rng=0, n_worlds=2000)
    assert scores.uncertainty.exact[0, :, 0].tolist() == [True, False]
    assert scores.values[0, 0, 0] == pytest.approx(0.8 - 0.5 * 0.128, abs=1e-12)
    assert scores.uncertainty.std[0, 0, 0] == pytest.approx(0.5 * 0.128, abs=1e-12)
    # Without u, b is at rank 2 where it is judged.
    error = 5 * scores.uncertainty.mc_error[0, 1, 0]
    assert scores.values[0, 1, 0] == pytest.approx(0.8 - 0.5 * 0.16, abs=error)

"""Measures of recall: by their definitions, by hand, and SHREC 2006."""

import pytest
from support.building import batch_of, query
from support.definitions import hold_to_definition
from support.golden import SHREC, value
from support.variants import variants_in


@pytest.mark.parametrize("measure", variants_in("recall"), ids=str)
def test_definition(measure) -> None:
    hold_to_definition(measure)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            query([0, 1, 1, 0, 0, 1], [1]),  # precision 1/2, 2/3, 3/6 at the relevant items
            {"IPrec@0.5": 2 / 3, "IPrec@0.75": 0.5, "IPrecAvg(levels=5)": (3 * 2 / 3 + 0.5) / 5},
        ),
        (
            query([0, 1, 0, 0, 1], [1]),
            {"NN": 0, "FT": 1 / 3, "ST": 2 / 3, "FT(norm=depth)": 1 / 3, "ST(norm=depth)": 2 / 5},
        ),
        (query([1, 1, 0, 0, 0]), {"NN": 1, "FT": 1, "ST": 1, "ST(norm=depth)": 0.5}),
        (query([1, 0, 0], ties=[3]), {"NN": 1 / 3}),
        # ideal 2, 1, 1: 0 of one item at rank 1, 2 of 2 at rank 2, 2 of 3 at rank 3
        (query([1, 2, 0], [1]), {"ADR": (0 + 2 / 2 + 2 / 3) / 3}),
        (query([0, 1], [2]), {"ADR": (0 + 1 / 2) / 2}),
    ],
)
def test_by_hand(answer, expected: dict[str, float]) -> None:
    found = {text: value(text, batch_of(answer)) for text in expected}
    assert found == pytest.approx(expected, abs=1e-14)


def test_shrec_2006() -> None:
    assert value("ADR") == pytest.approx(SHREC["ADR"], abs=5.1e-8)
    assert value("ADR") == pytest.approx(sum(SHREC["ADR_r"]) / len(SHREC["ADR_r"]), abs=1e-7)

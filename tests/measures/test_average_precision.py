"""AP and its relatives: by their definitions, by hand, and an example of NIST."""

import json

import pytest
from support.building import batch_of, query
from support.definitions import hold_to_definition
from support.golden import GOLDEN, value
from support.variants import variants_in


@pytest.mark.parametrize("measure", variants_in("average_precision"), ids=str)
def test_definition(measure) -> None:
    hold_to_definition(measure)


@pytest.mark.parametrize(
    ("answer", "text", "expected"),
    [
        (query([1, 0, None, 1, 2], [1]), "AP(norm=retrieved)", (1 / 1 + 2 / 4 + 3 / 5) / 3),
        # rank 1 relevant; rank 2 pooled, not judged; rank 3 relevant, 1 of 1 judged above it
        (query([1, -1, 1]), "infAP", (1 + 1 / 3 * (1 + 2 * (1 + 1e-5) / (1 + 2e-5))) / 2),
        (query([1, 0, 1], [0]), "bpref", (1 + (1 - 1 / 2)) / 2),
        (query([1, 0], ties=[2]), "bpref", 0.5),  # in half of the orders one of one is above
    ],
)
def test_by_hand(answer, text: str, expected: float) -> None:
    assert value(text, batch_of(answer)) == pytest.approx(expected, abs=1e-12)


def test_nist_average_precision() -> None:
    golden = json.loads((GOLDEN / "nist_average_precision.json").read_text())
    ranks = golden["relevant_ranks"]
    batch = batch_of(query([float(j in ranks) for j in range(1, 11)]))
    assert value("AP", batch) == pytest.approx(golden["AP"], abs=5.1e-8)
    assert round(value("AP", batch), 2) == golden["printed"]
    for rank, precision in zip(ranks, golden["precisions"], strict=True):
        assert value(f"P@{rank}", batch) == pytest.approx(precision, abs=5.1e-8)

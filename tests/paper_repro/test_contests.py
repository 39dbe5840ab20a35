"""The contests' examples against golden numbers."""

import pytest
from support.printed import column, golden

from paper_repro import contests, examples


def test_shrec_2006_is_the_golden_example() -> None:
    expected = golden("shrec2006_example")
    assert expected["gains_in_rank_order"] == examples.GAINS
    assert (expected["highly_relevant"], expected["relevant"]) == (6, 11)
    assert expected["collection_size"] == examples.COLLECTION
    vectors = {"CG": "CG", "DCG": "DCG", "ICG": "ideal_CG", "IDCG": "ideal_DCG"}
    vectors |= {"NCG": "nCG", "NDCG": "nDCG"}
    for name, key in vectors.items():
        assert examples.our_vector(name) == pytest.approx(expected[key], abs=5.1e-7)
        assert contests.vector_agrees(name) == [True] * len(expected[key])
    assert contests.our_dynamic_recalls() == pytest.approx(expected["ADR_r"], abs=1e-6)
    result = [float(x) for x in contests.ADR_FOUND.split()]
    assert [r * k for k, r in enumerate(contests.our_dynamic_recalls(), 1)] == pytest.approx(result)
    assert set(column(contests.shrec_numbers(), "agrees")) == {"yes"}
    assert len(contests.SHREC_NUMBERS) == 19
    assert set(column(contests.dynamic_recall(), "agrees")) == {"yes"}
    names = ("highly", "relevant_all")
    ours = {float(row[3].rstrip("%")) for row in contests.shrec_numbers().rows}
    for value in (v for name in names for v in expected[name].values()):
        assert any(abs(value - x) < 1e-6 or abs(100 * value - x) < 1e-4 for x in ours)


def test_fractions_of_shrec_2006() -> None:
    agree = column(contests.ncg_fractions(), "agree")
    assert [k for k, word in enumerate(agree, start=1) if word == "no"] == [8, 9, 10, 11]
    assert contests.wrong_fractions() == [8, 9, 10, 11]
    right = column(contests.ncg_fractions(), "right fraction")
    assert right[7:12] == ["11/14", "11/15", "12/16", "14/17", "14/17"]


def test_nist_is_the_golden_example() -> None:
    expected = golden("nist_average_precision")
    assert expected["relevant_ranks"] == contests.NIST_RANKS
    (ap,) = contests.nist_scores(["AP"], contests.NIST_RANKS)
    assert ap == pytest.approx(expected["AP"], abs=5.1e-8)
    assert column(contests.nist_numbers(), "agrees") == ["yes"] * 6
    assert contests.NIST_PRECISIONS == ["1", "1", "0.75", "0.57", "0.50"]
    assert column(contests.nist_numbers(), "printed")[2:4] == ["0, 75 (for 0.75)", "0.57"]

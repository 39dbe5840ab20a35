"""The contests' measures as printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzytruth as ft
from paper_repro import as_printed as printed


def test_tiers_of_shrec_2006() -> None:
    gains = [2, 2, 1, 2, 2, 1, 0, 1, 0, 1, 2, 0, 0, 0]
    assert printed.first_tier(gains, 6, 11) == 6 / 6  # its example says 9/11
    assert printed.second_tier(gains, 6, 11) == 9 / 14  # as its example: 14 < 2 Cr
    longer = gains + [0] * 8  # 22 = 2 Cr
    assert printed.second_tier(longer, 6, 11) == 9 / 12
    assert printed.first_tier(gains[:10], 6, 11) == 8 / 10  # Va < Cr
    for bad in (([], 1, 1), ([1], 0, 1), ([1], 2, 1)):
        with pytest.raises(ft.errors.DataError):
            printed.first_tier(*bad)


def test_tiers_of_shrec_2019() -> None:
    assert printed.tier_outside_collection([1] * 20, 20) == 0.95
    assert printed.tier_outside_collection([0] * 38 + [1] * 20, 20, tier=2) == 0
    assert printed.tier_outside_collection([0] * 37 + [1] * 20, 20, tier=2) == 1 / 20
    with pytest.raises(ft.errors.DataError, match="class_size=1"):
        printed.tier_outside_collection([1], 1)


@given(st.floats(0, 1), st.floats(0, 1))
def test_e_measures_are_each_others_complement(p: float, r: float) -> None:
    e, psb = printed.e_measure(p, r), printed.e_measure_psb(p, r)
    assert e + psb == pytest.approx(1)
    assert 0 <= psb <= 1 + 1e-12
    if p * r > 1e-6:
        assert psb == pytest.approx(2 * p * r / (p + r))


def test_e_measures_of_the_library() -> None:
    truth = {"q": {"a": 1, "b": 1, "c": 1, "d": 0}}
    scores = ft.evaluate(truth, {"s": {"q": {"a": 3, "d": 2}}}, ["E@32", "EPSB@32"]).values
    assert scores.ravel().tolist() == pytest.approx(
        [printed.e_measure(1 / 32, 1 / 3), printed.e_measure_psb(1 / 32, 1 / 3)]
    )
    with pytest.raises(ft.errors.DataError, match="recall"):
        printed.e_measure(0.5, 1.5)


def test_precision_at_full_recall_is_not_r_precision() -> None:
    relevant = [1, 1, 0, 1, 0, 0, 1, 0, 0, 1]
    assert printed.precision_at_full_recall(relevant) == 0.5
    assert sum(relevant[: sum(relevant)]) / sum(relevant) == 0.6
    with pytest.raises(ft.errors.DataError, match="no answer is relevant"):
        printed.precision_at_full_recall([0, 0])


def test_nearest_neighbour_by_the_letter_is_a_share_of_the_class() -> None:
    assert printed.nearest_neighbour([1, 0, 1], 20) == 1 / 20
    assert printed.nearest_neighbour([0, 1, 1], 20) == 0
    with pytest.raises(ft.errors.DataError, match="class_size=0"):
        printed.nearest_neighbour([1], 0)


def test_all_texts_among_the_first_or_any() -> None:
    ranks = [2, 4, 6, 8, 10]
    assert [printed.all_among_the_first(ranks, k) for k in (1, 9, 10)] == [0, 0, 1]
    similarity = [[-1.0, -2, -3, -4, -5, -6, -7, -8, -9, -10], [0.0] * 10]
    image_of_text = [1, 0] * 5  # texts of image 0 at ranks 2, 4, ...
    scores = ft.image_text(similarity, image_of_text, cutoffs=(1, 2), unit="fraction").to_frame()
    any_text = scores[scores["query"] == "image 0"].set_index("measure")["value"]
    assert any_text[["i2t R@1", "i2t R@2"]].tolist() == [0, 1]

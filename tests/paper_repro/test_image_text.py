"""The protocol of image–text matching, by counting."""

import math

import numpy as np
import pytest

from paper_repro import image_text


def test_all_claims_agree() -> None:
    rows = image_text.image_text_claims()
    assert len(rows) == 6
    assert all(row.agrees for row in rows), [row for row in rows if not row.agrees]


def test_the_ranked_texts_are_at_their_ranks() -> None:
    order = np.argsort(-image_text.ranked_texts()[0])
    assert sorted(np.flatnonzero(order < 5) + 1) == list(image_text.RANKS)


@pytest.mark.parametrize("k", [1, 5, 10])
def test_chance_level_by_counting(k: int) -> None:
    none = math.comb(4995, k) / math.comb(5000, k)
    assert image_text.chance(f"i2t R@{k}") == pytest.approx(100 * (1 - none))
    assert image_text.chance(f"t2i R@{k}") == pytest.approx(100 * k / 1000)

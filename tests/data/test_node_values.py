"""Values of categories."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.small_taxonomies import FIGURE

import fuzzytruth as ft
from fuzzytruth.data.similarity import values_of_all, values_of_some


def test_values_must_fit() -> None:
    with pytest.raises(ft.TaxonomyError, match=r"values, row 1.*'cat' is not among"):
        FIGURE.to_text({"cat": 1})
    with pytest.raises(ft.DataError, match=r"values of shape \(3,\): must be \(8,\)"):
        FIGURE.to_text([1, 2, 3])
    with pytest.raises(ft.DataError, match="values"):
        FIGURE.to_text({"all": float("nan")})
    assert FIGURE.to_text(pd.Series({"all": 1.0})).startswith("all ")


def test_values_by_name_and_by_position() -> None:
    some = values_of_some(FIGURE, {"people": 1, "all": 2}, "x")
    assert some == {"people": 1.0, "all": 2.0}
    assert values_of_some(FIGURE, np.arange(8), "x") == dict(zip(FIGURE, range(8), strict=True))
    assert values_of_all(FIGURE, dict(zip(FIGURE, range(8), strict=True)), "x").tolist() == [
        *range(8)
    ]
    with pytest.raises(ft.DataError, match=r"x: there is none for 6 of 8 categories \('scenery', "):
        values_of_all(FIGURE, {"people": 1, "all": 2}, "x")

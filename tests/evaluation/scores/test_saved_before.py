"""Scores that were saved by an earlier version are read with the numbers that they had then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

SAVED = Path(__file__).parents[2] / "reference_data" / "saved_scores"
EXPECTED: dict[str, Any] = json.loads((SAVED / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")  # a system of one value
@pytest.mark.parametrize("kind", EXPECTED)
def test_older_files_are_read(kind: str) -> None:
    scores, expected = ft.Scores.load(SAVED / f"{kind}.parquet"), EXPECTED[kind]
    assert repr(scores) == expected["repr"]
    np.testing.assert_allclose(scores.mean().to_numpy(), expected["mean"], rtol=1e-12)
    for over in ("query", "subject", "world"):
        if expected[over] is None:
            with pytest.raises(ft.FuzzytruthError):
                scores.summary(over=over)
        else:
            # in JSON, infinite ends are missing
            given = pd.DataFrame(expected[over]["data"], columns=expected[over]["columns"])
            pd.testing.assert_frame_equal(
                scores.summary(over=over).replace([-np.inf, np.inf], np.nan),
                given,
                check_dtype=False,
                rtol=1e-9,
            )
    if "distribution" in expected:
        of_means = scores.mean_distribution("a", scores.measures[0])
        assert [of_means.mean(), of_means.std()] == pytest.approx(expected["distribution"])

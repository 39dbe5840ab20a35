"""Warnings of comparisons count what they are about."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.comparison.compare import warn_of_missing
from fuzzytruth.errors import MissingCellWarning


def test_missing_values_are_those_that_another_system_has() -> None:
    values = np.array([[1.0, np.nan, np.nan], [1.0, 2.0, np.nan]])
    with pytest.warns(MissingCellWarning, match="^1 value is missing where another system has one"):
        warn_of_missing([values])
    with pytest.warns(MissingCellWarning, match="^2 values are missing"):
        warn_of_missing([values, values[::-1]])
    warn_of_missing([np.array([[np.nan, 1.0], [np.nan, 2.0]])])  # nobody has it: not missing

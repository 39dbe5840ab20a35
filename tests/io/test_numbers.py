"""Columns of numbers: the first that is none is named."""

from typing import Any

import numpy as np
import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.numbers import check_counts, check_numbers, check_probabilities, check_weights


@pytest.mark.parametrize(
    ("check", "given", "message"),
    [
        (
            check_numbers,
            [1, np.nan],
            r"^t, row 2, column 'n': value nan is not a finite number",
        ),
        (check_numbers, [1, "x"], "^t, row 2, column 'n': value 'x' is not a number$"),
        (check_numbers, [1, None], "row 2, column 'n': value None is not a finite number"),
        (check_numbers, np.array(["2020-01-01"], "M8[D]"), "row 1, .* is not a number$"),
        (check_numbers, [1j], "row 1, .* is not a number$"),
        (check_numbers, [[1], [2]], r"row 1, column 'n': value \[1\] is not a number"),
        (check_numbers, [np.ones(1)] * 2, r"row 1, column 'n': value array.* is not a number"),
        (check_numbers, ["1", "0,5"], r"'0,5' is not a number; .* decimal one, write 0\.5$"),
        (check_numbers, ["1_0"], r"value '1_0' is not a number"),  # Python's separator
        (check_numbers, ["2", b"1_0"], r"value .*'1_0'.* is not a number"),
        (check_numbers, np.array(["1_0"]), r"value .*'1_0'.* is not a number"),
        (check_numbers, [1.0, "1_0"], r"value '1_0' is not a number"),
        (check_probabilities, [0, -0.1], "row 2, column 'n': value -0.1 is not a probab"),
        (check_probabilities, [0, 1.1], "row 2, column 'n': value 1.1 is not a probab"),
        (check_weights, [3, -1], "^t, row 2, column 'n': value -1 is negative; give a num"),
        (check_weights, [3, "x"], "^t, row 2, column 'n': value 'x' is not a number$"),
        (
            check_counts,
            [3, -1],
            "^t, row 2, column 'n': value -1 is not a number of people",
        ),
        (check_counts, [0.5], "value 0.5 is not a number of people; give a whole number from 0$"),
        (check_counts, [2.0**53], "value 9.0072e.15 is not a number of people"),
    ],
)
def test_what_is_no_number(check: Any, given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        check(given, "n", "t")

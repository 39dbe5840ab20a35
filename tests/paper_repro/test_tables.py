"""Agreement of printed and computed numbers."""

import pytest

from paper_repro.tables import agrees, number_claim


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.6", 0.6, True),
        ("0.6", 0.69, True),  # cut off
        ("0.6", 0.7, False),
        ("0.819", 0.8192, True),
        ("0.819", 0.8201, False),
        ("66.667%", 2 / 3, True),
        ("66.667%", 0.67, False),
        ("5", 5.0, True),
        ("5", 5.001, False),
    ],
)
def test_printed_numbers_agree(printed: str, ours: float, same: bool) -> None:
    assert agrees(printed, ours) is same
    assert number_claim("x", "y", printed, ours).agrees is same

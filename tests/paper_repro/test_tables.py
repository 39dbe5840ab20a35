"""Agreement of printed and computed numbers."""

import pytest

from paper_repro.tables import PRINTS, Claim, Text, agrees, number_claim


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


def test_a_claim_is_settled_if_it_agrees_or_is_explained() -> None:
    wrong = number_claim("x", "y", "0.5", 0.7)
    assert (wrong.whose, wrong.agrees, wrong.settled) == (PRINTS, False, False)
    assert Claim("x", "y", PRINTS, "0.5", "0.7", agrees=False, why="row c1").settled
    assert Text("a\nb")._repr_markdown_() == "```text\na\nb\n```"
    assert repr(Text("a\nb")) == "Text(2 lines)"

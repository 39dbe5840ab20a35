"""What cannot be meant as it stands is refuted, and called a misprint only where it is one."""

from typing import get_args

import pytest

from paper_repro import as_printed, misprints
from paper_repro.document import FOLDER
from paper_repro.misprint import Kind

KINDS = {
    "misprint": {1, 2, 3, 8, 9, 11, 12, 15, 16, 17, 19},
    "error": {10, 24},
    "wording": {21, 23, 25, 26, 27, 28},
    "other reading": {5, 6},
    "our copy": {4, 7, 13},
    "approximation": {14},
    "comma": {18, 20, 22},
}


def test_each_is_refuted_and_of_its_kind() -> None:
    rows = misprints.slips()
    assert len(rows) == len(misprints.table().rows) == len({row.where for row in rows})
    numbers = dict(enumerate(rows, start=1))
    assert {kind: {n for n, row in numbers.items() if row.kind == kind} for kind in KINDS} == KINDS
    assert set(get_args(Kind)) == set(KINDS)
    for row in rows:
        assert row.refuted, row
        assert row.gives != row.ours, row
        assert all((row.where, row.printed, row.why, row.meant)), row
    assert misprints.kinds().startswith("misprint (11), wording (6)")


def test_the_other_reading_of_8_is_right() -> None:
    """Descendants for children: what (8) gives is then the share of votes in the subtree."""
    rows = [row for row in misprints.slips() if row.kind == "other reading"]
    assert [row.where for row in rows] == ["Santini (8)", "Santini (8) arrow"]
    assert "p(all), p(people) = 1, 0.6" in rows[0].why


@pytest.mark.parametrize(
    ("where", "gives", "ours"),
    [
        ("Santini (6)–(8)", "p(city) = 0.2", "p(city) = 0.4"),
        ("Santini (8)", "p(all) = 0.4", "p(all) = 1"),
        ("Santini (8) arrow", "p(people) = 0.4", "p(people) = 0.6"),  # two of five, none for all
        # (1 - .6)(1 - .2) = .32, and .6 · .2 = .12; as it stands: .24 + .16 and .24 · .16
        ("Santini (10)", "1, 0.4, 0.0384: sum 1.4384", "0.32, 0.56, 0.12: sum 1"),
        ("Santini (11)", "0.16, 0.28, 0.06: sum 0.5", "sum 1"),
        ("Santini (12)", "sum 0.833333", "sum 1"),  # 1 / 1.2
        ("Santini (13), (14)", "sum to 2.6, probabilities to 2.6", "probabilities to 1"),
        ("Santini (14), left side", "recall 1", "recall 0.2"),
        ("Santini (16), (17)", "w = 1.5", "w = 2.5"),  # 1·|1-2| + .5·|2-3|; 1·|1-3| + .5·|2-1|
        ("Santini (22)", "w_B = m Σ s = 4", "w_B = 2.8"),  # 4 · (.8 + .2); .8·3 + .2·2
        ("Santini (23)", "w_B = 10 with N = 10", "w_B = 10, 6.8, 7.4"),
        ("SHREC 2006, tiers (relevant)", "tier 100.000%", "first tier 81.818%"),
        ("SHREC 2006, NCG", "0.8462, 0.7857, 0.8000, 0.8750", "0.7857, 0.7333, 0.7500, 0.8235"),
        ("SHREC 2006, NDCG", "0.852467", "NDCG at rank 14 = 0.852467, NCG = 0.823529"),
        ("SHREC 2006, NDCG, third fraction", "1", "0.880094"),  # 4.63093 / 5.2618594
        ("SHREC 2006, NDCG, decimals", "13 entries", "14 entries"),
        ("NIST, R-precision", "0.5", "0.6"),  # 5 of 10, and 3 of 5
        ("NIST, average precision", "6 numbers", "5 numbers, mean 0.764286"),
        ("SHREC 2019 and NIST, E-measure", "perfect answer 0, a useless one 1", "EPSB = 1"),
        ("SHREC 2019, tiers", "first tier 0.95", "first tier 1"),
        ("Santini, after (2)", "specificity 0.666667", "0.5"),  # 4 of 6; 2 of 4
        ("SHREC 2019 and NIST, nearest neighbour", "NN 0.05", "NN 1"),
        ("Image–text, i2t_R@K", "R@10 = 0", "R@10 = 1"),
        ("Image–text, t2i", "i2t above t2i", "0.996 and 1.000"),
    ],
)
def test_numbers_by_hand(where: str, gives: str, ours: str) -> None:
    (row,) = (row for row in misprints.slips() if row.where == where)
    assert gives in row.gives
    assert ours in row.ours


def test_every_printed_formula_is_used() -> None:
    parts = [*FOLDER.glob("misprints_of_*.py"), FOLDER / "figure1.py"]
    text = "".join(path.read_text(encoding="utf-8") for path in parts)
    assert [name for name in as_printed.__all__ if f"as_printed.{name}(" not in text] == []

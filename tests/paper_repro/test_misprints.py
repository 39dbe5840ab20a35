"""Part (c): every misprint is refuted."""

from collections import Counter
from typing import get_args

import pytest

from paper_repro import as_printed, misprints
from paper_repro.document import FOLDER
from paper_repro.misprint import Where
from paper_repro.tables import EXAMPLE, PRINTS

# The rows of the list of misprints that the reproduction has to show.
MISPRINTS = [
    "Santini (1), (2)",
    "(6)–(8)",
    "(6)",
    "(8)",
    "(8) arrow",
    "(10) second product",
    "(11)",
    "(12)",
    "(13), (14)",
    "(14) left side",
    "(16), (17)",
    "(22)",
    "(23)",
    "SHREC 2006 tiers (relevant)",
    "SHREC 2006 NCG",
    "SHREC 2006 NDCG label",
    "SHREC 2006 NDCG comma",
    "SHREC 2006 NDCG third fraction",
    "SHREC 2006 NDCG decimals",
    "NIST R-precision",
    "NIST average precision",
    "E-measure (SHREC 2019, NIST)",
    "SHREC 2019 tiers",
]


def test_every_misprint_is_listed_and_refuted() -> None:
    rows = misprints.misprints()
    assert list(dict.fromkeys(row.where for row in rows)) == MISPRINTS
    assert len(misprints.misprints_table().rows) == len(rows)
    for row in rows:
        assert row.refuted, row
        assert row.gives != row.ours, row
        assert all((row.printed, row.why, row.chosen, row.reason, row.source)), row
        assert row.in_print in get_args(Where)
        assert row.whose in (PRINTS, EXAMPLE)
    last = misprints.misprints_table().columns[-1]
    assert last == "print or lost in the scan?"
    counts = Counter(row.in_print for row in rows)
    assert counts["cannot be told"] == 2  # strokes: bars, and that of a ≠
    assert {name: misprints.counts(name) for name in counts} == counts


@pytest.mark.parametrize(
    ("where", "gives", "ours"),
    [
        ("(6)–(8)", "p(city) = 0.2", "p(city) = 0.4"),
        ("(8)", "p(all) = 0.4", "p(all) = 1"),
        ("(8) arrow", "p(people) = 0.4", "p(people) = 0.6"),  # two votes of five, none for all
        ("SHREC 2006 NDCG label", "0.852467", "NDCG at rank 14 = 0.852467, NCG = 0.823529"),
        ("SHREC 2006 NDCG comma", "4.0/4 = 1, and 0", "1"),
        ("SHREC 2006 NDCG third fraction", "1", "0.880094"),  # 4.63093 / 5.2618594
        ("SHREC 2006 NDCG decimals", "13 entries", "14 entries, 0.816423, 0.852467"),
        ("NIST R-precision", "0.5", "0.6"),  # 5 of 10, and 3 of 5
        ("NIST average precision", "6 numbers, mean 13.0117", "5 numbers, mean 0.764286"),
        # (1 - .6)(1 - .2) = .32, and .6 · .2 = .12; printed: .24 + .16 and .24 · .16
        ("(10) second product", "1, 0.4, 0.0384: sum 1.4384", "0.32, 0.56, 0.12: sum 1"),
        ("(11)", "0.16, 0.28, 0.06: sum 0.5", "mean 0.4"),
        ("(12)", "sum 0.833333", "sum 1"),  # 1 / 1.2
        ("(13), (14)", "weights sum to 2.6, probabilities to 2.6", "sum to 1, probabilities to 1"),
        ("(14) left side", "recall 1", "recall 0.2"),
        ("(16), (17)", "w = 1.5", "w = 2.5"),  # 1·|1-2| + .5·|2-3|; 1·|1-3| + .5·|2-1|
        ("(22)", "w_B = m Σ s = 4", "w_B = 2.8"),  # 4 · (.8 + .2); .8·3 + .2·2
        ("(23)", "w_B = 10 with N = 10", "w_B = 10, 6.8, 7.4"),
        ("SHREC 2006 tiers (relevant)", "tier 100.000%", "first tier 81.818%"),
        ("SHREC 2006 NCG", "0.8462, 0.7857, 0.8000, 0.8750", "0.7857, 0.7333, 0.7500, 0.8235"),
        ("E-measure (SHREC 2019, NIST)", "a perfect answer 0, a useless one 1", "EPSB = 1"),
        ("SHREC 2019 tiers", "first tier 0.95", "first tier 1"),
    ],
)
def test_misprints_by_hand(where: str, gives: str, ours: str) -> None:
    (row,) = (row for row in misprints.misprints() if row.where == where)
    assert gives in row.gives
    assert ours in row.ours


def test_every_printed_formula_is_used() -> None:
    parts = [*FOLDER.glob("misprints_of_*.py"), FOLDER / "graph.py"]
    text = "".join(path.read_text(encoding="utf-8") for path in parts)
    unused = [name for name in as_printed.__all__ if f"as_printed.{name}(" not in text]
    assert unused == []

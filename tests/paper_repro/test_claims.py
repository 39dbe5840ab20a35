"""The last table."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib").use("Agg")

from paper_repro import claims, contests, examples, figure1, misprints, worked_lists


def test_the_last_table_has_every_row() -> None:
    rows = claims.all_claims()
    table = claims.claims_table()
    assert table.columns == ("claim", "source", "printed", "ours", "agrees")
    assert len(table.rows) == len(rows) == len({(row.claim, row.source) for row in rows})
    wrong = [row.claim for row in rows if not row.agrees]
    assert wrong == [f"{row.where}: {row.printed}" for row in misprints.misprints()]
    n = len(figure1.PRINTED_FIGURE) + len(contests.SHREC_NUMBERS) + len(examples.VECTORS)
    n += len(contests.NIST_RANKS) + len(worked_lists.BY_HAND) + len(misprints.misprints())
    assert len(rows) == n + 13  # and what is claimed in words, ADR's parts and NIST's AP
    assert [row[-1] for row in table.rows] == ["yes" if row.agrees else "no" for row in rows]
    assert claims.summary().rows == ((str(len(rows)), str(len(rows) - len(wrong)), "17"),)


def test_agreement_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(figure1.PRINTED_FIGURE, "crowd", "0.3")
    assert [row.claim for row in figure1.figure1_claims() if not row.agrees] == [
        "p(crowd) of the image of Figure 1"
    ]
    monkeypatch.setitem(examples.VECTORS, "CG", ("2 4 5 7 9 10 10 11 11 12 14 14 14 15", "CG"))
    assert contests.vector_agrees("CG") == [True] * 13 + [False]
    assert [row.claim for row in contests.contest_claims() if not row.agrees] == ["vector CG′"]

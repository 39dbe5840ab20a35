"""Every claim agrees, and would not if a printed number were another."""

import pytest

from paper_repro import claims, contests, examples, figure1


def test_every_claim_is_somebody_s_and_agrees() -> None:
    rows = claims.all_claims()
    assert len(rows) == len({(row.claim, row.source) for row in rows})
    assert [row for row in rows if not row.agrees] == []
    assert {row.whose for row in rows} == set(claims.SECOND)
    assert sum(map(claims.n_claims, claims.SECOND)) == len(rows)
    for whose in claims.SECOND:
        assert len(claims.table(whose).rows) == claims.n_claims(whose)
    printed = len(figure1.PRINTED_FIGURE) + len(contests.SHREC_NUMBERS) + len(examples.VECTORS)
    assert claims.n_claims(claims.PRINTS) > printed + len(contests.NIST_RANKS)


def test_agreement_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(figure1.PRINTED_FIGURE, "crowd", "0.3")
    (row,) = (row for row in figure1.figure1_claims() if not row.agrees)
    assert row.claim == "p(crowd) of the image of Figure 1"
    monkeypatch.setitem(examples.VECTORS, "CG", ("2 4 5 7 9 10 10 11 11 12 14 14 14 15", "CG"))
    assert contests.vector_agrees("CG") == [True] * 13 + [False]
    assert [row.claim for row in contests.contest_claims() if not row.agrees] == ["vector CG′"]

"""The last tables: whose each claim is, and whether it agrees or is explained."""

import pytest

from paper_repro import claims, contests, examples, figure1, misprints, tables


def test_every_claim_is_somebody_s_and_settled() -> None:
    rows = claims.all_claims()
    assert len(rows) == len({(row.claim, row.source) for row in rows})
    assert {row.whose for row in rows} == set(claims.KINDS)
    assert all(row.settled for row in rows)
    wrong = [row for row in rows if not row.agrees]
    assert [row.claim for row in wrong] == [
        f"{row.where}: {row.printed}" for row in misprints.misprints()
    ]
    assert [row.why for row in wrong] == [f"row c{n}" for n in range(1, len(wrong) + 1)]


def test_numbers_add_up() -> None:
    *kinds, everything = [tuple(map(int, row[1:])) for row in claims.summary().rows]
    assert [sum(column) for column in zip(*kinds, strict=True)] == list(everything)
    total, agree, explained, neither = everything
    assert (total, agree + explained, neither) == (len(claims.all_claims()), total, 0)
    assert explained == len(misprints.misprints()) == 24
    # what the sources print: a tree, measures, vectors, precisions
    printed = sum(row.whose == tables.PRINTS for row in claims.all_claims())
    numbers = len(figure1.PRINTED_FIGURE) + len(contests.SHREC_NUMBERS) + len(examples.VECTORS)
    assert printed > numbers + len(contests.NIST_RANKS)


def test_agreement_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(figure1.PRINTED_FIGURE, "crowd", "0.3")
    (row,) = (row for row in figure1.figure1_claims() if not row.agrees)
    assert row.claim == "p(crowd) of the image of Figure 1"
    assert not row.settled
    assert claims.verdict(row) == "no"
    monkeypatch.setitem(examples.VECTORS, "CG", ("2 4 5 7 9 10 10 11 11 12 14 14 14 15", "CG"))
    assert contests.vector_agrees("CG") == [True] * 13 + [False]
    assert [row.claim for row in contests.contest_claims() if not row.agrees] == ["vector CG′"]

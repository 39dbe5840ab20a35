"""Relations between calls of the public verbs, on a few random data; `make fuzz` tries many."""

from __future__ import annotations

import pytest

from fuzz.relations import RELATIONS, SUBJECTS, Case, failure


@pytest.mark.parametrize("seed", range(len(SUBJECTS)))
@pytest.mark.parametrize("name", RELATIONS)
def test_relation(name: str, seed: int) -> None:
    assert failure(name, seed) is None


def test_a_relation_that_does_not_hold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(case: Case) -> None:
        assert case.scores.values.sum() < 0

    monkeypatch.setitem(RELATIONS, "wrong", wrong)
    assert "case.scores.values.sum() < 0" in str(failure("wrong", 0))

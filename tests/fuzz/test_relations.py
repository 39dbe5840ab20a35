"""Relations between calls of the public verbs, on a few drawn cases; `make fuzz` tries many."""

import pytest

from fuzz.cases import DESIGN, SUBJECTS, WORLDS, Case
from fuzz.relations import RELATIONS, failure

CASES = 3  # of each relation, which together have all rows of the design


@pytest.mark.parametrize("number", range(len(RELATIONS)), ids=list(RELATIONS))
def test_relation(number: int) -> None:
    name = list(RELATIONS)[number]
    seeds = range(CASES * number, CASES * number + CASES)
    assert [found for seed in seeds if (found := failure(name, seed))] == []


def test_cases_are_of_all_kinds() -> None:
    cases = [Case(seed) for seed in range(len(DESIGN))]
    assert len(DESIGN) <= CASES * len(RELATIONS)
    assert {case.kind for case in cases} == set(WORLDS)
    assert {case.n_subjects for case in cases} == set(SUBJECTS)


def test_a_relation_that_does_not_hold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(seed: int) -> None:
        assert Case(seed).queries == []

    monkeypatch.setitem(RELATIONS, "wrong", wrong)
    assert "assert Case(seed).queries == []" in str(failure("wrong", 0))

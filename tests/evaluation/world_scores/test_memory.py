import pytest

import fuzzytruth as ft
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation import world_scores as memory

VOTES = ft.Judgments.from_columns(
    [*"qqqqrrrr"], [*"aabb"] * 2, [1, 0, 1, 0, 1, 1, 0, 1], subject=["ann", "bob"] * 4
)
RUNS = {"x": {"q": [*"ab"], "r": [*"ba"]}, "y": {"q": [*"ba"], "r": [*"ab"]}}


def test_what_fits_and_what_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = memory.most_bytes()
    assert limit is not None
    assert limit > 1 << 28
    memory.check_fits(limit, "it", "do less")
    with pytest.raises(OptionError, match=r"it would take .* bytes\), and there are .*; do less"):
        memory.check_fits(limit + 1, "it", "do less")
    monkeypatch.setattr(memory, "most_bytes", lambda: None)
    memory.check_fits(1 << 80, "it", "do less")


def test_limits_of_containers(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    limited, free = tmp_path / "memory.max", tmp_path / "free"
    limited.write_text("123456\n")
    free.write_text("max\n")
    monkeypatch.setattr(memory, "_GROUPS", (str(limited), str(free), str(tmp_path / "none")))
    assert memory.most_bytes() == 123456
    monkeypatch.delattr("os.sysconf", raising=False)  # as on Windows
    assert memory.most_bytes() == 123456


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_worlds_that_cannot_be_kept(worlds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"worlds": worlds, "keep_worlds": True, "rng": 0, "n_worlds": 50}
    n_worlds = 50 if worlds == "independent" else 2**2  # resamples of two subjects, enumerated
    n_bytes = 8 * n_worlds * 2 * 1 * 2
    monkeypatch.setattr(memory, "most_bytes", lambda: 10 * n_bytes)
    kept = ft.evaluate(VOTES, RUNS, "P@1", **options)
    assert kept.uncertainty.kept.nbytes <= n_bytes
    monkeypatch.setattr(memory, "most_bytes", lambda: 10)
    with pytest.raises(OptionError, match=r"keep_worlds=True: .* 2 queries would take .* bytes"):
        ft.evaluate(VOTES, RUNS, "P@1", **options)


def test_a_trillion_worlds_are_refused_at_once() -> None:
    for options in ({}, {"keep_worlds": True}):
        with pytest.raises(OptionError, match=r"would take [\d.]+ TB"):
            ft.evaluate(
                VOTES, RUNS, "AP", worlds="independent", n_worlds=10**12, **options
            ).distribution("x", measure="AP")

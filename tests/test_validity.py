"""A small, seeded part of the validity study: rates within four Monte Carlo errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from validity.crossed import crossed
from validity.many_systems import many_systems
from validity.margins import MEASURES, pairs
from validity.query_worlds import query_worlds
from validity.rates import Counts, rate
from validity.report import write_report
from validity.study import Size, cells, done, run
from validity.two_systems import two_systems

SETS = 600


def within(counts: Counts, name: str, low: float, high: float) -> bool:
    p, error = rate(counts[name])
    return low - 4 * error <= p <= high + 4 * error


@pytest.mark.parametrize("measure", MEASURES)
def test_margins_have_the_means_they_say(measure: str) -> None:
    for truth in ("null", "fitted"):
        pair = pairs(measure, truth)[3]
        x, y = pair.scores(400, 400, np.random.default_rng(0))
        for scores, mean in ((x, pair.means[0]), (y, pair.means[1])):
            assert scores.min() >= 0
            assert scores.max() <= 1
            error = scores.std() / np.sqrt(scores.size)
            assert abs(scores.mean() - mean) < 5 * error + 1e-3
        if truth == "null":
            assert pair.means[0] == pytest.approx(pair.means[1], abs=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
def test_two_systems(measure: str) -> None:
    null = two_systems(measure, 25, truth="null", sets=SETS, resamples=199, seed=[1])
    assert within(null, "reject: t", 0.045, 0.055)
    assert within(null, "reject: sign flips", 0.045, 0.055)
    fitted = two_systems(measure, 25, truth="fitted", sets=SETS, resamples=199, seed=[2])
    assert within(fitted, "cover: t", 0.935, 0.965)
    # Known to be too short, which is why it is not the default.
    assert rate(fitted["cover: bca"])[0] < rate(fitted["cover: t"])[0]


@pytest.mark.parametrize("unequal", [False, True])
@pytest.mark.parametrize("shift", [0.0, 5.0])
def test_family_wise_error(unequal: bool, shift: float) -> None:
    counts = many_systems(
        "normal",
        25,
        unequal=unequal,
        shift=shift,
        sets=300,
        label_sets=0,
        resamples=199,
        seed=[3],
    )
    assert within(counts, "error: max-T", 0.0, 0.055)
    if shift:
        assert rate(counts["power: max-T"])[0] > 0.95


def test_permuted_labels_test_the_complete_null_only() -> None:
    """One distant system widens the permuted ranges, so that the others hardly ever differ."""
    settings = {"unequal": False, "sets": 200, "label_sets": 200, "resamples": 199, "seed": [4]}
    complete = many_systems("normal", 10, shift=0.0, **settings)  # type: ignore[arg-type]
    assert within(complete, "error: permuted labels", 0.0, 0.055)
    partial = many_systems("normal", 10, shift=5.0, **settings)  # type: ignore[arg-type]
    assert rate(partial["error: permuted labels"])[0] < 0.01
    assert within(partial, "error: max-T", 0.0, 0.055)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_crossed(missing: float) -> None:
    counts = crossed(
        (1.0, 1.0, 1.0),
        25,
        5,
        missing=missing,
        sets=2000,
        pigeonhole_sets=100,
        resamples=99,
        seed=[5],
    )
    assert within(counts, "cover: both", 0.93 if missing else 0.935, 0.975)
    assert rate(counts["cover: queries only"])[0] < 0.75


def test_query_worlds() -> None:
    counts = query_worlds((0.5, 1.0, 0.0), 25, 5, sets=60, resamples=200, seed=[6])
    for estimand in ("membership", "panel"):
        for what in ("mean", "difference"):
            assert within(counts, f"cover: both, {what}, {estimand}", 0.935, 1.0)
        assert rate(counts[f"cover: queries only, mean, {estimand}"])[0] < 0.7


def test_an_interrupted_run_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Same seeds, same rates, whatever was done before; the page lists missed targets."""
    size = Size(100, 100, 19)
    results = tmp_path / "results.jsonl"
    run(size, results, "crossed")
    whole = results.read_text().splitlines()
    results.write_text("\n".join(whole[:3]) + "\n")
    run(size, results, "crossed")

    def counts(lines: list[str]) -> list[object]:
        return [json.loads(line)["counts"] for line in lines]

    assert counts(results.read_text().splitlines()) == counts(whole)
    assert len(whole) == sum(cell.kind == "crossed" for cell in cells(size))
    assert "3 of" in capsys.readouterr().err
    write_report(list(done(results).values()), tmp_path / "validity.md")
    page = (tmp_path / "validity.md").read_text()
    assert "queries only" in page
    assert "cells with a target" in page

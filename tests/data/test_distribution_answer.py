"""What is printed of a distribution."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft


def test_moments_interval_and_values() -> None:
    given = ft.Distribution.from_atoms([0, 0.5, 1], [0.25, 0.5, 0.25])
    lines = given._answer().text(80).split("\n")
    assert lines[0] == "Distribution of 3 values, exact"
    assert lines[4].split() == ["0.5000", "0.3536", *("[0.0000,", "1.0000]") * 2]
    assert [line.split() for line in lines[8:11]] == [
        ["0.0000", "0.25"],
        ["0.5000", "0.5"],
        ["1.0000", "0.25"],
    ]


def test_of_many_values_the_most_probable_are_shown() -> None:
    given = ft.poisson_binomial(np.full(100, 0.3))
    text = str(given)
    which = np.sort(np.argsort(-given.probabilities)[:12])
    together = given.probabilities[which].sum()
    assert f"The 12 most probable of 101 values, together of probability {together:.3g}" in (
        " ".join(text.split())
    )
    rows = [line.split() for line in text.split("\n") if line.strip()[:2].isdigit()][1:13]
    assert [float(row[0]) for row in rows] == given.values[which].tolist()
    want = given.probabilities[which].tolist()
    assert [float(row[1]) for row in rows] == pytest.approx(want, rel=1e-3)


def test_of_many_improbable_values_the_quantiles_are_shown() -> None:
    lines = ft.Distribution.from_samples(np.arange(101) / 100)._answer().text(80).split("\n")
    assert "Quantiles of 101 values" in lines
    rows = [line.split() for line in lines if " % " in line and "central" not in line]
    assert [row[::2] for row in rows] == [
        ["5", "0.0500"],
        ["25", "0.2500"],
        ["50", "0.5000"],
        ["75", "0.7500"],
        ["95", "0.9500"],
    ]


def test_samples_say_how_many() -> None:
    text = str(ft.Distribution.from_samples([0, 1, 1, 1]))
    assert text.startswith("Distribution of 2 values, 4 samples, Monte Carlo error 0.25\n")

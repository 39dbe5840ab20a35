"""Dawid and Skene's model: intervals of accuracies, and how sure it is, with and without copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import fuzzytruth as ft
from validity.rates import Counts, add

ACCURACIES = (0.9, 0.8, 0.75, 0.7, 0.6)
UNITS = (100, 400, 1600)
COPIES = (0, 2, 4)
_FAITHFUL = 0.98  # share of answers that a copy has in common with its original


def settings() -> Iterator[dict[str, Any]]:
    """All cells: five subjects, and near copies of the last one."""
    for copies in COPIES:
        for units in UNITS:
            yield {"units": units, "copies": copies}


def reliability(units: int, copies: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Coverage of each subject's accuracy; what is right, and what the model says is."""
    total: Counts = {}
    for child in seed.spawn(sets):
        rng = np.random.default_rng(child)
        truth, said = _answers(units, copies, rng)
        fit = ft.reliability(_judgments(said), level=None if copies else 0.95)
        if not copies:
            right, subjects = np.array(ACCURACIES), fit.subjects
            inside = (subjects["lower"] <= right) & (right <= subjects["upper"])
            add(total, "cover: accuracy", [inside.mean()])
        table = fit.to_frame()
        add(total, "model: right", [(table["answer"].astype(int).to_numpy() == truth).mean()])
        add(total, "model: says", [table["probability"].mean()])
        plain = (said.mean(axis=1) > 0.5) + 0.5 * (said.mean(axis=1) == 0.5)
        add(total, "majority: right", [np.where(truth == 1, plain, 1 - plain).mean()])
    return total


def _answers(units: int, copies: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """The truth (units,), 0 or 1, and what was said (units, subjects)."""
    truth = rng.integers(0, 2, units)
    right = rng.random((units, len(ACCURACIES))) < np.array(ACCURACIES)
    said = np.where(right, truth[:, None], 1 - truth[:, None])
    same = rng.random((units, copies)) < _FAITHFUL
    last = said[:, -1:]
    return truth, np.concatenate([said, np.where(same, last, 1 - last)], axis=1)


def _judgments(said: Any) -> ft.Judgments:
    unit, subject = (axis.ravel() for axis in np.indices(said.shape))
    width = len(str(len(said)))
    return ft.Judgments.from_columns(
        ["q"] * said.size,
        [f"{u:0{width}d}" for u in unit],
        said.ravel(),
        subject=[f"s{s}" for s in subject],
    )

"""The example whose numbers the catalogue of measures shows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import fuzzytruth as ft

SOURCE = """\
import pandas as pd

import fuzzytruth as ft

# One system's list. Nobody judged d, and the list lacks g and h.
runs = ft.Runs.from_dict({"sys": {"q": dict(a=6, b=5, c=4, d=3, e=2, f=1)}})
grades = {
    "ann": dict(a=1, b=0, c=2, e=0, f=1, g=2, h=0),
    "bob": dict(a=1, b=1, c=1, e=0, f=0, g=2, h=0),
    "eva": dict(a=2, b=0, c=1, e=0, f=1, g=1, h=1),
}
rows = [("q", who, item, grade) for who in grades for item, grade in grades[who].items()]
frame = pd.DataFrame(rows, columns=["query", "subject", "item", "grade"])

truth = ft.Judgments.from_dict({"q": grades["ann"]})
ft.evaluate(truth, runs, "AP").mean()

votes = ft.Judgments.from_frame(frame)
ft.evaluate(votes, runs, "AP", rng=0).to_frame()  # mean and standard deviation over worlds
"""

INTENTS = """\
by_intent = pd.DataFrame(
    [("q", 1, "a", 1), ("q", 1, "c", 1), ("q", 1, "f", 1), ("q", 2, "c", 1), ("q", 2, "g", 1)],
    columns=["query", "intent", "item", "grade"],
)
"""

LISTS = """\
list_of_ann = ft.Judgments.from_frame(
    pd.DataFrame({"query": "q", "subject": "ann", "item": ["c", "g", "a"], "grade": [1, 0.8, 0.5]})
)
"""


@dataclass(frozen=True, slots=True)
class Worked:
    """Value of a measure on the example, and what is known of it when three people voted.

    Parameters
    ----------
    measure : str
    value : float
    votes : tuple of (float, float) or None
        Mean and standard deviation over worlds; None: not a measure of uncertain truths.
    exact : str
        What of these is exact.
    """

    measure: str
    value: float
    votes: tuple[float, float] | None = None
    exact: str = ""


@cache
def _data() -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(SOURCE + INTENTS + LISTS, namespace)
    frame = namespace["frame"]
    binary = frame.assign(grade=frame["grade"].clip(upper=1))
    return namespace | {"binary": ft.Judgments.from_frame(binary)}


def worked(measure: ft.measures.Measure) -> Worked:
    """Evaluate a measure on the example."""
    data, name = _data(), str(measure)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        if measure.compares_lists:
            scores = ft.evaluate(
                data["list_of_ann"], data["runs"], [measure], worlds="subject"
            )
            return Worked(name, float(scores.values.item()))
        if measure.needs_intents:
            scores = ft.evaluate(data["by_intent"], data["runs"], [measure])
            return Worked(name, float(scores.values.item()), None, "simulated")
        value = float(
            ft.evaluate(data["truth"], data["runs"], [measure]).values.item()
        )
        scores = ft.evaluate(data["votes"], data["runs"], [measure], rng=0)
        spread = (
            float(scores.values.item()),
            float(scores.uncertainty.std.item()),
        )
        known = _exactness(data["votes"], data["runs"], measure)
        known_binary = _exactness(data["binary"], data["runs"], measure)
    exact = (
        known if known == known_binary else f"{known_binary} of grades 0 and 1"
    )
    return Worked(name, value, spread, exact)


def _exactness(
    votes: ft.Judgments, runs: ft.Runs, measure: ft.measures.Measure
) -> str:
    """What is exact when items have independent votes."""
    scores = ft.evaluate(votes, runs, [measure], rng=0)
    if scores.distribution("sys", "q", str(measure)).exact:
        return "exact distribution"
    return "exact mean" if scores.uncertainty.exact.all() else "simulated"

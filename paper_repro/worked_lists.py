"""Weighted displacement of small lists, by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np

import fuzzytruth as ft
from paper_repro.examples import displaced
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS, Claim, Table, cell

BY_HAND = {  # w_A, w_B
    "optimist": (2.0, 2.8),
    "incremental": (5.4, 0.0),
    "pessimist-tail": (2.0, 6.8),
    "worst": (2.0, 7.4),
    "pessimist": (2.0, 10.0),
}
SANTINI_5 = "Santini, section 5"


def hypotheses() -> Table:
    """W under each hypothesis, by hand and computed."""
    rows = []
    for unseen, by_hand in BY_HAND.items():
        result = displaced(unseen)
        same = np.allclose([result.w_A, result.w_B], by_hand, rtol=0, atol=1e-12)
        rows.append((unseen, *by_hand, result.w_A, result.w_B, result.w, same))
    return Table.of(("hypothesis", "w_A by hand", "w_B by hand", "w_A", "w_B", "w", "agrees"), rows)


def qualities() -> Table:
    """Each hypothesis under each g."""
    functions = {
        "rational, p = 1": (lambda w: 1 / (1 + w), {"g": "rational", "power": 1}),
        "rational, p = 2": (lambda w: 1 / (1 + w) ** 2, {"g": "rational", "power": 2}),
        "exp, λ = 0.1": (lambda w: math.exp(-0.1 * w), {"g": "exp", "rate": 0.1}),
        "exp, λ = 0.01": (lambda w: math.exp(-0.01 * w), {"g": "exp", "rate": 0.01}),
    }
    rows = []
    for unseen, by_hand in BY_HAND.items():
        w = sum(by_hand)
        pairs = [(g(w), displaced(unseen, **options).value) for g, options in functions.values()]
        same = all(abs(hand - ours) < 1e-12 for hand, ours in pairs)
        rows.append((unseen, w, *(ours for _, ours in pairs), same))
    return Table.of(("hypothesis", "w", *functions, "as by hand"), rows)


W_MAX_BY_HAND = {
    "optimist": 10.0,
    "incremental": 17.7,
    "pessimist-tail": 16.7,
    "worst": 17.7,
    "pessimist": 25.0,
}


def normalised() -> Table:
    """w, w_max and their ratio."""
    rows = []
    for unseen, most in W_MAX_BY_HAND.items():
        result = displaced(unseen, normalised=True)
        same = abs(result.w_max - most) < 1e-12 and abs(result.value - result.w / most) < 1e-12
        rows.append((unseen, result.w, most, result.w_max, result.value, same))
    return Table.of(("hypothesis", "w", "w_max by hand", "w_max", "w / w_max", "agrees"), rows)


def ties_and_lengths() -> Table:
    """Cases of two to four items, by hand."""
    cases = [
        ("a, c, b; b and c tied, interval", "abc", [1, 0.5, 0.5], "acb", "interval", "0", 0.0),
        ("the same, position", "abc", [1, 0.5, 0.5], "acb", "position", ".5·1 + .5·1", 1.0),
        ("b only; a, c next", "abc", [1, 0.8, 0.3], "b", "position", ".8·1 + 1·1 + .3·0", 1.8),
        ("x, y, z, a", "ab", [1, 0.5], "xyza", "position", "1·3 + .5·3", 4.5),
        ("nothing", "ab", [1, 0.5], "", "position", "1·0 + .5·0", 0.0),
    ]
    rows = []
    for name, subject, weights, system, ties, sum_, by_hand in cases:
        result = ft.displacement(list(subject), weights, list(system), ties=ties)
        rows.append((name, sum_, by_hand, result.w, abs(result.w - by_hand) < 1e-12))
    return Table.of(("the system answers", "w by hand, optimist", "", "w", "agrees"), rows)


def remark(size: int) -> tuple[float, float]:
    """W / (N Σ_B s), and (w_A / w_B) / (m / N), for lists of m = 20 in a collection of N."""
    items, weights = [f"i{j:02}" for j in range(20)], np.linspace(1, 0.5, 20)
    answer = [item if j % 2 else f"other {j}" for j, item in enumerate(reversed(items))]
    result = ft.displacement(items, weights, answer, unseen="pessimist", N=size, ties="position")
    missing = [j for j, item in enumerate(items) if item in result.B]
    return result.w / (size * weights[missing].sum()), result.w_A / result.w_B / (20 / size)


def displacement_claims() -> list[Claim]:
    """The paper's statements, and the numbers by hand."""
    rows = []
    for unseen, by_hand in BY_HAND.items():
        result, hand = displaced(unseen), sum(by_hand)
        same = abs(result.w - hand) < 1e-12
        source = {"optimist": "(22)", "pessimist": "(23)"}.get(unseen, "in words")
        if unseen == "worst":
            source = "not in the paper"
        rows.append(
            Claim(
                f"w of the example, {unseen}",
                f"{SANTINI_5}, {source}",
                EXAMPLE,
                cell(hand),
                cell(result.w),
                same,
            )
        )
    w = {unseen: displaced(unseen).w for unseen in BY_HAND}
    ordered = w["optimist"] <= w["incremental"] <= w["worst"] <= w["pessimist"]
    shown = " ≤ ".join(cell(w[u]) for u in ("optimist", "incremental", "worst", "pessimist"))
    rows.append(
        Claim("the optimist is as good as it can be", SANTINI_5, PRINTS, "in words", shown, ordered)
    )
    ratio, order = remark(100_000)
    rows += [
        Claim(
            "w ≈ N Σ_B s for N ≫ m",
            SANTINI_5,
            PRINTS,
            "≈ 1",
            cell(ratio),
            bool(abs(ratio - 1) < 1e-3),
        ),
        Claim(
            "w_A/w_B is of the order of m/N",
            SANTINI_5,
            PRINTS,
            "order 1",
            cell(order),
            0.1 < order < 10,
        ),
        Claim(
            "g(x) = 1/(1 + x)^p and exp(-λx) are 1 at 0 and decrease",
            f"{SANTINI_5}, (18)",
            IDENTITY,
            "in words",
            "1 at w = 0, smaller at every larger w",
            decreasing(),
        ),
    ]
    return rows


def decreasing() -> bool:
    """Whether a larger displacement has a lower quality, in the example."""
    functions = {"rational": {"power": 2}, "exp": {"rate": 0.1}}
    for g, options in functions.items():
        same = ft.displacement(["a"], [1], ["a"], g=g, **options).value
        values = [displaced(unseen, g=g, **options).value for unseen in BY_HAND]
        if same != 1 or not all(a > b for a, b in itertools.pairwise(values)):
            return False
    return True

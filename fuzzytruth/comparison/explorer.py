"""Systems beside a baseline, by any measure and anybody's judgments: what a page redraws."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.comparison.by_subject import SubjectComparisons, means_alone
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import rank_range, rank_sets
from fuzzytruth.comparison.opening import claim
from fuzzytruth.comparison.verdicts import p_text
from fuzzytruth.errors import counted, printable
from fuzzytruth.evaluation.scores.score_rows import best_first
from fuzzytruth.plots.drawing import COLOURS
from fuzzytruth.show.number_text import (
    digits_for,
    interval_text,
    level_text,
    number_text,
    signed_text,
)
from fuzzytruth.show.page import ExploredRow, Explorer

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison

MOST_ROWS = 60_000  # differences of all views together, which take 11 bytes each
_LARGEST = 32_000  # of 16-bit codes; those of NaN and infinities are beyond
_SIGNIFICANT = 0x8000  # bit of a code of p
_MARGIN = 0.04  # of the range of a drawing, at both sides


@dataclass(frozen=True, slots=True)
class View:
    """Differences by somebody's judgments.

    Parameters
    ----------
    name, note : str
        Whose they are, and what their intervals are.
    table : DataFrame
        A row for each measure and pair.
    means : DataFrame
        Systems × measures.
    conditions : Conditions
    is_alone : bool
        Whether they are one subject's.
    """

    name: str
    note: str
    table: pd.DataFrame
    means: pd.DataFrame
    conditions: Conditions
    is_alone: bool = False

    @property
    def order(self) -> Ints:
        """Systems by tier and mean, the best first: (measures, systems)."""
        ranks, up = self.ranks, self.conditions.higher_is_better
        each = zip(self.means.to_numpy(dtype=float).T, ranks[:, 0], up, strict=True)
        orders = [(best_first(x, higher_is_better=better), tier) for x, tier, better in each]
        return np.array([order[np.argsort(tier[order], kind="stable")] for order, tier in orders])

    @property
    def ranks(self) -> Ints:
        """Tier, and lowest and highest rank: (measures, 3, systems), 0 where there are none."""
        conditions = self.conditions
        out = np.zeros((len(conditions.measures), 3, len(conditions.systems)), dtype=np.int64)
        if conditions.has_rank_sets:
            sets = rank_sets(self.table, self.means, conditions).set_index(["measure", "system"])
            for m, measure in enumerate(conditions.measures):
                rows = sets.loc[measure].loc[list(conditions.systems)]
                out[m] = rows[["tier", "rank_lower", "rank_upper"]].to_numpy().T
        return out

    @property
    def claims(self) -> list[str]:
        """What it says of each measure, as a sentence."""
        rows = [self.table[self.table["measure"] == name] for name in self.conditions.measures]
        means = self.means.to_numpy(dtype=float).T
        each = zip(rows, means, self.conditions.measures, strict=True)
        return [claim(x, mean, self.conditions, measure) for x, mean, measure in each]

    @property
    def numbers(self) -> Floats:
        """Differences and the ends of their intervals: (measures, 3, pairs)."""
        shape = len(self.conditions.measures), -1, 3
        columns = self.table[["difference", "lower", "upper"]].to_numpy(dtype=float)
        out = columns.reshape(shape).swapaxes(1, 2).copy()
        widths = np.array(self.conditions.widths or [np.inf])[:, None, None]
        cut = np.clip(out[:, 1:], -widths, widths)
        out[:, 1:] = np.where(np.isfinite(out[:, 1:]), cut, out[:, 1:])
        return out


def views_of(
    result: Comparison, each: SubjectComparisons | None, others: Iterable[Comparison] = ()
) -> list[View]:
    """All judgments together, over queries and over more, and each subject's alone.

    Those of single subjects are left out where they are too many for a page.
    """
    conditions = result.conditions
    n, brackets = conditions.n_subjects, conditions.brackets
    people = "everyone" if n is None else f"all {counted(n, 'subject')}"
    if conditions.tests > 1 and conditions.interval == "simultaneous":
        brackets += f" They hold together for all {conditions.tests:,} pairs"
        brackets += "." if conditions.baselines else ", whichever system is the baseline."
    out = [View(people, brackets, result.table, result.means, conditions)]
    for one in others:
        name = f"{people}, over {one.conditions.random}"
        out.append(View(name, one.conditions.brackets, one.table, one.means, one.conditions))
    if each is None or (len(out) + len(each.subjects)) * len(result.table) > MOST_ROWS:
        return out
    alone = each.conditions
    for subject, means in zip(each.subjects, means_alone(result), strict=True):
        note = (
            f"Brackets: {alone.intervals} of the mean difference over {alone.random}, the "
            f"judgments of {subject} alone being the truth; not adjusted for the number of subjects."
        )
        rows = each.table[each.table["subject"] == subject]
        out.append(View(f"{subject} alone", note, rows, means, alone, is_alone=True))
    return out


def explorer(views: Sequence[View]) -> Explorer:
    """Part of a page: the first view by the first measure as a table, and the data of all."""
    first = views[0]
    conditions, measures = first.conditions, first.conditions.measures
    numbers = np.array([view.numbers for view in views])  # (views, measures, 3, pairs)
    means = np.array([view.means.to_numpy(dtype=float).T for view in views])
    digits = [
        digits_for([*numbers[:, m].ravel().tolist(), *means[:, m].ravel().tolist()], 4)
        for m in range(len(measures))
    ]
    rows = pd.concat([view.table for view in views])
    texts = dict.fromkeys(map(p_text, rows["p_adjusted"]))
    place = {text: number for number, text in enumerate(texts)}
    codes = np.array([place[p_text(value)] for value in rows["p_adjusted"]])
    codes |= rows["significant"].to_numpy(dtype=bool) * _SIGNIFICANT
    system = {name: number for number, name in enumerate(conditions.systems)}
    pairs = first.table[["system_a", "system_b"]].head(numbers.shape[-1]).map(system.__getitem__)
    order = np.array([view.order for view in views])
    baselines = [system[name] for name in conditions.baselines]
    kind, (numbers, means) = _coded((numbers, means), digits)
    data = {
        "systems": [*map(printable, conditions.systems)],
        "measures": [
            {"name": printable(name), "label": printable(conditions.named(name)), "digits": places, "up": up}
            for name, places, up in zip(measures, digits, conditions.higher_is_better, strict=True)
        ],
        "views": [
            {
                "name": printable(view.name),
                "note": printable(view.note),
                "claims": [f"{printable(text)}." for text in view.claims],
                "alone": view.is_alone,
            }
            for view in views
        ],
        "baselines": baselines,
        "p": [*texts],
        "kind": kind,
        "numbers": _packed(numbers, kind),
        "means": _packed(means, kind),
        "codes": _packed(codes, "u2"),
        "pairs": _packed(pairs.to_numpy().T, "u2"),
        "order": _packed(order, "u2"),
        "ranks": _packed(np.array([view.ranks for view in views]), "u2"),
    }
    base = (baselines or order[0, 0].tolist())[0]
    return Explorer(
        f"{measures[0]}: systems, and their differences from {conditions.systems[base]}",
        (f"{level_text(conditions.level)} interval", conditions.p_name),
        _rows(first, order[0, 0], base, digits[0]),
        first.note,
        "All pairs: row minus column, the best system first, lines between tiers. Blue: the row is "
        f"better; orange: worse; strong colours: {conditions.small_p}.",
        data,
        COLOURS,
    )


def _rows(view: View, order: Ints, base: int, digits: int) -> tuple[ExploredRow, ...]:
    """Rows of the first measure, each against the same system."""
    conditions, k = view.conditions, len(order)
    measure, names = conditions.measures[0], np.array(conditions.systems, dtype=object)
    rows = view.table[view.table["measure"] == measure]
    first = rows["system_b"].to_numpy() == names[base]  # those of others minus it
    both = np.where(first, rows["system_a"], rows["system_b"])
    known = first | (rows["system_a"].to_numpy() == names[base])
    ends = np.where(first, 1.0, -1.0) * view.numbers[0]  # (3, pairs)
    ends[1:] = np.where(first, ends[1:], ends[:0:-1])
    found = dict(zip(both[known], np.flatnonzero(known), strict=True))
    finite = np.append(ends[:, known][np.isfinite(ends[:, known])], 0.0)
    low, wide = finite.min(), np.ptp(finite) or 1.0
    shares = np.clip((ends - low) / wide, -_MARGIN, 1 + _MARGIN)
    shares = 100 * (shares + _MARGIN) / (1 + 2 * _MARGIN)
    zero, ranks, out = 100 * (_MARGIN - low / wide) / (1 + 2 * _MARGIN), view.ranks[0], []
    for j in order.tolist():
        tier, *ends_of = ranks[:, j].tolist()
        row = found.get(names[j])
        cells = ("baseline" if j == base else "–", "", "")
        if row is not None:
            star = "*" if rows["significant"].iloc[row] else ""
            difference, *interval = ends[:, row].tolist()
            cells = (
                signed_text(difference, digits) + star,
                interval_text(*interval, digits, signed=True),
                p_text(rows["p_adjusted"].iloc[row]),
            )
        at = None if row is None else tuple(f"{x:.2f}" for x in (*shares[:, row], zero))
        mean = number_text(float(view.means[measure].iloc[j]), digits)
        shown = rank_range(*ends_of) if tier else ""
        out.append(ExploredRow(names[j], tier, (mean, *cells), shown, at))
    return tuple(out)


def _coded(
    arrays: Sequence[Floats], digits: Sequence[int]
) -> tuple[str, list[Floats]]:
    """Rounded numbers as whole ones, and the type that holds them: (views, measures, ...) each."""
    out = []
    for values in arrays:
        scaled = values.copy()
        for m, places in enumerate(digits):
            shown = [float(f"{x:.{places}f}") for x in values[:, m].ravel().tolist()]
            scaled[:, m] = np.round(np.reshape(shown, values[:, m].shape) * 10.0**places)
        out.append(scaled)
    largest = max(float(np.abs(x[np.isfinite(x)]).max(initial=0)) for x in out)
    if largest > _LARGEST:
        return "f8", out
    special = {"nan": -_LARGEST - 3, "neginf": -_LARGEST - 2, "posinf": _LARGEST + 2}
    return "i2", [np.nan_to_num(x, **special) for x in out]


def _packed(values: Array, kind: str) -> str:
    return base64.b64encode(values.astype(f"<{kind}").tobytes()).decode()

"""Systems beside a baseline, by any measure and anybody's judgments: what a page redraws."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.comparison.by_subject import SubjectComparisons, means_alone, of_group
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import rank_range, rank_sets, swapped
from fuzzytruth.comparison.opening import claim
from fuzzytruth.comparison.verdicts import difference_columns, p_text
from fuzzytruth.errors import counted, printable
from fuzzytruth.plots.drawing import COLOURS
from fuzzytruth.show.answer import printed_table
from fuzzytruth.show.number_text import digits_for
from fuzzytruth.show.page import Explorer

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison

MOST_ROWS = 60_000  # differences of all views together, which take 11 bytes each
_LARGEST = 32_000  # of 16-bit codes; those of NaN and infinities are beyond
_SIGNIFICANT = 0x8000  # bit of a code of p
_MARGIN = 0.04  # of the range of a drawing, at both sides
_MOST_MARKS = 12  # subjects
_MARKS = "Small dots: the difference by each subject's judgments alone."
_MATRIX = (
    "All pairs: row minus column, the best system first, lines between tiers. Blue: the row is "
    "better; orange: worse; strong colours: {}."
)


@dataclass(frozen=True, slots=True)
class View:
    """Differences by somebody's judgments.

    Parameters
    ----------
    name : str
        Whose they are.
    table : DataFrame
        A row for each measure and pair.
    means : DataFrame
        Systems × measures.
    conditions : Conditions
    is_alone : bool
        Whether they are one subject's.
    """

    name: str
    table: pd.DataFrame
    means: pd.DataFrame
    conditions: Conditions
    is_alone: bool = False

    @property
    def note(self) -> str:
        """What its intervals are, and what stands out."""
        conditions, note = self.conditions, self.conditions.brackets
        if self.is_alone:
            note = (
                f"Brackets: {conditions.intervals} of the mean difference over "
                f"{conditions.random}, one subject's judgments being the truth; not adjusted for "
                "the number of subjects."
            )
        if conditions.tests > 1 and conditions.interval == "simultaneous":
            whichever = "" if conditions.baselines else ", whichever system is the baseline"
            note += f" They hold together for all {conditions.tests:,} differences{whichever}."
        return f"{note} Filled and *: {conditions.p_at_most}."

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
    def order(self) -> Ints:
        """Systems by tier and mean, the best first: (measures, systems)."""
        sign = np.where(self.conditions.higher_is_better, -1.0, 1.0)[:, None]
        return np.lexsort((sign * self.means.to_numpy(dtype=float).T, self.ranks[:, 0]), axis=-1)

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
    result: Comparison,
    each: SubjectComparisons | None,
    both: Comparison | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> list[View]:
    """By all judgments, over queries and over more, by those of groups, and by each subject's.

    Those of single subjects are left out where they are too many for a page.
    """
    n = result.conditions.n_subjects
    people = "everyone" if n is None else f"all {counted(n, 'subject')}"
    out = [View(people, result.table, result.means, result.conditions)]
    if both is not None:
        name = f"{people}, over {both.conditions.random}"
        out.append(View(name, both.table, both.means, both.conditions))
    for name, members in (groups or {}).items():
        of = f"{name}: {counted(len(members), 'subject')}"
        out.append(View(of, *of_group(result, members)))
    if each is None or (len(out) + len(each.subjects)) * len(result.table) > MOST_ROWS:
        return out
    for subject, means in zip(each.subjects, means_alone(result), strict=True):
        rows = each.table[each.table["subject"] == subject]
        out.append(View(f"{subject} alone", rows, means, each.conditions, is_alone=True))
    return out


def explorer(views: Sequence[View]) -> Explorer:
    """Part of a page: the first view by the first measure as a table, and the data of all."""
    first = views[0]
    conditions, measures = first.conditions, first.conditions.measures
    numbers = np.array([view.numbers for view in views])  # (views, measures, 3, pairs)
    means = np.array([view.means.to_numpy(dtype=float).T for view in views])
    digits = [
        digits_for([*numbers[:, m].ravel().tolist(), *means[:, m].ravel().tolist()], 3)
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
            {
                "name": printable(name),
                "label": printable(conditions.named(name)),
                "digits": places,
                "up": up,
            }
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
        "marks": _MARKS if 0 < sum(view.is_alone for view in views) <= _MOST_MARKS else "",
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
    return _shown(first, order[0, 0], conditions.systems[base], digits[0], data)


def _shown(view: View, order: Ints, base: str, digits: int, data: dict[str, Any]) -> Explorer:
    """The table of the first measure, each system against the same one, with the data."""
    conditions, ranks = view.conditions, view.ranks[0]
    measure, names = conditions.measures[0], [conditions.systems[j] for j in order]
    rows = view.table[view.table["measure"] == measure]
    rows = swapped(rows, rows["system_a"] == base)
    rows = rows[rows["system_b"] == base].set_index("system_a").reindex(names)
    rows = rows.assign(measure=measure, significant=rows["significant"].eq(True))
    columns: dict[Any, Any] = {
        "system_a": "system",
        "mean": ("mean", f".{digits}f"),
        **difference_columns(rows.drop(columns="at_least", errors="ignore"), conditions, digits),
    }
    if conditions.has_rank_sets:
        columns |= {"tier": ("tier", str), ("lowest", "highest"): ("ranks", rank_range)}
        rows = rows.assign(**dict(zip(("tier", "lowest", "highest"), ranks[:, order], strict=True)))
    rows = rows.assign(mean=view.means[measure].reindex(names)).reset_index()
    ends = rows[["difference", "lower", "upper"]].assign(zero=0.0).to_numpy(dtype=float)
    finite = ends[np.isfinite(ends)]
    shares = np.clip((ends - finite.min()) / (np.ptp(finite) or 1.0), -_MARGIN, 1 + _MARGIN)
    at = 100 * (shares + _MARGIN) / (1 + 2 * _MARGIN)
    return Explorer(
        printed_table(
            rows, columns, title=f"{measure}: systems, and their differences from {base}"
        ),
        tuple(() if np.isnan(row).any() else tuple(f"{x:.2f}" for x in row) for row in at),
        tuple((1 + np.flatnonzero(np.diff(ranks[0, order]))).tolist()),
        view.note,
        _MATRIX.format(conditions.small_p) if conditions.has_rank_sets and len(names) > 2 else "",
        data,
        (*COLOURS[:2], COLOURS[3]),
    )


def _coded(arrays: Sequence[Floats], digits: Sequence[int]) -> tuple[str, list[Floats]]:
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
    nan, low, high = -_LARGEST - 3, -_LARGEST - 2, _LARGEST + 2
    return "i2", [np.nan_to_num(x, nan=nan, neginf=low, posinf=high) for x in out]


def _packed(values: Array, kind: str) -> str:
    return base64.b64encode(values.astype(f"<{kind}").tobytes()).decode()

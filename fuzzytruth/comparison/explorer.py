"""Systems beside a baseline, by any measure and anybody's judgments: what a page redraws."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.comparison.by_subject import SubjectComparisons, of_group
from fuzzytruth.comparison.inference import better_than, rank_range, swapped, tiers
from fuzzytruth.comparison.opening import alone_of, begun, claim, known_systems, order_of
from fuzzytruth.comparison.verdicts import difference_columns, p_text
from fuzzytruth.errors import counted, printable
from fuzzytruth.plots import scheme
from fuzzytruth.show.answer import printed_table
from fuzzytruth.show.number_text import digits_for
from fuzzytruth.show.page import Explorer

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison

MOST_ROWS = 60_000  # differences of all views together, which take 11 bytes each
_LARGEST = 32_000  # of 16-bit codes; those of NaN and infinities are beyond
_MARGIN = 0.04  # of the range of a drawing, at both sides
_MATRIX = (
    "All pairs: row minus column, the best system first, lines between tiers. Blue: the row is "
    "better; orange: worse; strong colours: {}."
)


@dataclass(frozen=True, slots=True)
class View:
    """A comparison by somebody's judgments, what it is called, and whether it is one subject's.

    `whose` follows the measure in titles; "" by default, of everyone.
    """

    name: str
    result: Comparison
    whose: str = ""
    is_alone: bool = False

    def claim(self, measure: str) -> str:
        """Who is best by one measure, as a sentence that begins with whose judgments tell."""
        text = claim(self.result, measure).replace(self.whose or "\0", "")
        return f"{begun(f'{self.whose[1:]}, {text}' if self.whose else text)}."

    @property
    def note(self) -> str:
        """What its intervals are, and what stands out."""
        conditions, note = self.result.conditions, self.result.conditions.brackets
        if self.is_alone:
            of = f"{conditions.intervals} of the mean difference over {conditions.random}"
            by = "one subject's judgments being the truth; not adjusted for the number of subjects"
            note = f"Brackets: {of}, {by}."
        if conditions.tests > 1 and conditions.interval == "simultaneous":
            whichever = "" if conditions.is_directed else ", whichever system is the baseline"
            note += f" They hold together for all {conditions.tests:,} differences{whichever}."
        return f"{note} Filled and *: {conditions.p_at_most}."

    @property
    def ranks(self) -> Ints:
        """Tier, and lowest and highest rank: (measures, 3, systems), 0 where there are none."""
        known = self.result.table, self.result.conditions
        above = np.array([better_than(*known, measure) for measure in known[1].measures])
        each = [tiers(x) for x in above], 1 + above.sum(axis=1), above.shape[1] - above.sum(axis=2)
        told = [known_systems(self.result, measure) for measure in known[1].measures]
        return np.stack([*each], axis=1) * np.array(told)[:, None] * known[1].has_rank_sets

    @property
    def order(self) -> Ints:
        """Systems by tier and mean, the best first: (measures, systems)."""
        orders = [order_of(self.result, measure) for measure in self.result.conditions.measures]
        each = zip(orders, self.ranks[:, 0], strict=True)
        return np.array([order[np.argsort(tier[order], kind="stable")] for order, tier in each])

    @property
    def numbers(self) -> Floats:
        """Differences and the ends of their intervals: (measures, 3, pairs)."""
        columns = self.result.table[["difference", "lower", "upper"]].to_numpy(dtype=float)
        out = columns.reshape(len(self.result.conditions.measures), -1, 3).swapaxes(1, 2).copy()
        widths = np.array(self.result.conditions.widths or [np.inf])[:, None, None]
        cut = np.clip(out[:, 1:], -widths, widths)
        out[:, 1:] = np.where(np.isfinite(out[:, 1:]), cut, out[:, 1:])
        return out


def by_all(n: int | None) -> str:
    """By whose judgments, where there are several people."""
    return f" by {'both' if n == 2 else f'all {n:,}'} subjects' judgments" if (n or 0) > 1 else ""


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
    out = [View("everyone" if n is None else f"everyone: {counted(n, 'subject')}", result)]
    over = "" if both is None else f" over {both.conditions.random}"
    out += [] if both is None else [View(f"everyone,{over}", both, over)]
    for name, members in (groups or {}).items():
        size = counted(len(members), "subject")
        whose = f" by the judgments of {name} ({size})"
        out.append(View(f"{name}: {size}", of_group(result, members), whose))
    if each is not None and (len(out) + len(each.subjects)) * len(result.table) <= MOST_ROWS:
        for name, one in alone_of(result, each):
            out.append(View(f"{name} alone", one, f" by {name}'s judgments alone", is_alone=True))
    return out


def explorer(views: Sequence[View]) -> Explorer:
    """Part of a page: the first view by the first measure as a table, and the data of all."""
    first = views[0].result
    conditions, measures = first.conditions, first.conditions.measures
    numbers = np.array([view.numbers for view in views])  # (views, measures, 3, pairs)
    means = np.array([view.result.means.to_numpy(dtype=float).T for view in views])
    each = [np.append(numbers[:, m], means[:, m]).tolist() for m in range(len(measures))]
    digits = [digits_for(values, 3) for values in each]
    rows = pd.concat([view.result.table for view in views])
    texts = [*map(p_text, rows["p_adjusted"])]
    place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    system = {name: number for number, name in enumerate(conditions.systems)}
    pairs = first.table[["system_a", "system_b"]].head(numbers.shape[-1]).map(system.__getitem__)
    kind, (numbers, means) = _coded((numbers, means), digits)
    arrays = {
        "numbers": (numbers, kind),
        "means": (means, kind),
        "p": ([place[text] for text in texts], "u2"),
        "stars": (rows["significant"], "u1"),
        "pairs": (pairs.to_numpy().T, "u2"),
        "order": ([view.order for view in views], "u2"),
        "ranks": ([view.ranks for view in views], "u2"),
    }
    data = {
        "systems": [*map(printable, system)],
        "measures": [*map(printable, measures)],
        "labels": [printable(conditions.named(name)) for name in measures],
        "digits": digits,
        "up": conditions.higher_is_better,
        "oneSided": conditions.alternative != "two-sided",
        "views": [printable(view.name) for view in views],
        "notes": [printable(view.note) for view in views],
        "whose": [printable(view.whose) for view in views],
        "claims": [[printable(view.claim(name)) for name in measures] for view in views],
        "alone": [number for number, view in enumerate(views) if view.is_alone],
        "baselines": [system[name] for name in conditions.baselines],
        "pTexts": [*place],
        **{name: (kind, _packed(values, kind)) for name, (values, kind) in arrays.items()},
    }
    return _shown(views[0], digits[0], data)


def _shown(view: View, digits: int, data: dict[str, Any]) -> Explorer:
    """The table of the first measure, each system against the same one, with the data."""
    result, ranks, order = view.result, view.ranks[0], view.order[0]
    conditions = result.conditions
    measure, names = conditions.measures[0], [conditions.systems[j] for j in order]
    base = (*conditions.baselines, names[0])[0]
    rows = result.rows_of(measure)
    turned = rows["system_a"] == base
    rows = swapped(rows, turned)
    if conditions.alternative != "two-sided":  # of which the other direction is not tested
        rows.loc[turned, ["p_adjusted", "significant"]] = [np.nan, False]
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
    rows = rows.assign(mean=result.means[measure].reindex(names)).reset_index()
    ends = rows[["difference", "lower", "upper"]].assign(zero=0.0).to_numpy(dtype=float)
    finite = ends[np.isfinite(ends)]
    shares = np.clip((ends - finite.min()) / (np.ptp(finite) or 1.0), -_MARGIN, 1 + _MARGIN)
    at = 100 * (shares + _MARGIN) / (1 + 2 * _MARGIN)
    title = f"{measure}: systems, and their differences from {base}"
    return Explorer(
        printed_table(rows, columns, title=title),
        tuple(() if np.isnan(row).any() else tuple(f"{x:.2f}" for x in row) for row in at),
        tuple((1 + np.flatnonzero(np.diff(ranks[0, order]))).tolist()),
        view.note,
        _MATRIX.format(conditions.small_p) if conditions.has_rank_sets and len(names) > 2 else "",
        data,
        (scheme.MAIN, scheme.COLOURS[2], scheme.OTHER, scheme.BESIDE),
    )


def _coded(arrays: Sequence[Floats], digits: Sequence[int]) -> tuple[str, list[Floats]]:
    """Rounded numbers as whole ones, and the type that holds them: (views, measures, ...) each."""
    out = []
    for values in arrays:
        shown = np.empty_like(values)
        for m, places in enumerate(digits):
            texts = [f"{x:.{places}f}" for x in values[:, m].ravel().tolist()]
            shown[:, m] = np.reshape(texts, values[:, m].shape).astype(float) * 10.0**places
        out.append(np.round(shown))
    if max(float(np.abs(x[np.isfinite(x)]).max(initial=0)) for x in out) > _LARGEST:
        return "f8", out
    nan, low, high = -_LARGEST - 3, -_LARGEST - 2, _LARGEST + 2
    return "i2", [np.nan_to_num(x, nan=nan, neginf=low, posinf=high) for x in out]


def _packed(values: Any, kind: str) -> str:
    return base64.b64encode(np.asarray(values).astype(f"<{kind}").tobytes()).decode()

"""Comparisons in words: one sentence a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import POWER
from fuzzytruth.errors import counted, printable

if TYPE_CHECKING:
    import pandas as pd

_MOST_DECIMALS = 12
_KEYS = ["measure", "system_a", "system_b"]


def p_text(value: float) -> str:
    """A p-value in two digits, never rounded to 0 or up to 1 - level; a dash for NaN.

    Examples
    --------
    >>> p_text(0.01234567), p_text(3e-9), p_text(0.0499), p_text(1.0)
    ('0.012', '< 0.0001', '0.0499', '1.00')
    """
    if np.isnan(value):
        return "–"
    if value < 0.0001:
        return "< 0.0001"
    if value >= 0.095:
        return f"{value:.2f}"
    two = f"{value:.2g}"
    return two if float(two) < 0.05 or value >= 0.05 else f"{value:.3g}"


def two_digits(value: float) -> str:
    """A size in two significant digits, large ones without an exponent.

    Examples
    --------
    >>> two_digits(0.01234), two_digits(123.4)
    ('0.012', '120')
    """
    return f"{float(f'{value:.2g}'):g}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one pair, in words.

    Parameters
    ----------
    head : str
        Which system is better, or that no difference is shown.
    size : str
        Difference, interval and p; "" where there is none.
    found : str
        What would have been found, or which direction is better.
    rest : tuple of str
        Whether subjects and worlds agree.
    """

    head: str
    size: str = ""
    found: str = ""
    rest: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All of it."""
        size = f" ({self.size}{self.found and f'; {self.found}'})" if self.size else ""
        return printable("; ".join((self.head + size, *self.rest)))

    @property
    def short(self) -> str:
        """Without difference, interval and p, which a table has beside it."""
        return printable("; ".join(filter(None, (self.head, self.found, *self.rest))))


def verdicts(
    table: pd.DataFrame,
    beside: pd.DataFrame | None,
    alone: pd.DataFrame | None,
    conditions: Conditions,
) -> list[Verdict]:
    """One for each row of a table; `alone` are the comparisons of single subjects."""
    both: dict[Any, Any] = {}
    if beside is not None and conditions.over == ("query",):
        rows = beside[beside["over"].str.startswith("queries and")]
        both = {tuple(row[:3]): row for row in rows[[*_KEYS, *_CROSSED]].itertuples(index=False)}
    significant = _significant_alone(table, alone)
    out = []
    for number, row in enumerate(table.itertuples(index=False)):
        crossed = both.get((row.measure, row.system_a, row.system_b))
        out.append(_verdict(row, conditions, crossed, significant[number]))
    return out


_CROSSED = ["difference", "lower", "upper", "significant"]


def _significant_alone(table: pd.DataFrame, alone: pd.DataFrame | None) -> list[int | None]:
    """For each row, the subjects by whom alone it is significant, in the same direction."""
    if alone is None:
        return [None] * len(table)
    found = alone.loc[alone["significant"], [*_KEYS, "difference"]]
    found = found.merge(table[[*_KEYS, "difference"]], on=_KEYS, suffixes=("", "_of_all"))
    same = found[np.sign(found["difference"]) == np.sign(found["difference_of_all"])]
    counts = same.groupby(_KEYS).size()
    keys = list(table[_KEYS].itertuples(index=False, name=None))
    return [int(counts.get(key, 0)) for key in keys]


def _verdict(row: Any, conditions: Conditions, crossed: Any, alone: int | None) -> Verdict:
    """Of one pair."""
    if np.isnan(row.difference):
        return Verdict(
            f"{row.system_a} and {row.system_b} have no value of {row.measure} in common"
        )
    if row.wins + row.losses == 0 and row.std_error == 0:
        where = "the only query" if row.n_queries == 1 else f"all {row.n_queries:,} queries"
        return Verdict(f"{row.system_a} and {row.system_b} have the same {row.measure} on {where}")
    if not row.significant:
        return _not_shown(row, conditions)
    up = conditions.better_up(row.measure)
    a_wins = (row.difference > 0) == up
    first, second = (row.system_a, row.system_b) if a_wins else (row.system_b, row.system_a)
    better = "significantly better" if conditions.is_adjusted else "better"
    where = f"{row.measure} over {conditions.random}"
    if conditions.of_worlds:
        better, where = "better", f"{row.measure} in nearly all worlds"
    rest = _agreement(row, alone)
    if crossed is not None:
        rest.append(_once_drawn(row, crossed))
    return Verdict(
        f"{first} is {better} than {second} on {where}",
        _size(row, 1 if a_wins else -1, conditions),
        "" if up else "lower is better",
        tuple(rest),
    )


def _not_shown(row: Any, conditions: Conditions) -> Verdict:
    """Of a pair that does not differ significantly."""
    pair, what = f"{row.system_a} and {row.system_b}", _size(row, 1, conditions)
    found = found_text(row, conditions.found_by, conditions.span_of(row.measure))
    over = f"over {conditions.random}"
    if conditions.of_worlds:
        over = "in nearly all worlds"
        if conditions.alternative == "two-sided":
            few = np.isinf(row.lower) and np.isinf(row.upper)
            head = f"which of {pair} is better on {row.measure} depends on the world"
            if few:
                head = f"the worlds are too few to show which of {pair} is better on {row.measure}"
            return Verdict(head, what)
    if conditions.alternative == "two-sided":
        head = f"no difference between {pair} is shown on {row.measure} {over}"
        return Verdict(head, what, found)
    than = "greater" if conditions.alternative == "greater" else "lower"
    head = f"that {row.system_a} has a {than} {row.measure} than {row.system_b} is not shown {over}"
    return Verdict(head, what, found)


def found_text(row: Any, by: str, span: float = np.inf) -> str:
    """The difference that would have been found; `span` is the largest one there can be."""
    if not np.isfinite(row.min_detectable):
        return ""
    power = f"{100 * POWER:.0f} % power{by}"
    if row.min_detectable > span:
        return f"no difference that such values can have would have been found with {power}"
    return (
        f"a true difference of {two_digits(row.min_detectable)} would have been found with {power}"
    )


def _agreement(row: Any, alone: int | None) -> list[str]:
    """In how many subjects or worlds the difference has the same sign."""
    out = []
    if not np.isnan(row.share_subjects):
        whose = counted(row.n_subjects, "subject")
        text = f"same direction for {row.subjects_agree:,} of {whose}"
        if row.subjects_tied:
            text += f" ({row.subjects_tied:,} tied)"
        out.append(text if alone is None else f"{text}, significant for {alone or 'none'} of them")
    if not np.isnan(row.share_worlds):
        out.append(f"same direction in {row.share_worlds:.0%} of the worlds".replace("%", " %"))
    return out


def _once_drawn(row: Any, crossed: Any) -> str:
    """Whether the difference is significant if the subjects are a sample, too."""
    if np.isinf(crossed.lower) and np.isinf(crossed.upper):
        return "significance over queries and subjects unknown"
    agrees = crossed.significant and (crossed.difference > 0) == (row.difference > 0)
    return f"{'also' if agrees else 'not'} significant over queries and subjects"


def _size(row: Any, sign: int, conditions: Conditions) -> str:
    """Difference, interval and p of a row; the difference's sign is reversed if `sign` is -1."""
    kind = " unadjusted" if conditions.interval == "unadjusted" else ""
    name = "adjusted p" if conditions.correction != "none" else "p"
    after = "" if conditions.is_adjusted else f", not adjusted for {conditions.tests} comparisons"
    size = with_interval(row, sign, conditions)
    return f"difference {size}{kind}, {named_p(name, row.p_adjusted)}{after}"


def with_interval(row: Any, sign: int, conditions: Conditions) -> str:
    """A row's difference and its interval; signs are reversed if `sign` is -1."""
    lower, upper = sorted(sign * end for end in conditions.shown_ends(row))
    middle = sign * row.difference
    half = min(middle - lower, upper - middle)
    return f"{number(middle, half)} [{number(lower, half)}, {number(upper, half)}]"


def named_p(name: str, p: float) -> str:
    """Such as "adjusted p = 0.012" or "p < 0.0001"."""
    text = p_text(p)
    return f"{name} {text if '<' in text else f'= {text}'}"


def number(value: float, half: float) -> str:
    """A number of an interval, with two digits of the interval's half-width.

    With one of its own if it is smaller, and without a sign if it is 0.

    Examples
    --------
    >>> number(0.0523, 0.041), number(-float("inf"), 3.2), number(0.3, 0.0), number(-0.03, 4.8)
    ('0.052', '-inf', '0.3', '-0.03')
    """
    if not np.isfinite(value) or value == 0:
        return f"{value:g}" if value else "0"
    if not np.isfinite(half) or half <= 0:
        return f"{value:.3g}"
    decimals = 1 - int(np.floor(np.log10(half)))
    own = -int(np.floor(np.log10(abs(value))))
    decimals = max(decimals, min(own, _MOST_DECIMALS), 0)
    return f"{value:.{decimals}f}" if decimals <= _MOST_DECIMALS else f"{value:.3g}"

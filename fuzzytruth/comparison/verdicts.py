"""Comparisons in words: one sentence a pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.comparison.conditions import STRUCTURE, Conditions
from fuzzytruth.comparison.inference import PAIR, POWER, better_than
from fuzzytruth.errors import counted, first_few, printable
from fuzzytruth.show.answer import FrameColumns
from fuzzytruth.show.number_text import (
    digits_for,
    interval_text,
    level_text,
    number_text,
    signed_text,
)
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.settings import Over

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison

_MOST_PARTING = 3
# Whether queries or subjects are too few for any difference to be significant.


#: after the units that cannot tell
WHY = "with such a spread, no possible difference would be significant"


def cannot_tell(table: pd.DataFrame, conditions: Conditions) -> Bools:
    """Rows whose interval has a half-width beyond the largest difference that values can have.

    Of a measure whose range is not known, rows whose interval is infinite. Not where it is infinite
    although a spread is known: resamples or worlds are too few.
    """
    below, above = table["difference"] - table["lower"], table["upper"] - table["difference"]
    half = np.minimum(below, above)
    spans = table["measure"].map(conditions.span_of).astype(float)
    resampled = np.isinf(half) & table["std_error"].notna()
    known = ((half > spans) | np.isinf(half)) & ~table["significant"] & ~resampled
    return np.asarray(known, dtype=bool) & (not conditions.of_worlds)


def few_units(
    conditions: Conditions, n_queries: int, n_subjects: int, over: Over | None = None
) -> str:
    """The fewest of the units that are random, such as "2 subjects"."""
    queries = (n_queries, "query")
    if conditions.groups in ("clusters", "collections"):
        queries = (conditions.n_groups, conditions.collection or "cluster")
    sizes = {
        "query": queries,
        "subject": (n_subjects, "subject"),
        "world": (conditions.n_resampled, "subject"),
        "replicate": (conditions.replicates.fewest if conditions.replicates else 0, "run"),
    }
    units = [sizes[axis] for axis in over or conditions.over]
    return " and ".join(counted(*unit) for unit in units if unit[0] == min(units)[0])


def count_line(table: pd.DataFrame, conditions: Conditions) -> str:
    """How many of the differences by one measure are significant, or that units are too few."""
    measure, few = table["measure"].iloc[0], cannot_tell(table, conditions)
    n, of, unable = int(table["significant"].sum()), counted(len(table), "difference"), ""
    if few.any():
        rows = table[few]
        units = few_units(conditions, rows["n_queries"].max(), rows["n_subjects"].max())
        unable = f"; for {len(rows):,}, {units} cannot tell"
        if not n and len(rows) > len(table) / 2:
            what = f"{len(rows):,} of {of} could not be significant with such a spread"
            return f"{measure}: over {conditions.random}, {units} cannot tell: {what}"
    return f"{measure}: {n:,} of {of} {conditions.found}{unable}"


def detectable(table: pd.DataFrame, conditions: Conditions) -> str:
    """The differences that would have been found where none is shown; "" if there are none."""
    unknown = table.loc[~table["significant"], ["measure", "min_detectable"]].dropna()
    unknown = unknown[unknown["min_detectable"] < np.inf]
    if not len(unknown):
        return ""
    spans = unknown["measure"].map(conditions.span_of)
    found = unknown.loc[unknown["min_detectable"] <= spans, "min_detectable"]
    start = "No *: not shown, which is not the same as none"
    power = f"found with 80 % power{conditions.found_by}"
    if not len(found):
        return f"{start}; even the largest possible difference would not have been {power}."
    least, most = two_digits(found.min()), two_digits(found.max())
    size = least if least == most else f"{least} to {most}"
    rest = len(unknown) - len(found)
    never = f", and for {counted(rest, 'pair')} not even the largest possible" if rest else ""
    return f"{start}; true differences of {size} would have been {power}{never}."


#: for how many subjects alone the first system is significantly better, and the second
Alone = tuple[int, int]


def counts_alone(
    table: pd.DataFrame, alone: pd.DataFrame | None, conditions: Conditions
) -> list[Alone | None]:
    """For each row of a table; `alone` are the comparisons of single subjects."""
    if alone is None:
        return [None] * len(table)
    found = alone[alone["significant"]]
    first = (found["difference"] > 0) == found["measure"].map(conditions.better_up)
    counts = found.groupby([*(found[name] for name in PAIR), first.to_numpy(dtype=bool)]).size()
    keys = table[PAIR].itertuples(index=False, name=None)
    return [(int(counts.get((*key, True), 0)), int(counts.get((*key, False), 0))) for key in keys]


# Whether subjects' own truths prefer different systems.


_FEWEST = 6  # subjects among whom communities are looked for
_SEVERAL = 3  # subjects whose spread is spoken of


def direction_rows(table: pd.DataFrame, found: pd.DataFrame | None) -> Iterable[Any]:
    """The row of `Comparison.directions` for each row of a table; None without any."""
    return [None] * len(table) if found is None else found.loc[table.index].itertuples(index=False)


def truths_part(found: Any, conditions: Conditions) -> bool:
    """Whether both directions are shown, and votes by chance alone would not do it.

    The latter if it is known from permuted votes.
    """
    if found is None or not significant(found.p_both_ways, conditions.level):
        return False
    return not conditions.n_permutations or bool(significant(found.p_differs, conditions.level))


def direction_texts(row: Any, found: Any, conditions: Conditions) -> tuple[str, ...]:
    """That the subjects' truths part, how many prefer which, and what the mean says: sentences.

    Empty unless both directions are shown. `found` is the row of `Comparison.directions`, None
    without crossed subjects.
    """
    if not truths_part(found, conditions):
        return ()
    a, b, several = row.system_a, row.system_b, conditions.tests > 1
    alone = "alone"
    if conditions.over != ("query",):
        alone += f" over {conditions.axes(('query',))}"
    alone += ", not adjusted for other pairs" if several else ""
    p = named_p("adjusted p" if several else "p", found.p_both_ways)
    mean = row.difference if conditions.is_directed else abs(row.difference)
    known = [(x, n) for x, n in ((a, found.at_least_a), (b, found.at_least_b)) if n]
    least = " and ".join(
        f"{x} for at least {n:,}" if k else f"; {x} is better for at least {n:,} of them"
        for k, (x, n) in enumerate(known)
    )
    least += f" (simultaneous {level_text(conditions.level)})" if known else ""
    says = "describes neither group" if abs(mean) < found.sd_subjects / 2 else "is not everybody's"
    return (
        f"{row.measure}: the people's truths part.",
        f"Significant for {found.n_a + found.n_b:,} of {row.n_subjects:,} {alone}, in both "
        f"directions ({a}: {found.n_a:,}, {b}: {found.n_b:,}; {p}){least}.",
        f"The mean difference {two_digits(mean)} ({_spread(found, conditions)}) {says}."
        f"{see_communities(row.n_subjects)}",
    )


def see_communities(n_subjects: int) -> str:
    """Where to find the groups, ready to follow a sentence; "" if subjects are too few for it."""
    return " See ft.communities(votes)." if n_subjects >= _FEWEST else ""


def varying_text(found: Any, conditions: Conditions) -> str:
    """That the size of a difference varies over subjects by more than chance; "" if not shown.

    Of two subjects nothing is said: their judgments alone say it better.
    """
    if found is None or (conditions.n_subjects or 0) < _SEVERAL:
        return ""
    if not significant(found.p_differs, conditions.level):
        return ""
    p = named_p("adjusted p" if conditions.tests > 1 else "p", found.p_differs)
    spread, n = _spread(found, conditions), conditions.n_permutations
    p += f", {n:,} permutations" if n else ""
    return f"the size differs between people ({spread}; {p}), the direction not shown to"


def parting_lines(result: Comparison, measure: str) -> list[str]:
    """The pairs on which subjects' truths part, and how many differ in size alone."""
    table, conditions = result.rows_of(measure), result.conditions
    found = [*direction_rows(table, result._directions())]
    rows = zip(table.itertuples(index=False), found, strict=True)
    texts = [direction_texts(*both, conditions) for both in rows]
    lines = [f"  {' '.join(text[:2])}" for text in texts if text]
    more = len(lines) - _MOST_PARTING
    if more > 0:
        lines[_MOST_PARTING:] = [f"  They part on {counted(more, 'more pair')}, too."]
    see = see_communities(conditions.n_subjects or 0)
    lines += [f"  All pairs: .directions().{see}"] if lines else []
    varying = [varying_text(row, conditions) for row in found]
    n = sum(bool(size) and not text for size, text in zip(varying, texts, strict=True))
    pairs = f"for {counted(n, 'pair')} the size differs between people by more than chance"
    return [*lines, f"  {pairs}{conditions.as_if}: .directions()"] if n else lines


def count_lines(result: Comparison, measure: str) -> list[str]:
    """How many of the differences by one measure are significant, and whose they are."""
    conditions, table, names = result.conditions, result.rows_of(measure), result.conditions.systems
    head = count_line(table, conditions)
    if not table["significant"].any():
        return [head]
    above = better_than(table, conditions, measure)
    up, side = conditions.better_up(measure), conditions.alternative
    if conditions.baselines:
        better = ("better", "worse") if up else ("worse", "better")
        tested = {"greater": better[:1], "less": better[1:]}.get(side, ("better", "worse"))
        lines = [head]
        for base in conditions.baselines:
            place = names.index(base)
            for word in tested:
                which = above[:, place] if word == "better" else above[place]
                found = first_few([names[j] for j in np.flatnonzero(which)], 20)
                lines.append(f"  {word} than {base}: {found or 'none'}")
        return lines
    if side != "two-sided":
        return [head]  # each pair was tested in one direction only
    better_word = conditions.say(
        "significantly better",
        worlds="better in nearly all worlds",
        unadjusted=f"better (with p at most {conditions.alpha}, not adjusted)",
    )
    best = [names[j] for j in np.flatnonzero(~above.any(axis=0))]
    return [head, f"  among the best (no system is {better_word}): {first_few(best, 10)}"]


def _spread(found: Any, conditions: Conditions) -> str:
    """How much a difference varies over subjects, and by chance as far as that is known."""
    spread = f"sd over people {two_digits(found.sd_subjects)}"
    if not np.isnan(found.sd_chance):
        return f"{spread}, by chance {two_digits(found.sd_chance)}{conditions.as_if}"
    if conditions.queries_share_items:
        return f"{spread}; whether by more than chance: {STRUCTURE}"
    return spread


_MOST_DECIMALS = 12


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
        Whether subjects and worlds agree, and single subjects' judgments alone.
    before : str
        That subjects' truths part, in sentences of its own.
    """

    head: str
    size: str = ""
    found: str = ""
    rest: tuple[str, ...] = ()
    before: str = ""

    @property
    def sentence(self) -> str:
        """All of it."""
        size = f" ({self.size}{self.found and f'; {self.found}'})" if self.size else ""
        return self._joined(self.head + size, *self.rest)

    @property
    def short(self) -> str:
        """Without difference, interval and p, which a table has beside it."""
        return self._joined(self.head, self.found, *self.rest)

    def _joined(self, *parts: str) -> str:
        """In one line."""
        whole = (self.before, "; ".join(filter(None, parts)))
        return printable(" ".join(filter(None, whole)))


def verdicts(
    table: pd.DataFrame,
    beside: pd.DataFrame | None,
    alone: pd.DataFrame | None,
    found: pd.DataFrame | None,
    conditions: Conditions,
    these: dict[tuple[str, ...], str] | None = None,
) -> list[Verdict]:
    """One for each row of a table.

    `alone` are the comparisons of single subjects, `found` the directions of the rows, `these` what
    is said of pairs whose runs differ.
    """
    both: dict[Any, Any] = {}
    wider = {conditions.axes(_wider(conditions)), conditions.axes(("query", "subject"))}
    if beside is not None and conditions.over == ("query",):
        rows = beside[beside["over"].isin(wider)]
        rows = rows[[*PAIR, *_CROSSED]].assign(few=cannot_tell(rows, conditions))
        both = {tuple(row[:3]): row for row in rows.itertuples(index=False)}
    counts = counts_alone(table, alone, conditions)
    few = cannot_tell(table, conditions)
    out = []
    each = zip(table.itertuples(index=False), direction_rows(table, found), strict=True)
    for number, (row, direction) in enumerate(each):
        key: Any = (row.measure, row.system_a, row.system_b)
        given = both.get(key), counts[number], direction, (these or {}).get(key)
        out.append(_verdict(row, conditions, *given, few=few[number]))
    return out


_CROSSED = ["difference", "lower", "upper", "significant"]


def _verdict(
    row: Any,
    conditions: Conditions,
    crossed: Any,
    alone: Alone | None,
    direction: Any,
    these: str | None,
    *,
    few: bool,
) -> Verdict:
    """Of one pair."""
    if np.isnan(row.difference):
        return Verdict(
            f"{row.system_a} and {row.system_b} have no value of {row.measure} in common"
        )
    part = " ".join(direction_texts(row, direction, conditions))
    if row.wins + row.losses == 0 and row.std_error == 0:
        return _same(row, conditions, part)
    if conditions.groups == "collections":
        return Verdict(_over_collections(row, conditions))
    varying = "" if part else varying_text(direction, conditions)
    if not row.significant and part:
        return Verdict("", before=part)
    if not row.significant:
        units = few_units(conditions, row.n_queries, row.n_subjects) if few else ""
        head, found = _not_shown(row, conditions, units)
        rest = [*_borrowed(row, conditions), *filter(None, (varying, these))]
        if crossed is not None and crossed.few and not few:
            rest.append(_once_drawn(row, crossed, conditions))
        return Verdict(head, _size(row, 1, conditions), found, tuple(rest))
    up = conditions.better_up(row.measure)
    a_wins = (row.difference > 0) == up
    first, second = (row.system_a, row.system_b) if a_wins else (row.system_b, row.system_a)
    better = "significantly better" if conditions.is_test else "better"
    mine = None if alone is None or part else alone[0 if a_wins else 1]
    rest = [*_agreement(row, mine), *_borrowed(row, conditions), *([varying] if varying else [])]
    if crossed is not None:
        rest.append(_once_drawn(row, crossed, conditions))
    return Verdict(
        f"{first} is {better} than {second} on {row.measure} {conditions.where}",
        _size(row, 1 if a_wins else -1, conditions),
        "" if up else "lower is better",
        tuple(rest),
        part,
    )


def _same(row: Any, conditions: Conditions, part: str) -> Verdict:
    """Of systems with the same values everywhere."""
    where = "the only query" if row.n_queries == 1 else f"all {row.n_queries:,} queries"
    what = f"mean {row.measure} of all subjects" if part else row.measure
    same = f"{row.system_a} and {row.system_b} have the same {what} on {where}"
    if row.lower < 0 < row.upper < np.inf:
        by = "judged by how much the other pairs vary"
        return Verdict(same, _size(row, 1, conditions), by, before=part)
    plain = conditions.over == ("query",) and not conditions.weigh_the_same and not part
    if not plain or row.n_queries < 2:
        return Verdict(same, before=part)
    n, units = row.n_queries, "queries"
    if conditions.groups is not None:
        n, units = conditions.n_groups, "clusters"
    most = number_text(100 * (1 - (1 - conditions.level) ** (1 / n)), 0)
    level = level_text(conditions.level)
    rest = f"with {level} confidence they differ on fewer than {most} % of such {units}"
    return Verdict(same, rest=(rest,), before=part)


def _borrowed(row: Any, conditions: Conditions) -> list[str]:
    """That a pair differs on too few queries to tell how much it varies."""
    if not getattr(row, "borrowed", False):
        return []
    units, n = "queries", row.n_queries
    if conditions.groups == "clusters":
        units, n = "clusters", conditions.n_groups
    on = f"they differ on {row.n_apart:,} of {n:,} {units}"
    if row.ties < n - row.n_apart:  # the commonest difference is not 0
        on = f"their difference is the same on all but {row.n_apart:,} of {n:,} {units}"
    few = "too few to tell how much they vary: the interval borrows the other pairs' variance"
    return [f"{on}, {few}"]


def _not_shown(row: Any, conditions: Conditions, few: str) -> tuple[str, str]:
    """Head of a pair that does not differ significantly, and what would have been found.

    `few` are the units that are too few for any difference, such as "2 subjects".
    """
    pair, two_sided = f"{row.system_a} and {row.system_b}", conditions.alternative == "two-sided"
    if conditions.of_worlds and two_sided:
        if np.isinf(row.lower) and np.isinf(row.upper):
            return f"the worlds are too few to show which of {pair} is better on {row.measure}", ""
        return f"which of {pair} is better on {row.measure} depends on the world", ""
    claim = f"{pair} differ on {row.measure}"
    not_shown = f"no difference between {pair} is shown on {row.measure}"
    if not two_sided:
        than = "greater" if conditions.alternative == "greater" else "lower"
        claim = f"{row.system_a} has a {than} {row.measure} than {row.system_b}"
        not_shown = f"that {claim} is not shown"
    if few:
        return f"{few} cannot tell whether {claim} {conditions.where}", WHY
    found = found_text(row, conditions.found_by, conditions.span_of(row.measure))
    return f"{not_shown} {conditions.where}", found


def found_text(row: Any, by: str, span: float = np.inf) -> str:
    """The difference that would have been found; `span` is the largest one there can be."""
    if not np.isfinite(row.min_detectable):
        return ""
    power = f"{100 * POWER:.0f} % power{by}"
    if row.min_detectable > span:
        return f"even the largest possible difference would not have been found with {power}"
    return (
        f"a true difference of {two_digits(row.min_detectable)} would have been found with {power}"
    )


def _agreement(row: Any, alone: int | None) -> list[str]:
    """In how many subjects or worlds the difference has the same sign."""
    out = []
    if not np.isnan(row.share_subjects):
        text = f"same direction for {row.subjects_agree:,} of {counted(row.n_subjects, 'subject')}"
        if row.subjects_tied:
            text += f" ({row.subjects_tied:,} tied)"
        if alone is not None:
            text += f", significant for {alone or 'none'} of them"
        out.append(text)
    if not np.isnan(row.share_worlds):
        out.append(f"same direction in {row.share_worlds:.0%} of the worlds".replace("%", " %"))
    return out


def _wider(conditions: Conditions) -> Over:
    """What is random beside queries, if subjects, resampled ones or runs are a sample, too."""
    if conditions.subjects is None and conditions.replicates is not None:
        return ("query", "replicate")
    return ("query", "world" if conditions.subjects is None else "subject")


def _once_drawn(row: Any, crossed: Any, conditions: Conditions) -> str:
    """Whether the difference is significant if the subjects, or runs, are a sample, too."""
    both = conditions.axes(_wider(conditions)).replace("worlds", "subjects")
    if np.isinf(crossed.lower) and np.isinf(crossed.upper):
        return f"significance over {both} unknown"
    if crossed.few:
        few = few_units(conditions, row.n_queries, row.n_subjects, _wider(conditions))
        return f"over {both}, {few} cannot tell"
    agrees = crossed.significant and (crossed.difference > 0) == (row.difference > 0)
    return f"{'also' if agrees else 'not'} significant over {both}"


def _size(row: Any, sign: int, conditions: Conditions) -> str:
    """Difference, interval and p of a row; the difference's sign is reversed if `sign` is -1."""
    kind = " unadjusted" if conditions.interval == "unadjusted" else ""
    after = "" if conditions.is_adjusted else f", not adjusted for {conditions.tests} comparisons"
    size = with_interval(row, sign, conditions)
    return f"difference {size}{kind}, {named_p(conditions.p_name, row.p_adjusted)}{after}"


def with_interval(row: Any, sign: int, conditions: Conditions, of: str = "") -> str:
    """A row's difference and an interval, whose columns begin with `of`.

    Signs are reversed if `sign` is -1.
    """
    ends = getattr(row, f"{of}lower"), getattr(row, f"{of}upper")
    lower, upper = sorted(sign * end for end in conditions.shown_ends(row.measure, *ends))
    middle = sign * row.difference
    half = min(middle - lower, upper - middle)
    return f"{number(middle, half)} [{number(lower, half)}, {number(upper, half)}]"


def _over_collections(row: Any, conditions: Conditions) -> str:
    """Over collections, on another, on at least how many of these, and on these alone."""
    sign = -1 if row.difference < 0 else 1
    first, second = (row.system_a, row.system_b)[::sign]
    lower = "" if conditions.better_up(row.measure) else " (lower is better)"
    n, name, many = row.n_collections, conditions.collection, conditions.random
    found = row.significant and conditions.is_test and n > 2  # of two, these alone are meant
    exceeds = "significantly exceeds" if found else "exceeds"
    claim = f"{first} {exceeds} {second} on {row.measure}{lower} by"
    other = conditions.alternative == ("less" if sign > 0 else "greater")  # direction tested
    size, new, alone = (with_interval(row, sign, conditions, of) for of in ("", "new_", "alone_"))
    if conditions.interval == "unadjusted":
        size += " unadjusted"
    size += f" ({counted(n, name)}, {named_p(conditions.p_name, row.p_adjusted)})"
    least, most = new[new.index("[") + 1 : -1].split(", ")
    new = f"on a new {name} between {least} and {most}"
    count = "all" if row.at_least == n else f"at least {row.at_least:,}"
    count = f"on {count} of these {n:,} ({level_text(conditions.level)})"
    count = f"{second} is higher {count}" if other else count
    if not row.at_least:
        what = f"that {second} is higher is not shown" if other else "not shown to hold"
        count = f"{what} on any one of these {n:,}"
    if n == 2:  # they say next to nothing about others
        return f"on these 2 alone: {claim} {alone}; {count}. Over {many}: {size}; {new}."
    return f"over {many}: {claim} {size}; {new}; {count}. On these {n:,} alone: {alone}."


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


def difference_columns(
    table: pd.DataFrame, conditions: Conditions, digits: int | None = None
) -> FrameColumns:
    """Difference, interval and p of rows of a comparison, fewer decimals where they are large."""
    places: dict[Any, int] = {}
    for measure, rows in table.groupby("measure", sort=False):
        ends = zip(rows["lower"], rows["upper"], strict=True)
        shown = chain.from_iterable(conditions.shown_ends(str(measure), *two) for two in ends)
        places[measure] = digits_for([*rows["difference"], *shown], 4) if digits is None else digits

    def difference(measure: str, value: float, significant: bool) -> str:
        return signed_text(value, places[measure]) + ("*" if significant else " ")

    def interval(measure: str, *ends: float) -> str:
        return interval_text(*conditions.shown_ends(measure, *ends), places[measure], signed=True)

    new = f"new {conditions.collection}"
    others: FrameColumns = {
        ("measure", "new_lower", "new_upper"): (new, interval, "extra"),
        ("at_least", "n_collections"): ("at least", "{}/{}".format, "extra"),
    }
    return {
        ("measure", "difference", "significant"): ("difference", difference),
        ("measure", "lower", "upper"): (f"{level_text(conditions.level)} interval", interval),
        "p_adjusted": (conditions.p_name, p_text),
        **(others if "at_least" in table.columns else {}),
    }

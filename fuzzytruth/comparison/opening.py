"""The answer of a comparison in one sentence, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.comparison import verdicts
from fuzzytruth.comparison.by_subject import SubjectComparisons, means_alone
from fuzzytruth.comparison.inference import better_than
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.scores.score_rows import best_first, best_systems
from fuzzytruth.evaluation.validation import measures_in_words
from fuzzytruth.show.answer import Sentences
from fuzzytruth.stats.settings import listed

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison

MOST_SENTENCES = 6  # about pairs, of more of which numbers are given
_MOST_NAMES = 3
_MOST_TURNED = 2  # people who are named
_TIE = "Systems tie for best if none is significantly better than any of them."


def order_of(result: Comparison, measure: str) -> Ints:
    """Places of systems, the best mean first."""
    values, up = result.means[measure].to_numpy(dtype=float), result.conditions.better_up(measure)
    return best_first(values, higher_is_better=up)


def best_of(result: Comparison, measure: str) -> list[str]:
    """Systems than which none is significantly better, the best mean first.

    Without those that have no mean, or share too few queries with others to tell.
    """
    above = better_than(result.table, result.conditions, measure)
    known, order = known_systems(result, measure), order_of(result, measure)
    return [result.conditions.systems[j] for j in order if known[j] and not above[:, j].any()]


def known_systems(result: Comparison, measure: str) -> Bools:
    """Systems that have a mean, and some difference of which something is known: (systems,)."""
    rows, names = result.rows_of(measure), result.conditions.systems
    told = rows[~verdicts.cannot_tell(rows, result.conditions)]
    compared = {*told["system_a"], *told["system_b"]}
    has_mean: Bools = np.isfinite(result.means[measure].to_numpy(dtype=float))
    return np.asarray(has_mean & [name in compared or not compared for name in names])


def claim(result: Comparison, measure: str, named: str = "") -> str:
    """Who is best by one measure, or better than the baselines, without a full stop.

    `named` is what the measure is called.
    """
    rows, conditions, on = result.rows_of(measure), result.conditions, f"on {named or measure}"
    if verdicts.cannot_tell(rows, conditions).all():
        subjects = int(rows["n_subjects"].max()) if "n_subjects" in rows else 0
        units = verdicts.few_units(conditions, int(rows["n_queries"].max()), subjects)
        return f"{units} cannot tell which system is better {on}"
    two_sided = conditions.alternative == "two-sided"
    if not conditions.is_test or not two_sided or not conditions.is_family_wise:
        return f"{on}: {verdicts.count_line(rows, conditions).removeprefix(f'{measure}: ')}"
    over = f"over {conditions.random}"
    if conditions.baselines:
        each = (_against(base, result, measure) for base in conditions.baselines)
        return f"{listed([*each])} {on} {over}"
    best, known = best_of(result, measure), known_systems(result, measure)
    lost, names = (list(compress(conditions.systems, which)) for which in (~known, known))
    on += f" ({_named(lost)}: too few queries to tell)" if lost else ""
    if not best:  # where pairs have different queries, all may be beaten
        return f"no system is shown to be best {on} {over}"
    if len(names) == 2 and len(best) == 2:
        return f"no difference between {listed(names)} is shown {on} {over}"
    if len(best) == len(names):
        return f"no system is shown to be better than another {on} {over}"
    if len(best) > _MOST_NAMES:
        return f"{len(best):,} of {len(names):,} systems tie for best {on}, led by {best[0]}"
    if len(best) > 1:
        return f"{listed(best)} tie for best {on}"
    others = [one for one in names if one != best[0]]
    place = conditions.systems.index(best[0])
    if better_than(rows, conditions, measure)[place].sum() < len(others):
        return f"{best[0]} alone is beaten by no other system {on} {over}"
    than = "all others" if len(others) > 1 else others[0]
    return f"{best[0]} is best {on}: significantly better than {than} {over}"


def begun(text: str) -> str:
    """A claim at the start of a sentence; names of systems stay as they are."""
    words = ("no system ", "no difference ", "none of ", "on ", "by ", "over ")
    return f"{text[0].upper()}{text[1:]}" if text.startswith(words) else text


def _last(text: str) -> str:
    """The word before the last of several measures; none of them is meant by "not … or"."""
    no_one = text.startswith(("no ", "none ")) and " significantly " not in text
    return "or" if no_one or " cannot tell which " in text else "and"


def _named(systems: Sequence[str]) -> str:
    """All of few names, of more the first."""
    few = len(systems) <= _MOST_NAMES
    return listed(systems) if few else first_few(systems, _MOST_NAMES - 1)


def _against(base: str, result: Comparison, measure: str) -> str:
    """Which systems are better, and worse, than a baseline, the best first."""
    names, order = result.conditions.systems, order_of(result, measure)
    above = better_than(result.table, result.conditions, measure)
    place, of = names.index(base), len(names) - len(result.conditions.baselines)
    sides = {"better": above[:, place], "worse": above[place]}
    told = []
    for what, which in sides.items():
        found = [names[j] for j in order if which[j]]
        be = "is" if len(found) == 1 else "are"
        told += [f"{_named(found)} {be} significantly {what} than {base}"] if found else []
    return listed(told) or f"none of {counted(of, 'system')} is shown to differ from {base}"


def alone_of(result: Comparison, each: SubjectComparisons) -> list[tuple[str, Comparison]]:
    """Subjects, and the comparison by the judgments of each of them alone."""
    out, table = [], each.table.assign(n_subjects=1)
    for name, means in zip(each.subjects, means_alone(result), strict=True):
        known: Any = {"table": table[table["subject"] == name], "conditions": each.conditions}
        out.append((name, replace(result, means=means, **known)))
    return out


def opening(
    result: Comparison, each: SubjectComparisons | None, both: Comparison | None = None
) -> str:
    """Who is best, by which measures, and whose judgments alone would change it.

    `each` are the comparisons by single subjects' judgments, `both` is the one over queries and
    subjects; None where there are none.
    """
    conditions, claims, place = result.conditions, dict[str, list[str]](), "\0"
    for measure in conditions.measures:
        claims.setdefault(claim(result, measure, place), []).append(measure)
    words = ((text, measures_in_words(of, last=_last(text))) for text, of in claims.items())
    parts = [text.replace(place, of) for text, of in words]
    parts[0] = begun(parts[0])
    people, told = _of_people(result, each), [] if both is None else _over_both(result, both)
    if any(text.startswith("not for") for text in people):  # of truths that part, no means
        told = [text for text in told if not text.startswith("no ")]
    return f"{'; '.join([*parts, *people, *told])}."


def _over_both(result: Comparison, both: Comparison) -> list[str]:
    """Whether the answer on the first measure holds over subjects, too."""
    measure, conditions = result.conditions.measures[0], both.conditions
    if not (result.conditions.is_test and conditions.is_test):
        return []
    text, wide = claim(result, measure), claim(both, measure)
    if text.replace(f"over {result.conditions.random}", f"over {conditions.random}") == wide:
        return [f"the same over {conditions.random}"] if " significantly " in wide else []
    return [wide if "over " in wide else f"{wide} over {conditions.random}"]


def _of_people(result: Comparison, each: SubjectComparisons | None) -> list[str]:
    """Whether people part on the best systems, and whose judgments alone have another one first."""
    conditions, measure, parted = result.conditions, result.conditions.measures[0], list[str]()
    if each is None or not conditions.is_test:
        return []
    several, known = len(conditions.measures) > 1, dict[str, list[str]]()
    for name in conditions.measures:
        best = {*best_of(result, name)}
        pairs = [pair for pair in result._parted(name) if conditions.is_directed or best & {*pair}]
        on = f" on {first_few(map(listed, pairs), 2)}" if len(conditions.systems) > 2 else ""
        if pairs:
            known.setdefault(on, []).append(name)
    for on, of in known.items():
        by = f" by {measures_in_words(of)}" if several else ""
        parted.append(f"the people's truths part{on}{by}")
    said = [f"not for everybody: {listed(parted)}"] if parted else []
    return said if conditions.is_directed else [*said, *_alone(result, each, measure)]


def _alone(result: Comparison, each: SubjectComparisons, measure: str) -> list[str]:
    """By whose judgments alone none of the best would have the highest mean.

    Subjects by whose judgments one of the best has no mean are left out, and counted.
    """
    names, turned, by_whom = result.conditions.systems, dict[str, list[str]](), list[Bools]()
    best, up = best_of(result, measure), (result.conditions.better_up(measure),)
    places = [*map(names.index, best)]
    for subject, alone in alone_of(result, each):
        values = alone.means[[measure]].to_numpy(dtype=float)
        if not places or np.isnan(values[places]).any():
            continue
        firsts = best_systems(values, up)[:, 0]
        by_whom.append(firsts[places])
        if not firsts[places].any():
            above = better_than(alone.table, alone.conditions, measure)[firsts]
            wins = "win" if (above | firsts | np.isnan(values[:, 0])).all() else "lead"
            text = f"{listed([*compress(names, firsts)])} would {wins}"
            turned.setdefault(text, []).append(subject)
    on = f" on {measure}" if len(result.conditions.measures) > 1 else ""
    n, n_all, n_scored = sum(map(len, turned.values())), len(each.subjects), len(by_whom)
    of = counted(n_scored, "subject")
    rest = f" ({n_all - n_scored:,} of {n_all:,} did not judge the best)" * (n_scored < n_all)
    if n > _MOST_TURNED:
        who = "another system" if len(turned) > 1 else next(iter(turned)).partition(" would ")[0]
        return [f"by the judgments of {n:,} of {of} alone, {who} would lead{on}{rest}"]
    if n:
        told = (f"under {listed(who)}'s judgments alone {what}" for what, who in turned.items())
        return [f"{', '.join(told)}{on}{rest}"]
    counts = np.sum(by_whom, axis=0) if by_whom else np.zeros(1)
    order = [j for j in np.argsort(-counts, kind="stable") if counts[j]]  # in most cases first
    always = [best[j] for j in order if counts[j] == n_scored]
    if not order or (always and len(best) == len(names)):
        return []
    if always:
        who = "it" if len(best) == 1 else listed(always)
        has = "has" if len(always) == 1 else "have"
        return [f"{who} {has} the best mean{on} by each of {of} alone{rest}"]
    most = f"{best[order[0]]} has the best mean{on} by {counts[order[0]]:,} of {of} alone"
    more = [f"{best[j]} by {counts[j]:,}" for j in order[1:_MOST_NAMES]]
    others = sum(not one[order[:_MOST_NAMES]].any() for one in by_whom)
    more += [f"others by {others:,}"] if others else []
    ties = " (equal means count for each)" if counts.sum() > n_scored else ""
    return [f"{', '.join((most, *more))}{ties}{rest}"]


def findings(result: Comparison, both: Comparison | None, limit: int) -> list[str]:
    """Sentences on the differences, or how many are significant if they are more than a limit.

    `both` is the same comparison over queries and subjects, where there is one.
    """
    lines = [*result._verdict_lines(limit).lines]
    if both is not None and len(result.table) > limit:
        of_measures = both.table.groupby("measure", sort=False)
        lines += [verdicts.count_line(rows, both.conditions) for _, rows in of_measures]
    return lines


def how_sure(result: Comparison, both: Comparison | None = None) -> tuple[Sentences, Sentences]:
    """What was found and by which test, as a list, and what the words mean, as notes."""
    conditions, lines = result.conditions, findings(result, both, MOST_SENTENCES)
    if len(result.table) > MOST_SENTENCES:  # what belongs to a line is about single pairs
        lines = [line for line in lines if not line.startswith(" ")]
    notes = [
        _TIE if conditions.is_test and conditions.has_rank_sets else "",
        *result._basis().lines,
        verdicts.detectable(result.table, conditions),
        *conditions.meaning(None if both is None else both.conditions),
    ]
    return Sentences(tuple(lines), "list"), Sentences.of(*notes, kind="note")

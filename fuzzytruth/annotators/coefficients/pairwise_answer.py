"""What is printed of the agreement of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.io.number_text import interval_text, level_text, number_text, with_interval

if TYPE_CHECKING:
    import pandas as pd

_MOST_PAIRS = 10  # that are all shown
_MOST_SUBJECTS = 8
_MOST_CLUSTERS = 3
_SAME = 1e-12  # means that differ by rounding
_MOST_MEMBERS = 4
COEFFICIENTS = {
    "percent": "share of equal values",
    "kappa": "Cohen's kappa",
    "alpha": "Krippendorff's alpha",
    "tau_b": "Kendall's tau_b",
}


class Pairwise(Protocol):
    """A `PairwiseAgreement`, as far as it is printed."""

    @property
    def subjects(self) -> tuple[str, ...]:
        """Names."""
        ...

    @property
    def pairs(self) -> pd.DataFrame:
        """One row a pair."""
        ...

    @property
    def means(self) -> pd.DataFrame:
        """One row a subject, the lowest first."""
        ...

    @property
    def n_effective(self) -> float:
        """Effective number of subjects."""
        ...

    @property
    def n_effective_lower(self) -> float:
        """Lower end of its interval."""
        ...

    @property
    def n_effective_upper(self) -> float:
        """Upper end."""
        ...

    @property
    def n_effective_unknown(self) -> str:
        """Why it is unknown."""
        ...

    @property
    def coefficient(self) -> str:
        """Which coefficient."""
        ...

    @property
    def metric(self) -> str:
        """Distance of grades."""
        ...

    @property
    def over(self) -> str:
        """What intervals are over."""
        ...

    @property
    def level(self) -> float:
        """Of the intervals."""
        ...

    @property
    def n_units(self) -> int:
        """Units that were judged."""
        ...

    @property
    def n_clusters(self) -> int:
        """Items or queries."""
        ...

    def duplicates(self, threshold: float = ...) -> pd.DataFrame:
        """Clusters of near-duplicates."""
        ...


def pairwise_answer(result: Pairwise) -> Printed:
    """What `print` shows: who agrees with whom, copies, and the effective number."""
    pairs = result.pairs.sort_values("value", ascending=False, kind="stable").dropna(subset="value")
    of = f" ({result.metric})" if result.metric != "nominal" else ""
    units = counted(result.n_units, "item" if result.over == "item" else "judged item")
    queries = f" of {counted(result.n_clusters, 'query')}" if result.over == "query" else ""
    few = len(result.pairs) <= _MOST_PAIRS
    lowest = 0.0 if result.coefficient == "percent" else -1.0
    return Printed.of(
        f"Agreement of {counted(len(result.subjects), 'subject')} in pairs: "
        f"{COEFFICIENTS[result.coefficient]}{of} on {units}{queries}",
        Sentences.of(
            *_extremes(pairs, lowest), _outlier(result), _duplicates(result), _effective(result)
        ),
        _pair_table(result, pairs) if few else None,
        _subject_table(result) if len(result.subjects) > 2 else None,
        _legend(result),
        Sentences.of("More: .to_frame(), .by_subject(), .matrix(), .duplicates(), .n_effective"),
    )


def _extremes(pairs: pd.DataFrame, lowest: float) -> list[str]:
    """The pairs that agree most and least, of those with an interval if there are any."""
    if pairs.empty:
        return ["The coefficient is undefined for every pair."]
    if len(pairs) == 1:
        return [f"Their agreement: {_pair(pairs, 0)}."]
    known = pairs[(pairs["lower"] > lowest) | (pairs["upper"] < 1)]
    pairs = pairs if known.empty else known
    if len(pairs) > 1 and pairs["value"].nunique() == 1:
        return [f"All {len(pairs):,} pairs agree alike: {number_text(pairs['value'].iloc[0], 3)}."]
    return [f"Most alike: {_pair(pairs, 0)}.", f"Least alike: {_pair(pairs, -1)}."]


def _pair(pairs: pd.DataFrame, at: int) -> str:
    row = pairs.iloc[at]
    return (
        f"{row['subject_a']} and {row['subject_b']}, "
        f"{with_interval(row['value'], row['lower'], row['upper'])}"
    )


def _outlier(result: Pairwise) -> str:
    """Who agrees least with all others."""
    means = result.means.dropna(subset="value")
    if len(means) < 3 or means["value"].max() - means["value"].min() < _SAME:
        return ""
    low, high = means.iloc[0], means.iloc[-1]
    return (
        f"With the others, {low['subject']} agrees least on average "
        f"({number_text(low['value'], 3)}) and {high['subject']} most "
        f"({number_text(high['value'], 3)})."
    )


def _duplicates(result: Pairwise) -> str:
    """Clusters of near-duplicates."""
    found = result.duplicates()
    unsure = _equal_but_unsure(result, found)
    if found.empty:
        if unsure:
            return f"Near-duplicates: none certain, but {unsure}."
        return "Near-duplicates: none shown; that takes some 150 items in common or more."
    clusters = []
    for _, rows in found.groupby("cluster"):
        names = first_few(rows["subject"], _MOST_MEMBERS)
        clusters.append(f"{names} (equal on at least {100 * rows['percent'].min():.1f} %)")
    listed = first_few(clusters, _MOST_CLUSTERS, unit="cluster", separator="; ")
    out = f"Near-duplicates, {counted(len(clusters), 'cluster')}: {listed}."
    return f"{out} Besides, {unsure}." if unsure else out


def _equal_but_unsure(result: Pairwise, found: pd.DataFrame) -> str:
    """Pairs that never differed, and are no near-duplicates; "" if there is none."""
    cluster = dict(zip(found["subject"], found["cluster"], strict=True))
    equal = result.pairs[(result.pairs["percent"] == 1) & result.pairs["value"].notna()]
    ends = zip(equal["subject_a"], equal["subject_b"], strict=True)
    n = sum(a not in cluster or cluster[a] != cluster.get(b) for a, b in ends)
    if not n:
        return ""
    return f"{counted(n, 'pair')} never differed, on too few items to call them copies"


def _effective(result: Pairwise) -> str:
    """The effective number in words."""
    if result.n_effective_unknown:
        return f"Effective number of subjects: unknown; {result.n_effective_unknown}."
    number = with_interval(
        result.n_effective, result.n_effective_lower, result.n_effective_upper, 1
    )
    return (
        f"Effective number of subjects: {number}; beyond what all have in common, these "
        f"{len(result.subjects):,} are as diverse as that many independent subjects."
    )


def _pair_table(result: Pairwise, pairs: pd.DataFrame) -> Table:
    """All pairs, those that agree most first; undefined ones last."""
    import pandas as pd

    rows = pd.concat([pairs, result.pairs[result.pairs["value"].isna()]])
    return Table(
        (
            Column.label("subject", rows["subject_a"]),
            Column.label("and", rows["subject_b"]),
            Column("items", tuple(f"{n:,}" for n in rows["n_units"])),
            *_numbers(result, rows),
        )
    )


def _subject_table(result: Pairwise) -> Table:
    """Subjects, those who agree least with the others first."""
    columns = (
        Column.label("subject", result.means["subject"]),
        Column("others", tuple(f"{n:,}" for n in result.means["n_others"])),
        *_numbers(result, result.means),
    )
    kept, left_out = first_rows(columns, _MOST_SUBJECTS)
    title = "Mean agreement with the others"
    rest = f", the lowest {_MOST_SUBJECTS} of {len(result.means):,}" if left_out else ""
    return Table(kept, title + rest)


def _numbers(result: Pairwise, rows: pd.DataFrame) -> tuple[Column, Column]:
    """Values with their intervals."""
    ends = zip(rows["lower"], rows["upper"], strict=True)
    return (
        Column(result.coefficient, tuple(number_text(value, 3) for value in rows["value"])),
        Column(level_text(result.level), tuple(interval_text(*end, 3) for end in ends)),
    )


def _legend(result: Pairwise) -> Sentences:
    """What brackets and near-duplicates are."""
    over = "queries, whose items vary together" if result.over == "query" else "items"
    return Sentences.of(
        f"Brackets: {level_text(result.level)} confidence intervals over {over}, for these "
        "subjects; they are not adjusted for the number of pairs.",
        "Near-duplicates: subjects shown to differ on less than 5 % of the items on which they "
        "would by chance, and would if they erred independently.",
    )

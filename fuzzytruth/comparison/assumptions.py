"""What a comparison estimates, tests and assumes, in words."""

from __future__ import annotations

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.conditions import Conditions, Shared
from fuzzytruth.errors import counted, printable
from fuzzytruth.show.number_text import between_text
from fuzzytruth.stats.corrections import CORRECTIONS, WRITTEN

_INTERVALS = {
    "simultaneous": "simultaneous, consistent with the adjusted p",
    "single": "of a single comparison, consistent with its p",
    "unadjusted": "unadjusted, consistent with p and not with the adjusted p",
}


def units_of(conditions: Conditions, rows: pd.DataFrame | None = None) -> str:
    """Numbers of queries and subjects: all there are, or those that pairs of some rows share."""
    queries = size_text(conditions.n_queries, "query", rows, "n_queries")
    if conditions.groups is not None:
        one = {"clusters": "cluster", "strata": "stratum"}[conditions.groups]
        queries += f" in {counted(conditions.n_groups, one, conditions.groups)}"
    if conditions.n_subjects is None:
        n_resampled = conditions.n_resampled
        return queries + (f" and {counted(n_resampled, 'resampled subject')}" * bool(n_resampled))
    return f"{queries} and {size_text(conditions.n_subjects, 'subject', rows, 'n_subjects')}"


def size_text(count: int, one: str, rows: pd.DataFrame | None, column: str) -> str:
    """A number of things, or the least and the most that a row has."""
    sizes = [] if rows is None else rows.loc[rows["difference"].notna(), column].tolist()
    return between_text(min(sizes, default=count), max(sizes, default=count), one)


def procedure(conditions: Conditions) -> str:
    """Name of the test, with its number of comparisons."""
    tests = conditions.tests
    pairs = counted(tests, "comparison")
    if len(conditions.measures) > 1 and not conditions.across_measures:
        pairs += " on each measure"
    drawn = counted(conditions.n_resamples, "resample")
    single = "t test"
    if conditions.of_worlds:
        single = f"share of {counted(conditions.n_worlds, 'world')}"
    elif is_pivotal(conditions):
        single = "generalised pivotal test"
    side = ""
    if conditions.alternative != "two-sided":
        side = f"one-sided ({conditions.alternative}) "
    single = side + single
    names = {
        "max-t": f"{side}moderated bootstrap max-t over {pairs} ({drawn})",
        "sign-flips": f"studentised maxima by centred sign flips over {pairs} ({drawn})",
        "permuted labels": f"permuted labels over {pairs} ({drawn}; complete null)",
        "none": f"{single}, not adjusted" if tests > 1 else f"{single}, a single comparison",
    }
    rate = " (false discovery rate)" if conditions.correction.startswith("fdr") else ""
    written = WRITTEN.get(conditions.correction, conditions.correction)
    default = f"{single}, adjusted by {written}{rate} over {pairs}"
    return names.get(conditions.correction, default)


def worlds_lines(conditions: Conditions) -> list[str]:
    """What shares of independent worlds do not say; nothing for samples."""
    if not conditions.of_worlds:
        return []
    return ["Worlds say how uncertain these scores are, and are no sample of people."]


def is_pivotal(conditions: Conditions) -> bool:
    """Whether the law of the errors is no t."""
    return conditions.over in (("query", "subject"), ("query", "world")) and not conditions.nested


def assumptions(conditions: Conditions) -> str:
    """See `Comparison.assumptions`."""
    over = conditions.random
    sample = (
        "samples from populations" if len(conditions.over) > 1 else "a sample from a population"
    )
    lines = [
        f"Estimated: the mean difference of each pair, over {units_of(conditions)}"
        + (", strata weighing the same." if conditions.groups == "strata" else "."),
        f"Random: {over}, {sample}; all else is fixed."
        if not conditions.of_worlds
        else "Random: worlds, each item's truth being drawn from its votes. They say how uncertain "
        "these scores are, and are no sample of people.",
        _null(conditions),
        f"Test: {procedure(conditions)}"
        + (", all measures being one family." if conditions.across_measures else "."),
        f"Intervals: level {conditions.level:g}, {_interval(conditions)}.",
    ]
    lines += _caveats(conditions)
    return "\n".join(map(printable, lines))


def _interval(conditions: Conditions) -> str:
    """Which p-values intervals agree with."""
    return "unadjusted, as p is" if not conditions.is_adjusted else _INTERVALS[conditions.interval]


def _null(conditions: Conditions) -> str:
    if conditions.of_worlds:
        side = {
            "two-sided": "on the rarer side of 0, twice",
            "greater": "in which the difference is 0 or below",
            "less": "in which the difference is 0 or above",
        }
        return f"No hypothesis: p is the share of worlds {side[conditions.alternative]}."
    if conditions.correction == "permuted labels":
        return "Null hypothesis: within each query all systems are exchangeable."
    null = {"two-sided": "0", "greater": "0 or below", "less": "0 or above"}
    return (
        "Null hypothesis of each comparison: the mean difference is "
        f"{null[conditions.alternative]}."
    )


def _caveats(conditions: Conditions) -> list[str]:
    """Caveats of the conclusions."""
    out = []
    if conditions.correction in CORRECTIONS and not conditions.of_worlds:
        out.append(f"The correction controls: {CORRECTIONS[conditions.correction]}.")
    if conditions.correction in ("max-t", "sign-flips"):
        units = "clusters" if conditions.groups == "clusters" else "queries"
        out.append(
            f"The test controls the family-wise error rate whichever systems differ, for "
            f"independent {units}; approximately, if they are few and differences are skewed."
        )
    if conditions.correction == "max-t" and conditions.tests > 1:
        out.append(
            f"Pairs with fewer than five common {units} have a Bonferroni-adjusted t test instead."
        )
    if conditions.correction == "permuted labels":
        out.append(
            "The test controls the family-wise error rate only if no system differs from any other."
        )
    if conditions.nested and conditions.n_subjects is not None:
        out.append("Subjects are nested in queries and are sampled with them.")
    elif conditions.over == ("query",) and conditions.n_subjects is not None:
        out.append("Other subjects might judge otherwise: see over=('query', 'subject').")
    if conditions.worlds is not None and conditions.subjects is None:
        out.append(
            f"Values are expectations over {conditions.worlds} worlds; to see whether subjects "
            "disagree about a difference: worlds='subject'."
        )
    out += shared_lines(conditions)
    if conditions.rope is not None:
        widths = ", ".join(f"{width:g} ({name})" for name, width in conditions.rope.items())
        out.append(
            f"Posterior: prior p(mu, sigma) ~ 1/sigma; practically the same within {widths}; "
            "not adjusted for the number of comparisons."
        )
    return out


def shared_lines(conditions: Conditions) -> list[str]:
    """What means and differences are over, where systems lack values that others have."""
    fewer = [
        f"{measure} over {_shared(one)}"
        for measure, one in zip(conditions.measures, conditions.shared, strict=True)
        if one.left_out or not one.queries
    ]
    if not fewer:
        return []
    return [
        "Systems lack values that others have: a pair is compared on those that both have; means "
        f"are over those that all have ({', '.join(fewer)}), and may order two systems otherwise."
    ]


def _shared(shared: Shared) -> str:
    if not shared.queries:
        return "each system's own, as there are none"
    left_out = counted(shared.left_out, "value")
    return f"{counted(shared.queries, 'query')}, {left_out} left out"

"""What was compared, over what and how, and all of it in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from fuzzytruth._lazy import pd
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.validation import place_of
from fuzzytruth.errors import counted, plural, printable
from fuzzytruth.evaluation.scores.replicates import Replicates
from fuzzytruth.evaluation.scores.score_rows import cut_words
from fuzzytruth.evaluation.scores.summary import few_worlds_text
from fuzzytruth.evaluation.validation import with_direction
from fuzzytruth.show.number_text import between_text, level_text
from fuzzytruth.stats import multiplicity
from fuzzytruth.stats.observations import Kind, least_draws
from fuzzytruth.stats.settings import Alternative, Over, in_words, listed


@dataclass(frozen=True, slots=True)
class Shared:
    """What the means of one measure are over.

    Parameters
    ----------
    queries : int
        On which all systems have a value; 0 if there are none, and means are over each system's
        own values.
    left_out : int
        Values of systems that are not in the means, as another system lacks its own.
    """

    queries: int
    left_out: int

    def __str__(self) -> str:
        if not self.queries:
            return "each system's own, as there are none"
        return f"{counted(self.queries, 'query')}, {counted(self.left_out, 'value')} left out"


def ends_within(lower: float, upper: float, width: float) -> tuple[float, float]:
    """Ends of an interval of a difference, cut at the largest that there can be.

    Infinite ends stay, for they say that an interval is open or that nothing is known.
    """
    ends = (max(min(end, width), -width) if isfinite(end) else end for end in (lower, upper))
    return next(ends), next(ends)


# Words that depend on the comparison: intervals, tests, and works on them.


_INTERVALS = {
    "simultaneous": "simultaneous, consistent with the adjusted p",
    "single": "of a single comparison, consistent with its p",
    "unadjusted": "unadjusted, consistent with p and not with the adjusted p",
}
#: what tests whether subjects differ where queries share items
STRUCTURE = "ft.structure(votes, runs, measures)"
_NO_SAMPLE = "say how uncertain these scores are, and are no sample of people."
#: below this number they say little about others
FEW_COLLECTIONS = 5
_GENERALISES: dict[Over, str] = {
    ("query",): "other queries of the same kind{}",
    ("subject",): "the same queries judged by other subjects of the same kind",
    ("query", "subject"): "other queries judged by other subjects",
    ("query", "replicate"): "other runs of the systems on other queries of the same kind{}",
    ("replicate",): "other runs of the systems on the same queries{}",
    ("query", "subject", "replicate"): "other runs of the systems on other queries judged by other "
    "subjects",
}


@dataclass(frozen=True, slots=True)
class Conditions:
    """Settings of a comparison, the sizes of its data, and what they are called.

    Parameters
    ----------
    over : tuple of str
        What was random.
    alternative : {"two-sided", "greater", "less"}
    correction : str
        "max-t", "sign-flips", "permuted labels", "none", or one of statsmodels'.
    interval : {"simultaneous", "single", "unadjusted"}
    level : float
    n_resamples, tests : int
        `tests`: number of comparisons in a family.
    across_measures : bool
    baselines : tuple of str
        Systems that all others are compared with; none: all pairs.
    systems, measures : tuple of str
    higher_is_better : tuple of bool
        For each of `measures`.
    n_queries : int
    subjects : tuple of str or None
    nested : bool
    n_people : int
        Number of subjects; nested ones of the same name in two queries are two.
    worlds : str or None
    n_worlds, n_resampled : int
        How many were drawn, and the subjects that were resampled; 0 without any.
    groups : {"clusters", "strata", "collections"} or None
        Of the queries.
    n_groups : int
        How many there are.
    collection : str
        What a collection is called.
    shared : tuple of Shared
        What the means of each measure are over.
    spans : tuple of float
        For each measure, the largest difference that its values can have; infinite if not known.
    widths : tuple of float
        For each measure, the largest difference that any values can have; infinite if not known.
    rope : dict or None
    queries_share_items : bool or None
        Whether one vote served several queries; None: unknown.
    n_permutations : int
        Of the votes, which tell how much subjects differ by chance; 0: none.
    replicates : Replicates or None
        Of systems with several runs.
    """

    over: Over
    alternative: Alternative
    correction: str
    interval: str
    level: float
    n_resamples: int
    tests: int
    across_measures: bool
    baselines: tuple[str, ...]
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    n_queries: int
    subjects: tuple[str, ...] | None = None
    nested: bool = False
    n_people: int = 0
    worlds: str | None = None
    n_worlds: int = 0
    n_resampled: int = 0
    groups: Kind | None = None
    n_groups: int = 0
    collection: str = ""
    shared: tuple[Shared, ...] = ()
    spans: tuple[float, ...] = ()
    widths: tuple[float, ...] = ()
    rope: dict[str, float] | None = None
    queries_share_items: bool | None = None
    n_permutations: int = 0
    replicates: Replicates | None = None

    @property
    def n_subjects(self) -> int | None:
        """Number of subjects, None without any."""
        if self.subjects is None:
            return None
        return self.n_people if self.nested else len(self.subjects)

    @property
    def random(self) -> str:
        """What is random, such as "clusters of queries"."""
        words = self.axes(self.over)
        resampled = self.worlds == "population"
        return words.replace("worlds", "resampled subjects") if resampled else words

    def axes(self, over: Over) -> str:
        """What would be random, such as "clusters of queries and subjects"."""
        words = in_words(over)
        if self.groups is None:
            return words
        if self.groups == "collections":
            return plural(self.collection)
        grouped = "queries in strata" if self.groups == "strata" else "clusters of queries"
        return grouped if self.nested else words.replace("queries", grouped)

    @property
    def weigh_the_same(self) -> str:
        """Groups of queries of whose means the means are, as ", strata weighing the same"."""
        if self.groups in (None, "clusters"):
            return ""
        return f", {'strata' if self.groups == 'strata' else self.random} weighing the same"

    @property
    def few_collections(self) -> str:
        """That collections say little about others, as a sentence; "" if they are no few."""
        if self.groups != "collections" or self.n_groups >= FEW_COLLECTIONS:
            return ""
        return f"{counted(self.n_groups, self.collection)} say little about others."

    @property
    def is_adjusted(self) -> bool:
        """Whether p is adjusted for the number of comparisons, or there is one."""
        return self.correction != "none" or self.tests == 1

    @property
    def found_by(self) -> str:
        """What `min_detectable` is of, where the correction has no intervals; else ""."""
        if self.interval != "unadjusted" or self.correction == "none":
            return ""
        return " by Bonferroni's correction" if self.tests > 1 else " without a correction"

    @property
    def of_worlds(self) -> bool:
        """Whether all there is are worlds of given votes, which are no sample."""
        return self.over == ("world",) and self.worlds in ("independent", "community")

    @property
    def is_directed(self) -> bool:
        """Whether it matters which system is first: there are baselines, or tests are one-sided."""
        return bool(self.baselines) or self.alternative != "two-sided"

    @property
    def is_test(self) -> bool:
        """Whether what stands out is significant by a test that is adjusted, or a single one."""
        return self.is_adjusted and not self.of_worlds

    @property
    def is_pivotal(self) -> bool:
        """Whether the law of the errors is no t."""
        several = "query" in self.over and len(self.over) > 1
        return several and ("replicate" in self.over or not self.nested)

    @property
    def is_steadied(self) -> bool:
        """Whether pairs steady each other's variance of subjects, or systems that of runs."""
        if not self.is_pivotal or self.correction == "none":
            return False
        if "replicate" in self.over:
            known = self.replicates
            return known is not None and known.variance == "moderated" and known.is_steadied
        pairs = self.tests // (len(self.measures) if self.across_measures else 1)
        return pairs > 2 and (self.n_subjects or self.n_resampled) > 2

    @property
    def has_rank_sets(self) -> bool:
        """Whether rank sets follow: comparisons are two-sided, of all pairs, and family-wise."""
        return not self.is_directed and self.is_family_wise

    @property
    def is_family_wise(self) -> bool:
        """Whether all statements together hold with the level's confidence."""
        joint = self.correction in (multiplicity.MAX_T, multiplicity.SIGN_FLIPS) or self.tests == 1
        controls = multiplicity.CORRECTIONS.get(self.correction, "")
        return joint or controls.startswith("family-wise")

    def span_of(self, measure: str) -> float:
        """The largest difference that values of a measure can have; infinite if it is unknown."""
        return self.spans[self.measures.index(measure)] if self.spans else float("inf")

    def shown_ends(self, measure: str, lower: float, upper: float) -> tuple[float, float]:
        """Ends of an interval as they are printed."""
        width = self.widths[self.measures.index(measure)] if self.widths else float("inf")
        return ends_within(lower, upper, width)

    def measure_of(self, measure: str | None) -> str:
        """The measure named, or the first."""
        if measure is None:
            return self.measures[0]
        return self.measures[place_of(self.measures, measure, "measure")]

    def better_up(self, measure: str) -> bool:
        """Whether higher is better by a measure."""
        return self.higher_is_better[self.measures.index(measure)]

    def named(self, measure: str) -> str:
        """A measure, and that lower is better by it."""
        return with_direction(measure, higher_is_better=self.better_up(measure))

    # What decides, and what it is called.

    def say(self, test: str, *, worlds: str, unadjusted: str) -> str:
        """The words that fit: of a test, of shares of worlds, or of p that are not adjusted."""
        if self.of_worlds:
            return worlds
        return test if self.is_adjusted else unadjusted

    @property
    def where(self) -> str:
        """Where a difference is found, or not: "over queries"."""
        return "in nearly all worlds" if self.of_worlds else f"over {self.random}"

    @property
    def alpha(self) -> str:
        """The largest p of a significant difference."""
        return f"{1 - self.level:.2g}"

    @property
    def p_name(self) -> str:
        """Name of the p-value that decides."""
        return "adjusted p" if self.correction != "none" else "p"

    @property
    def small_p(self) -> str:
        """Of what stands out: "adjusted p ≤ 0.05"."""
        return f"{self.p_name} ≤ {self.alpha}"

    @property
    def p_at_most(self) -> str:
        """The same in words."""
        return f"{self.p_name} at most {self.alpha}"

    @property
    def star(self) -> str:
        """What a star means, and by which test."""
        name = "Significant (*)" if self.is_test else "*"
        return f"{name}: {self.p_at_most}, by {self.procedure}"

    @property
    def found(self) -> str:
        """What differences that stand out are."""
        return self.say(
            f"significant over {self.random}",
            worlds="shown to have one direction in nearly all worlds",
            unadjusted=f"with p at most {self.alpha}, not adjusted, over {self.random}",
        )

    @property
    def beaten(self) -> str:
        """What the letters after a mean name."""
        return self.say(
            "systems that are significantly worse",
            worlds="systems that are worse in nearly all worlds",
            unadjusted=f"systems with a worse mean at p ≤ {self.alpha}",
        )

    @property
    def lower_is_better(self) -> str:
        """Measures of which less is better, as a sentence; "" if there are none."""
        lower = [name for name in self.measures if not self.better_up(name)]
        return f"Lower is better for {', '.join(lower)}." if lower else ""

    @property
    def procedure(self) -> str:
        """Name of the test, with its number of comparisons."""
        pairs = counted(self.tests, "comparison")
        if len(self.measures) > 1 and not self.across_measures:
            pairs += " on each measure"
        drawn = counted(self.n_resamples, "resample")
        side = "" if self.alternative == "two-sided" else f"one-sided ({self.alternative}) "
        single = f"{side}{'generalised pivotal' if self.is_pivotal else 't'} test"
        if self.is_steadied:
            who = "runs" if "replicate" in self.over else "subjects"
            single += f" with moderated variances of {who}"
        if self.of_worlds:
            single = f"{side}share of {counted(self.n_worlds, 'world')}"
        rate = " (false discovery rate)" if self.correction.startswith("fdr") else ""
        written = multiplicity.WRITTEN.get(self.correction, self.correction)
        names = {
            "max-t": f"{side}moderated bootstrap max-t over {pairs} ({drawn})",
            "sign-flips": f"studentised maxima by centred sign flips over {pairs} ({drawn})",
            "permuted labels": f"permuted labels over {pairs} ({drawn}; complete null)",
            "none": f"{single}, {'not adjusted' if self.tests > 1 else 'a single comparison'}",
        }
        default = f"{single}, adjusted by {written}{rate} over {pairs}"
        return names.get(self.correction, default)

    # Over what, by which intervals.

    def units(self, rows: pd.DataFrame | None = None) -> str:
        """Numbers of queries and subjects: all there are, or those that pairs of rows share."""
        queries = self.queries(rows)
        if self.groups is not None:
            one = {"clusters": "cluster", "strata": "stratum"}.get(self.groups, self.collection)
            many = "strata" if self.groups == "strata" else None
            queries += f" in {counted(self.n_groups, one, many)}"
        units = [queries]
        if self.n_subjects is not None:
            units.append(_sizes(self.n_subjects, "subject", rows))
        elif self.n_resampled:
            units.append(counted(self.n_resampled, "resampled subject"))
        if self.replicates is not None:
            units.append(self.replicates.words)
        return listed(units)

    def queries(self, rows: pd.DataFrame | None) -> str:
        """The number of queries, of all or of pairs of some rows."""
        return _sizes(self.n_queries, "query", rows)

    @property
    def kind(self) -> str:
        """What intervals are adjusted for: "simultaneous", "unadjusted" or, of a single one, ""."""
        kind = self.interval if self.is_adjusted else "unadjusted"
        return "" if kind == "single" else kind

    @property
    def intervals(self) -> str:
        """Such as "simultaneous 95 % intervals"."""
        return f"{self.kind} {level_text(self.level)} intervals".strip()

    @property
    def held(self) -> str:
        """What brackets are over worlds: "95 % of the worlds, all differences together"."""
        together = ", all differences together" if self.kind == "simultaneous" else ""
        return f"{level_text(self.level)} of the worlds{together}"

    @property
    def of_subjects(self) -> str:
        """What subjects are where queries alone are random; "" without subjects."""
        if self.over != ("query",) or self.n_subjects is None:
            return ""
        return "sampled with their query" if self.nested else "fixed"

    @property
    def brackets(self) -> str:
        """What the brackets of differences are, as a sentence."""
        if self.of_worlds:
            return f"Brackets: what holds {self.held}; worlds {_NO_SAMPLE}"
        fixed = f"; subjects are {self.of_subjects}" if self.of_subjects else ""
        if self.replicates is not None and "replicate" not in self.over:
            fixed += "; runs are fixed, others may differ: over=('query', 'replicate')"
        return f"Brackets: {self.intervals} of the mean difference over {self.random}{fixed}."

    @property
    def no_sample(self) -> str:
        """What shares of independent worlds do not say; "" for samples."""
        return f"Worlds {_NO_SAMPLE}" if self.of_worlds else ""

    @property
    def has_directions(self) -> bool:
        """Whether there are several subjects who are crossed with the queries."""
        crossed = not self.nested and (self.n_subjects or 0) > 1
        return crossed and self.groups != "collections"

    @property
    def expectations(self) -> str:
        """What values over worlds do not say of people; "" where each person has a value."""
        if self.worlds is None or self.subjects is not None:
            return ""
        return (
            f"Values are expectations over {self.worlds} worlds: people, or groups of them, may "
            "prefer opposite systems; to see it: worlds='subject'."
        )

    @property
    def as_if(self) -> str:
        """What is assumed of the chance that subjects differ; "" where it is known."""
        return ", as if queries shared no items" if self.queries_share_items is None else ""

    @property
    def shared_items(self) -> str:
        """What tells whether subjects differ by more than chance where queries share items."""
        if not self.queries_share_items or not self.has_directions:
            return ""
        if self.n_permutations:
            return (
                "How much subjects differ by chance is known from "
                f"{counted(self.n_permutations, 'permutation')} of each item's votes."
            )
        return (
            "One vote serves several queries, so that these scores cannot tell whether subjects "
            f"differ by more than chance: {STRUCTURE} can."
        )

    def cut_line(self, table: pd.DataFrame) -> str:
        """How many intervals are cut at the largest difference that can be; "" if none is."""
        n_cut = 0
        for measure, *ends in zip(table["measure"], table["lower"], table["upper"], strict=True):
            low, high = self.shown_ends(measure, *ends)
            n_cut += ends[0] < low - NEAR or ends[1] > high + NEAR
        return f"{cut_words(n_cut, 'differences that there can be')}." if n_cut else ""

    def too_few_worlds(self, table: pd.DataFrame) -> str:
        """Why intervals over worlds are infinite and what to do; "" where they are finite.

        Such as "500 worlds are too few for 28 simultaneous intervals: n_worlds=1,119 or more gives
        finite ones".
        """
        if not self.of_worlds or not self.n_worlds:
            return ""
        tests = self.family_size(table)
        kind = f"{self.kind} " if tests > 1 else ""
        needed = self.worlds_needed(table)
        return few_worlds_text(self.n_worlds, needed, counted(tests, f"{kind}interval"))

    def worlds_needed(self, table: pd.DataFrame) -> int:
        """The fewest worlds with which no interval of these comparisons is infinite."""
        level: float | None = self.level
        if self.is_adjusted:
            tests = self.family_size(table)
            level = multiplicity.interval_level(self.correction, self.level, tests)
        level = self.level if level is None else level
        return least_draws(level if self.alternative == "two-sided" else 2 * level - 1)

    def family_size(self, table: pd.DataFrame) -> int:
        """Comparisons with a value, all together or by the measure that has the most."""
        known = table.loc[table["difference"].notna(), "measure"]
        if self.across_measures or not len(known):
            return max(len(known), 1)
        return int(known.value_counts().max())

    # Titles and legends.

    def heading(self, measure: str, rows: pd.DataFrame) -> str:
        """What is compared, and over what."""
        return (
            f"{self.named(measure)}: differences of {len(self.systems)} systems over "
            f"{self.random} ({self.units(rows)})"
        )

    @property
    def labels(self) -> dict[str, str]:
        """What filled and hollow markers and dots are."""
        say, small_p = self.say, self.small_p
        return {
            "significant": say(
                f"significant ({small_p})",
                worlds="one direction in nearly all worlds",
                unadjusted=f"{small_p}, not adjusted",
            ),
            "not significant": say(
                "not significant",
                worlds="no direction shown for nearly all worlds",
                unadjusted="larger p",
            ),
            "subject": "by one subject's judgments alone",
        }

    # What is assumed.

    @property
    def assumptions(self) -> str:
        """See `Comparison.assumptions`."""
        many = len(self.over) > 1
        sample = "samples from populations" if many else "a sample from a population"
        random = f"{self.random}, {sample}; all else is fixed."
        if self.replicates is not None and "replicate" not in self.over:
            random += " Other runs of a system may differ: see over=('query', 'replicate')."
        if self.of_worlds:
            random = f"worlds, each item's truth being drawn from its votes. They {_NO_SAMPLE}"
        family = ", all measures being one family" if self.across_measures else ""
        kind = _INTERVALS[self.interval] if self.is_adjusted else "unadjusted, as p is"
        units = f"{self.units()}{self.weigh_the_same}"
        lines = (
            f"Estimated: the mean difference of each pair, over {units}.",
            f"Random: {random}",
            self._null(),
            f"Test: {self.procedure}{family}.",
            f"Intervals: level {self.level:g}, {kind}.",
            *self._caveats(),
        )
        return "\n".join(map(printable, lines))

    def _null(self) -> str:
        if self.of_worlds:
            side = {
                "two-sided": "on the rarer side of 0, twice",
                "greater": "in which the difference is 0 or below",
                "less": "in which the difference is 0 or above",
            }
            return f"No hypothesis: p is the share of worlds {side[self.alternative]}."
        if self.correction == "permuted labels":
            return "Null hypothesis: within each query all systems are exchangeable."
        which = {"two-sided": "0", "greater": "0 or below", "less": "0 or above"}[self.alternative]
        return f"Null hypothesis of each comparison: the mean difference is {which}."

    def _caveats(self) -> Iterable[str]:
        """Caveats of the conclusions."""
        units = "clusters" if self.groups == "clusters" else "queries"
        if self.correction in multiplicity.CORRECTIONS and not self.of_worlds:
            yield f"The correction controls: {multiplicity.CORRECTIONS[self.correction]}."
        if self.correction in ("max-t", "sign-flips"):
            yield (
                f"The test controls the family-wise error rate whichever systems differ, for "
                f"independent {units}; approximately, if they are few and differences are skewed."
            )
        if self.correction == "max-t" and self.tests > 1:
            yield (
                f"Pairs with fewer than five common {units} have a Bonferroni-adjusted t test "
                "instead."
            )
        if self.correction == "max-t" and self.tests > 2:
            yield f"Pairs that differ on few {units} are taken to vary as much as a typical pair."
        if self.correction == "permuted labels":
            yield (
                "The test controls the family-wise error rate only if no system differs from any "
                "other."
            )
        if self.groups == "collections":
            yield (
                f"The interval on a new {self.collection}, and on how many of these a difference "
                "has its direction at least, have the level of the intervals."
            )
            yield from filter(None, [self.few_collections])
        if self.nested and self.n_subjects is not None:
            yield "Subjects are nested in queries and are sampled with them."
        elif self.of_subjects:
            yield "Other subjects might judge otherwise: see over=('query', 'subject')."
        if self.expectations:
            yield self.expectations
        if self.shared_items:
            yield self.shared_items
        yield from self.shared_lines
        if self.rope is not None:
            widths = ", ".join(f"{width:g} ({name})" for name, width in self.rope.items())
            yield (
                f"Posterior: prior p(mu, sigma) ~ 1/sigma; practically the same within {widths}; "
                "not adjusted for the number of comparisons."
            )

    @property
    def shared_lines(self) -> list[str]:
        """What means and differences are over, where systems lack values that others have."""
        fewer = [
            f"{measure} over {one}"
            for measure, one in zip(self.measures, self.shared, strict=True)
            if one.left_out or not one.queries
        ]
        if not fewer:
            return []
        return [
            "Systems lack values that others have: a pair is compared on those that both have; "
            f"means are over those that all have ({', '.join(fewer)}), and may order two systems "
            "otherwise."
        ]

    # What verdicts mean.

    def meaning(self, both: Conditions | None = None) -> list[str]:
        """What verdicts mean, for readers who do not know the words; nothing about worlds alone.

        `both` are the conditions of the comparison over queries and subjects.
        """
        out = []
        if self.subjects is not None:
            out.append(
                "Subjects are those, people or models, whose judgments are the ground truth."
            )
        if not self.is_test:
            return out
        same = "" if self.subjects is None else ", judged by the same subjects"
        if self.nested:
            same = ", judged by other subjects of the same kind"
        others = _GENERALISES.get(self.over, "").format(same)
        if self.groups is None and others:
            out.append(
                f"Significant over {self.random}: the direction of the mean difference is expected "
                f"to be the same for {others} ({self.small_p}); for a single one it may differ."
            )
        if both is not None and both.groups is None and both.over in _GENERALISES:
            out.append(f"Significant over {both.random}: the same for {_GENERALISES[both.over]}.")
        return [*out, self.shared_items] if self.shared_items else out


def _sizes(count: int, one: str, rows: pd.DataFrame | None) -> str:
    """A number of queries or subjects, or the least and the most that a row has."""
    column = {"query": "n_queries", "subject": "n_subjects"}[one]
    sizes = [] if rows is None else rows.loc[rows["difference"].notna(), column].tolist()
    return between_text(min(sizes, default=count), max(sizes, default=count), one)

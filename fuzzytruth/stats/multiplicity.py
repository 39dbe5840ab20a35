"""Adjusted p-values and the intervals that agree with them, for one family of comparisons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations
from math import lgamma
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.exact_sums import on_grid, tied_share
from fuzzytruth.core.validation import between_zero_and_one, option_number, probabilities
from fuzzytruth.errors import DataError, OptionError, choice, counted, is_among, require, shown
from fuzzytruth.stats.bootstrap_max_t import Block, bootstrap_max_t
from fuzzytruth.stats.effects import scale_of
from fuzzytruth.stats.laws import Fit, Law, SymmetricLaw
from fuzzytruth.stats.moderated_subjects import SteadiedLaw, steadied
from fuzzytruth.stats.observations import Contrasts, Observations, each_system
from fuzzytruth.stats.settings import Alternative, Over, Purpose, Resampling, ends, in_words
from fuzzytruth.stats.sign_flips import max_t
from fuzzytruth.stats.world_estimates import Estimates

_FDR = "false discovery rate"
_TWO_STAGES = f"{_FDR}, two stages, independent tests"
_POSITIVE = "independent or positively dependent tests"
#: name -> as papers write it, and the error rate that it controls
_ALL = {
    "bonferroni": ("Bonferroni", "family-wise error"),
    "sidak": ("Šidák", f"family-wise error, {_POSITIVE}"),
    "holm": ("Holm", "family-wise error"),
    "holm-sidak": ("Holm-Šidák", f"family-wise error, {_POSITIVE}"),
    "simes-hochberg": ("Simes-Hochberg", f"family-wise error, {_POSITIVE}"),
    "hommel": ("Hommel", f"family-wise error, {_POSITIVE}"),
    "fdr_bh": ("Benjamini-Hochberg", f"false discovery rate, {_POSITIVE}"),
    "fdr_by": ("Benjamini-Yekutieli", "false discovery rate, any dependence"),
    "fdr_tsbh": ("two-stage Benjamini-Hochberg", _TWO_STAGES),
    "fdr_tsbky": ("two-stage Benjamini-Krieger-Yekutieli", _TWO_STAGES),
    "fdr_gbs": ("adaptive Gavrilov-Benjamini-Sarkar", f"{_FDR}, adaptive, independent tests"),
    "lfdr": (
        "local false discovery rates",
        "false discovery rate of the last rejection, independent tests; statsmodels 0.15",
    ),
}
WRITTEN = {name: written for name, (written, _) in _ALL.items()}
CORRECTIONS = {name: controls for name, (_, controls) in _ALL.items()}


def check_correction(name: object) -> str:
    """Name of a known correction.

    Raises
    ------
    OptionError
        The name is unknown.
    """
    if isinstance(name, str) and name in CORRECTIONS:
        return name
    raise OptionError(
        f"correction={shown(name)}: must be None (chosen by the design), 'max-t', 'sign-flips' "
        "(these in comparisons over queries), 'none', or one of "
        f"{', '.join(map(repr, CORRECTIONS))}"
    )


def adjust(p: ArrayLike, correction: str, *, level: float = 0.95) -> Floats:
    """Adjust the p-values of one family.

    Parameters
    ----------
    p : (tests,) float
        NaN is a test without a result: it stays NaN and does not count.
    correction : str
        A name of statsmodels' `multipletests`; see `CORRECTIONS`.
    level : float
        1 - alpha; the two-stage and adaptive procedures depend on it.

    Returns
    -------
    (tests,) float

    Raises
    ------
    OptionError
        The correction is unknown.
    DataError
        A p is outside [0, 1].

    References
    ----------
    statsmodels.stats.multitest.multipletests; Holm 1979, Hommel 1988, Benjamini & Hochberg 1995,
    Benjamini & Yekutieli 2001, Benjamini, Krieger & Yekutieli 2006, Gavrilov et al. 2009.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.stats.adjust([0.01, float("nan"), 0.04], "holm").tolist()
    [0.02, nan, 0.04]
    """
    check_correction(correction)
    alpha = 1 - between_zero_and_one("level", level)
    given = np.asarray(p, dtype=np.float64)
    if given.ndim != 1:
        raise DataError(f"p: must be a list of numbers, not an array of shape {given.shape}")
    known = ~np.isnan(given)
    out = np.full(given.shape, np.nan)
    tests = probabilities("p", given[known])
    if not len(tests):
        return out
    if correction in ("bonferroni", "holm"):  # importing statsmodels takes longer
        out[known] = holm(tests) if correction == "holm" else np.minimum(tests * len(tests), 1.0)
        return out
    from statsmodels.stats.multitest import multipletests

    try:
        with np.errstate(all="ignore"):  # it divides by 1 - p, and by p
            adjusted = multipletests(tests, alpha=alpha, method=correction)[1]
    except ValueError as error:  # not in this version of statsmodels
        raise OptionError(f"correction={correction!r}: statsmodels: {error}") from None
    out[known] = np.clip(adjusted, 0.0, 1.0)
    return out


def holm(p: Floats) -> Floats:
    """Holm's adjusted p of families along the last axis: (..., tests); NaN is no test.

    Examples
    --------
    >>> holm(np.array([[0.01, 0.04, 0.02], [0.01, np.nan, 0.02]])).tolist()
    [[0.03, 0.04, 0.04], [0.02, nan, 0.02]]
    """
    order = np.argsort(p, axis=-1)  # NaN is last
    left = (~np.isnan(p)).sum(axis=-1, keepdims=True) - np.arange(p.shape[-1])
    ordered = np.take_along_axis(p, order, axis=-1) * np.maximum(left, 1)
    out = np.empty_like(p)
    steps = np.minimum(np.maximum.accumulate(ordered, axis=-1), 1.0)
    np.put_along_axis(out, order, steps, axis=-1)
    return out


def interval_level(correction: str, level: float, tests: int) -> float | None:
    """Level at which every interval agrees with its adjusted p; None if no level does."""
    if tests <= 1:
        return level
    if correction == "bonferroni":
        return 1 - (1 - level) / tests
    return float(level ** (1 / tests)) if correction == "sidak" else None


# Equivalence and non-inferiority: differences within a margin, over whatever is random.


@dataclass(frozen=True, slots=True, eq=False)
class MarginTest:
    """Outcome of tests against a margin: (rows,) each.

    Parameters
    ----------
    statistic, p, lower, upper : float
    level : float
        Of the two-sided interval, or of the one-sided one.
    """

    statistic: Floats
    p: Floats
    lower: Floats
    upper: Floats
    level: float


def check_margin(given: Any) -> float:
    """A margin above 0.

    Raises
    ------
    OptionError
        It is 0 or below.
    """
    is_flag = isinstance(given, (bool, np.bool_))
    require("margin", given, not is_flag and given is not None, "must be a number above 0")
    margin = option_number("margin", given)
    if margin <= 0:
        raise OptionError(f"margin={margin:g}: must be above 0")
    return margin


def check_level(given: Any) -> float:
    """A confidence level above ½.

    Raises
    ------
    OptionError
        It is something else.
    """
    level = between_zero_and_one("level", given)
    if level <= 0.5:
        raise OptionError(f"level={level:g}: must be above 0.5")
    return level


def two_one_sided(fitted: Fit, margin: float, level: float) -> MarginTest:
    """Null: the difference is `margin` or more in size.

    `statistic` is the smaller and `p` the larger of both one-sided tests; the interval, of level
    2 · `level` - 1, lies within the margin exactly where p is 1 - `level` or less.
    """
    law = unaware(fitted.law)
    to_margin = without_rounding(margin - np.abs(fitted.value), margin)
    # 2 · level - 1 without its rounding error
    of_interval = round(2 * level - 1, 12)
    lower, upper = law.interval(fitted.value, of_interval, "two-sided")
    return MarginTest(
        _t(to_margin, fitted), law.p_value(to_margin, "greater"), lower, upper, of_interval
    )


def not_inferior(fitted: Fit, margin: float, level: float) -> MarginTest:
    """Null: the difference, of which higher is better, is -`margin` or less.

    The interval, open above, lies above -`margin` exactly where p is 1 - `level` or less.
    """
    law = unaware(fitted.law)
    above = without_rounding(margin + fitted.value, margin)
    lower, upper = law.interval(fitted.value, level, "greater")
    return MarginTest(_t(above, fitted), law.p_value(above, "greater"), lower, upper, level)


def unaware(law: Law) -> Law:
    """The law of differences that may be anything, also where the systems seem identical.

    Raises
    ------
    OptionError
        It describes worlds, and no sample.
    """
    if isinstance(law, SymmetricLaw):
        return law.with_unknown()
    raise OptionError(
        "margin=: independent worlds are no sample, so that nothing can be tested over them; use "
        "over='query', or worlds='subject' or 'population'"
    )


def _t(distance: Floats, fitted: Fit) -> Floats:
    """Distance over standard error; NaN where there is no value."""
    return np.where(np.isnan(fitted.value), np.nan, student.statistic(distance, fitted.std_error))


# Permutations of the systems' labels within queries.
#
# Under the complete null, that all systems are exchangeable within each query, every permutation is
# as probable as the one observed.


def permuted_means(values: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """Means over queries (queries, systems) under random permutations: (draws, systems)."""
    stacked = np.broadcast_to(on_grid(values, None, len(values)), (draws, *values.shape))
    return np.asarray(rng.permuted(stacked, axis=-1).sum(axis=1) / len(values))


def all_permuted_means(values: Floats) -> Floats:
    """Means over queries under all permutations: ((systems!)^queries, systems)."""
    orders = np.array(list(permutations(range(values.shape[1]))))
    sums = np.zeros((1, values.shape[1]))
    for row in on_grid(values, None, len(values)):  # each query multiplies the number of sums
        sums = (sums[:, None, :] + row[orders][None, :, :]).reshape(-1, values.shape[1])
    return sums / len(values)


def n_permutations(queries: int, systems: int) -> float:
    """Number of permutations, as a float because it can be huge."""
    return float(np.exp(min(queries * lgamma(systems + 1), 700.0)))


# Permutation of the systems' labels within queries: the randomised Tukey test.
#
# Null: all systems are exchangeable within every query (the complete null). Where some systems
# differ, the test is not exact for the others: one outlying system widens the permuted ranges, so
# that equal ones differ significantly less often than the level says (studentised maxima under
# permuted labels would err in the other direction: .22 at ten queries). `stats.max_t` tests the
# null hypothesis of each pair, whatever the other systems do.
#
# References
# ----------
# Carterette, B. (2012), Multiple testing in statistical analysis of systems-based information
# retrieval experiments, ACM Transactions on Information Systems 30.


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Largest differences of means under permuted labels.

    Parameters
    ----------
    draws : (permutations,) float
        Ascending.
    enumerated : bool
        Whether all permutations were enumerated, and not drawn.
    tie : float
        Differences that differ by no more are equal.
    """

    draws: Floats
    enumerated: bool
    tie: float

    def p_adjusted(self, differences: Floats) -> Floats:
        """(b + 1) / (m + 1) if drawn, the exact share if enumerated; ties count."""
        size, m = np.abs(differences), len(self.draws)
        reached = m - np.searchsorted(self.draws, size - self.tie, side="left")
        p = reached / m if self.enumerated else (reached + 1) / (m + 1)
        return np.where(np.isnan(differences), np.nan, np.minimum(p, 1.0))

    def half_width(self, level: float) -> float:
        """Half the width of intervals that exclude 0 exactly where p is 1 - level or less."""
        m = len(self.draws)
        k = int(np.floor((1 - level) * (m + (not self.enumerated)) * (1 + 1e-12)))
        # The data are among enumerated permutations, and count beside drawn ones.
        return float(self.draws[m - k - self.enumerated] + self.tie) if k >= 1 else float("inf")


def permuted_ranges(
    values: Floats,
    resampling: Resampling,
    *,
    baseline: int | None = None,
    scale: float | None = None,
) -> Ranges:
    """Ranges of means (queries, systems) over all pairs, or over pairs with the baseline.

    `scale` is the largest |value| that the values come from, by default theirs.
    """
    queries, systems = values.shape
    tie = tied_share(queries) * float(scale_of(values.ravel(), scale))

    def largest(means: Floats) -> Floats:
        if baseline is None:
            return np.asarray(np.ptp(means, axis=1))
        return np.asarray(np.abs(means - means[:, [baseline]]).max(axis=1))

    if n_permutations(queries, systems) <= resampling.n_resamples + 1:
        return Ranges(np.sort(largest(all_permuted_means(values))), True, tie)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        rng = np.random.Generator(np.random.SFC64(seed))
        batch = max(1, resampling.numbers // values.size)
        sizes = [min(batch, size - start) for start in range(0, size, batch)]
        return np.concatenate([largest(permuted_means(values, rng, n)) for n in sizes])

    return Ranges(np.sort(np.concatenate(resampling.run(Purpose.LABELS, task))), False, tie)


Null = Literal["partial", "complete"]


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """Intervals and adjusted p of the pairs of one measure: (pairs,) each.

    Parameters
    ----------
    lower, upper, p : float
    std_error : float, optional
        With which a minimum detectable difference is found, if not each pair's own.
    more : dict of str to (pairs,), optional
        Columns of a full table that say how the intervals were found.
    """

    lower: Floats
    upper: Floats
    p: Floats
    std_error: Floats | None = None
    more: dict[str, Any] = field(default_factory=dict)


MAX_T = "max-t"
SIGN_FLIPS = "sign-flips"
LABELS = "permuted labels"
NONE = "none"
RESAMPLED = (MAX_T, SIGN_FLIPS, LABELS)


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A family of comparisons, and the correction for their number.

    Parameters
    ----------
    measures : tuple of str
        The measures whose comparisons are one family.
    observed : tuple of Observations
        One per measure.
    pairs : Contrasts
    baseline : int or None
        Index of the system that all others are compared with, if there is one.
    over : tuple of str
    correction : str
        "max-t", "sign-flips", "permuted labels", "none" or one of statsmodels'.
    alternative : {"two-sided", "greater", "less"}
    level : float
    using : Resampling
    """

    measures: tuple[str, ...]
    observed: tuple[Observations, ...]
    pairs: Contrasts
    baseline: int | None
    over: Over
    correction: str
    alternative: Alternative
    level: float
    using: Resampling

    def split(self) -> list[Family]:
        """One family for each measure."""
        return [
            replace(self, measures=(name,), observed=(one,))
            for name, one in zip(self.measures, self.observed, strict=True)
        ]

    def adjusted(self, estimates: list[Estimates]) -> list[Adjusted]:
        """Lower and upper ends and adjusted p of each measure's pairs, from its estimates."""
        if self.correction == MAX_T:
            return self._by_bootstrap(estimates)
        if self.correction == SIGN_FLIPS:
            return self._by_sign_flips(estimates)
        if self.correction == LABELS:
            each = zip(self.measures, self.observed, estimates, strict=True)
            return [self._by_labels(*one) for one in each]
        corrected = self._corrected(estimates)
        tests = sum(int((~np.isnan(p)).sum()) for _, p in corrected)
        level: float | None = self.level
        if self.correction != NONE:
            level = interval_level(self.correction, self.level, tests)
        return [
            self._single(one, *found, level)
            for one, found in zip(estimates, corrected, strict=True)
        ]

    def p_adjusted(self, estimates: list[Estimates]) -> list[Floats]:
        """Adjusted p alone, of each measure, by a correction that needs no resamples."""
        return [p for _, p in self._corrected(estimates)]

    def _corrected(self, estimates: list[Estimates]) -> list[tuple[SteadiedLaw | None, Floats]]:
        """Laws with moderated mean squares of subjects, where these are crossed; adjusted p."""
        laws: list[SteadiedLaw | None] = [None] * len(estimates)
        if self.over in (("query", "subject"), ("query", "world")):
            borrow = self.correction != NONE
            laws = [steadied(one.law, self.pairs, borrow=borrow) for one in estimates]
        each = list(zip(estimates, laws, strict=True))
        raw = [(law or one.law).p_value(one.value, self.alternative) for one, law in each]
        if self.correction == NONE:
            return list(zip(laws, raw, strict=True))
        p = adjust(np.concatenate(raw), self.correction, level=self.level)
        return [
            (law, part if law is None else law.p_adjusted(one.value, part, self.alternative))
            for (one, law), part in zip(each, np.split(p, len(estimates)), strict=True)
        ]

    def _single(
        self, one: Estimates, law: SteadiedLaw | None, p: Floats, level: float | None
    ) -> Adjusted:
        """With intervals; `level` is that of each of them, None: they are not adjusted."""
        if law is None:
            ends_of = one.interval(level or self.level, self.alternative)
            return Adjusted(*ends_of, p, more=one.more)
        more = {"prior_df": law.d0, "variance_from_subjects": law.from_subjects}
        if level is None or self.correction == NONE:
            ends_of = one.interval(self.level, self.alternative)
        else:
            half = law.half(level, self.level, self.alternative)
            ends_of = ends(self.alternative, one.value, half)
        return Adjusted(*ends_of, p, law.moderated.std_error, more)

    def _by_bootstrap(self, estimates: list[Estimates]) -> list[Adjusted]:
        """Moderated bootstrap max-t, jointly for all measures of the family."""
        blocks = [
            Block(observed.by_query(self.pairs).T, one.value, one.std_error, one.n_units, one.law)
            for observed, one in zip(self.observed, estimates, strict=True)
        ]
        results = bootstrap_max_t(
            blocks,
            self.using,
            level=self.level,
            alternative=self.alternative,
            groups=self.observed[0].groups,
        )
        return [
            Adjusted(
                one.lower,
                one.upper,
                one.p_adjusted,
                one.std_error,
                {"n_apart": one.n_apart, "borrowed": one.borrowed},
            )
            for one in results
        ]

    def _by_sign_flips(self, estimates: list[Estimates]) -> list[Adjusted]:
        """Centred sign flips, jointly for all measures of the family."""
        differences = [observed.by_query(self.pairs).T for observed in self.observed]
        maxima = max_t(np.concatenate(differences, axis=1), self.using)
        half = np.split(maxima.half_width(self.level), len(self.measures))
        p = np.split(maxima.p_adjusted, len(self.measures))
        return [self._no_less_than_t(*one) for one in zip(estimates, half, p, strict=True)]

    def _by_labels(self, measure: str, observed: Observations, estimates: Estimates) -> Adjusted:
        """Permuted labels, of complete tables."""
        values = observed.by_query(each_system(len(observed.values))).T
        values = values[~np.isnan(values).all(axis=1)]
        if np.isnan(values).any():
            raise DataError(
                f"null='complete': {counted(int(np.isnan(values).sum()), 'value')} of {measure} "
                "missing; labels can be permuted only where every system has a value: leave such "
                "queries out, or use null='partial'"
            )
        scale = float(observed.scale.max(initial=0.0))
        ranges = permuted_ranges(values, self.using, baseline=self.baseline, scale=scale)
        half = np.full(len(estimates.value), ranges.half_width(self.level))
        return self._no_less_than_t(estimates, half, ranges.p_adjusted(estimates.value))

    def _no_less_than_t(self, estimates: Estimates, half: Floats, p: Floats) -> Adjusted:
        """Intervals and p that are no narrower and no smaller than those of a single pair."""
        half = np.maximum(half, estimates.law.half(self.level, self.alternative))
        lower, upper = ends(self.alternative, estimates.value, half)
        return Adjusted(lower, upper, np.maximum(p, estimates.p_value(self.alternative)))


def resolve(
    correction: str | None,
    null: str,
    over: Over,
    tests: int,
    *,
    across: bool = False,
    alternative: Alternative = "two-sided",
    grouped: bool = False,
    baselines: int = 0,
) -> str:
    """The correction to use; None chooses one by the design.

    Raises
    ------
    OptionError
        The correction or the null is unknown, or they do not go together.
    """
    choice("null", null, ("partial", "complete"))
    if null == "complete":
        if correction is not None or over != ("query",) or across:
            raise OptionError(
                "null='complete': permuted labels are an adjustment of their own, over queries "
                "and within one measure; leave out correction= and across_measures=, and use "
                "over='query'"
            )
        if baselines > 1:
            raise OptionError("null='complete': takes one baseline at most; use null='partial'")
        correction = LABELS
    elif correction is None:
        return NONE if tests == 1 else MAX_T if over == ("query",) else "bonferroni"
    elif not is_among(correction, (*RESAMPLED, NONE)):
        return check_correction(correction)
    fits = correction not in (MAX_T, SIGN_FLIPS) or over == ("query",)
    rule = f"resamples queries and cannot be used over {in_words(over)}; use 'bonferroni' or 'holm'"
    require("correction", correction, fits, rule)
    if correction in (SIGN_FLIPS, LABELS) and (alternative != "two-sided" or grouped):
        what = "clusters= or strata=" if grouped else f"alternative={alternative!r}"
        name = "null='complete'" if correction == LABELS else f"correction={correction!r}"
        raise OptionError(f"{name}: does not go with {what}; use correction='max-t'")
    return correction


def significant(p_adjusted: Floats | float, level: float) -> Bools:
    """Whether adjusted p are 1 - level or less, but for rounding; NaN is not."""
    return np.asarray(p_adjusted <= (1 - level) * (1 + 1e-12))


def kind_of_interval(correction: str, tests: int) -> str:
    """Kind of intervals: "simultaneous", "single" (one comparison) or "unadjusted"."""
    if tests == 1 and correction == NONE:
        return "single"
    joint = correction in (*RESAMPLED, "bonferroni", "sidak")
    return "simultaneous" if joint else "unadjusted"

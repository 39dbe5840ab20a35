"""Differences of several pairs over queries and subjects, subjects' mean squares moderated.

Few subjects tell little of how much subjects differ about one pair of systems; the other pairs of a
family tell more. Each pair's mean square of subjects is drawn towards the family's (Smyth), and
what follows is guarded: nothing is significant that the pair's own subjects, alone, do not support.

- Of the logarithms of the mean squares, which correlate as pairs share systems, follow the prior's
  mean square and degrees of freedom d₀; d₀ is at most half of what the family has beyond a pair's
  own, and 0 (nothing is borrowed) for two subjects and for fewer than three pairs.
- The prior of a pair is at most an upper confidence limit of its own mean square, which bounds the
  power that a system about which subjects differ much takes from the others.
- A pair has the p of the moderated law, corrected for the number of pairs; and at least γ times its
  own p, γ = 1 + 1 / (S - 1)². Of three pairs, which tell little of each other, it has its own p
  where that is smaller, so that one loud system takes no power. Intervals agree with p.

References
----------
Smyth, G. K. (2004), Linear models and empirical Bayes methods, SAGMB 3. Phipson, B. et al. (2016),
Robust hyperparameter estimation, Annals of Applied Statistics 10 (robust priors). Weerahandi, S.
(1993), Generalized confidence intervals, JASA 88.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.bootstrap_maxima import MIN_VARIANCES, log_of_mean, prior_df
from fuzzytruth.core.pivotal import CrossedSquares, NormalMixtures, error_mixtures
from fuzzytruth.stats.laws import Law, MixtureLaw
from fuzzytruth.stats.observations import Contrasts
from fuzzytruth.stats.settings import Alternative

#: the prior is at most an upper limit of a pair's own mean square at this level
_LIMIT = 0.01
_FEW_PAIRS = 3
_BINS = 256  # of moderated mixtures, which are spread less than a pair's own
#: correlation of mean squares of two pairs that share a system, if systems vary alike
_SHARED = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class SteadiedLaw:
    """Errors of the differences of a family of pairs; (pairs,) each.

    Parameters
    ----------
    own : MixtureLaw
        Of each pair alone.
    moderated : MixtureLaw
    guard : float
        γ: a pair's own p times this is at most its adjusted p.
    d0 : float
        Prior degrees of freedom.
    from_subjects : float
        Share of the variance that comes from subjects; NaN where it is unknown.
    """

    own: MixtureLaw
    moderated: MixtureLaw
    guard: Floats
    d0: float
    from_subjects: Floats

    @property
    def _may_be_alone(self) -> Bools:
        """Pairs that need not borrow."""
        return np.asarray((self.own.std_error > 0) & (len(self.guard) <= _FEW_PAIRS))

    def p_value(self, value: Floats, alternative: Alternative) -> Floats:
        """To be corrected for the number of pairs."""
        own, moderated = (law.p_value(value, alternative) for law in (self.own, self.moderated))
        return np.where(self._may_be_alone, np.minimum(own, moderated), moderated)

    def p_adjusted(self, value: Floats, corrected: Floats, alternative: Alternative) -> Floats:
        """From corrected p."""
        own = np.minimum(self.guard * self.own.p_value(value, alternative), 1.0)
        return np.maximum(corrected, own)

    def half(self, corrected: float, level: float, alternative: Alternative) -> Floats:
        """How far intervals reach; `corrected` is the level of each of them, `level` of all."""
        half = self.moderated.half(corrected, alternative)
        if self.d0 == 0:  # both laws are one
            return half
        sides = 1 if alternative == "two-sided" else 2
        alpha, each = (1 - level) * sides, (1 - corrected) * sides
        # own quantiles are wanted only where they bound the moderated one
        p = self.own.two_sided(half)
        less, more = (p < each) & self._may_be_alone, self.guard * p > alpha
        if less.any():
            half[less] = self.own.take(less).half_width(each)
        for guard in np.unique(self.guard[more]).tolist():
            rows = more & (self.guard == guard)
            half[rows] = np.maximum(half[rows], self.own.take(rows).half_width(alpha / guard))
        return half


def steadied(law: Law, pairs: Contrasts, *, borrow: bool = True) -> SteadiedLaw | None:
    """The law with subjects' mean squares moderated; None where no subjects are crossed.

    Pairs do not steady each other if they cannot (see above), or not `borrow`.
    """
    if not isinstance(law, MixtureLaw) or not law.squares or pairs.second is None:
        return None
    rows = len(law.std_error)
    ms, df = np.full(rows, np.nan), np.full(rows, np.nan)  # over its factor of σ²_s
    for at, squares in law.squares:
        df[at] = squares.df[1]
        ms[at] = squares.subject / squares.df[1] / squares.per_subject
    d0, pool = _prior(ms, df, pairs) if borrow else (0.0, 0.0)
    limit = min(_LIMIT, 1 / (4 * rows))
    error, share, guard = law.std_error.copy(), np.full(rows, np.nan), np.ones(rows)
    mixtures = NormalMixtures.none(rows, _BINS) if d0 else law.mixtures
    for at, squares in law.squares:
        if d0:
            most = ms[at] * df[at] / special.chdtri(df[at], 1 - limit)
            prior = np.where(ms[at] > 0, np.minimum(pool, most), pool) * squares.per_subject
            squares = squares.with_prior(prior, d0)
            mixtures.put(at, error_mixtures(squares, _BINS))
            guard[at] = 1 + 1 / df[at] ** 2
        parts = squares.parts()
        variance = sum(parts)
        error[at], share[at] = np.sqrt(variance), divide(parts[1], variance)
    moderated = MixtureLaw(error, law.flips, law.known, mixtures) if d0 else law
    return SteadiedLaw(law, moderated, guard, d0, share)


def expected_half(
    law: Law, pairs: Contrasts, n_queries: int, n_subjects: int, level: float
) -> Floats:
    """Half-widths if there were so many queries and subjects, who differ as these do: (rows,).

    Of clusters of queries, `n_queries` is the number of clusters.
    Of complete tables with the same variance components, at this level of each interval; NaN where
    components are unknown.
    """
    out = np.full(len(pairs), np.nan)
    df_q, df_s = n_queries - 1.0, n_subjects - 1.0
    d0 = _most_df(pairs, df_s) if df_s > 1 and len(pairs) >= MIN_VARIANCES else 0.0
    for at, squares in law.squares if isinstance(law, MixtureLaw) else ():
        df_e = squares.df[2]
        e = squares.residual / df_e if df_e > 0 else np.zeros(len(at))
        query = squares.parts()[0] * (squares.df[0] + 1)  # σ²_q
        subject = np.maximum(squares.subject / squares.df[1] - e, 0.0) / squares.per_subject
        future = CrossedSquares(
            (e + n_subjects * query) * df_q,
            (e + n_queries * subject) * (df_s + d0),
            e * df_q * df_s,
            (df_q, df_s + d0, df_q * df_s),
            (1 / (n_queries * n_subjects),) * 3,
        )
        out[at] = error_mixtures(future).quantile(1 - level)
    return out


def _prior(ms: Floats, df: Floats, pairs: Contrasts) -> tuple[float, float]:
    """Degrees of freedom and mean square of the prior; 0 degrees where nothing is borrowed."""
    known = (ms > 0) & (df > 1)
    if known.sum() < MIN_VARIANCES:
        return 0.0, 0.0
    degree, n = _degrees(pairs), len(pairs)
    shared = float((degree * (degree - 1)).sum() / (n * (n - 1)))  # of two pairs, a system
    most = _most_df(pairs, float(df[known].max()))
    d0 = prior_df(ms[known], df[known], most=most, correlation=_SHARED * shared)
    return d0, float(np.exp(log_of_mean(ms[known], df[known]).mean()))


def _most_df(pairs: Contrasts, df: float) -> float:
    """Half of the degrees of freedom that a family has beyond those of a pair."""
    return (int((_degrees(pairs) > 0).sum()) - 2) * df / 2


def _degrees(pairs: Contrasts) -> Ints:
    """Pairs of each system."""
    assert pairs.second is not None
    return np.bincount(np.concatenate([pairs.first, pairs.second]))

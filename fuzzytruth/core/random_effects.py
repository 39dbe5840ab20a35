"""Variance components of crossed and nested random effects, from sums of squares of group means.

An effect is a set of factors, written as bits (`SYSTEM | QUERY` is their interaction); a factor
nested in another holds its bit. With T_e = Σ n_g ȳ_g² over the levels g of effect e, and N_e(x) the
number of observations that share observation x's level of e,

    E[T_e] = N μ² + Σ_f σ²_f Σ_x N_(e or f)(x) / N_e(x),

one linear equation for each effect. Their solution is unbiased whatever is missing, and needs no
distribution; in balanced tables it is that of the analysis of variance. It is Henderson's first
method, in generalizability theory the analogous analysis of variance. Where most values are
missing, other quadratic forms have less than half its standard error (`core.minimum_variance`),
for which it is the first guess.

References
----------
Henderson, C. R. (1953), Estimation of variance and covariance components, Biometrics 9.
Brennan, R. L. (2001), Generalizability theory, Springer, chapter 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING
from fuzzytruth.core.cells import grouped_sum

SYSTEM, REPLICATE, QUERY, SUBJECT = 1, 2, 4, 8
#: equations this close to singular do not tell components apart
_SINGULAR = 1e-9
#: smallest share of a component in a combination that the equations leave open
_INVOLVED = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class EffectsLayout:
    """Which levels of which effects the observations have.

    Parameters
    ----------
    effects : tuple of int
        Sets of factors; the last one is the residual, of which every observation is a level. Two
        effects' common factors, and the factors of both together, are effects or none.
    codes : tuple of (n,) int
        Level of each observation, by effect.
    counts : tuple of (n,) float
        How many observations share each one's level, by effect.
    n_levels : (effects,) int
    """

    effects: tuple[int, ...]
    codes: tuple[Ints, ...]
    counts: tuple[Floats, ...]
    n_levels: Ints

    @classmethod
    def of(cls, codes: Mapping[int, Ints]) -> EffectsLayout:
        """The layout of levels (n,) by effect, in the order of the effects."""
        numbered = [np.unique(code, return_inverse=True)[1].reshape(-1) for code in codes.values()]
        sizes = [np.bincount(code) for code in numbered]
        counts = [size[code].astype(np.float64) for size, code in zip(sizes, numbered, strict=True)]
        return cls(
            tuple(codes), tuple(numbered), tuple(counts), np.array([len(size) for size in sizes])
        )

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.codes[-1])

    @property
    def df(self) -> Floats:
        """Degrees of freedom of each effect, those of an analysis of variance: (effects,)."""
        return self._between((self.n_levels - 1).astype(np.float64))

    @property
    def is_balanced(self) -> bool:
        """Whether all effects are orthogonal, with equally many observations at every level."""
        count = {0: float(self.n)}
        for effect, counts in zip(self.effects, self.counts, strict=True):
            if np.ptp(counts) > 0:
                return False
            count[effect] = float(counts[0])
        return all(
            count[e | f] * count[e & f] == count[e] * count[f]
            for e in self.effects
            for f in self.effects
        )

    def expected(self) -> Floats:
        """Factors of the components in the mean squares' expected values: (effects, effects)."""
        counts = {0: np.full(self.n, float(self.n))}
        counts |= dict(zip(self.effects, self.counts, strict=True))
        of_sums = np.array(
            [[(counts[e | f] / counts[e]).sum() for f in self.effects] for e in (0, *self.effects)]
        )
        return self._over_df(self._between(of_sums[1:] - of_sums[0]))

    def mean_squares(self, values: Floats) -> Floats:
        """Sums of squares of the effects over `df`: (..., n) → (..., effects).

        Not adjusted for one another: in unbalanced tables those of interactions may be negative.
        """
        y = values - values.mean(axis=-1, keepdims=True)
        sums = []
        for code, counts, levels in zip(self.codes, self.counts, self.n_levels, strict=True):
            size = np.empty(levels)
            size[code] = counts
            sums.append((grouped_sum(y, code, int(levels)) ** 2 / size).sum(axis=-1))
        squares = self._between(np.stack(sums))
        # what is below the rounding errors of the values is none
        largest = np.abs(values).max(axis=-1, initial=0.0)
        squares[np.abs(squares) <= self.n * (ROUNDING * largest) ** 2] = 0.0
        squares[np.abs(squares) <= 1e-14 * sums[-1]] = 0.0
        return np.moveaxis(self._over_df(squares), 0, -1)

    def confounded(self) -> list[int]:
        """Places of effects whose components these observations do not tell apart; [] if none."""
        factors = self.expected()
        scaled = factors / np.abs(factors).max(axis=1, keepdims=True, initial=1e-300)
        _, size, rows = np.linalg.svd(scaled)
        open_ = rows[size <= _SINGULAR * max(float(size.max(initial=0.0)), 1.0)]
        return np.flatnonzero((np.abs(open_) > _INVOLVED).any(axis=0)).tolist()

    def _between(self, sums: Floats) -> Floats:
        """Each effect's own part of sums (effects, ...) that include those of its parts."""
        own: list[Floats] = []
        for place, effect in enumerate(self.effects):
            inner = [own[p] for p in range(place) if self.effects[p] & effect == self.effects[p]]
            own.append(sums[place] - sum(inner, np.zeros(sums[place].shape)))
        return np.stack(own)

    def _over_df(self, sums: Floats) -> Floats:
        df = self.df
        divisor = np.where(df > 0, df, 1.0)
        return sums / divisor.reshape(-1, *(1,) * (sums.ndim - 1))


def variance_of_mean(layout: EffectsLayout, weight: Floats, group: Ints) -> Floats:
    """Factors of the components in the variance of weighted means: (effects,).

    `weight` (n,) adds up to 1 in each `group` (n,); the factors are means over the groups.
    """
    n_groups = int(group.max(initial=-1)) + 1
    out = []
    for code in layout.codes:
        both = np.unique(group * (int(code.max(initial=0)) + 1) + code, return_inverse=True)[1]
        out.append(float((np.bincount(both.reshape(-1), weight) ** 2).sum()) / n_groups)
    return np.array(out)


def variance_of_difference(layout: EffectsLayout, weight: Floats, group: Ints) -> Floats:
    """Half the factors of the components in the variance of two such means' difference: (effects,).

    Means over the pairs of groups. Of effects that all groups share with the same weights it is 0;
    of those that no two share, the factor in `variance_of_mean`.
    """
    n_groups = int(group.max(initial=-1)) + 1
    if n_groups < 2:
        return variance_of_mean(layout, weight, group)
    out = []
    for code, levels in zip(layout.codes, layout.n_levels, strict=True):
        both, place = np.unique(group * int(levels) + code, return_inverse=True)
        sums = np.bincount(place.reshape(-1), weight)
        squares, common = (sums**2).sum(), np.bincount(both % int(levels), sums)
        gap = n_groups * squares - (common**2).sum()
        gap = gap if gap > ROUNDING * n_groups * squares else 0.0
        out.append(float(gap) / (n_groups * (n_groups - 1)))
    return np.array(out)

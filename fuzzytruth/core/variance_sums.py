"""Distributions of variances that are sums of independent parts, and the normal mixtures of them.

Each part is a function of sums of squares over χ² variables, see `core.pivotal`; parts are gathered
on few nodes before they are added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.pivotal import NormalMixtures, chi2_nodes

_NODES = 96  # of a part
_SUM = 256  # of the sum of all parts
_BATCH = 2**21  # numbers of a batch of rows


@dataclass(frozen=True, slots=True, eq=False)
class Variances:
    """Variances at nodes, and their probabilities: (rows, nodes) each."""

    value: Floats
    weight: Floats

    @classmethod
    def zero(cls, rows: int) -> Variances:
        """None at all."""
        return cls(np.zeros((rows, 1)), np.ones((rows, 1)))

    @classmethod
    def joined(cls, parts: list[Variances]) -> Variances:
        """Rows below each other, of as many nodes each."""
        values, weights = ([getattr(one, name) for one in parts] for name in ("value", "weight"))
        return cls(np.concatenate(values), np.concatenate(weights))

    @classmethod
    def placed(cls, parts: list[tuple[Ints, Variances]], rows: int) -> Variances:
        """Parts at their rows, filled with nodes of no probability; other rows have none."""
        most = max((part.value.shape[1] for _, part in parts), default=1)
        out = cls(np.zeros((rows, most)), np.zeros((rows, most)))
        for at, part in parts:
            n = part.value.shape[1]
            out.value[at, :n], out.weight[at, :n] = part.value, part.weight
        return out

    def take(self, rows: Ints) -> Variances:
        """Some rows."""
        return Variances(self.value[rows], self.weight[rows])

    def times(self, factor: Floats) -> Variances:
        """Each row by a factor of its own: (rows,)."""
        return Variances(factor[:, None] * self.value, self.weight)

    def plus(self, other: Variances, nodes: int = _NODES) -> Variances:
        """Sums with another independent part of each row."""
        rows, count = self.value.shape[0], self.value.shape[1] * other.value.shape[1]
        if count <= nodes:
            return self._outer(other, slice(None))
        size = max(1, _BATCH // count)
        parts = [
            self._outer(other, slice(start, start + size)).gathered(nodes)
            for start in range(0, max(rows, 1), size)
        ]
        return Variances.joined(parts)

    def _outer(self, other: Variances, rows: slice) -> Variances:
        value = self.value[rows, :, None] + other.value[rows, None, :]
        weight = self.weight[rows, :, None] * other.weight[rows, None, :]
        return Variances(value.reshape(len(value), -1), weight.reshape(len(value), -1))

    def gathered(self, nodes: int = _NODES) -> Variances:
        """Nodes close to each other as one, at their mean; zeros stay apart."""
        rows, positive = len(self.value), self.value > 0
        with np.errstate(divide="ignore"):
            log = np.log(self.value)
        low = np.where(positive, log, np.inf).min(axis=1, keepdims=True, initial=np.inf)
        high = np.where(positive, log, -np.inf).max(axis=1, keepdims=True, initial=-np.inf)
        span = np.maximum(high - low, 1e-9)
        with np.errstate(invalid="ignore"):
            place = np.minimum((log - low) / span * (nodes - 1), nodes - 2)
        place = np.where(positive, place, -1).astype(np.int64) + 1
        flat = (place + np.arange(rows)[:, None] * nodes).ravel()
        mass = np.bincount(flat, self.weight.ravel(), rows * nodes).reshape(rows, nodes)
        total = np.bincount(flat, (self.weight * self.value).ravel(), rows * nodes)
        value = np.divide(
            total.reshape(rows, nodes), mass, out=np.zeros((rows, nodes)), where=mass > 0
        )
        return Variances(value, np.asarray(mass, dtype=np.float64))

    def mixtures(self) -> NormalMixtures:
        """Normal laws with these variances; rows without any have no law."""
        kept = self if self.value.shape[1] <= _SUM else self.gathered(_SUM)
        weight = np.where(kept.value > 0, kept.weight, 0.0)
        return NormalMixtures(np.sqrt(np.where(kept.value > 0, kept.value, 1.0)), weight)


def scaled(squares: Floats, df: float) -> Variances:
    """Of SS / χ² of sums of squares (rows,)."""
    inverse, weight = chi2_nodes(df)
    value = squares[:, None] * inverse
    return Variances(value, np.broadcast_to(weight, value.shape))


def excess(squares: Floats, df: tuple[float, float]) -> Variances:
    """Of (θ - θ_e)₊ of two sums of squares: (2, rows)."""
    (inverse, weight), (inverse_e, weight_e) = (chi2_nodes(each) for each in df)
    gap = squares[0, :, None, None] * inverse[:, None] - squares[1, :, None, None] * inverse_e
    value = np.maximum(gap, 0.0).reshape(squares.shape[1], -1)
    weights = np.multiply.outer(weight, weight_e).ravel()
    return Variances(value, np.broadcast_to(weights, value.shape)).gathered()


def excess_of_both(squares: Floats, df: tuple[float, float, float, float]) -> Variances:
    """Of (G - max(H, L) - max(K, L) + L)₊ of four sums of squares: (4, rows)."""
    nodes = [chi2_nodes(each) for each in df]
    parts = []
    weight = nodes[0][1][:, None, None, None] * nodes[1][1][:, None, None] * nodes[2][1][:, None]
    weights = (weight * nodes[3][1]).ravel()
    for row in squares.T:  # a row of 300,000 nodes at a time
        g, h, k, rest = (ss * inverse for ss, (inverse, _) in zip(row, nodes, strict=True))
        both = np.maximum(h[:, None, None], rest) + np.maximum(k[:, None], rest) - rest
        value = np.maximum(g[:, None, None, None] - both, 0.0).reshape(1, -1)
        parts.append(Variances(value, weights[None]).gathered())
    return Variances.joined(parts) if parts else Variances.zero(0)

"""Every measure for one list under one truth, in plain loops, straight from its definition."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fuzzytruth.measures import Measure
from support.building import Query

Ranked = Sequence[float | None]  # grades from rank 1 on; None: unjudged
TOP_GRADE = 3


def score(measure: Measure, ranked: Ranked, missed: Sequence[float]) -> float:
    """The value of `measure` for a list and the judged items that it missed."""
    return float(KERNELS[measure.name](measure, list(ranked), list(missed)))


def expected_score(measure: Measure, query: Query, world: int) -> float:
    """Mean over all orders of the tied items."""
    ranked = [None if g is None else g[world] for g in query.ranked]
    missed = [g[world] for g in query.missed]
    values = [score(measure, order, missed) for order in orders(ranked, query.groups)]
    return sum(values) / len(values)


def orders(ranked: Ranked, groups: Sequence[int]) -> Iterator[list[float | None]]:
    ends = list(itertools.accumulate(groups))
    parts = [list(ranked[end - size : end]) for size, end in zip(groups, ends, strict=True)]
    for choice in itertools.product(*(itertools.permutations(p) for p in parts)):
        yield [grade for part in choice for grade in part]


def is_hit(m: Any, grade: float | None) -> bool:
    return grade is not None and grade >= m.rel


def n_relevant(m: Any, ranked: Ranked, missed: Sequence[float]) -> int:
    return sum(is_hit(m, g) for g in [*ranked, *missed])


def hits(m: Any, ranked: Ranked, k: int | None) -> int:
    return sum(is_hit(m, g) for g in ranked[:k])


def over(a: float, b: float) -> float:
    return a / b if b else 0.0


def precision(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return over(hits(m, ranked, m.cutoff), m.cutoff or len(ranked))


def recall(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return over(hits(m, ranked, m.cutoff), n_relevant(m, ranked, missed))


def success(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return float(hits(m, ranked, m.cutoff) > 0)


def relative_precision(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    most = min(m.cutoff or len(ranked), n_relevant(m, ranked, missed))
    return over(hits(m, ranked, m.cutoff), most)


def r_precision(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    depth = math.floor(m.mult * n_relevant(m, ranked, missed) + 0.9)
    return over(hits(m, ranked, depth), depth)


def judged(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    top = ranked[: m.cutoff]
    whole = m.cutoff if m.cutoff and m.norm == "cutoff" else len(top)
    return over(sum(g is not None for g in top), whole)


def f_at(m: Any, ranked: Ranked, missed: Sequence[float], k: int) -> float:
    beta = getattr(m, "beta", 1)
    p = over(hits(m, ranked, k), k)
    r = over(hits(m, ranked, k), n_relevant(m, ranked, missed))
    return over((1 + beta**2) * p * r, beta**2 * p + r)


def f(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    if getattr(m, "points", "cutoff") == "cutoff":
        return f_at(m, ranked, missed, m.cutoff or len(ranked))
    end = min(m.cutoff or len(ranked), len(ranked))
    values = [f_at(m, ranked, missed, k) for k in range(1, end + 1)]
    return max(values, default=0.0) if m.points == "max" else over(sum(values), len(values))


def effectiveness(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return 1 - f(m, ranked, missed)


def average_precision(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    ranked_hits = [j for j, g in enumerate(ranked[: m.cutoff], start=1) if is_hit(m, g)]
    total = sum(over(hits(m, ranked, j), j) for j in ranked_hits)
    by = len(ranked_hits) if m.norm == "retrieved" else n_relevant(m, ranked, missed)
    return over(total, by)


def set_average_precision(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    result = hits(m, ranked, None)
    return over(result, len(ranked)) * over(result, n_relevant(m, ranked, missed))


def inferred_ap(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    relevant = nonrelevant = unjudged = 0
    total = 0.0
    for j, grade in enumerate(ranked):
        if grade is None:
            continue
        if grade < 0:
            unjudged += 1
        elif grade < m.rel:
            nonrelevant += 1
        else:
            share = (relevant + 1e-5) / (relevant + nonrelevant + 2e-5)
            pooled = relevant + nonrelevant + unjudged
            total += 1 if j == 0 else 1 / (j + 1) + j / (j + 1) * (pooled / j) * share
            relevant += 1
    return over(total, n_relevant(m, ranked, missed))


def binary_preference(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    relevant = n_relevant(m, ranked, missed)
    nonrelevant = sum(g is not None and 0 <= g < m.rel for g in [*ranked, *missed])
    above, total = 0, 0.0
    for grade in ranked:
        if grade is not None and 0 <= grade < m.rel:
            above += 1
        if is_hit(m, grade):
            total += 1 - min(above, relevant) / min(nonrelevant, relevant) if above else 1
    return over(total, relevant)


def reciprocal_rank(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return next((1 / j for j, g in enumerate(ranked[: m.cutoff], 1) if is_hit(m, g)), 0.0)


def discounted(m: Any, ranked: Ranked) -> float:
    total = 0.0
    for i, grade in enumerate(ranked[: m.cutoff], start=1):
        gain = max(grade or 0, 0)
        if m.name in ("CG", "nCG"):
            total += gain
        elif m.dcg == "jarvelin":
            total += gain / max(1, math.log(i) / math.log(m.base))
        else:
            total += (2**gain - 1 if m.dcg == "burges" else gain) / math.log2(i + 1)
    return total


def cumulated_gain(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return discounted(m, ranked)


def normalised_gain(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    best = sorted((g for g in [*ranked, *missed] if g is not None), reverse=True)
    return over(discounted(m, ranked), discounted(m, best))


def nearest_neighbour(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return float(hits(m, ranked, 1))


def tier(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    size = n_relevant(m, ranked, missed)
    depth = size if m.name == "FT" else 2 * size
    if m.norm == "depth":
        depth = min(depth, len(ranked))
    return over(hits(m, ranked, depth), size if m.norm == "class" else depth)


def dynamic_recall(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    ideal = sorted((g for g in [*ranked, *missed] if g is not None and g > 0), reverse=True)
    total = 0.0
    for i, due in enumerate(ideal, start=1):
        total += sum(g is not None and g >= due for g in ranked[:i]) / i
    return over(total, len(ideal))


def precision_at_recall(m: Any, ranked: Ranked, missed: Sequence[float], level: float) -> float:
    relevant = n_relevant(m, ranked, missed)
    if m.interp == "trec":
        need = int(level * relevant + 0.9)
    elif m.interp == "round":
        need = int(level * relevant + 0.5)
    else:
        need = next(h for h in range(relevant + 1) if h >= level * relevant - 1e-12)
    ranks = [j for j in range(1, len(ranked) + 1) if hits(m, ranked, j) >= need]
    return max((hits(m, ranked, j) / j for j in ranks), default=0.0)


def interpolated(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return precision_at_recall(m, ranked, missed, m.cutoff)


def interpolated_average(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    if isinstance(m.levels, int):
        levels = [j / (m.levels - 1) for j in range(m.levels)]
    else:
        levels = [float(part) for part in m.levels.split("/")]
    return sum(precision_at_recall(m, ranked, missed, x) for x in levels) / len(levels)


def rank_biased_precision(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    return sum((1 - m.p) * m.p**j for j, g in enumerate(ranked[: m.cutoff]) if is_hit(m, g))


def rbp_residual(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    unknown = sum(
        (1 - m.p) * m.p**j for j, g in enumerate(ranked[: m.cutoff]) if g is None or g < 0
    )
    return unknown + m.p ** min(len(ranked), m.cutoff or len(ranked))


def expected_reciprocal_rank(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    going, total = 1.0, 0.0
    for i, grade in enumerate(ranked[: m.cutoff], start=1):
        stop = (2 ** max(grade or 0, 0) - 1) / 2 ** (m.gmax or TOP_GRADE)
        total += going * stop / i
        going *= 1 - stop
    return total


def count(what: str) -> Callable[[Any, Ranked, Sequence[float]], float]:
    def kernel(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
        n = len(ranked[: m.cutoff])
        if what == "NumRet":
            return n
        result, relevant = hits(m, ranked, m.cutoff), n_relevant(m, ranked, missed)
        return {
            "TP": result,
            "NumRelRet": result,
            "FP": n - result,
            "FN": relevant - result,
            "TN": (getattr(m, "collection", None) or 0) - (n + relevant - result),
            "NumRel": relevant,
        }[what]

    return kernel


KERNELS: dict[str, Callable[[Any, Ranked, Sequence[float]], float]] = {
    "P": precision,
    "R": recall,
    "Success": success,
    "RelP": relative_precision,
    "Rprec": r_precision,
    "Judged": judged,
    "F": f,
    "E": effectiveness,
    "EPSB": f,
    "AP": average_precision,
    "SetAP": set_average_precision,
    "infAP": inferred_ap,
    "bpref": binary_preference,
    "RR": reciprocal_rank,
    "CG": cumulated_gain,
    "DCG": cumulated_gain,
    "nCG": normalised_gain,
    "nDCG": normalised_gain,
    "NN": nearest_neighbour,
    "FT": tier,
    "ST": tier,
    "ADR": dynamic_recall,
    "IPrec": interpolated,
    "IPrecAvg": interpolated_average,
    "RBP": rank_biased_precision,
    "RBPResidual": rbp_residual,
    "ERR": expected_reciprocal_rank,
    **{name: count(name) for name in ("TP", "FP", "FN", "TN", "NumRet", "NumRel", "NumRelRet")},
}

#: measures, and the variants in which each is tried
_TRIED = {
    "P": "- @1 @3 @20 (rel=2)@3 (rel=0.5)@3",
    "R": "- @2 (rel=2)@20",
    "Success": "- @1 @3 (rel=2)@4",
    "RelP": "- @3",
    "Rprec": "- (mult=0.4) (mult=2,rel=2)",
    "Judged": "- @3 (norm=retrieved)@20",
    "F": "- @3 (beta=2)@4 (points=max) (beta=0.5,points=max)@3 (points=mean) "
    "(beta=2,points=mean)@3 (points=mean,rel=2)@20",
    "E": "- @3 (beta=2)@32",
    "EPSB": "- @3",
    "AP": "- @3 (rel=2) (norm=retrieved) (norm=retrieved)@3 @20",
    "SetAP": "- (rel=2)",
    "infAP": "- (rel=2)",
    "bpref": "- (rel=2)",
    "RR": "- @2 (rel=2)@3 @20",
    "CG": "- @3",
    "nCG": "- @3 @20",
    "DCG": "- @3 (dcg=burges)@3 (base=3,dcg=jarvelin)",
    "nDCG": "- @3 @20 (dcg=burges)@4 (dcg=jarvelin) (base=1.5,dcg=jarvelin)@4",
    "NN": "- (rel=2)",
    "FT": "- (norm=depth) (rel=2)",
    "ST": "- (norm=depth) (norm=depth,rel=2)",
    "ADR": "-",
    "IPrec": "@0 @0.1 @0.5 @1 (interp=exact)@0.3 (interp=round)@0.5 (rel=2)@0.25",
    "IPrecAvg": "- (interp=round) (levels=4) (interp=exact,levels=0.2/0.6)",
    "RBP": "- @3 (p=0.95)@20 (p=0.5,rel=2)",
    "RBPResidual": "- @3 (p=0.95)@20 (p=0.5)",
    "ERR": "- @3 (gmax=4.5)",
    "TP": "- @3",
    "FP": "- @3 @20",
    "FN": "- @3 (rel=2)",
    "TN": "(collection=40) (collection=40,rel=2)@3",
    "NumRet": "- @3",
    "NumRel": "- (rel=2)",
    "NumRelRet": "- @3",
}
VARIANTS = [
    name + variant.removeprefix("-")
    for name, variants in _TRIED.items()
    for variant in variants.split()
]

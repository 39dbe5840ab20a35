"""Every measure for one list under one truth, in plain loops, straight from its definition."""

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
    if measure.judged_only:
        ranked = [grade for grade in ranked if grade is not None and grade >= 0]
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
        gain = gain_of(m, grade)
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
    return over(discounted(m, ranked), discounted(m, ideal(m, ranked, missed)))


def gain_of(m: Any, grade: float | None) -> float:
    if grade is None:
        return 0.0
    return max(grade, 0) if m.gains is None else float(m.gains.get(grade, max(grade, 0)))


def ideal(m: Any, ranked: Ranked, missed: Sequence[float]) -> list[float]:
    judged = [g for g in [*ranked, *missed] if g is not None]
    return sorted(judged, key=lambda g: gain_of(m, g), reverse=True)


def ndcg_at(m: Any, ranked: Ranked, missed: Sequence[float], k: int) -> float:
    def dcg(grades: Ranked) -> float:
        return sum(gain_of(m, g) / math.log2(i + 2) for i, g in enumerate(grades[:k]))

    return over(dcg(ranked), dcg(ideal(m, ranked, missed)))


def ndcg_at_levels(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    best = [gain_of(m, g) for g in ideal(m, ranked, missed)]
    ends = [i for i, g in enumerate(best, 1) if g > 0 and (i == len(best) or best[i] < g)]
    if ends and len(ranked) > ends[-1] + 1:
        ends.append(len(ranked))
    return over(sum(ndcg_at(m, ranked, missed, k) for k in ends), len(ends))


def ndcg_at_relevant(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    every = sum(gain_of(m, g) > 0 for g in [*ranked, *missed])
    at = [k for k, g in enumerate(ranked, 1) if gain_of(m, g) > 0]
    total = sum(ndcg_at(m, ranked, missed, k) for k in at)
    total += (every - len(at)) * ndcg_at(m, ranked, missed, len(ranked) + len(missed) + 1)
    return over(total, every)


def normalised_lag(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    best = [gain_of(m, g) for g in ideal(m, ranked, missed)] + [0.0] * len(ranked)
    total, cost, found = 0.0, 0.0, 0.0
    for grade, due in zip(ranked, best, strict=False):
        cost += max(due, 1)
        found += gain_of(m, grade)
        total += gain_of(m, grade) / math.log2(2 + cost - found)
    return over(total, sum(best))


def binary_lag(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    total = sum(
        1 / math.log2(2 + j - hits(m, ranked, j)) for j, g in enumerate(ranked) if is_hit(m, g)
    )
    return over(total, n_relevant(m, ranked, missed))


def log_odds(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    total = sum(over(hits(m, ranked, j), j) for j, g in enumerate(ranked, 1) if is_hit(m, g))
    return math.log((1 + total) / (1 + n_relevant(m, ranked, missed) - total))


def utility(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    n, found = len(ranked[: m.cutoff]), hits(m, ranked, m.cutoff)
    lost = n_relevant(m, ranked, missed) - found
    rest = (m.collection or 0) - n - lost
    return m.hit * found + m.other * (n - found) + m.missed * lost + m.rejected * rest


def cwl(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    """Weights from the probabilities to go on, rank by rank."""
    low, high = m.min_rel, TOP_GRADE if m.max_rel is None else m.max_rel
    end = m.cutoff or 2_000
    gain = [(min(max(g or 0, low), high) - low) / (high - low) for g in ranked]
    gain = (gain + [0.0] * end)[:end]
    going, found, total, weights = 1.0, 0.0, 0.0, 0.0
    for i, g in enumerate(gain, start=1):
        found += g
        total += going * g
        weights += going
        going *= go_on(m, i, g, found)
    return total / weights


def go_on(m: Any, i: int, g: float, found: float) -> float:
    if m.name == "SDCG":
        return math.log(i + 1) / math.log(i + 2)
    if m.name == "BPM":
        return float(found < m.T - 1e-9)
    if m.name == "INST":
        return ((i - 1 + 2 * m.T - found) / (i + 2 * m.T - found)) ** 2
    patience = {"NERR8": 1.0, "NERR9": i / (i + 1), "NERR10": getattr(m, "p", 0)}
    if m.name in patience:
        return float(patience[m.name] * (1 - g))
    insq = ((i + 2 * m.T - 1) / (i + 2 * m.T)) ** 2
    return float(insq * (1 - g) if m.name == "NERR11" else insq)


def compatibility(m: Any, ranked: Ranked, missed: Sequence[float]) -> float:
    grades = [*ranked, *missed]
    best = [j for j, g in enumerate(grades) if g is not None and g > 0]
    best.sort(key=lambda j: -(grades[j] or 0))
    depth = max(len(ranked[: m.cutoff]), len(best))
    depth = min(depth, m.cutoff or depth)

    def rbo(a: list[int], b: list[int]) -> float:
        weight = [m.p**d for d in range(depth)]
        shared = (len({*a[: d + 1]} & {*b[: d + 1]}) / (d + 1) for d in range(depth))
        return over(sum(w * x for w, x in zip(weight, shared, strict=True)), sum(weight))

    value = rbo(list(range(len(ranked))), best)
    return over(value, rbo(best, best)) if m.normalize else value


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
            "NumNonRelJudgedRet": sum(g is not None and 0 <= g < m.rel for g in ranked[: m.cutoff])
            if what == "NumNonRelJudgedRet"
            else 0,
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
    "Rndcg": ndcg_at_levels,
    "ndcg_rel": ndcg_at_relevant,
    "G": normalised_lag,
    "binG": binary_lag,
    "yaap": log_odds,
    "Utility": utility,
    "NumNonRelJudgedRet": count("NumNonRelJudgedRet"),
    "Compat": compatibility,
    **dict.fromkeys(("SDCG", "INSQ", "INST", "BPM", "NERR8", "NERR9", "NERR10", "NERR11"), cwl),
    **{name: count(name) for name in ("TP", "FP", "FN", "TN", "NumRet", "NumRel", "NumRelRet")},
}

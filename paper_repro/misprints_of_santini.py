"""What cannot be meant as it stands in Santini, "Benchmarking without ground truth"."""

from __future__ import annotations

import numpy as np

import fuzzytruth as ft
from paper_repro import as_printed
from paper_repro.examples import (
    FIGURE_1_VOTES,
    N_IMAGES,
    RELEVANCE,
    SUBJECT,
    SYSTEM,
    TREE,
    displaced,
    figure1_membership,
)
from paper_repro.misprint import Slip, show

P_RETRIEVED, P_REST = [0.6, 0.2], [0.3, 0.1]
SIZE = sum(P_RETRIEVED) + sum(P_REST)
ANSWERED, RELEVANT_SET, COLLECTION = set("abcd"), set("cdef"), 10


def set_slips() -> list[Slip]:
    """(1) and (2)."""
    r, p = _of_sets(["R", "P"])
    recall = as_printed.crisp_recall(ANSWERED, RELEVANT_SET)
    with_v = as_printed.crisp_precision(ANSWERED, RELEVANT_SET)
    with_results = as_printed.crisp_precision(ANSWERED, ANSWERED)
    return [
        Slip(
            "Santini (1)",
            "misprint",
            "R = |A ∪ V| / |V| ∈ [0, 1]",
            show(recall),
            "above 1; section 5 has ∩",
            recall > 1,
            "|A ∩ V| / |V|",
            show(r),
        ),
        Slip(
            "Santini (2)",
            "misprint",
            "P = |A ∪ R| / |A| ∈ [0, 1]",
            f"{show(with_results)} with R the results, {show(with_v)} with V",
            "R is the recall, a number; as the results (section 4) it gives 1 for any answer",
            with_results == 1 != p and with_v > 1,
            "|A ∩ V| / |A|",
            show(p),
        ),
    ]


def specificity_slip() -> Slip:
    """The sentence after (2)."""
    p, negatives, false = _of_sets(["P", f"TN(collection={COLLECTION})", "FP"])
    specificity = negatives / (negatives + false)
    return Slip(
        "Santini, after (2)",
        "wording",
        'medicine calls "almost the same" sensitivity and specificity',
        f"specificity {show(specificity)} in a collection of {COLLECTION}",
        "sensitivity is recall; specificity is the share of the irrelevant that is not returned, "
        "and grows with the collection. Precision is the positive predictive value",
        abs(specificity - p) > 0.1,
        "precision",
        show(p),
    )


def _of_sets(measures: list[str]) -> list[float]:
    """Measures of the answer by the relevant set."""
    truth = {"q": dict.fromkeys(sorted(RELEVANT_SET), 1)}
    run = {"s": {"q": {item: -j for j, item in enumerate(sorted(ANSWERED))}}}
    return ft.evaluate(truth, run, measures).values.ravel().tolist()


def vote_slips() -> list[Slip]:
    """(6) to (8)."""
    m = figure1_membership()
    city, people, root = (m.probability("fig1", name) for name in ("city", "people", "all"))
    printed_city = as_printed.leaf_probability(FIGURE_1_VOTES, "city")
    printed_root = as_printed.node_probability(FIGURE_1_VOTES, TREE, "all")
    parents = as_printed.arrow_probability(FIGURE_1_VOTES, TREE, "people")
    below = {node: sorted(m.taxonomy.descendants(node)) for node in m.taxonomy}
    reading = [
        as_printed.node_probability(FIGURE_1_VOTES, below, name) for name in ("all", "people")
    ]
    right = bool(np.allclose(reading, [root, people], rtol=0, atol=1e-12))
    offered = (
        "read ν → ζ as: ζ is below ν, by one edge or several, along the arrows of the paper's "
        f"drawing. Then (8) is right as it stands: p(all), p(people) = {show(*reading)}"
    )
    try:
        without_bars = str({"fig1"} / 5)
    except TypeError:
        without_bars = "a set divided by 5: not a number"
    return [
        Slip(
            "Santini (6)–(8)",
            "misprint",
            "{q | Ω(s, q) = ω, s = 1, …, N}",
            f"p(city) = {show(printed_city)}",
            "q is given, so that the set has at most one member; the tree says 0.4",
            printed_city != 0.4 == city,
            "the set of subjects, {s | Ω(s, q) = ω}",
            f"p(city) = {show(city)}",
        ),
        Slip(
            "Santini (6)",
            "our copy",
            "p = {…} / N",
            without_bars,
            "(7) and (8) have bars: strokes at the edge of a formula may be lost",
            "not a number" in without_bars,
            "|{…}| / N",
            f"p(city) = {show(m.direct('fig1')['city'])}",
        ),
        Slip(
            "Santini (8)",
            "other reading",
            "1/N · (votes for ν + votes for each child of ν)",
            f"p(all) = {show(printed_root)}",
            f"with children alone, votes for grandchildren are lost; {offered}",
            printed_root != 1 and right,
            "the same, or the children's p, bottom-up",
            f"p(all) = {show(root)}",
        ),
        Slip(
            "Santini (8) arrow",
            "other reading",
            "Σ over ζ with ν → ζ",
            f"p(people) = {show(parents)}",
            "by (5), where ω ← ν makes ω the parent, the ζ would be parents of ν; in the paper's "
            "drawing arrows lead from parent to child, as the row above reads them",
            parents != 0.6 and right,
            "ζ below ν",
            f"p(people) = {show(people)}",
        ),
    ]


def hit_slips() -> list[Slip]:
    """(10) to (12)."""
    printed = as_printed.hit_probabilities(P_RETRIEVED)
    sure = as_printed.hit_probabilities([1, 1])[2]
    hits = ft.Distribution.poisson_binomial(P_RETRIEVED).pmf([0, 1, 2])
    _, p_masses = as_printed.precision_probabilities(hits)
    r_values, r_masses = as_printed.recall_probabilities(hits, SIZE)
    precision = ft.Distribution.precision(P_RETRIEVED)
    recall = ft.Distribution.recall(retrieved=P_RETRIEVED, rest=P_REST)
    return [
        Slip(
            "Santini (10)",
            "our copy",
            "Σ ∏_u p(i_u) ∏_{j = i_1, …, i_k} (1 - p(j))",
            f"p(0), p(1), p(2) = {show(*printed)}: sum {show(printed.sum())}",
            f"two certain hits have probability {show(sure)}. The stroke of a ≠ or ∉ may be lost, "
            "as is the sign of N ≫ m",
            abs(printed.sum() - 1) > 0.1 and sure == 0,
            "j not among i_1, …, i_k",
            f"{show(*hits)}: sum {show(hits.sum())}",
        ),
        Slip(
            "Santini (11)",
            "misprint",
            "P(k/n) = p(k) / n",
            f"{show(*p_masses)}: sum {show(p_masses.sum())}",
            "sums to 1/n",
            abs(p_masses.sum() - 1 / 2) < 1e-12,
            "P(k/n) = p(k)",
            f"{show(*precision.probabilities)}: sum {show(precision.probabilities.sum())}",
        ),
        Slip(
            "Santini (12)",
            "misprint",
            "R(k/|ω|) = p(k) / |ω|",
            f"{show(*r_masses)} on {show(*r_values)}: sum {show(r_masses.sum())}",
            "sums to 1/|ω|. Besides, |ω| is an expected number, and the number of relevant images "
            "random: 2/|ω| exceeds 1",
            abs(r_masses.sum() - 1 / SIZE) < 1e-12 and r_values[-1] > 1,
            "X / (X + Y), X the hits and Y the relevant images missed",
            f"{show(*recall.probabilities)} on {show(*recall.values)}: "
            f"sum {show(recall.probabilities.sum())}",
        ),
    ]


def mixture_slips() -> list[Slip]:
    """(13) and (14)."""
    m = figure1_membership()
    nodes, direct = list(m.taxonomy), m.direct("fig1")
    p = [m.probability("fig1", node) for node in nodes]
    each = np.tile(ft.Distribution.poisson_binomial(P_RETRIEVED).pmf([0, 1, 2]), (len(nodes), 1))
    mixed = as_printed.precision_mixture(each, p)
    laws = [ft.Distribution.precision(P_RETRIEVED)] * len(direct)
    ours = ft.Distribution.mixture(laws, list(direct.values())).probabilities
    values, masses = as_printed.recall_mixture([[0, 0, 1]], [1])  # two certain hits
    printed = values[np.argmax(masses)]
    right = ft.Distribution.recall(retrieved=[1, 1], rest=[1] * 8).mean()
    return [
        Slip(
            "Santini (13), (14)",
            "error",
            "Σ_ω P(k/n | ω) p(ω | q)",
            f"weights sum to {show(sum(p))}, probabilities to {show(mixed.sum())}",
            "p(ω | q) counts each ancestor again, as the paper remarks; the weights must be of "
            "disjoint events (they are if everybody names a leaf and ω runs over leaves)",
            abs(mixed.sum() - 2.6) < 1e-12,
            "direct shares",
            f"weights sum to {show(sum(direct.values()))}, probabilities to {show(ours.sum())}",
        ),
        Slip(
            "Santini (14), left side",
            "misprint",
            "R(k/n) = Σ_ω R(k/|ω| | ω) p(ω | q)",
            f"two certain hits of ten relevant images: recall {show(printed)}",
            "the right side is on k/|ω|, here 2/10",
            printed == 1 != right,
            "R(k/|ω|), or X / (X + Y)",
            f"recall {show(right)}",
        ),
    ]


def list_slips() -> list[Slip]:
    """(16), (17), (22) and (23)."""
    literal = as_printed.displacement("abc", [1, 0.5, 0], "bca")
    ranks = ft.displacement(list("abc"), [1, 0.5, 0], list("bca"), ties="position").value
    missing = [RELEVANCE[SUBJECT.index(item)] for item in displaced("optimist").B]
    printed_22 = as_printed.optimist_displacement(missing, len(SUBJECT))
    printed_23 = as_printed.pessimist_displacement(missing, N_IMAGES)
    w_b = {unseen: displaced(unseen).w_B for unseen in ("optimist", "pessimist-tail", "worst")}
    far = 10_000
    tail = ft.displacement(
        SUBJECT, RELEVANCE, SYSTEM, unseen="pessimist-tail", N=far, ties="position"
    ).w_B
    near = as_printed.pessimist_displacement(missing, far) / tail - 1
    return [
        Slip(
            "Santini (16), (17)",
            "misprint",
            "C^µ = [I_π1, …, I_πn], w = Σ s_k |k - π_k|",
            f"w = {show(literal)}",
            "π_k is then the image at position k, not the rank of image k: a permutation for its "
            "inverse. Here a (relevance 1) moves from 1 to 3, which alone gives 2",
            literal < 2 <= ranks,
            "π_k: the rank of image k in the system's list",
            f"w = {show(ranks)}",
        ),
        Slip(
            "Santini (22)",
            "our copy",
            "Σ s_i |i - (m + i)|, β lost",
            f"w_B = m Σ s = {show(printed_22)}",
            "the sentence before explains β, and a bar is missing, too; with b, d next it is "
            f"{show(w_b['optimist'])}",
            printed_22 > w_b["optimist"],
            "Σ s_β(i) |β_i - (m' + i)|, m' the system's length",
            f"w_B = {show(w_b['optimist'])}",
        ),
        Slip(
            "Santini (23)",
            "approximation",
            "Σ s_i N",
            f"w_B = {show(printed_23)} with N = {N_IMAGES}",
            f"the words before it (N - |B| + i) give {show(w_b['pessimist-tail'])}, and no ranking "
            f"more than {show(w_b['worst'])}; with N = {far:,} it is {near:.2%} off",
            printed_23 > w_b["worst"] and 0 < near < 0.001,
            "kept as `pessimist`, beside `pessimist-tail` and `worst`",
            f"w_B = {show(printed_23, w_b['pessimist-tail'], w_b['worst'])}",
        ),
    ]

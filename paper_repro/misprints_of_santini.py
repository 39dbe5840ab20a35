"""Misprints of Santini, "Benchmarking without ground truth", in numbers."""

from __future__ import annotations

import numpy as np

import fuzzytruth as ft
from paper_repro import as_printed
from paper_repro.examples import (
    FIGURE_1_VOTES,
    N_IMAGES,
    RELEVANCE,
    SUBJECT,
    TREE,
    displaced,
    figure1_membership,
)
from paper_repro.misprint import Misprint, show
from paper_repro.tables import EXAMPLE, PRINTS

P_RETRIEVED, P_REST = [0.6, 0.2], [0.3, 0.1]
SIZE = sum(P_RETRIEVED) + sum(P_REST)
ANSWERED, RELEVANT_SET = set("abcd"), set("cdef")


def crisp_misprints() -> list[Misprint]:
    """(1) and (2)."""
    answered, relevant = ANSWERED, RELEVANT_SET
    truth = {"q": dict.fromkeys(sorted(relevant), 1)}
    run = {"s": {"q": {item: -j for j, item in enumerate(sorted(answered))}}}
    r, p = ft.evaluate(truth, run, ["R", "P"]).values.ravel()
    recall = as_printed.crisp_recall(answered, relevant)
    with_v = as_printed.crisp_precision(answered, relevant)
    with_results = as_printed.crisp_precision(answered, answered)
    return [
        Misprint(
            "Santini (1), (2)",
            "R = |A ∪ V| / |V| ∈ [0, 1]",
            show(recall),
            "above 1, though said to lie in [0, 1], while half of V is missing",
            recall > 1,
            "|A ∩ V| / |V|",
            show(r),
            EXAMPLE,
            "probably print",
            "our copy has ∩ in section 5 (A = Cα ∩ Cµ), so that the sign is not lost as such",
        ),
        Misprint(
            "Santini (1), (2)",
            "P = |A ∪ R| / |A|",
            f"{show(with_results)} with R the results, {show(with_v)} with V",
            "R is the recall, a number; as the results (section 4) it gives 1 for any answer, and "
            "V in its place gives a precision above 1",
            with_results == 1 != p and with_v > 1,
            "|A ∩ V| / |A|",
            show(p),
            EXAMPLE,
            "print",
            "the letter R; for the ∪ as above",
        ),
    ]


def vote_misprints() -> list[Misprint]:
    """(6) to (8)."""
    m = figure1_membership()
    city = as_printed.leaf_probability(FIGURE_1_VOTES, "city")
    root = as_printed.node_probability(FIGURE_1_VOTES, TREE, "all")
    parents = as_printed.arrow_probability(FIGURE_1_VOTES, TREE, "people")
    try:
        without_bars = str({"fig1"} / 5)
    except TypeError:
        without_bars = "a set divided by 5: not a number"
    return [
        Misprint(
            "(6)–(8)",
            "{q | Ω(s, q) = ω, s = 1, …, N}",
            f"p(city) = {show(city)}",
            "q is given, so that the set of images has at most one member; the tree says 0.4",
            city != 0.4 == m.probability("fig1", "city"),
            "the set of subjects, {s | Ω(s, q) = ω}",
            f"p(city) = {show(m.probability('fig1', 'city'))}",
            PRINTS,
            "print",
            "letters, the same in all three formulas",
        ),
        Misprint(
            "(6)",
            "p = {…} / N",
            without_bars,
            "(7) and (8) have bars",
            "not a number" in without_bars,
            "|{…}| / N",
            f"p(city) = {show(m.direct('fig1')['city'])}",
            EXAMPLE,
            "cannot be told",
            "bars are strokes at the edge of a formula; (7) and (8) have kept theirs",
        ),
        Misprint(
            "(8)",
            "1/N · (votes for ν + votes for each child of ν)",
            f"p(all) = {show(root)}",
            'grandchildren are lost, and "the root of the tree has always probability one"',
            root != 1 == m.probability("fig1", "all"),
            "the children's p, bottom-up, or the share of votes in the subtree",
            f"p(all) = {show(m.probability('fig1', 'all'))}",
            PRINTS,
            "print",
            "letters: Ω(s, q) = ζ",
        ),
        Misprint(
            "(8) arrow",
            "Σ over ζ with ν → ζ",
            f"p(people) = {show(parents)}",
            "by (5), ω ← ν makes ω the parent, so that these ζ are the parents of ν; the tree says "
            "0.6",
            parents != 0.6 == m.probability("fig1", "people"),
            "the children, ν ← ζ",
            f"p(people) = {show(m.probability('fig1', 'people'))}",
            PRINTS,
            "probably print",
            "→ and ← are different signs, and our copy has both",
        ),
    ]


def hit_misprints() -> list[Misprint]:
    """(10) to (12)."""
    printed = as_printed.hit_probabilities(P_RETRIEVED)
    sure = as_printed.hit_probabilities([1, 1])[2]
    hits = ft.poisson_binomial(P_RETRIEVED).pmf([0, 1, 2])
    _, p_masses = as_printed.precision_probabilities(hits)
    r_values, r_masses = as_printed.recall_probabilities(hits, SIZE)
    precision = ft.precision_distribution(P_RETRIEVED)
    recall = ft.recall_distribution(retrieved=P_RETRIEVED, rest=P_REST)
    return [
        Misprint(
            "(10) second product",
            "Σ ∏_u p(i_u) ∏_{j = i_1, …, i_k} (1 - p(j))",
            f"p(0), p(1), p(2) = {show(*printed)}: sum {show(printed.sum())}",
            f"does not sum to 1; two certain hits (p = 1, 1) have probability {show(sure)}",
            abs(printed.sum() - 1) > 0.1 and sure == 0,
            "j not among i_1, …, i_k (Poisson-binomial)",
            f"{show(*hits)}: sum {show(hits.sum())}",
            EXAMPLE,
            "cannot be told",
            "the stroke of a ≠ or ∉ may be lost; our copy has lost others (N ≫ m is N m in it)",
        ),
        Misprint(
            "(11)",
            "P(k/n) = p(k) / n",
            f"{show(*p_masses)}: sum {show(p_masses.sum())}",
            "sums to 1/n",
            abs(p_masses.sum() - 1 / 2) < 1e-12,
            "p(k) on k/n",
            f"{show(*precision.probabilities)}: sum {show(precision.probabilities.sum())}, "
            f"mean {show(precision.mean())}",
            EXAMPLE,
            "print",
            "the n stands below a fraction line",
        ),
        Misprint(
            "(12)",
            "R(k/|ω|) = p(k) / |ω|",
            f"{show(*r_masses)} on {show(*r_values)}: sum {show(r_masses.sum())}",
            "sums to 1/|ω|; moreover |ω| is an expected number, and the number of relevant images "
            "random: 2/|ω| exceeds 1",
            abs(r_masses.sum() - 1 / SIZE) < 1e-12 and r_values[-1] > 1,
            "X / (X + Y), with X the hits and Y the relevant images missed",
            f"{show(*recall.probabilities)} on {show(*recall.values)}: "
            f"sum {show(recall.probabilities.sum())}",
            EXAMPLE,
            "print",
            "the |ω| stands below a fraction line",
        ),
    ]


def mixture_misprints() -> list[Misprint]:
    """(13) and (14)."""
    m = figure1_membership()
    nodes, direct = list(m.taxonomy), m.direct("fig1")
    p = [m.probability("fig1", node) for node in nodes]
    each = np.tile(ft.poisson_binomial(P_RETRIEVED).pmf([0, 1, 2]), (len(nodes), 1))
    mixed = as_printed.precision_mixture(each, p)
    laws = [ft.precision_distribution(P_RETRIEVED)] * len(direct)
    ours = ft.Distribution.mixture(laws, list(direct.values())).probabilities
    values, masses = as_printed.recall_mixture([[0, 0, 1]], [1])  # two certain hits
    printed = values[np.argmax(masses)]
    right = ft.recall_distribution(retrieved=[1, 1], rest=[1] * 8).mean()
    return [
        Misprint(
            "(13), (14)",
            "Σ_ω P(k/n | ω) p(ω | q)",
            f"weights sum to {show(sum(p))}, probabilities to {show(mixed.sum())}",
            "p(ω | q) counts each ancestor again (the paper says that the sum is above 1), but "
            "events must be disjoint",
            abs(mixed.sum() - 2.6) < 1e-12,
            "direct shares d(ω | q)",
            f"weights sum to {show(sum(direct.values()))}, probabilities to {show(ours.sum())}",
            PRINTS,
            "print",
            "letters, the same in both formulas",
        ),
        Misprint(
            "(14) left side",
            "R(k/n) = Σ_ω R(k/|ω| | ω) p(ω | q)",
            f"two certain hits of ten relevant images: recall {show(printed)}",
            "the right side is on k/|ω| = 2/10; on k/n two hits of two give recall 1",
            printed == 1 != right,
            "the support is k/|ω| (or X / (X + Y))",
            f"recall {show(right)}",
            EXAMPLE,
            "print",
            "letters: (13) has k/n on both sides, (14) on the left only",
        ),
    ]


def list_misprints() -> list[Misprint]:
    """(16), (17), (22) and (23)."""
    literal = as_printed.displacement("abc", [1, 0.5, 0], "bca")
    ranks = ft.displacement(list("abc"), [1, 0.5, 0], list("bca"), ties="position").value
    missing = [RELEVANCE[SUBJECT.index(item)] for item in displaced("optimist").B]
    printed_22 = as_printed.optimist_displacement(missing, len(SUBJECT))
    printed_23 = as_printed.pessimist_displacement(missing, N_IMAGES)
    w_b = {unseen: displaced(unseen).w_B for unseen in ("optimist", "pessimist-tail", "worst")}
    far = 10_000
    tail = ft.displacement(
        SUBJECT, RELEVANCE, list("caxy"), unseen="pessimist-tail", N=far, ties="position"
    ).w_B
    near = as_printed.pessimist_displacement(missing, far) / tail - 1
    return [
        Misprint(
            "(16), (17)",
            "C^µ = [I_π1, …, I_πn], w = Σ s_k |k - π_k|",
            f"w = {show(literal)}",
            "π_k is then the image at position k, not the rank of image k; here a (relevance 1) "
            "moves from 1 to 3, which alone gives 2",
            literal < 2 <= ranks,
            "π_k: the rank of image k in the system's list",
            f"w = {show(ranks)}",
            EXAMPLE,
            "print",
            "letters, and the words: a permutation of (1, …, n)",
        ),
        Misprint(
            "(22)",
            "Σ s_i |i - (m + i)| (β lost)",
            f"w_B = m Σ s = {show(printed_22)}",
            f'not "as good as it can possibly be": with b, d next it is {show(w_b["optimist"])}',
            printed_22 > w_b["optimist"],
            "Σ s_β(i) |β_i - (m' + i)|, m' the system's length",
            f"w_B = {show(w_b['optimist'])}",
            EXAMPLE,
            "probably lost in our copy",
            "the sentence before explains β, and a bar of |…| is missing, too",
        ),
        Misprint(
            "(23)",
            "Σ s_i N",
            f"w_B = {show(printed_23)} with N = {N_IMAGES}",
            f"an approximation: no ranking exceeds {show(w_b['worst'])}, and the words "
            f"(N - |B| + i) give {show(w_b['pessimist-tail'])}; with N = {far:,} it is "
            f"{near:.2%} off",
            printed_23 > w_b["worst"] and 0 < near < 0.001,
            "kept as `pessimist`; beside it `pessimist-tail` (the words) and `worst` (the bound)",
            f"w_B = {show(printed_23, w_b['pessimist-tail'], w_b['worst'])}",
            EXAMPLE,
            "print",
            "in words, too: a displacement N for all images in B",
        ),
    ]

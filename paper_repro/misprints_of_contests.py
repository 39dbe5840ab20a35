"""Misprints of the pages of SHREC 2006, SHREC 2019 and NIST, in numbers."""

from __future__ import annotations

import numpy as np

import fuzzytruth as ft
from paper_repro import as_printed
from paper_repro.contests import NIST_COMMA, NIST_LIST, NIST_RANKS, nist_scores
from paper_repro.examples import (
    GAINS,
    HIGHLY,
    NCG_FRACTIONS,
    RELEVANT,
    fraction,
    our_vector,
    printed_vector,
    shrec_scores,
)
from paper_repro.misprint import Misprint, show
from paper_repro.tables import EXAMPLE, PRINTS, agrees

WEB = "the text of a web page"


def contest_misprints() -> list[Misprint]:
    """SHREC 2006, SHREC 2019 and NIST."""
    longer = GAINS + [0] * (2 * RELEVANT - len(GAINS))
    first = as_printed.first_tier(GAINS, HIGHLY, RELEVANT)
    second = as_printed.second_tier(longer, HIGHLY, RELEVANT)
    (ft_ours,) = shrec_scores(["FT(norm=depth)"])
    (second_ours,) = shrec_scores(["ST(norm=depth)"], longer)
    fractions = [fraction(text) for text in NCG_FRACTIONS.split()]
    decimals = [float(text) for text in printed_vector("NCG")]
    off = [k for k in range(14) if abs(fractions[k] - decimals[k]) > 1e-6]
    e = [as_printed.e_measure(x, x) for x in (1.0, 0.0)]
    psb = [as_printed.e_measure_psb(x, x) for x in (1.0, 0.0)]
    truth = {"photo": {f"scene {j:02}": 1 for j in range(20)}}
    perfect = {"s": {"photo": {f"scene {j:02}": -j for j in range(20)}}}
    (tier,) = ft.evaluate(truth, perfect, ["FT"]).values.ravel()
    e_ours, psb_ours = ft.evaluate(truth, perfect, ["E", "EPSB"]).values.ravel()
    copied = as_printed.tier_outside_collection([1] * 20, 20)
    return [
        Misprint(
            "SHREC 2006 tiers (relevant)",
            "else d1 = Ch; else d2 = 2·Ch",
            f"first tier {first:.3%}; second tier, 22 answers, {second:.3%}",
            "its own example divides 9 by 11 = Cr: 81.818% (the second tier is left undecided)",
            abs(first - 9 / 11) > 0.1 and abs(ft_ours - 9 / 11) < 1e-12,
            "Cr, 2·Cr",
            f"first tier {ft_ours:.3%}; second tier, 22 answers, {second_ours:.3%}",
            PRINTS,
            "print",
            WEB,
        ),
        Misprint(
            "SHREC 2006 NCG",
            ", ".join(NCG_FRACTIONS.split()[6:12]),
            ", ".join(f"{fractions[k]:.4f}" for k in range(6, 12)),
            f"at ranks {', '.join(str(k + 1) for k in off)} not the decimals printed below",
            off == [7, 8, 9, 10],
            "10/13, 11/14, 11/15, 12/16, 14/17, 14/17: the decimals are right",
            ", ".join(f"{x:.4f}" for x in our_vector("NCG")[6:12]),
            PRINTS,
            "print",
            WEB,
        ),
        *shrec_ndcg_misprints(),
        *nist_misprints(),
        Misprint(
            "E-measure (SHREC 2019, NIST)",
            'E = 1 - F; "the maximum value is 1.0, and higher values indicate better results"',
            f"a perfect answer {show(e[0])}, a useless one {show(e[1])}",
            "contradicts itself: with E = 1 - F lower is better",
            e[0] < e[1] and psb[0] > psb[1],
            "`E` = 1 - F, lower is better; `EPSB` = 2/(1/P + 1/R), higher is better",
            f"the perfect answer: E = {show(e_ours)}, EPSB = {show(psb_ours)}",
            PRINTS,
            "print",
            "words, and E = 1 - F in the text of web pages; our copies lack the other formulas",
        ),
        Misprint(
            "SHREC 2019 tiers",
            "K = |C| - 1, 2·(|C| - 1)",
            f"a perfect list has first tier {show(copied)}",
            "copied from NIST, where the query is in the collection; here queries are 2D images "
            "and the collection 3D scenes",
            copied < 1 == tier,
            "K = |C|, 2·|C|",
            f"first tier {show(tier)}",
            EXAMPLE,
            "print",
            WEB,
        ),
    ]


# the two lines on NDCG, as on the page
NDCG_LABEL = "NCG'"
NDCG_FRACTIONS = "2.0/2.0, 4.0/4,0, 5.2618594/5.2618594, ...., 8.091629/9.492018, 8.091629/9.492018"
NDCG_WITHOUT_COMMA = "0.81642264 0.8524667"


def shrec_ndcg_misprints() -> list[Misprint]:
    """The fractions and decimals printed for NDCG."""
    ncg, ndcg = our_vector("NCG"), our_vector("NDCG")
    last, third = (NDCG_FRACTIONS.split(", ")[k] for k in (-1, 2))
    (second,) = (text for text in NDCG_FRACTIONS.split(", ") if text.count(",") == 1)
    pieces = second.split(",")
    decimals = ", ".join(printed_vector("NDCG"))
    before, after = NDCG_WITHOUT_COMMA.split()
    as_on_page = decimals.replace(f"{before}, {after}", NDCG_WITHOUT_COMMA, 1)
    entries = as_on_page.split(", ")
    dcg, idcg = printed_vector("DCG")[2], printed_vector("IDCG")[2]
    return [
        Misprint(
            "SHREC 2006 NDCG label",
            f"{NDCG_LABEL} = [2.0/2.0, …, {last}]",
            f"NCG at rank 14 = {show(fraction(last))}",
            f"these fractions are DCG/IDCG; the page itself has NCG = {printed_vector('NCG')[-1]} "
            "there",
            not agrees(printed_vector("NCG")[-1], fraction(last))
            and abs(fraction(last) - ndcg[-1]) < 1e-6,
            "NDCG'",
            f"NDCG at rank 14 = {show(ndcg[-1])}, NCG = {show(ncg[-1])}",
            PRINTS,
            "print",
            WEB,
        ),
        Misprint(
            "SHREC 2006 NDCG comma",
            second,
            f"{pieces[0]} = {show(fraction(pieces[0]))}, and {pieces[1]}",
            "read as a list, two entries for rank 2; the second is below the printed 1.0",
            len(pieces) == 2 and float(pieces[1]) != float(printed_vector("NDCG")[1]),
            "4.0/4.0",
            show(fraction(second.replace(",", "."))),
            PRINTS,
            "print",
            WEB,
        ),
        Misprint(
            "SHREC 2006 NDCG third fraction",
            third,
            show(fraction(third)),
            f"not the decimal printed below, {printed_vector('NDCG')[2]}; DCG is {dcg} there",
            not agrees(printed_vector("NDCG")[2], fraction(third)),
            f"{dcg}/{idcg}: the decimal is right",
            show(ndcg[2]),
            PRINTS,
            "print",
            WEB,
        ),
        Misprint(
            "SHREC 2006 NDCG decimals",
            NDCG_WITHOUT_COMMA,
            f"{len(entries)} entries",
            f"a list of {len(GAINS)} shapes has {len(GAINS)} ranks",
            len(entries) == len(GAINS) - 1,
            f"{before}, {after}",
            f"{len(ndcg)} entries, {show(*ndcg[9:11])} at ranks 10 and 11",
            PRINTS,
            "print",
            WEB,
        ),
    ]


def nist_misprints() -> list[Misprint]:
    """R-precision in words, and a comma."""
    relevant = [int(rank in NIST_RANKS) for rank in range(1, max(NIST_RANKS) + 1)]
    full = as_printed.precision_at_full_recall(relevant)
    (rprec,) = nist_scores(["Rprec"], NIST_RANKS)
    numbers = [float(text) for text in NIST_LIST.split(", ")]
    (ap,) = nist_scores(["AP"], NIST_RANKS)
    return [
        Misprint(
            "NIST R-precision",
            '"the precision score when R relevant objects are retrieved"',
            f"in its example, {show(full)}",
            f"when all R = {len(NIST_RANKS)} relevant objects are retrieved, which is at rank "
            f"{max(NIST_RANKS)}, recall is 1; the measure of that name takes the first R answers",
            full != rprec,
            "P@R",
            f"in its example, {show(rprec)}",
            PRINTS,
            "print",
            WEB,
        ),
        Misprint(
            "NIST average precision",
            f'"{NIST_LIST}"; "the mean of them is 0.76"',
            f"{len(numbers)} numbers, mean {show(np.mean(numbers))}",
            f"{len(NIST_RANKS)} objects are relevant, and no precision is above 1",
            len(numbers) != len(NIST_RANKS) and max(numbers) > 1,
            f"{NIST_COMMA.replace(', ', '.')} for {NIST_COMMA}",
            f"{len(NIST_RANKS)} numbers, mean {show(ap)}",
            PRINTS,
            "print",
            WEB,
        ),
    ]

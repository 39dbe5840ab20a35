"""What cannot be meant as it stands on the pages of SHREC 2006, SHREC 2019, NIST and image–text."""

from __future__ import annotations

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
from paper_repro.image_text import RANKS, chance, ranked_texts
from paper_repro.misprint import Slip, show
from paper_repro.tables import agrees


def shrec_slips() -> list[Slip]:
    """SHREC 2006: tiers, and the fractions of NCG."""
    longer = GAINS + [0] * (2 * RELEVANT - len(GAINS))
    first = as_printed.first_tier(GAINS, HIGHLY, RELEVANT)
    second = as_printed.second_tier(longer, HIGHLY, RELEVANT)
    (ft_ours,) = shrec_scores(["FT(norm=depth)"])
    (second_ours,) = shrec_scores(["ST(norm=depth)"], longer)
    fractions = [fraction(text) for text in NCG_FRACTIONS.split()]
    decimals = [float(text) for text in printed_vector("NCG")]
    off = [k for k in range(14) if abs(fractions[k] - decimals[k]) > 1e-6]
    return [
        Slip(
            "SHREC 2006, tiers (relevant)",
            "misprint",
            "else d1 = Ch; else d2 = 2·Ch",
            f"first tier {first:.3%}; second tier of 22 answers {second:.3%}",
            "its own example divides 9 by 11 = Cr: 81.818%",
            abs(first - 9 / 11) > 0.1 and abs(ft_ours - 9 / 11) < 1e-12,
            "Cr, 2·Cr",
            f"first tier {ft_ours:.3%}; second tier of 22 answers {second_ours:.3%}",
        ),
        Slip(
            "SHREC 2006, NCG",
            "misprint",
            ", ".join(NCG_FRACTIONS.split()[6:12]),
            ", ".join(f"{fractions[k]:.4f}" for k in range(6, 12)),
            f"at ranks {', '.join(str(k + 1) for k in off)} not the decimals below them",
            off == [7, 8, 9, 10],
            "10/13, 11/14, 11/15, 12/16, 14/17, 14/17: the decimals are right",
            ", ".join(f"{x:.4f}" for x in our_vector("NCG")[6:12]),
        ),
    ]


CLASS_SIZE = 20  # "C is always 20"

# the two lines on NDCG, as on the page
NDCG_LABEL = "NCG'"
NDCG_FRACTIONS = "2.0/2.0, 4.0/4,0, 5.2618594/5.2618594, ...., 8.091629/9.492018, 8.091629/9.492018"
NDCG_WITHOUT_COMMA = "0.81642264 0.8524667"


def shrec_ndcg_slips() -> list[Slip]:
    """SHREC 2006: the fractions and decimals of NDCG."""
    ncg, ndcg = our_vector("NCG"), our_vector("NDCG")
    last, third = (NDCG_FRACTIONS.split(", ")[k] for k in (-1, 2))
    (second,) = (text for text in NDCG_FRACTIONS.split(", ") if text.count(",") == 1)
    before, after = NDCG_WITHOUT_COMMA.split()
    entries = ", ".join(printed_vector("NDCG")).replace(f"{before}, {after}", NDCG_WITHOUT_COMMA)
    n_entries = len(entries.split(", "))
    dcg, idcg = printed_vector("DCG")[2], printed_vector("IDCG")[2]
    ncg_14 = printed_vector("NCG")[-1]
    return [
        Slip(
            "SHREC 2006, NDCG",
            "misprint",
            f"{NDCG_LABEL} = [2.0/2.0, …, {last}]",
            f"NCG at rank 14 = {show(fraction(last))}",
            f"these are DCG/IDCG; the page itself has NCG = {ncg_14} there",
            not agrees(ncg_14, fraction(last)) and abs(fraction(last) - ndcg[-1]) < 1e-6,
            "NDCG'",
            f"NDCG at rank 14 = {show(ndcg[-1])}, NCG = {show(ncg[-1])}",
        ),
        Slip(
            "SHREC 2006, NDCG, second fraction",
            "comma",
            second,
            "4.0/4, and 0",
            "a comma for a point",
            float(second.split(",")[1]) != float(printed_vector("NDCG")[1]),
            "4.0/4.0",
            show(fraction(second.replace(",", "."))),
        ),
        Slip(
            "SHREC 2006, NDCG, third fraction",
            "misprint",
            third,
            show(fraction(third)),
            f"not the decimal below it, {printed_vector('NDCG')[2]}; DCG is {dcg} there",
            not agrees(printed_vector("NDCG")[2], fraction(third)),
            f"{dcg}/{idcg}: the decimal is right",
            show(ndcg[2]),
        ),
        Slip(
            "SHREC 2006, NDCG, decimals",
            "comma",
            NDCG_WITHOUT_COMMA,
            f"{n_entries} entries",
            "a comma is missing",
            n_entries == len(GAINS) - 1,
            f"{before}, {after}",
            f"{len(ndcg)} entries",
        ),
    ]


def nist_slips() -> list[Slip]:
    """NIST, and the text that SHREC 2019 shares with it."""
    relevant = [int(rank in NIST_RANKS) for rank in range(1, max(NIST_RANKS) + 1)]
    full = as_printed.precision_at_full_recall(relevant)
    (rprec,) = nist_scores(["Rprec"], NIST_RANKS)
    numbers = [float(text) for text in NIST_LIST.split(", ")]
    (ap,) = nist_scores(["AP"], NIST_RANKS)
    e = [as_printed.e_measure(x, x) for x in (1.0, 0.0)]
    psb = [as_printed.e_measure_psb(x, x) for x in (1.0, 0.0)]
    tier, e_ours, psb_ours = _of_a_perfect_list(["FT", "E", "EPSB"])
    outside = as_printed.tier_outside_collection([1] * CLASS_SIZE, CLASS_SIZE)
    return [
        Slip(
            "NIST, R-precision",
            "wording",
            '"the precision score when R relevant objects are retrieved"',
            f"in its example, {show(full)}",
            f"all R = {len(NIST_RANKS)} relevant objects are retrieved at rank {max(NIST_RANKS)}; "
            "the measure of that name takes the first R answers",
            full != rprec,
            "P@R",
            f"in its example, {show(rprec)}",
        ),
        Slip(
            "NIST, average precision",
            "comma",
            f'"{NIST_LIST}"; "the mean of them is 0.76"',
            f"{len(numbers)} numbers",
            "a comma for a point",
            len(numbers) != len(NIST_RANKS) and max(numbers) > 1,
            f"{NIST_COMMA.replace(', ', '.')} for {NIST_COMMA}",
            f"{len(NIST_RANKS)} numbers, mean {show(ap)}",
        ),
        Slip(
            "SHREC 2019 and NIST, E-measure",
            "wording",
            'E = 1 - F; "the maximum value is 1.0, and higher values indicate better results"',
            f"a perfect answer {show(e[0])}, a useless one {show(e[1])}",
            "with E = 1 - F lower is better; the words are Princeton's, of its E = F₁",
            e[0] < e[1] and psb[0] > psb[1],
            "`E` = 1 - F, lower is better; `EPSB` = 2/(1/P + 1/R), higher is better",
            f"a perfect answer: E = {show(e_ours)}, EPSB = {show(psb_ours)}",
        ),
        Slip(
            "SHREC 2019, tiers",
            "error",
            "K = |C| - 1, 2·(|C| - 1)",
            f"a perfect list has first tier {show(outside)}",
            "the same text as NIST's, whose queries are in the collection; here they are 2D images "
            "and the collection 3D scenes",
            outside < 1 == tier,
            "K = |C|, 2·|C|",
            f"first tier {show(tier)}",
        ),
    ]


def nearest_neighbour_slip() -> Slip:
    """NN in the words of SHREC 2019 and NIST."""
    (ours,) = _of_a_perfect_list(["NN"])
    by_letter = as_printed.nearest_neighbour([1] * CLASS_SIZE, CLASS_SIZE)
    return Slip(
        "SHREC 2019 and NIST, nearest neighbour",
        "wording",
        'the "ratio of models in the query\'s class that also appear within the top K", K = 1',
        f"a perfect list has NN {show(by_letter)}",
        f"by the letter at most 1/|C|, here 1/{CLASS_SIZE}; the measure of that name asks whether "
        "the first answer is of the class",
        by_letter < ours == 1,
        "1 if the first answer is of the query's class",
        f"NN {show(ours)}",
    )


def _of_a_perfect_list(measures: list[str]) -> list[float]:
    """Measures of a list that has the query's class and nothing else."""
    truth = {"photo": {f"scene {j:02}": 1 for j in range(CLASS_SIZE)}}
    run = {"s": {"photo": {f"scene {j:02}": -j for j in range(CLASS_SIZE)}}}
    return ft.evaluate(truth, run, measures).values.ravel().tolist()


def image_text_slips() -> list[Slip]:
    """Image–text: all five or the best of five, and which direction is harder."""
    scores = ft.image_text(ranked_texts(), cutoffs=(10,), unit="fraction").to_frame()
    (ours,) = scores[(scores["query"] == "image 0") & (scores["measure"] == "i2t R@10")]["value"]
    every = as_printed.all_among_the_first(RANKS, 10)
    by_chance = [chance(f"{way} R@{k}") for k in (1, 5, 10) for way in ("i2t", "t2i")]
    pairs = [f"{a:.3f} and {b:.3f}" for a, b in zip(by_chance[::2], by_chance[1::2], strict=True)]
    return [
        Slip(
            "Image–text, i2t_R@K",
            "wording",
            '"the model ranks all 5 sentences ... among the top K (every rank is calculated based '
            'on the highest ranking among the 5)"',
            f"R@10 = {every:g} by the first half, for texts at {', '.join(map(str, RANKS))}",
            '"all 5" against "the highest of the 5": with all five R@1 would be 0 for every model',
            every != ours,
            "the highest: any of the five among the first K",
            f"R@10 = {ours:g}",
        ),
        Slip(
            "Image–text, t2i",
            "wording",
            '"only one image is matched", so that "the evaluation recall rate will be lower"',
            "i2t above t2i",
            "not for that reason: there are also five times fewer images to rank. By chance both "
            "are equal at 1, and t2i is ahead at 5 and 10",
            by_chance[2] < by_chance[3] and by_chance[4] < by_chance[5],
            "an experience with models, not a property of the measure",
            f"i2t and t2i by chance, in %, at 1, 5, 10: {'; '.join(pairs)}",
        ),
    ]

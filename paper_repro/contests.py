"""The worked examples of SHREC 2006 and of NIST's benchmark of shapes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import fuzzytruth as ft
from paper_repro.examples import (
    COLLECTION,
    GAINS,
    HIGHLY,
    IDEAL,
    NCG_FRACTIONS,
    RELEVANT,
    VECTORS,
    fraction,
    our_vector,
    printed_vector,
    shrec_scores,
)
from paper_repro.tables import PRINTS, Claim, Table, agrees, number_claim

SHREC = "SHREC 2006, Performance measures used"
NIST = "NIST shape benchmark, Evaluation Methods"

# printed value, and the measure that computes it
SHREC_NUMBERS = {
    "True Positives (highly relevant)": ("5", "TP(rel=2)"),
    "False Positives (highly relevant)": ("9", "FP(rel=2)"),
    "True Negatives (highly relevant)": ("1799", f"TN(rel=2,collection={COLLECTION})"),
    "False Negatives (highly relevant)": ("1", "FN(rel=2)"),
    "First Tier (highly relevant)": ("66.667%", "FT(rel=2,norm=depth)"),
    "Second Tier (highly relevant)": ("41.667%", "ST(rel=2,norm=depth)"),
    "Precision (highly relevant)": ("0.35714", "P(rel=2)"),
    "Recall (highly relevant)": ("0.83333", "R(rel=2)"),
    "Average Precision (highly relevant)": ("0.80090", "AP(rel=2,norm=retrieved)"),
    "True Positives (relevant)": ("9", "TP"),
    "False Positives (relevant)": ("5", "FP"),
    "True Negatives (relevant)": ("1798", f"TN(collection={COLLECTION})"),
    "False Negatives (relevant)": ("2", "FN"),
    "First Tier (relevant)": ("81.818%", "FT(norm=depth)"),
    "Second Tier (relevant)": ("64.285%", "ST(norm=depth)"),
    "Precision (relevant)": ("0.6428", "P"),
    "Recall (relevant)": ("0.8181", "R"),
    "Average Precision (relevant)": ("0.94368", "AP(norm=retrieved)"),
    "Average dynamic recall": ("0.819", "ADR"),
}


def shrec_numbers() -> Table:
    """The scalar measures of the example."""
    ours = shrec_scores([measure for _, measure in SHREC_NUMBERS.values()])
    return Table.of(
        ("SHREC 2006", "measure", "printed", "ours", "agrees"),
        (
            (
                name,
                f"`{measure}`",
                printed,
                f"{value:.6%}" if printed.endswith("%") else value,
                agrees(printed, value),
            )
            for (name, (printed, measure)), value in zip(SHREC_NUMBERS.items(), ours, strict=True)
        ),
    )


ADR_FOUND = "1 2 2 3 4 4 6 7 7 8 9"
ADR_PRINTED = "1 1 0.667 0.75 0.80 0.667 0.857 0.875 0.777 0.8 0.818"


def single_vector(name: str) -> list[str]:
    """The vector in single precision, by the recursion, with all its digits."""
    if name in ("NCG", "NDCG"):
        above, below = (
            np.array(single_vector(part), np.float32) for part in (name[1:], "I" + name[1:])
        )
        below = np.pad(below, (0, len(above) - len(below)), mode="edge")
        return [str(x) for x in above / below]
    gains = IDEAL if name.startswith("I") else GAINS
    total, out = np.float32(0), []
    for rank, gain in enumerate(np.array(gains, np.float32), start=1):
        log = np.float32(math.log(rank)) / np.float32(math.log(2))
        total += gain / log if "D" in name and rank >= 2 else gain
        out.append(str(total))
    return out


def vector_agrees(name: str) -> list[bool]:
    """For each rank: single precision as printed, and ours within two units of it."""
    printed = printed_vector(name)
    pairs = zip(printed, single_vector(name), our_vector(name), strict=True)
    return [
        float(single) == float(text)
        and (name in ("CG", "ICG") or single == text)
        and abs(value - float(text)) <= 2**-22 * float(text)
        for text, single, value in pairs
    ]


def gain_vectors(*names: str) -> Table:
    """Vectors rank by rank: printed, in single precision, ours."""
    columns = {"rank": [str(k) for k in range(1, len(printed_vector(names[0])) + 1)]}
    for name in names:
        columns[f"{name} printed"] = printed_vector(name)
        columns["single" + " " * len(columns)] = single_vector(name)
        columns["ours" + " " * len(columns)] = [f"{x:.9g}" for x in our_vector(name)]
        columns["agrees" + " " * len(columns)] = ["yes" if a else "no" for a in vector_agrees(name)]
    return Table.of([name.strip() for name in columns], zip(*columns.values(), strict=True))


def wrong_fractions() -> list[int]:
    """Ranks at which the printed fraction is not the printed decimal, but one rank behind."""
    below = our_vector("ICG")
    rows = zip(NCG_FRACTIONS.split(), printed_vector("NCG"), strict=True)
    wrong = [k for k, (a, b) in enumerate(rows, start=1) if not agrees(b[:7], fraction(a))]
    behind = [k for k in wrong if float(NCG_FRACTIONS.split()[k - 1].split("/")[1]) == below[k - 2]]
    if behind != wrong:
        raise ValueError(f"fractions at ranks {wrong}: not all have the denominator before")
    return wrong


def ncg_fractions() -> Table:
    """The fractions printed for NCG against the decimals printed for it."""
    above, below = our_vector("CG"), our_vector("ICG")
    below += below[-1:] * (len(above) - len(below))
    rows = zip(NCG_FRACTIONS.split(), printed_vector("NCG"), above, below, strict=True)
    return Table.of(
        ("rank", "printed fraction", "its value", "printed decimal", "agree", "right fraction"),
        (
            (k, text, fraction(text), decimal, agrees(decimal[:7], fraction(text)), f"{a:g}/{b:g}")
            for k, (text, decimal, a, b) in enumerate(rows, start=1)
        ),
    )


def our_dynamic_recalls() -> list[float]:
    measures = [f"P(rel={2 if k <= HIGHLY else 1})@{k}" for k in range(1, RELEVANT + 1)]
    return shrec_scores(measures)


def dynamic_recall() -> Table:
    """The r_i of the example, the hits behind each, and their mean."""
    ours = our_dynamic_recalls()
    printed = zip(ADR_FOUND.split(), ADR_PRINTED.split(), ours, strict=True)
    rows = [
        (k, found, round(k * r, 9), text, r, agrees(found, k * r) and agrees(text, r))
        for k, (found, text, r) in enumerate(printed, start=1)
    ]
    mean = float(np.mean(ours))
    (measured,) = shrec_scores(["ADR"])
    both = agrees("0.819", mean) and abs(measured - mean) < 1e-12
    rows.append(("ADR", "", "", "0.819", measured, both))
    return Table.of(("i", "found, printed", "ours", "r_i printed", "ours", "agrees"), rows)


NIST_RANKS = [1, 2, 4, 7, 10]
NIST_LIST = "1, 1, 0, 75, 0.57, 0.50"  # as on the page
NIST_COMMA = "0, 75"
NIST_PRECISIONS = NIST_LIST.replace(NIST_COMMA, NIST_COMMA.replace(", ", ".")).split(", ")


def as_on_page(printed: str) -> str:
    """A precision with the comma that the page has for a point."""
    page = printed.replace(".", ", ")
    return f"{page} (for {printed})" if page == NIST_COMMA else printed


def nist_scores(measures: list[str], ranks: list[int]) -> list[float]:
    """Measures of a list of ten with relevant objects at these ranks."""
    truth = {"query": {f"object {k:02}": int(k in ranks) for k in range(1, 11)}}
    run = {"list": {"query": {f"object {k:02}": -float(k) for k in range(1, 11)}}}
    return ft.evaluate(truth, run, measures).values.ravel().tolist()


def nist_numbers() -> Table:
    """The worked average precision."""
    ours = nist_scores([f"P@{k}" for k in NIST_RANKS] + ["AP"], NIST_RANKS)
    names = [f"precision at rank {k}" for k in NIST_RANKS] + ["average precision"]
    rows = zip(names, [*NIST_PRECISIONS, "0.76"], ours, strict=True)
    return Table.of(
        ("NIST", "printed", "ours", "agrees"),
        ((name, as_on_page(text), value, agrees(text, value)) for name, text, value in rows),
    )


def contest_claims() -> list[Claim]:
    """All numbers that the two pages print."""
    ours = shrec_scores([measure for _, measure in SHREC_NUMBERS.values()])
    rows = [
        number_claim(name, SHREC, printed, value)
        for (name, (printed, _)), value in zip(SHREC_NUMBERS.items(), ours, strict=True)
    ]
    for name in VECTORS:
        same = vector_agrees(name)
        counted = f"{sum(same)} of {len(same)} to the last digit"
        rows.append(
            Claim(f"vector {name}′", SHREC, PRINTS, f"{len(same)} numbers", counted, all(same))
        )
    parts = zip(ADR_PRINTED.split(), our_dynamic_recalls(), strict=True)
    same = [agrees(printed, value) for printed, value in parts]
    rows.append(
        Claim(
            "dynamic recalls r_1..r_11",
            SHREC,
            PRINTS,
            f"{len(same)} numbers",
            f"{sum(same)} of {len(same)}",
            all(same),
        )
    )
    precisions = nist_scores([f"P@{k}" for k in NIST_RANKS], NIST_RANKS)
    rows += [
        replace(number_claim(f"precision at rank {k}", NIST, text, value), printed=as_on_page(text))
        for k, text, value in zip(NIST_RANKS, NIST_PRECISIONS, precisions, strict=True)
    ]
    rows.append(number_claim("average precision", NIST, "0.76", *nist_scores(["AP"], NIST_RANKS)))
    ideal = nist_scores([f"CG@{k}" for k in range(1, 11)], [1, 2, 3, 4, 5])
    flat = ideal == [1, 2, 3, 4, 5, 5, 5, 5, 5, 5]
    shown = " ".join(f"{x:g}" for x in ideal)
    rows.append(
        Claim("the ideal cumulated gain turns horizontal", NIST, PRINTS, "in words", shown, flat)
    )
    return rows

"""The protocol of the page on image–text matching: what it says in words, checked on matrices."""

from __future__ import annotations

from functools import cache

import numpy as np

import fuzzytruth as ft
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS, Claim

PAGE = "image–text matching, Evaluation Metrics"
SIX = tuple(f"{way} R@{k}" for way in ("i2t", "t2i") for k in (1, 5, 10))
#: ranks of the five texts of an image, by hand: the best is 3rd
RANKS = (3, 12, 20, 31, 44)
BY_HAND = {"i2t R@1": 0.0, "i2t R@5": 100.0, "i2t R@10": 100.0}


def ranked_texts() -> np.ndarray:
    """Similarities of 20 images and 100 texts, image 0 with its texts at `RANKS`."""
    similarity = np.zeros((20, 100))
    similarity[0, :5] = -np.array(RANKS)
    others = iter(rank for rank in range(1, 101) if rank not in RANKS)
    similarity[0, 5:] = [-next(others) for _ in range(95)]
    return similarity


@cache
def noisy_scores(unit: str) -> ft.Scores:
    """40 images with five texts each, similar by chance and a little more to their own."""
    rng = np.random.default_rng(0)
    own = np.repeat(np.eye(40), 5, axis=1)
    return ft.image_text(own + rng.normal(0, 0.5, own.shape), unit=unit)


@cache
def all_alike() -> ft.Scores:
    """1,000 images and 5,000 texts that are all alike: chance level."""
    return ft.image_text(np.zeros((1000, 5000), np.float32), protocol="1K")


def chance(name: str) -> float:
    """One of the six numbers at chance level, in percent."""
    return float(all_alike().mean()[name].iloc[0])


def image_text_claims() -> list[Claim]:
    """What the page says of its protocol."""
    mean = noisy_scores("percent").mean().iloc[0]
    fraction = noisy_scores("fraction").mean().iloc[0]
    total = sum(float(mean[name]) for name in SIX)
    one = ft.image_text(ranked_texts()).to_frame()
    one = one[one["query"] == "image 0"].set_index("measure")["value"]
    counts = [sum(q.startswith(k) for q in all_alike().queries) for k in ("image", "text")]
    best = {name: float(one[name]) for name in BY_HAND}
    shown = ", ".join(f"{value:g}" for value in best.values())
    apart = float(max(abs(mean[name] - 100 * fraction[name]) for name in SIX))
    return [
        Claim(
            "the 1K test has 1,000 images and 5,000 sentences as queries",
            PAGE,
            PRINTS,
            "1000 images and 5000 sentences",
            " and ".join(f"{n:,}" for n in counts),
            counts == [1000, 5000],
        ),
        Claim(
            "R@Sum is the sum of the six",
            f"{PAGE}, 1.3",
            PRINTS,
            "i2t_R@1 + … + t2i_R@10",
            f"{float(mean['Rsum']):.6g} and {total:.6g}",
            abs(float(mean["Rsum"]) - total) < 1e-9,
        ),
        Claim(
            "m_R is their mean",
            f"{PAGE}, 1.4",
            PRINTS,
            "R@Sum/6",
            f"{float(mean['mR']):.6g} and {total / 6:.6g}",
            abs(float(mean["mR"]) - total / 6) < 1e-9,
        ),
        Claim(
            "a score of 0 to 1, sometimes in percent",
            PAGE,
            PRINTS,
            "0.900, 90.0",
            f"100 times the fraction, {apart:.1g} apart",
            apart < 1e-9,
        ),
        Claim(
            f"i2t R@1, R@5, R@10 of an image whose texts are at {', '.join(map(str, RANKS))}",
            f'{PAGE}, 1.1, "the highest ranking among the 5", by hand',
            EXAMPLE,
            ", ".join(f"{value:g}" for value in BY_HAND.values()),
            shown,
            best == BY_HAND,
        ),
        Claim(
            "i2t R@1 and t2i R@1 of a matrix of ties are 5/5,000 and 1/1,000",
            "1K test, chance level",
            IDENTITY,
            "0.1 %, 0.1 %",
            f"{chance('i2t R@1'):.6g} %, {chance('t2i R@1'):.6g} %",
            max(abs(chance(name) - 0.1) for name in ("i2t R@1", "t2i R@1")) < 1e-9,
        ),
    ]

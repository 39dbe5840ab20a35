"""Verbs with data of their own: `image_text`, `class_scores`, `bradley_terry`, ..."""

from __future__ import annotations

import numpy as np
import pandas as pd

import fuzzytruth as ft
from support.mistakes.examples import (
    EYE,
    Mistake,
    duels,
    flat,
    frame,
    labels,
)

MISTAKES: list[Mistake] = []
add = MISTAKES.append

# ---------------------------------------------------------------- image_text

add(
    Mistake(
        "image_text-models-differ-in-shape",
        "image_text",
        lambda f: ft.image_text({"A": EYE, "B": EYE[:2, :2]}, [0, 1, 2]),
        (r"\bB\b", r"2\D{1,4}2", r"3\D{1,4}3|\b3\b"),
        "the second model was run on a smaller split",
    )
)
add(
    Mistake(
        "image_text-too-few-texts",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [0, 1]),
        (r"\bA\b", "image_of_text", r"\b2\b", r"\b3\b"),
        "image_of_text has an entry for each text, here one too few",
    )
)
add(
    Mistake(
        "image_text-counted-from-1",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [1, 2, 3]),
        ("image_of_text", r"\b3\b", r"\b0\b"),
        "MATLAB counts from 1: the first image would have no text, the last does not exist",
    )
)
add(
    Mistake(
        "image_text-image-without-text",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [0, 1, 1]),
        (r"\b2\b", "(?i)image", "(?i)no text|without (?:a )?text"),
        "image 2 lost its captions; its i2t recall is undefined",
    )
)
add(
    Mistake(
        "image_text-embeddings",
        "image_text",
        lambda f: ft.image_text({"clip": np.ones((3, 512))}, [0, 1, 2]),
        ("clip", r"3\D{1,4}512", "(?i)similarit"),
        "embeddings instead of similarities",
    )
)
add(
    Mistake(
        "image_text-no-image",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [0, 1, -1]),
        ("image_of_text", "-1", r"\b2\b"),
        "-1 for a text without image must not be the last image",
    )
)

# ---------------------------------------------------------------- probability_scores

add(
    Mistake(
        "probability_scores-logits",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(), EYE * 10 - 3, items=["i1", "i2", "i3"], categories=["city", "sea", "crowd"]
        ),
        ("i1", r"\b7\b|-1|-2", "(?i)softmax|probabilit"),
        "outputs before the softmax",
    )
)
add(
    Mistake(
        "probability_scores-sum",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.5], [0.25, 0.25, 0.5]]),
            items=["i1", "i2", "i3"],
            categories=["city", "sea", "crowd"],
        ),
        ("i2", r"1\.25"),
        "sigmoids of a multi-label network do not sum to 1",
    )
)
add(
    Mistake(
        "probability_scores-category-not-predicted",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(), np.full((3, 2), 0.5), items=["i1", "i2", "i3"], categories=["city", "sea"]
        ),
        ("crowd", "categories", "i3|\\b1\\b"),
        "people chose a category that the network does not know",
    )
)
add(
    Mistake(
        "probability_scores-item-without-votes",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.full((4, 3), 1 / 3),
            items=["i1", "i2", "i3", "i77"],
            categories=["city", "sea", "crowd"],
        ),
        ("i77|\\b1 item", "(?i)vote"),
        "the test set is larger than what people labelled",
        kind="warning",
    )
)
add(
    Mistake(
        "probability_scores-nothing-in-common",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.full((2, 3), 1 / 3),
            items=["val/i1.png", "val/i2.png"],
            categories=["city", "sea", "crowd"],
        ),
        (r"val/i1\.png", r"(?<!/)\bi1\b(?!\.)"),
        "paths against ids: show one of each",
    )
)
add(
    Mistake(
        "probability_scores-zero-for-what-people-said",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]),
            items=["i1", "i2", "i3"],
            categories=["city", "sea", "crowd"],
        ),
        ("i2", "(?i)log", r"\b0\b|inf", "clip"),
        "one-hot labels: half of the people say city for i2, which has probability 0: its log "
        "score would be infinite",
    )
)

# ---------------------------------------------------------------- class_scores

add(
    Mistake(
        "class_scores-misspelt-answer",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            frame(
                "system item category",
                ("net", "i1", "city"),
                ("net", "i2", "crwod"),
                index=["r1", "r2"],
            ),
        ),
        ("r2", "crwod", r"\bcrowd\b"),
        "a label of the classifier that the taxonomy lacks",
    )
)
add(
    Mistake(
        "class_scores-misspelt-category",
        "class_scores",
        lambda f: ft.class_scores(
            labels(), frame("system item category", ("net", "i1", "city")), categories=["citty"]
        ),
        ("citty", r"\bcity\b", "categories"),
        "the category that is asked about is misspelt",
    )
)
add(
    Mistake(
        "class_scores-answer-twice",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            frame(
                "system item category",
                ("net", "i1", "city"),
                ("net", "i2", "sea"),
                ("net", "i1", "city"),
                index=["r1", "r2", "r3"],
            ),
        ),
        ("i1", "city", "r1", "r3"),
        "old and new answers were concatenated (several categories of an item are allowed)",
    )
)
add(
    Mistake(
        "class_scores-probabilities",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            pd.DataFrame(
                {"system": "net", "item": ["i1", "i2"], "city": [0.9, 0.2], "sea": [0.1, 0.8]}
            ),
        ),
        ("category", "city", "sea", "probability_scores|argmax|idxmax"),
        "a column of probabilities for each class",
    )
)
add(
    Mistake(
        "class_scores-item-without-votes",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            frame(
                "system item category",
                ("net", "i1", "city"),
                ("net", "i2", "sea"),
                ("net", "i3", "crowd"),
                ("net", "i55", "city"),
            ),
        ),
        ("i55|\\b1 (?:item|answer)", "(?i)vote"),
        "answers about items that nobody labelled",
        kind="warning",
    )
)
add(
    Mistake(
        "class_scores-no-item-column",
        "class_scores",
        lambda f: ft.class_scores(
            labels(), frame("model img_file_nr category", ("net", "i1", "city"))
        ),
        ("item", "img_file_nr", "columns="),
        "the classifier's table has names of its own",
    )
)

# ---------------------------------------------------------------- bradley_terry

add(
    Mistake(
        "bradley_terry-winner-did-not-play",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("a", "b", "a"), ("b", "a", "b"), ("a", "b", "c"), index=["g1", "g2", "g3"])
        ),
        ("g3", "winner", r"\bc\b", r"\ba\b", r"\bb\b"),
        "a winner who is neither left nor right",
    )
)
add(
    Mistake(
        "bradley_terry-against-itself",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("a", "b", "a"), ("b", "a", "b"), ("gpt", "gpt", "gpt"), index=["g1", "g2", "g3"])
        ),
        ("g3", "gpt", "(?i)itself|same"),
        "an attention check was left in the data",
    )
)
add(
    Mistake(
        "bradley_terry-two-islands",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("a", "b", "a"), ("b", "a", "b"), ("x", "y", "x"), ("y", "x", "y"))
        ),
        (r"\ba\b", r"\bx\b", "(?i)connect|never compared|not compared"),
        "two studies that share no item: their strengths cannot be compared",
    )
)
add(
    Mistake(
        "bradley_terry-never-beaten",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("best", "b", "best"), ("best", "c", "best"), ("b", "c", "b"), ("c", "b", "c"))
        ),
        (r"\bbest\b", "(?i)no finite|infinite|unbounded", "(?i)prior|regulari"),
        "who wins every time has an infinite strength; the remedy is a prior",
    )
)
add(
    Mistake(
        "bradley_terry-unknown-word",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(
                ("a", "b", "a"), ("b", "a", "b"), ("a", "b", "can't say"), index=["g1", "g2", "g3"]
            )
        ),
        ("g3", "winner", "can't say", "(?i)tie|drop"),
        "a non-answer is neither a win nor, without saying so, a tie",
    )
)
add(
    Mistake(
        "bradley_terry-no-winner-column",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            frame("left right verdict_of_crowd", ("a", "b", "a"), ("b", "a", "b"))
        ),
        ("winner", "verdict_of_crowd", "columns="),
        "the column has a name of its own",
    )
)

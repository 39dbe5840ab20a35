"""Votes: files, frames, counts and probabilities."""

from __future__ import annotations

import numpy as np

import fuzzytruth as ft
from support.mistakes.examples import (
    ITEM_RUN,
    LABELS,
    SHARES,
    TREE,
    Mistake,
    data,
    frame,
    jsonl,
    line,
    text,
    tree,
)

MISTAKES: list[Mistake] = []
add = MISTAKES.append

# ---------------------------------------------------------------- read_assignments

add(
    Mistake(
        "read_assignments-misspelt-category",
        "read_assignments",
        lambda f: ft.read_assignments(
            text(f, "votes.csv", "subject,item,category", "ann,i1,city", "bob,i1,ctiy"),
            taxonomy=text(f, "tree.txt", *TREE),
        ),
        (r"votes\.csv", line(3), "ctiy", r"\bcity\b"),
        "typed by hand: the nearest category helps",
    )
)
add(
    Mistake(
        "read_assignments-unknown-item-column",
        "read_assignments",
        lambda f: ft.read_assignments(
            text(f, "votes.csv", "rater,photo_nr,category", "ann,i1,city")
        ),
        (r"votes\.csv", "item", "photo_nr", "columns="),
        "the form's own name for the thing that was labelled",
    )
)
add(
    Mistake(
        "read_assignments-several-in-a-cell",
        "read_assignments",
        lambda f: ft.read_assignments(
            text(f, "votes.csv", "subject,item,category", "ann,i1,city", "bob,i2,city;sea"),
            taxonomy=text(f, "tree.txt", *TREE),
        ),
        (r"votes\.csv", line(3), "city;sea", "(?i)row|line for each|split|separate"),
        "check boxes joined by semicolons (Google Forms, MTurk)",
    )
)
add(
    Mistake(
        "read_assignments-label-studio-two-questions",
        "read_assignments",
        lambda f: ft.read_assignments(
            data(
                f,
                "project.json",
                [
                    {
                        "id": 12,
                        "data": {"image": "a.jpg"},
                        "annotations": [
                            {
                                "completed_by": 3,
                                "result": [
                                    {
                                        "from_name": "scene",
                                        "to_name": "image",
                                        "type": "choices",
                                        "value": {"choices": ["city"]},
                                    },
                                    {
                                        "from_name": "quality",
                                        "to_name": "image",
                                        "type": "choices",
                                        "value": {"choices": ["blurred"]},
                                    },
                                ],
                            }
                        ],
                    }
                ],
            )
        ),
        (r"project\.json", "scene", "quality", "columns="),
        "two questions in one project must not become one set of categories",
    )
)
add(
    Mistake(
        "read_assignments-label-studio-skipped",
        "read_assignments",
        lambda f: ft.read_assignments(
            data(
                f,
                "project.json",
                [
                    {
                        "id": 12,
                        "data": {"image": "a.jpg"},
                        "annotations": [
                            {"completed_by": 3, "was_cancelled": True, "result": []},
                            {
                                "completed_by": 4,
                                "was_cancelled": False,
                                "result": [
                                    {
                                        "from_name": "scene",
                                        "to_name": "image",
                                        "type": "choices",
                                        "value": {"choices": ["city"]},
                                    }
                                ],
                            },
                        ],
                    }
                ],
            )
        ),
        (r"project\.json", r"\b1\b|one", "(?i)cancelled|skipped"),
        "non-answers are left out, and counted",
        kind="warning",
    )
)
add(
    Mistake(
        "read_assignments-prodigy-without-people",
        "read_assignments",
        lambda f: ft.read_assignments(
            jsonl(
                f,
                "prodigy.jsonl",
                {"image": "a.jpg", "label": "city", "answer": "accept"},
                {"image": "a.jpg", "label": "sea", "answer": "accept"},
            )
        ),
        (r"prodigy\.jsonl", "subject", "columns=|from_counts"),
        "recorded without named sessions: two people must not become one with a set",
    )
)

# ---------------------------------------------------------------- Assignments.from_frame

add(
    Mistake(
        "assignments_frame-capitals",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame(
                "subject item category",
                ("ann", "i1", "city"),
                ("bob", "i1", "City"),
                index=["r1", "r2"],
            ),
            taxonomy=tree(),
        ),
        ("r2", r"\bCity\b", r"\bcity\b"),
        "the form shows names with capitals",
    )
)
add(
    Mistake(
        "assignments_frame-trailing-blank",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame("subject item category", ("ann", "i1", "city"), index=["r1"]).replace(
                "city", "city "
            ),
            taxonomy=tree(),
        ),
        ("r1", r"['\"]city ['\"]", r"['\"]city['\"]"),
        "a blank that only quotes make visible",
    )
)
add(
    Mistake(
        "assignments_frame-nobody",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame("item category", ("i1", "city"), ("i1", "sea"), ("i1", "city")), taxonomy=tree()
        ),
        ("subject", "columns=", "from_counts"),
        "votes without names are counts",
    )
)
add(
    Mistake(
        "assignments_frame-class-numbers",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame("subject item label", ("ann", "i1", 3), ("bob", "i1", 5), index=["r1", "r2"]),
            taxonomy=tree(),
        ),
        ("r1", "label", r"\b3\b", "taxonomy", "(?i)name"),
        "class numbers of a data set against a taxonomy of names",
    )
)
add(
    Mistake(
        "assignments_frame-dict-as-taxonomy",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(LABELS, taxonomy={"all": ["city", "sea", "crowd"]}),
        ("taxonomy", "dict", "from_children"),
        "a dict has several meanings (children or parents)",
    )
)
add(
    Mistake(
        "assignments_frame-negative-weight",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame(
                "subject item category weight",
                ("ann", "i1", "city", 1.0),
                ("bob", "i1", "sea", -1.0),
                index=["r1", "r2"],
            ),
            taxonomy=tree(),
        ),
        ("r2", "weight", r"-1"),
        "-1 as a code for unsure",
    )
)

# ---------------------------------------------------------------- Assignments.from_counts

add(
    Mistake(
        "from_counts-shares",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            SHARES, items=["i1", "i2"], categories=["city", "sea"]
        ),
        (r"0\.7", "i1", "city", "from_probabilities"),
        "soft labels are no counts: how many voted is unknown",
    )
)
add(
    Mistake(
        "from_counts-negative",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            np.array([[3, 1], [-1, 4]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("-1", "i2", "city"),
        "-1 as a code for not asked",
    )
)
add(
    Mistake(
        "from_counts-item-without-votes",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            np.array([[3, 1], [0, 0]]), items=["i1", "i8"], categories=["city", "sea"]
        ),
        ("i8", r"(?i)no votes|without votes|\b0\b"),
        "nobody voted: nothing is known of the item, and 0/0 is near",
    )
)
add(
    Mistake(
        "from_counts-no-column-of-counts",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            frame("item category n_people", ("i1", "city", 3), ("i1", "sea", 1))
        ),
        ("count", "n_people", "columns="),
        "the column has a name of its own",
    )
)
add(
    Mistake(
        "from_counts-subject-worlds",
        "Assignments.from_counts",
        lambda f: ft.evaluate(
            ft.Assignments.from_counts(
                np.array([[3, 1], [1, 3], [4, 0]]),
                items=["i1", "i2", "i3"],
                categories=["city", "sea"],
            ).by_example(),
            ITEM_RUN,
            ["P@1"],
            worlds="subject",
        ),
        ("subject", "(?i)count", "independent"),
        "counts do not say who voted: no subject's truth can be formed",
    )
)
add(
    Mistake(
        "from_counts-population-worlds",
        "Assignments.from_counts",
        lambda f: ft.evaluate(
            ft.Assignments.from_counts(
                frame("item category count", ("i1", "city", 3), ("i2", "city", 2), ("i3", "sea", 4))
            ).by_example(),
            ITEM_RUN,
            ["P@1"],
            worlds="population",
        ),
        ("population", "(?i)count", "independent"),
        "people without names cannot be resampled",
    )
)

# ---------------------------------------------------------------- Membership.from_probabilities

add(
    Mistake(
        "from_probabilities-sum",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[0.7, 0.3], [0.4, 0.4]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i2", r"0\.8", r"\b1\b"),
        "a column was left out, so that the shares of an item do not sum to 1",
    )
)
add(
    Mistake(
        "from_probabilities-logits",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[4.2, -1.3], [-0.5, 2.0]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i1", r"4\.2|-1\.3", "(?i)softmax"),
        "outputs of a network before the softmax",
    )
)
add(
    Mistake(
        "from_probabilities-percent",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[70.0, 30.0], [40.0, 60.0]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i1", r"\b100\b|\b70\b", "(?i)percent|divide|/ ?100"),
        "percentages",
    )
)
add(
    Mistake(
        "from_probabilities-counts",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[7, 3], [4, 6]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i1", r"\b7\b|\b10\b", "from_counts"),
        "CIFAR-10H gives counts beside the probabilities",
    )
)
add(
    Mistake(
        "from_probabilities-transposed",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.full((2, 3), 0.5), items=["i1", "i2", "i3"], categories=["city", "sea"]
        ),
        (r"2\D{1,4}3", r"(?i)transpose|\.T\b|items in rows|3\D{1,4}2"),
        "categories in rows",
    )
)
add(
    Mistake(
        "from_probabilities-category-twice",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            SHARES, items=["i1", "i2"], categories=["crane", "crane"]
        ),
        ("crane", "categories", "(?i)twice|duplicate|more than once|unique"),
        "ImageNet has two classes called crane (and two called maillot)",
    )
)

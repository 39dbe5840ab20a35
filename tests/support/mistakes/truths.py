"""Truths of items and categories, and taxonomies."""

from __future__ import annotations

import fuzzytruth as ft
from support.mistakes.examples import (
    EYE,
    ITEM_RUN,
    LABEL_RUN,
    Mistake,
    data,
    flat,
    labels,
    line,
    text,
)

MISTAKES: list[Mistake] = []
add = MISTAKES.append

# ---------------------------------------------------------------- by_example

add(
    Mistake(
        "by_example-photographs-without-category",
        "by_example",
        lambda f: ft.evaluate(
            labels().by_example(collection=["i1", "i2", "i3"]),
            {"sys": {"photo1": ["i1", "i2"]}},
            ["P@1"],
            rng=0,
        ),
        ("photo1", "category="),
        "SHREC 2019: queries that are not in the collection have no votes",
    )
)
add(
    Mistake(
        "by_example-category-for-some-queries",
        "by_example",
        lambda f: ft.evaluate(
            labels().by_example(collection=["i1", "i2", "i3"], category={"photo1": "city"}),
            {"sys": {"photo1": ["i1"], "photo2": ["i3"]}},
            ["P@1"],
            rng=0,
        ),
        ("photo2", "category"),
        "one photograph was forgotten",
        kind="warning",
    )
)
add(
    Mistake(
        "by_example-shares-above-1",
        "by_example",
        lambda f: labels().by_example(
            collection=["i1", "i2", "i3"], category={"photo1": {"sea": 0.7, "city": 0.5}}
        ),
        ("photo1", r"1\.2", "category"),
        "shares that were rounded up or not normalised",
    )
)
add(
    Mistake(
        "by_example-path-without-taxonomy",
        "by_example",
        lambda f: flat().by_example(relevance="path"),
        ("path", "taxonomy"),
        "flat labels have no paths between them",
    )
)
add(
    Mistake(
        "by_example-resnik",
        "by_example",
        lambda f: labels().by_example(relevance="resnik"),
        ("resnik", "path", "wu-palmer", "lin"),
        "a similarity, but not one that can be a grade",
    )
)
add(
    Mistake(
        "by_example-collection-without-votes",
        "by_example",
        lambda f: ft.evaluate(
            labels().by_example(collection=["i1", "i2", "i3", "scene77"]), ITEM_RUN, ["P@1"], rng=0
        ),
        ("scene77", "(?i)vote"),
        "an item of the collection that nobody labelled counts as not relevant",
        kind="warning",
    )
)
add(
    Mistake(
        "by_example-list-measure",
        "by_example",
        lambda f: ft.evaluate(labels().by_example(), ITEM_RUN, ["WD(unseen=optimist)"], rng=0),
        (r"WD\(unseen=optimist\)", "(?i)list"),
        "displacement compares with people's lists, and categories are no lists",
    )
)

# ---------------------------------------------------------------- by_item

add(
    Mistake(
        "by_item-category-nobody-knows",
        "by_item",
        lambda f: ft.evaluate(
            labels().by_item(),
            {"net": {"i1": ["citty"], "i2": ["sea"], "i3": ["crowd"]}},
            ["P@1"],
            rng=0,
        ),
        ("net", "citty", r"\bcity\b"),
        "the classifier spells a category differently: it would silently always be wrong",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-class-numbers",
        "by_item",
        lambda f: ft.evaluate(
            flat().by_item(),
            ft.Runs.from_matrix({"net": EYE}, queries=["i1", "i2", "i3"], items=[0, 1, 2]),
            ["P@1"],
            rng=0,
        ),
        ("net", r"\b0\b", "city", "items=|categor"),
        "columns of a softmax named by numbers, votes by words",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-transposed",
        "by_item",
        lambda f: ft.evaluate(
            flat().by_item(),
            {"net": {"city": ["i1"], "sea": ["i2"], "crowd": ["i3"]}},
            ["P@1"],
            rng=0,
        ),
        ("city", "i1", "(?i)quer", "(?i)item"),
        "items listed by category: here a query is an item and what is retrieved are categories",
    )
)
add(
    Mistake(
        "by_item-runs-of-items",
        "by_item",
        lambda f: ft.evaluate(flat().by_item(), ITEM_RUN, ["P@1"], rng=0),
        ("sys", "i2", "categor", "by_example"),
        "similar items were retrieved: by_example was meant",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-item-without-votes",
        "by_item",
        lambda f: ft.evaluate(
            flat().by_item(), {"net": LABEL_RUN["net"] | {"i99": ["sea", "city"]}}, ["P@1"], rng=0
        ),
        ("i99|\\b1 (?:item|quer)", "(?i)vote"),
        "the classifier answers more items than people labelled: these play no part",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-similarity-of-flat-labels",
        "by_item",
        lambda f: flat().by_item(relevance="wu-palmer"),
        ("relevance='wu-palmer'", "taxonomy", "subtree|exact"),
        "flat labels have no order: all categories would be equally similar",
    )
)

# ---------------------------------------------------------------- read_taxonomy

add(
    Mistake(
        "read_taxonomy-cycle",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(
            text(f, "edges.csv", "parent,child", "all,pet", "pet,cat", "cat,kitten", "kitten,pet")
        ),
        (r"edges\.csv", r"pet.*cat.*kitten.*pet", "(?i)cycle"),
        "the whole circle must be shown",
    )
)
add(
    Mistake(
        "read_taxonomy-two-roots",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(data(f, "tree.json", {"all": ["people"], "poeple": ["crowd"]})),
        (r"tree\.json", "poeple", "people", "root="),
        "a misspelt parent is a second root",
    )
)
add(
    Mistake(
        "read_taxonomy-tab-among-blanks",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(text(f, "tree.txt", "all", "    people", "\tscenery")),
        (r"tree\.txt", line(3), "(?i)tab", "scenery"),
        "two editors",
    )
)
add(
    Mistake(
        "read_taxonomy-unknown-columns",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(
            text(f, "thesaurus.csv", "broader_term,narrower_term", "all,people")
        ),
        (r"thesaurus\.csv", "broader_term", "narrower_term", "columns=", "parent", "child"),
        "a thesaurus has words of its own for parent and child",
    )
)
add(
    Mistake(
        "read_taxonomy-cla-miscounted",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(
            text(
                f,
                "test.cla",
                "PSB 1",
                "2 4",
                "",
                "people 0 2",
                "m1",
                "m2",
                "",
                "scenery 0 3",
                "m3",
                "m4",
            )
        ),
        (r"test\.cla", "scenery", r"\b3\b", r"\b2\b"),
        "models were deleted from a class, but its number was not changed",
    )
)
add(
    Mistake(
        "read_taxonomy-spreadsheet",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(text(f, "tree.xlsx", "PK")),
        (r"tree\.xlsx", r"\.csv", r"\.txt"),
        "an ending that is not read: list those that are",
    )
)

"""`fuzzytruth convert`, `membership` and `image-text`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from support.mistakes.examples import (
    EYE,
    TREE,
    Mistake,
    image_text_arguments,
    line,
    npy,
    qrels,
    text,
)

MISTAKES: list[Mistake] = []
add = MISTAKES.append

# ---------------------------------------------------------------- fuzzytruth convert

add(
    Mistake(
        "cli_convert-to-a-spreadsheet",
        "cli convert",
        lambda f: ["convert", qrels(f), str(f / "qrels.xlsx")],
        (r"qrels\.xlsx|\.xlsx", r"\.csv", r"\.parquet"),
        "an ending that is not written: list those that are",
    )
)
add(
    Mistake(
        "cli_convert-to-no-folder",
        "cli convert",
        lambda f: ["convert", qrels(f), str(f / "out" / "qrels.csv")],
        (r"out", "(?i)folder|directory"),
        "the folder must be made first",
    )
)
add(
    Mistake(
        "cli_convert-grades-without-number",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "votes.csv", "query,item,grade", "q1,d1,good")),
            str(f / "new.csv"),
            "--grades",
            "good,bad=0",
        ],
        ("--grades", "good", "="),
        "a word without its number",
    )
)
add(
    Mistake(
        "cli_convert-probabilities-to-trec",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "likely.csv", "query,item,grade,probability", "q1,d1,1,0.9")),
            str(f / "likely.txt"),
        ],
        ("probabilit", r"likely\.txt|TREC", r"\.csv|\.parquet|\.json"),
        "TREC files have no place for probabilities, which must not get lost",
    )
)
add(
    Mistake(
        "cli_convert-wide",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "wide.csv", "query,item,rater_a,rater_b", "q1,d1,1,0")),
            str(f / "long.csv"),
        ],
        (r"wide\.csv", "rater_a", "rater_b", "subjects"),
        "one column a person",
    )
)
add(
    Mistake(
        "cli_convert-columns-names-no-column",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "votes.csv", "thema,item,grade", "q1,d1,1")),
            str(f / "new.csv"),
            "--columns",
            "query=tema",
        ],
        ("--columns", r"votes\.csv", r"\btema\b", r"\bthema\b"),
        "misspelt: the columns that exist must be listed",
    )
)

# ---------------------------------------------------------------- fuzzytruth membership


def votes_csv(folder: Path, *rows: str) -> str:
    return str(
        text(folder, "votes.csv", "subject,item,category", "ann,fig1,city", "bob,fig1,sea", *rows)
    )


add(
    Mistake(
        "cli_membership-unknown-item",
        "cli membership",
        lambda f: [
            "membership",
            votes_csv(f),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
            "--item",
            "fig11",
        ],
        ("--item", "fig11", r"\bfig1\b"),
        "a misspelt item",
    )
)
add(
    Mistake(
        "cli_membership-category-of-another-tree",
        "cli membership",
        lambda f: [
            "membership",
            votes_csv(f, "eve,fig1,harbour"),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
        ],
        (r"votes\.csv", line(4), "harbour", r"tree\.txt|taxonomy"),
        "votes and taxonomy are of different versions",
    )
)
add(
    Mistake(
        "cli_membership-files-exchanged",
        "cli membership",
        lambda f: ["membership", str(text(f, "tree.txt", *TREE)), "--taxonomy", votes_csv(f)],
        (r"tree\.txt|votes\.csv", "--taxonomy|parent|category"),
        "votes first, the tree after --taxonomy",
    )
)
add(
    Mistake(
        "cli_membership-judgments",
        "cli membership",
        lambda f: [
            "membership",
            str(text(f, "judged.csv", "query,item,annotator,grade", "q1,d1,ann,1")),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
        ],
        (r"judged\.csv", "category", "--columns"),
        "judgments have no categories; the columns found must be listed",
    )
)
add(
    Mistake(
        "cli_membership-two-roots",
        "cli membership",
        lambda f: [
            "membership",
            votes_csv(f),
            "--taxonomy",
            str(text(f, "tree.txt", "people", "  crowd", "scenery", "  city")),
        ],
        (r"tree\.txt", "people", "scenery", "(?i)root"),
        "a list of trees without a common root",
    )
)
add(
    Mistake(
        "cli_membership-columns-unknown-role",
        "cli membership",
        lambda f: [
            "membership",
            str(text(f, "votes.csv", "who,item,category", "ann,fig1,city")),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
            "--columns",
            "subjet=who",
        ],
        ("--columns", "subjet", r"\bsubject\b"),
        "the library's side of --columns is misspelt",
    )
)

# ---------------------------------------------------------------- fuzzytruth image-text


def image_of_text(folder: Path, *images: object) -> Path:
    return text(folder, "image_of_text.txt", *map(str, images))


add(
    Mistake(
        "cli_image_text-too-many-texts",
        "cli image-text",
        lambda f: image_text_arguments(image_of_text(f, 0, 1, 2, 2), npy(f, "clip.npy", EYE)),
        (r"clip\.npy", r"image_of_text\.txt", r"3\D{1,4}3", r"\b4\b"),
        "a caption more than the matrix has",
    )
)
add(
    Mistake(
        "cli_image_text-image-out-of-range",
        "cli image-text",
        lambda f: image_text_arguments(image_of_text(f, 0, 1, 30), npy(f, "clip.npy", EYE)),
        (r"image_of_text\.txt", line(3), r"\b30\b"),
        "an image that the matrix does not have",
    )
)
add(
    Mistake(
        "cli_image_text-word-in-a-matrix",
        "cli image-text",
        lambda f: image_text_arguments(
            image_of_text(f, 0, 1), text(f, "clip.csv", "0.9,0.1", "0.2,nil")
        ),
        (r"clip\.csv", line(2), "nil"),
        "not every cell is a number",
    )
)
add(
    Mistake(
        "cli_image_text-npz-of-several",
        "cli image-text",
        lambda f: (
            np.savez(f / "out.npz", i2t_sims=EYE, caption_lengths=np.arange(3))
            or image_text_arguments(image_of_text(f, 0, 1, 2), f / "out.npz")
        ),
        (r"out\.npz", "i2t_sims", "caption_lengths"),
        "an archive of several arrays: name them, so that one can be chosen",
    )
)
add(
    Mistake(
        "cli_image_text-name-twice",
        "cli image-text",
        lambda f: image_text_arguments(
            image_of_text(f, 0, 1, 2),
            f"clip={npy(f, 'old.npy', EYE)}",
            f"clip={npy(f, 'new.npy', EYE.T)}",
        ),
        ("clip", r"old\.npy", r"new\.npy"),
        "two models of the same name",
    )
)
add(
    Mistake(
        "cli_image_text-torch-file",
        "cli image-text",
        lambda f: image_text_arguments(image_of_text(f, 0, 1, 2), text(f, "clip.pt", "PK")),
        (r"clip\.pt", r"\.npy", r"\.csv"),
        "saved with torch.save: list the endings that are read",
    )
)

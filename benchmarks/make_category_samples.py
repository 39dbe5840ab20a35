"""Make the samples imagenet_dogs and model_vs_human from the released tables.

python benchmarks/make_category_samples.py SOURCE TARGET

SOURCE holds the folders `imagenet_real` (raters_long.parquet, images.parquet, classes.csv,
wordnet_dag_edges.csv) and `model_vs_human` (responses_long.parquet); TARGET is the folder
fuzzytruth/datasets.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

import fuzzytruth as ft

DOG = "n02084071"


def write_dogs(source: Path, target: Path) -> None:
    """All ratings of dog labels, and the images whose ImageNet label is a dog."""
    edges = pd.read_csv(source / "wordnet_dag_edges.csv")
    whole = ft.Taxonomy.from_edges(list(zip(edges["parent"], edges["child"], strict=True)))
    dogs = whole.subtree(DOG)
    inside = edges["parent"].isin(dogs.nodes) & edges["child"].isin(dogs.nodes)
    columns = ["parent", "child", "child_name"]
    edges.loc[inside, columns].to_csv(target / "taxonomy.csv", index=False)
    classes = pd.read_csv(source / "classes.csv")
    classes = classes[classes["wnid"].isin(dogs.nodes)].set_index("label")["wnid"]
    codes = {wnid: j for j, wnid in enumerate(dogs.nodes)}
    ratings = pd.read_parquet(source / "raters_long.parquet")
    ratings = ratings[ratings["label"].isin(classes.index)]
    out = pd.DataFrame(
        {
            "image": ratings["image"].astype("uint16"),
            "category": ratings["label"].map(classes).map(codes).astype("uint8"),
            "rater": ratings["rater"].astype("uint8"),
            "answer": ratings["answer"].astype("uint8"),
        }
    ).sort_values(["category", "image", "rater"])
    kept = {"index": False, "compression": "zstd", "compression_level": 19}
    out.to_parquet(target / "ratings.parquet", **kept)
    images = pd.read_parquet(source / "images.parquet")
    images = images[(images["rated"] == 1) & images["original_label"].isin(classes.index)]
    labels = pd.DataFrame(
        {
            "image": images["image"].astype("uint16"),
            "category": images["original_label"].map(classes).map(codes).astype("uint8"),
        }
    )
    labels.to_parquet(target / "labels.parquet", **kept)


def write_responses(source: Path, target: Path) -> None:
    """Who gave which image which category; response times are left out."""
    responses = pd.read_parquet(source / "responses_long.parquet")
    columns = ["dataset", "image", "responder", "response", "is_human"]
    responses[columns].to_parquet(
        target / "responses.parquet", index=False, compression="zstd", compression_level=19
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    write_dogs(given.source / "imagenet_real", given.target / "imagenet_dogs")
    write_responses(given.source / "model_vs_human", given.target / "model_vs_human")


if __name__ == "__main__":
    main()

"""Data in which people assigned images to categories."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, Literal, get_args

from fuzzytruth._lazy import pd
from fuzzytruth.errors import choice

if TYPE_CHECKING:
    from fuzzytruth.data.assignments import Assignments
    from fuzzytruth.data.taxonomy import Taxonomy

Yes = Literal["yes", "maybe"]
Images = Literal["cue-conflict", "edge", "silhouette", "sketch"]


@dataclass(frozen=True, slots=True, eq=False)
class Categorised:
    """The categories that people and systems gave to the same images.

    Parameters
    ----------
    votes : Assignments
        The categories given by people.
    answers : DataFrame
        Those given by systems: columns system, item, category; see `class_scores`.
    """

    votes: Assignments
    answers: pd.DataFrame


def load_imagenet_dogs(*, yes: Yes = "yes") -> Categorised:
    """Load ratings of the dog labels of ImageNet, and the images that ImageNet labels as dogs.

    Raters were asked about some labels only; the taxonomy is the part of WordNet below "dog".

    Parameters
    ----------
    yes : {"yes", "maybe"}
        The least sure answer that counts as a vote.

    Returns
    -------
    Categorised
        `answers` are the original labels in ImageNet of the 3,068 images that raters saw.

    References
    ----------
    Beyer, Hénaff, Kolesnikov, Zhai & van den Oord 2020, Are we done with ImageNet? Data under the
    Apache License 2.0, WordNet under its own; the README.md beside them says what was left
    out.

    Examples
    --------
    >>> load_imagenet_dogs().votes
    Assignments(18,035 votes, 3,607 items, 83 subjects, 154 categories, only some asked)
    """
    from fuzzytruth.data.assignments import Assignments

    choice("yes", yes, get_args(Yes))
    folder = files("fuzzytruth.datasets") / "imagenet_dogs"
    taxonomy = _dogs(folder)
    with as_file(folder / "ratings.parquet") as path:
        ratings = pd.read_parquet(path)
    with as_file(folder / "labels.parquet") as path:
        labels = pd.read_parquet(path)
    names = pd.Series(taxonomy.nodes)
    questions = pd.DataFrame(
        {
            "subject": ratings["rater"],
            "item": ratings["image"],
            "category": ratings["category"].map(names),
        }
    )
    is_yes = ratings["answer"] >= (2 if yes == "yes" else 1)
    votes = Assignments.from_frame(questions[is_yes], taxonomy=taxonomy, asked=questions)
    answers = pd.DataFrame({"item": labels["image"], "category": labels["category"].map(names)})
    return Categorised(votes, answers.assign(system="ImageNet"))


def _dogs(folder: Any) -> Taxonomy:
    from fuzzytruth.data.assignments import read_taxonomy

    with as_file(folder / "taxonomy.csv") as path:
        return read_taxonomy(path)


def load_model_vs_human(images: Images = "silhouette") -> Categorised:
    """Load the categories that 7 to 10 people and 9 networks gave to each of a set of images.

    Parameters
    ----------
    images : {"cue-conflict", "edge", "silhouette", "sketch"}
        1,280, 160, 160 and 800 images in 16 categories (airplane, bear, ...), which we grouped into
        animal, vehicle and object.

    Returns
    -------
    Categorised
        A person who gave no answer in time has no vote for that image.

    References
    ----------
    Geirhos et al. 2021, Partial success in closing the gap between human and machine vision. Data
    under CC BY 4.0 (sketch: MIT); the README.md beside them says what was left out.

    Examples
    --------
    >>> load_model_vs_human("edge").votes
    Assignments(1,566 votes, 160 items, 10 subjects, 20 categories)
    """
    from fuzzytruth.data.assignments import Assignments
    from fuzzytruth.data.taxonomy import Taxonomy

    choice("images", images, get_args(Images))
    folder = files("fuzzytruth.datasets") / "model_vs_human"
    taxonomy = Taxonomy.from_children(json.loads((folder / "taxonomy.json").read_text()))
    with as_file(folder / "responses.parquet") as path:
        responses = pd.read_parquet(path)
    rows = responses[(responses["dataset"] == images) & (responses["response"] != "na")]
    rows = rows.rename(columns={"image": "item", "response": "category"}).astype(str)
    human = rows["is_human"] == "1"
    votes = rows[human].rename(columns={"responder": "subject"})
    answers = rows[~human].rename(columns={"responder": "system"})
    columns = ["item", "category"]
    return Categorised(
        Assignments.from_frame(votes[["subject", *columns]], taxonomy=taxonomy),
        answers[["system", *columns]].reset_index(drop=True),
    )

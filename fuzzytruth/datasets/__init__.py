"""Real data that ship with the package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, Literal, get_args

from fuzzytruth._lazy import pd, pq
from fuzzytruth.errors import choice

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from fuzzytruth.data.assignments import Assignments
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.data.taxonomy import Taxonomy
    from fuzzytruth.evaluation.scores.scores import Scores

__all__ = [
    "Categorised",
    "clef_tar2017_files",
    "load_clef_tar2017",
    "load_cragc25",
    "load_dermatology_ddx",
    "load_imagenet_dogs",
    "load_llmjudge_dl23",
    "load_model_vs_human",
]


def clef_tar2017_files() -> Traversable:
    """The folder of the CLEF sample: `runs.parquet`, `judgments.parquet`, README.md, LICENSE."""
    return files(__name__) / "clef_tar2017"


def load_clef_tar2017() -> tuple[Judgments, Runs]:
    """Load 8 systems on 30 systematic reviews of CLEF eHealth TAR 2017.

    Each article was judged at two stages of screening, which are the subjects: "abstract" (included
    on the basis of its abstract) and "content" (also on the basis of its full text).

    Returns
    -------
    judgments : Judgments
        Grades 0 and 1 of both subjects, of all relevant articles and of all retrieved ones.
    runs : Runs
        The first 200 articles of each list, ordered by rank.

    References
    ----------
    Kanoulas, Li, Azzopardi & Spijker 2017, CLEF technologically assisted reviews in empirical
    medicine overview. Data under the MIT licence, (c) 2017 Leif Azzopardi; the README.md beside
    them says what was left out of the source.

    Examples
    --------
    >>> truth, runs = load_clef_tar2017()
    >>> truth
    Judgments(35,570 rows, 30 queries, 2 subjects, crossed)
    >>> len(runs), runs.systems[-1]
    (8, 'waterloo.B-rank-normal')
    """
    from fuzzytruth.data.reading import read_judgments, read_runs

    folder = clef_tar2017_files()
    with as_file(folder / "judgments.parquet") as path:
        judgments = read_judgments(path)
    with as_file(folder / "runs.parquet") as path:
        runs = read_runs(path, order_by="rank")
    return judgments, runs


def load_dermatology_ddx() -> Judgments:
    """Load the differential diagnoses of several readers for each of 1,947 skin cases.

    A query is a case, an item a condition, a subject a reader ("reader 1"). Readers are nested:
    "reader 1" of two cases need not be the same person. A condition's grade is 1 for the conditions
    that the reader ranked first, 1/2 for the next, and so on; equal grades are ties. Conditions
    that a reader did not list are not judged.

    Returns
    -------
    Judgments

    References
    ----------
    Stutz et al. 2023, Evaluating AI systems under uncertain ground truth: a case study in
    dermatology. Data under CC BY 4.0, (c) the authors; the README.md beside them names the source.

    Examples
    --------
    >>> load_dermatology_ddx()
    Judgments(15,748 rows, 1,947 queries, 10 subjects, nested)
    """
    from fuzzytruth.data.judgments import Judgments

    with as_file(files(__name__) / "dermatology_ddx" / "rankings.parquet") as path:
        table = pq.read_table(path)
    return Judgments.from_columns(
        table["case"],
        table["condition"],
        1 / table["group"].to_numpy(),
        subject=[f"reader {number}" for number in table["reader"].to_pylist()],
        design="nested",
        where="dermatology_ddx",
    )


def load_cragc25() -> Scores:
    """Load the preferences of 420 crowd workers among six kinds of answers to 65 topics.

    A score is the share of a worker's comparisons of the answer, for that topic, that it won. Each
    worker saw only a few topics.

    Returns
    -------
    Scores
        Systems are the author (human, llm) and the style; the measure is "preference".

    References
    ----------
    Gienapp et al. 2025, The viability of crowdsourcing for RAG evaluation, SIGIR. Data under
    CC BY 4.0, (c) the authors; the README.md beside them says how the scores were computed.

    Examples
    --------
    >>> load_cragc25()
    Scores(6 systems, 65 queries, 1 measure, 420 subjects)
    """
    from fuzzytruth.evaluation.scores.scores import Scores

    with as_file(files(__name__) / "cragc25" / "shares.parquet") as path:
        table = pd.read_parquet(path)
    return Scores.from_frame(table.astype({"value": float}).assign(measure="preference"))


def load_llmjudge_dl23() -> Judgments:
    """Load the grades of a person and of 33 model judges for 4,423 passages of 25 queries.

    Everybody judged everything, on a scale from 0 (irrelevant) to 3 (perfectly relevant). Two
    models left the scale: there are two grades 5 and one 10. Some judges are near duplicates.

    Returns
    -------
    Judgments
        The subject "human" is an assessor of NIST, others are model judges ("Olz-gpt4o").

    References
    ----------
    Rahmani et al. 2025, Judging the judges: a collection of LLM-generated relevance judgements.
    Data under the MIT licence; the README.md beside them names the source.

    Examples
    --------
    >>> votes = load_llmjudge_dl23()
    >>> votes
    Judgments(150,382 rows, 25 queries, 34 subjects, crossed)
    >>> votes.select(subjects="human")
    Judgments(4,423 rows, 25 queries, 1 subject, crossed)
    """
    from fuzzytruth.data.judgments import Judgments

    with as_file(files(__name__) / "llmjudge_dl23" / "judgments.parquet") as path:
        table = pd.read_parquet(path)
    return Judgments.from_frame(table, subjects=[*table.columns[2:]])


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
    Assignments(18,035 votes, 3,607 items, 83 subjects, 118 categories below 36, only some asked)
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
    from fuzzytruth.data.taxonomy import read_taxonomy

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
    Assignments(1,566 votes, 160 items, 10 subjects, 16 categories below 4)
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

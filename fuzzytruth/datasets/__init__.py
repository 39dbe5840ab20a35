"""Real data that ship with the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from fuzzytruth._lazy import pd
from fuzzytruth.datasets.categories import Categorised, load_imagenet_dogs, load_model_vs_human

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.runs import Runs
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
    import pyarrow.parquet as pq

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

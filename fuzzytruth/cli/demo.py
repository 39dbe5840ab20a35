"""`fuzzytruth demo`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, get_args

import typer

from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.derived import with_options
from fuzzytruth.cli.output import emit_answer, print_line, write_file
from fuzzytruth.errors import DataError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.assignments import Assignments
    from fuzzytruth.data.runs import Runs


SampleName = Literal[
    "clef_tar2017", "cragc25", "dermatology_ddx", "imagenet_dogs", "llmjudge_dl23", "model_vs_human"
]
#: networks of the demonstration, and what they are called there
NETWORKS = {"swag_vit_h14_in1k": "vit", "swag_regnety_128gf_in1k": "regnety"}
QUERY, RANK = "bear9", 5

INTRODUCTION = f"""\
Whose truth? Ten people and two neural networks, vit and regnety, named what 160
silhouettes show, out of 16 things. There is no answer key: the truth is what
these ten people said. A query is one silhouette, and asks for others of its
kind, a kind as uncertain as the votes for it. A network lists the others by how
near the names that it gave them are, in a tree, to the name it gave the query.

Membership of one silhouette, {QUERY}: the share of the votes for each category
"""
ONE_QUERY = """
Precision has a distribution, since {query} may be one thing or the other. At
least half of the first {k} images are right with these probabilities:
{chances}.
"""
SCREEN = """\
All queries, and each person's own truth:
"""
WHAT_NEXT = """
Try next:
  {command} demo --copy-to sample
  {command} santini sample/votes.csv --taxonomy sample/tree.csv \\
    sample/vit.run sample/regnety.run -k 5 -o santini.html
  {command} membership sample/votes.csv --taxonomy sample/tree.csv \\
    --item bear9
Graded judgments are the case where a grade takes the place of a category, and
a single truth the case where memberships are 0 or 1:
  {command} evaluate sample/judgments.parquet \\
    sample/runs.parquet --order-by rank --worlds subject
  {command} report sample/judgments.parquet \\
    sample/runs.parquet --order-by rank -m AP -o report.html
  {command} measures
and your own files:
  {command} evaluate qrels.txt a.run b.run -m AP -m nDCG@10
"""
SILHOUETTES = """\
`votes.csv`, `tree.csv`, `vit.run`, `regnety.run`: ten people's votes on 160 silhouettes, the
categories, and lists of two networks by the categories that they gave (the nearest in the tree
first), from model-vs-human (Geirhos et al., ICLR 2019; NeurIPS 2021), CC BY 4.0. The other files:

"""


@with_options(
    copy_to=Option(panel=OUTPUT, metavar="FOLDER"),
    sample=Option(
        f"With --copy-to: {', '.join(get_args(SampleName))}.",
        panel=OUTPUT,
        metavar="NAME",
        kind=SampleName,
    ),
)
def demo(
    context: typer.Context, *, copy_to: Path | None = None, sample: SampleName | None = None
) -> None:
    """Evaluate two networks by ten people who disagree, on data that come with the package.

    Prints a silhouette's membership in categories, precision as a distribution, each person's own
    truth, a verdict, and what to try next.

    Parameters
    ----------
    copy_to : path
        Only copy the files of the samples to this folder; nothing that is there is overwritten.
    sample : str
        Which sample. By default that of the demonstration, and judgments and runs.

    Examples
    --------
      fuzzytruth demo
      fuzzytruth demo --copy-to sample
      fuzzytruth demo --sample cragc25 --copy-to essays
    """
    if copy_to is not None:
        copy_sample(copy_to, sample)
        return
    if sample is not None:
        raise OptionError(f"--sample {sample}: is for its files alone; add --copy-to FOLDER")
    from fuzzytruth.analysis.santini import santini

    votes, runs = silhouettes()
    print_line(INTRODUCTION)
    print_line(votes.taxonomy.to_text(votes.membership().of_item(QUERY)))
    found = santini(votes, runs, k=RANK)
    laws = [(system, found.distribution(system, QUERY)) for system in NETWORKS.values()]
    chances = ", ".join(f"{1 - law.cdf(0.49):.2f} ({system})" for system, law in laws)
    print_line(ONE_QUERY.format(query=QUERY, k=RANK, chances=chances))
    print_line(SCREEN)
    emit_answer(found, None)
    print_line(WHAT_NEXT.format(command=command()).rstrip("\n"))
    sys.stdout.flush()


def silhouettes() -> tuple[Assignments, Runs]:
    """The votes on silhouettes, and the lists of two networks."""
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.datasets import load_model_vs_human

    data = load_model_vs_human("silhouette")
    answers = data.answers[data.answers["system"].isin(NETWORKS)]
    named = answers.assign(system=answers["system"].map(NETWORKS))
    return data.votes, Runs.by_similarity(named, data.votes.taxonomy)


def command() -> str:
    """How to call this command again: by name, or by path if the shell does not find it."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{Path(sys.executable).name} -m fuzzytruth"
    return sys.argv[0] if shutil.which("fuzzytruth") is None else "fuzzytruth"


def copy_sample(folder: Path, sample: SampleName | None = None) -> None:
    """Copy a sample's data, licences and description into a folder; None: those of the examples.

    Raises
    ------
    DataError
        The folder cannot be made, or has another file of the same name; nothing is written then.
    """
    from importlib.resources import files

    source = files("fuzzytruth.datasets") / (sample or "clef_tar2017")
    content = {file.name: file.read_bytes() for file in source.iterdir()}
    if sample is None:
        content |= _silhouette_files()
        content["README.md"] = SILHOUETTES.encode() + content["README.md"]
    for name in content:
        path = folder / name
        if path.exists() and not (path.is_file() and path.read_bytes() == content[name]):
            raise DataError(f"{path}: exists and is another file; give an empty folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made ({error.strerror})") from None
    for name in sorted(content):
        write_file(folder / name, content[name])
        print_line(str(folder / name))


def _silhouette_files() -> dict[str, bytes]:
    """Data of the demonstration by name of the file."""
    from fuzzytruth.data.runs import Runs

    votes, runs = silhouettes()
    frame = votes.to_frame()[["subject", "item", "category"]]
    tables = {"votes.csv": frame, "tree.csv": votes.taxonomy.to_frame()}
    out = {name: table.to_csv(index=False).encode() for name, table in tables.items()}
    with TemporaryDirectory() as folder:
        for system in runs:
            path = Path(folder) / f"{system}.run"
            Runs({system: runs[system]}).write(path)
            out[path.name] = path.read_bytes()
    return out

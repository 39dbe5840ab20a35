"""`fuzzytruth displacement` and `image-text`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fuzzytruth._lazy import pd
from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import INPUT, METHOD, OUTPUT, Option
from fuzzytruth.cli.inputs import runs_of, score, split_names
from fuzzytruth.cli.options import TableOptions
from fuzzytruth.cli.output import Bar, emit_printed, write_figure
from fuzzytruth.errors import DataError, OptionError, counted, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.data.judgments import Design
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.io.matrices import Matrix
    from fuzzytruth.measures import WD
    from fuzzytruth.show.answer import Printed


DISPLACEMENT = derived.Source(
    "displacement",
    without="positions",
    unseen=Option(
        "Hypothesis about the ranks of items that a system does not list: optimist, pessimist, "
        "pessimist-tail, worst or incremental; may be repeated.  [default: optimist]",
        metavar="HYPOTHESIS",
        kind=list[str],
        settings={"show_default": False},
    ),
    N=Option(flags="-N --collection-size", name="collection_size"),
    ties=Option(
        "Items of equal relevance: in any order, or as given.  [default: position, if the lists "
        "have positions]",
        panel=METHOD,
    ),
    order=Option(name="unsorted", panel=INPUT),
)


@derived.with_options(
    DISPLACEMENT,
    derived.NESTED,
    derived.JUDGMENT_TABLES,
    *derived.RUNS,
    derived.TABLES,
    derived.FIGURES,
    derived.SAVED,
    per_subject=Option(panel=OUTPUT),
    per_query=Option(panel=OUTPUT),
)
def displacement(
    context: typer.Context,
    responses: Path,
    runs: list[str],
    *,
    cutoff: int | None = None,
    per_subject: bool = False,
    per_query: bool = False,
) -> None:
    r"""Compare systems' lists with subjects' lists by weighted displacement.

    The displacement w of a list is the sum, over the subject's items, of relevance times distance
    between the subject's and the system's rank. Shows means: over the subjects of a query, then
    over queries.

    Parameters
    ----------
    responses : path
        Lists of subjects: columns query, subject, item, grade (from 0 to 1) and, if the order is
        given, position. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.
    runs : list of str
        Run files in the same formats, patterns such as 'runs/*.run', or NAME=FILE.
    cutoff : int
        Cut the systems' lists.
    per_subject : bool
        Show every subject, not the mean.
    per_query : bool
        Show every query, not the mean.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth displacement sample/judgments.parquet sample/runs.parquet \
        --order-by rank --unseen optimist
    On files of your own:
      fuzzytruth displacement lists.csv a.run b.run
      fuzzytruth displacement lists.csv a.run --unseen optimist --unseen worst \
        -N 1000 --normalised
      fuzzytruth displacement lists.csv 'runs/*.run' --g exp --rate 0.1 \
        --per-subject
      fuzzytruth displacement readers.csv a.run --nested --per-query \
        -o displacements.csv
    """
    from fuzzytruth.cli.tables import format_of, show_scores
    from fuzzytruth.data.reading import read_judgments
    from fuzzytruth.measures import WD

    given, asked = context.params, DISPLACEMENT.given(context)
    if given["nested"] and per_subject and not per_query:
        raise OptionError(
            "--per-subject: the subjects are nested in queries and have no means; add --per-query"
        )
    g, power, rate = (asked.pop(name, None) for name in ("g", "power", "rate"))
    if g is None and (power is not None or rate is not None):
        raise OptionError("--power, --rate: belong to a quality; add --g rational or --g exp")
    unseen, size = asked.pop("unseen", []), asked.pop("N", None)
    if given["figure"] is not None:
        _check_drawn(unseen, g)
    plain = [
        WD(unseen=name, N=None if name == "incremental" else size, cutoff=cutoff, **asked)
        for name in unseen or ["optimist"]
    ]
    measures = plain if g is None else [wd.quality(g, power=power, rate=rate) for wd in plain]
    format_of(context, responses, *runs)
    with Bar() as bar:
        bar.stage("reading")
        design: Design = "nested" if given["nested"] else "crossed"
        how = TableOptions.of(context.params)
        lists = how.read(read_judgments, responses, design=design)
        scores = score(lists, runs_of(context.params, runs), measures, bar)
        if given["save"] is not None:
            scores.save(given["save"])
    write_figure(partial(_draw, scores, plain), given["figure"])
    show_scores(context, scores, per_query=per_query, per_subject=per_subject)


# The figure of `fuzzytruth displacement`.


_NEXT = "optimist"  # the hypothesis of one end; the other end is one of these
_LAST = ("pessimist", "pessimist-tail", "worst")


def _check_drawn(unseen: Sequence[str], quality: str | None) -> None:
    """Refuse a figure of hypotheses that are not the two ends of a range.

    Raises
    ------
    OptionError
        These are not optimist and one other, or a quality is shown in place of displacements.
    """
    if quality is not None:
        raise OptionError("--figure: shows displacements, not their quality; leave out --g")
    last = [name for name in unseen if name in _LAST] or [_LAST[0]]
    if sorted(unseen) != sorted([_NEXT, last[0]]):
        two = f"--unseen {_NEXT} --unseen {last[0]} -N SIZE"
        raise OptionError(
            "--figure: shows ranges from optimist to pessimist; "
            f"{f'give {two} and no others' if unseen else f'add {two}'} (or pessimist-tail or "
            "worst in place of pessimist)"
        )


def _draw(scores: Scores, measures: Sequence[WD]) -> Axes:
    """Draw each system's range by each subject; `measures` are the optimist's and another one."""
    from fuzzytruth import plots

    ends = sorted(measures, key=lambda measure: measure.unseen != _NEXT)
    names = {str(ends[0]): "optimist", str(ends[1]): "pessimist"}
    queries = counted(len(scores.queries), "query")
    title = f"Weighted displacement by subject, means over {queries}"
    if scores.design == "nested" and len(scores.queries) > 1:
        title = f"Weighted displacement by each subject of {queries}"
    if ends[1].unseen != "pessimist":
        title += f"; the pessimist is {ends[1].unseen!r}"
    label = (
        "w as a share of the largest possible"
        if ends[0].normalised
        else "mean of weighted displacement w (0: the same order)"
    )
    return plots.displacement(_by_subject(scores).rename(columns=names), label=label, title=title)


def _by_subject(scores: Scores) -> pd.DataFrame:
    """One row a system and subject, one column a measure; nested subjects with their queries."""
    if scores.design == "crossed":
        return scores.mean(by="subject").reset_index()
    frame = scores.to_frame()
    frame["subject"] = frame["query"].astype(str) + ": " + frame["subject"].astype(str)
    wide = frame.pivot(index=["system", "subject"], columns="measure", values="value")
    return wide.reset_index()


IMAGE_TEXT = derived.Source(
    "image_text",
    without="name images texts cutoffs unit larger_is_better",
    ties=Option("Equal similarities: the mean over all orders, or as in the file.", panel=METHOD),
)


@derived.with_options(
    IMAGE_TEXT,
    derived.DISTANCES,
    derived.TABLES,
    derived.SAVED,
    texts_per_image=Option(panel=INPUT, settings={"min": 1}),
    image_of_text=Option(panel=INPUT),
)
def image_text(
    context: typer.Context,
    files: list[str],
    *,
    texts_per_image: int | None = None,
    image_of_text: Path | None = None,
) -> None:
    r"""Score retrieval of texts by images (i2t) and of images by texts (t2i).

    Shows R@K, Rsum and mR in percent, with 95 % intervals over images. Several systems are compared
    by Rsum.

    Parameters
    ----------
    files : list of str
        Similarities of images (rows) and texts (columns): .npy, .npz, .csv, .tsv or lines of
        numbers; .gz of text. NAME=FILE names the system.
    texts_per_image : int
        The first N texts describe the first image, and so on. By default 5.
    image_of_text : path
        The image of each text, one a line: its row, from 0, or its id.

    Examples
    --------
      fuzzytruth image-text clip.npy
      fuzzytruth image-text clip.npy VSE++=vse.npy --protocol all
      fuzzytruth image-text clip.csv --image-of-text images.txt --recall \
        -o table.csv
      fuzzytruth image-text clip.npy vse.npy --save s.parquet

    Then `fuzzytruth compare s.parquet --clusters image` compares by all measures.
    """
    from fuzzytruth.cli.tables import format_of, show_answer
    from fuzzytruth.evaluation.lists.image_text import image_text as score
    from fuzzytruth.evaluation.scores.score_rows import score_rows

    given = context.params
    output_format = format_of(context, *files, image_of_text)
    if texts_per_image is not None and image_of_text is not None:
        raise OptionError("--texts-per-image, --image-of-text: give one of the two")
    with Bar() as bar:
        bar.stage("reading")
        systems, first = _read(files)
        matrix = next(iter(systems.values()))
        images: list[int] | list[str] | None = None
        if texts_per_image is not None:
            images = _repeated(matrix, texts_per_image)
        elif image_of_text is not None:
            images = _images_in(image_of_text, matrix, first)
        bar.stage("scoring")
        larger = _larger(systems, given["distances"])
        scores = score(systems, images, larger_is_better=larger, **IMAGE_TEXT.given(context))
        if given["save"] is not None:
            scores.save(given["save"])
    if output_format == "table":
        emit_printed(_printed(scores), given["output"])
        return
    frame = scores.summary(clusters="image")[["system", "measure", "mean", "lower", "upper"]]
    beyond = score_rows(scores).beyond_range()
    caption = "Image–text retrieval in percent, with 95 % intervals over images."
    show_answer(context, frame, f"{caption} {beyond}." if beyond else caption)


def _read(texts: list[str]) -> tuple[dict[str, Matrix], Path]:
    """The matrices by name of the system, or of the file; and the first file."""
    from fuzzytruth.io.files import matching_files, stem_of
    from fuzzytruth.io.matrices import read_matrix

    named, unnamed = split_names(texts)
    paths = [(stem_of(path), path) for path in matching_files(unnamed)]
    paths += [(name, Path(path)) for name, path in named.items()]
    out: dict[str, Matrix] = {}
    for name, path in paths:
        if name in out:
            raise DataError(f"{path}: another system is called {shown(name)}; use NAME=FILE")
        out[name] = read_matrix(path)
    return out, paths[0][1]


def _repeated(matrix: Matrix, per_image: int) -> list[int]:
    """The image of each text, of which every image has as many."""
    n_images, n_texts = matrix.values.shape
    if n_texts != per_image * n_images:
        raise DataError(
            f"--texts-per-image {per_image}: {n_images:,} images have {n_texts:,} texts; give "
            "--image-of-text FILE"
        )
    return [image for image in range(n_images) for _ in range(per_image)]


def _images_in(path: Path, matrix: Matrix, file: Path) -> list[int] | list[str]:
    """The image of each text as a file says: its row, or its id."""
    from fuzzytruth.io.table_files import read_id_lines

    lines = read_id_lines(path)
    n_images, n_texts = matrix.values.shape
    if len(lines) != n_texts:
        raise DataError(
            f"{path}: has {counted(len(lines), 'line')}, and {file} has shape "
            f"{matrix.values.shape}, images × texts; give a line for each of the "
            f"{counted(n_texts, 'text')}"
        )
    if set(lines) <= set(matrix.rows or ()) or not all(line.isdecimal() for line in lines):
        return lines
    rows = [int(line) for line in lines]
    for number, row in enumerate(rows, start=1):
        if row >= n_images:
            raise DataError(
                f"{path}, line {number}: {row} is no image of {file}, whose rows are "
                f"counted from 0 to {n_images - 1}"
            )
    return rows


def _larger(systems: dict[str, Matrix], distances: bool) -> bool:
    """Whether larger is better: unless distances are typed, or named in all files."""
    named = {matrix.distances for matrix in systems.values()}
    if len(named) == 2 and not distances:
        raise OptionError("--distances: some files name their numbers distances, others do not")
    return not (distances or named == {True})


def _printed(scores: Scores) -> Printed:
    """Verdicts and differences by Rsum, then means of all measures: a row a measure."""
    from fuzzytruth.cli.tables import printed_comparison
    from fuzzytruth.comparison.compare import compare
    from fuzzytruth.evaluation.scores.score_rows import score_rows
    from fuzzytruth.show.answer import Column, Printed, Sentences, Table

    rows = score_rows(scores)
    systems = zip(scores.systems, rows.cells(1), rows.best.tolist(), strict=True)
    columns = (Column(system, tuple(cells), bold=tuple(best)) for system, cells, best in systems)
    means = Table((Column.label("percent", scores.measures), *columns))
    images = len(set(scores.query_attributes["image"]))
    beyond = rows.beyond_range()
    legend = Sentences.of(
        f"Brackets: {rows.brackets}; {images:,} images, jackknife.", f"{beyond}." if beyond else ""
    )
    if len(scores.systems) == 1:
        return Printed.of("", means, legend)
    rest = "--save FILE.parquet, then fuzzytruth compare FILE.parquet --clusters image"
    result = compare(scores, measures="Rsum", clusters="image")
    compared = printed_comparison(result, rest=rest)
    return Printed.of(compared.title, *compared.parts[:3], means, legend, *compared.parts[3:])

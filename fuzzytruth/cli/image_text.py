"""`fuzzytruth image-text`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fuzzytruth.cli.derive import INPUT, METHOD, Option
from fuzzytruth.cli.derived import DISTANCES, SAVED, TABLES, Source, with_options
from fuzzytruth.cli.inputs import split_names
from fuzzytruth.cli.output import Bar, emit_printed
from fuzzytruth.errors import DataError, OptionError, counted, shown

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.io.matrices import Matrix
    from fuzzytruth.show.answer import Printed

VERB = Source(
    "image_text",
    without="name images texts cutoffs unit larger_is_better",
    ties=Option("Equal similarities: the mean over all orders, or as in the file.", panel=METHOD),
)


@with_options(
    VERB,
    DISTANCES,
    TABLES,
    SAVED,
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
        scores = score(systems, images, larger_is_better=larger, **VERB.given(context))
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

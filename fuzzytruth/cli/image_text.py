"""`fuzzytruth image-text`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fuzzytruth.cli import matrices, panels
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli.inputs import check_outputs, split_names
from fuzzytruth.cli.output import emit_printed
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import DataError, OptionError, counted, shown

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.io.matrices import Matrix
    from fuzzytruth.show.answer import Printed

EXAMPLE = """\b
Examples:
  fuzzytruth image-text clip.npy
  fuzzytruth image-text clip.npy VSE++=vse.npy --protocol all
  fuzzytruth image-text clip.csv --image-of-text images.txt --recall \\
    -o table.csv
  fuzzytruth image-text clip.npy vse.npy --save s.parquet

Then `fuzzytruth compare s.parquet --clusters image` compares by all measures.
"""

MatrixFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="MATRIX",
        help="Similarities of images (rows) and texts (columns): .npy, .npz, .csv, .tsv or lines "
        "of numbers; .gz of text. NAME=FILE names the system.",
        show_default=False,
    ),
]
TextsPerImage = Annotated[
    int | None,
    option(
        panels.INPUT,
        "The first N texts describe the first image, and so on.  [default: 5]",
        "--texts-per-image",
        metavar="N",
        min=1,
    ),
]
ImageOfText = Annotated[
    Path | None,
    option(
        panels.INPUT,
        "The image of each text, one a line: its row, from 0, or its id.",
        "--image-of-text",
        metavar="FILE",
    ),
]
Protocol = Annotated[
    Literal["all", "1K", "5K", "5fold"],
    setting(
        panels.METHOD, "All images, the first 1,000 or 5,000, or the mean over five folds of 1,000."
    ),
]
Recall = Annotated[bool, setting(panels.METHOD, "Add true recall.", "--recall")]
ImageTies = Annotated[
    Literal["expected", "order"],
    setting(panels.METHOD, "Equal similarities: the mean over all orders, or as in the file."),
]


def image_text(
    files: MatrixFiles,
    texts_per_image: TextsPerImage = None,
    image_of_text: ImageOfText = None,
    protocol: Protocol = "all",
    recall: Recall = False,
    ties: ImageTies = "expected",
    distances: matrices.Distances = False,
    output_format: output_options.FormatChoice = None,
    output: output_options.Output = None,
    save: output_options.Save = None,
) -> None:
    """Score retrieval of texts by images (i2t) and of images by texts (t2i).

    Shows R@K, Rsum and mR in percent, with 95 % intervals over images. Several systems are compared
    by Rsum.
    """
    from fuzzytruth.cli.tables import format_for, show_frame
    from fuzzytruth.evaluation.lists.image_text import image_text as score
    from fuzzytruth.evaluation.scores.score_rows import score_rows

    output_format = output_format or format_for(output)
    if texts_per_image is not None and image_of_text is not None:
        raise OptionError("--texts-per-image, --image-of-text: give one of the two")
    mapping = [] if image_of_text is None else [image_of_text]
    check_outputs([*files, *mapping], output, save)
    with Bar() as bar:
        bar.stage("reading")
        systems, first = _read(files)
        image_of = _image_of(next(iter(systems.values())), first, texts_per_image, image_of_text)
        bar.stage("scoring")
        scores = score(
            systems,
            image_of,
            protocol=protocol,
            recall=recall,
            ties=ties,
            larger_is_better=_larger(systems, distances),
        )
        if save is not None:
            scores.save(save)
    if output_format == "table":
        emit_printed(_printed(scores), output)
        return
    frame = scores.summary(clusters="image")[["system", "measure", "mean", "lower", "upper"]]
    beyond = score_rows(scores).beyond_range()
    caption = "Image–text retrieval in percent, with 95 % intervals over images."
    caption += f" {beyond}." if beyond else ""
    show_frame(frame, output_format=output_format, output=output, caption=caption)


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


def _image_of(matrix: Matrix, file: Path, per_image: int | None, path: Path | None) -> Any:
    """The image of each text of the matrix in a file; None for the default."""
    import numpy as np

    n_images, n_texts = matrix.values.shape
    if path is not None:
        return _images_in(path, matrix, file)
    if per_image is None:
        return None
    if n_texts != per_image * n_images:
        raise DataError(
            f"--texts-per-image {per_image}: {n_images:,} images have {n_texts:,} texts; give "
            "--image-of-text FILE"
        )
    return np.repeat(np.arange(n_images), per_image)


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

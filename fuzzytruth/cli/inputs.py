"""Read the files that a command line names, and refuse to overwrite them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from fuzzytruth.errors import DataError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.aggregation import Aggregation
    from fuzzytruth.data.by_example import ByExample
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.ranking import Ranking
    from fuzzytruth.data.run_files import NameBy
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.stats.query_groups import Kind


@dataclass(frozen=True, slots=True)
class CategoryVotes:
    """How to read JUDGMENTS that are votes for categories.

    Parameters
    ----------
    taxonomy : Path
    category : str or None
        The category that every query asks for; None: each query asks for its own.
    asked : Path or None
    """

    taxonomy: Path
    category: str | None
    asked: Path | None

    @classmethod
    def from_options(
        cls, taxonomy: Path | None, category: str | None, asked: Path | None
    ) -> Self | None:
        """From the options; None without a taxonomy."""
        if taxonomy is not None:
            return cls(taxonomy, category, asked)
        if category is not None or asked is not None:
            raise OptionError("--category, --asked: belong to votes; add --taxonomy TREE")
        return None

    def read(self, path: str | Path) -> ByExample:
        """Votes for categories, as the truth of query by example."""
        from fuzzytruth.data.assignment_files import read_assignments

        votes = read_assignments(path, taxonomy=self.taxonomy, asked=self.asked)
        return votes.by_example(category=self.category)


def read_truth(
    path: str | Path,
    *,
    groups: bool | None,
    aggregate: Aggregation | None,
    categories: CategoryVotes | None = None,
) -> Judgments | ByExample:
    """Read judgments, merged by `aggregate`, or votes for categories."""
    from fuzzytruth.data.reading import read_judgments

    if categories is not None:
        if aggregate is not None or groups is not None:
            raise OptionError("--aggregate, --groups: are for judgments; leave out --taxonomy")
        return categories.read(path)
    truth = read_judgments(path, groups=groups)
    return truth if aggregate is None else truth.aggregate(aggregate)


def read_systems(texts: Iterable[str], *, name_by: NameBy, order_by: str, duplicates: str) -> Runs:
    """Read runs: files, patterns and NAME=FILE."""
    from fuzzytruth.data.reading import read_runs
    from fuzzytruth.data.runs import Runs

    named: dict[str, str | Path] = {}
    unnamed: list[str] = []
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            unnamed.append(text)
        elif not name or not path:
            raise OptionError(f"run {text!r}: write NAME=FILE")
        elif name in named:
            raise OptionError(f"run {text!r}: the name {name!r} is given twice")
        else:
            named[name] = path
    if name_by == "tag" and not unnamed:
        raise OptionError("--name tag: every run is named by NAME=FILE; leave out one of the two")
    rankings: dict[str, Ranking] = {}
    if unnamed:
        files = read_runs(unnamed, name=name_by, order_by=order_by, duplicates=duplicates)
        rankings.update(files)
    if named:
        explicit = read_runs(named, order_by=order_by, duplicates=duplicates)
        twice = [system for system in explicit if system in rankings]
        if twice:
            raise DataError(f"two runs are called {twice[0]!r}; name one with NAME=FILE")
        rankings.update(explicit)
    return Runs(rankings)


def groups_of_option(text: str, kind: Kind) -> dict[str, str] | str:
    """Groups of queries by a file, or the name of a column of the table of scores.

    A file is what exists, or has the ending of a table.
    """
    path = Path(text)
    return groups_of_file(path, kind) if path.is_file() or _is_table(path) else text


def groups_of_file(path: Path, kind: Kind) -> dict[str, str]:
    """Cluster or stratum of each query, from a table with these columns.

    Raises
    ------
    DataError
        It cannot be read, or a query is in two groups.
    """
    from fuzzytruth.evaluation.query_attributes import query_attributes
    from fuzzytruth.io.column_request import ColumnRequest
    from fuzzytruth.io.columns import check_ids
    from fuzzytruth.io.files import Source
    from fuzzytruth.io.ids import encode
    from fuzzytruth.io.tables import read_table

    group = {"clusters": "cluster", "strata": "stratum"}[kind]
    if not _is_table(path):
        raise DataError(
            f"{path}: must be a table with named columns query, {group}, as .csv, .tsv, .json, "
            ".jsonl or .parquet"
        )
    request = ColumnRequest(("query", group), (), group)
    columns, locate = read_table(Source.of(path), request)
    code, labels = encode(check_ids(columns["query"], "query", locate))
    queries = tuple(labels.to_pylist())
    named = query_attributes({group: columns[group]}, code, queries, locate)[group]
    return {query: name for query, name in zip(queries, named, strict=True) if name is not None}


def _is_table(path: Path) -> bool:
    from fuzzytruth.io.formats import format_of

    return format_of(path) != "trec"


def split_measures(texts: Iterable[str]) -> list[str]:
    """Split at commas outside parentheses.

    Examples
    --------
    >>> split_measures(["AP,P(rel=2,)@5", "RR"])
    ['AP', 'P(rel=2,)@5', 'RR']
    """
    parts = [part.strip() for text in texts for part in re.split(r",(?![^()]*\))", text)]
    return [part for part in parts if part]


def protect_inputs(inputs: Sequence[str | Path], *outputs: Path | None) -> None:
    """Refuse to overwrite an input, or to write two outputs to one file."""
    targets = [path.resolve() for path in outputs if path is not None]
    if len(set(targets)) < len(targets):
        raise OptionError(f"{targets[0]}: is named by -o and by --save; give each its own file")
    for text in map(str, inputs):
        for name in {text, text.partition("=")[2]} - {""}:
            for path in targets:  # an input may be a pattern
                if Path(name).resolve() == path or path.match(str(Path(name).absolute())):
                    raise OptionError(f"{path}: is read, and must not be overwritten")

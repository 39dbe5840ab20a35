"""Votes as functions take them; those without queries are grades, or votes for categories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth.core.validation import option_mapping, several
from fuzzytruth.data.assessor_files import Files, are_files, files_of_assessors
from fuzzytruth.data.assignments import VOTES, Assignments, read_assignments
from fuzzytruth.data.judgments import COLUMNS, ONE_QUERY, Judgments
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.reading import Groups, as_judgments, judgments_of_files
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.taxonomy import read_taxonomy
from fuzzytruth.errors import DataError, GroupNotice, LabelWarning, counted, shown, warn
from fuzzytruth.io import column_names as spellings
from fuzzytruth.io.column_names import best_matches, has_columns, kept_key, normalised
from fuzzytruth.io.columns import check_text, column_at, id_text, parse_number, string_array
from fuzzytruth.io.files import Source
from fuzzytruth.io.ids import find_items
from fuzzytruth.io.matrices import NUMPY_ENDINGS, holds_matrix, read_matrix
from fuzzytruth.io.table_files import column_names, table_of, table_source
from fuzzytruth.io.tables import ColumnRequest, NamedColumns, is_parted, is_table, named_columns

_FEW_SEVERAL = 0.05  # share of votes for several categories, below which it may be a mistake
_AS_CATEGORIES = "Assignments.from_frame reads them as categories"


def as_votes(given: Any, *, also: str = "Assignments, ") -> Any:
    """Judgments or Assignments; a table or a file without queries is what its answers are.

    Words are votes for categories, and numbers grades of one query. Anything else is what
    `as_judgments` makes of it; `also` says for its error what else may be given.

    Warns
    -----
    GroupNotice
        There are no queries.
    """
    if isinstance(given, (Assignments, Judgments)):
        return given
    if are_files(given):
        return read_votes(given, in_python=True)
    if not is_table(given) or is_parted(given):
        return as_judgments(given, argument="votes", also=also)
    table = named_columns(given, "votes", COLUMNS)
    own = _answers(table.names, {})
    if not own:
        _check_named(table, COLUMNS, in_python=True)
        return Judgments.from_frame(table)
    if not _are_numbers([table], own):
        return _single(Assignments.from_frame(table, columns={"category": own[0]}))
    request = replace(COLUMNS, required=("item",), columns={"grade": own[0]})
    return Judgments.from_table(*table_of(table, request), design="crossed", where="votes")


def read_votes(
    path: Files,
    *,
    groups: Groups = None,
    columns: Mapping[str, Any] | None = None,
    grades: Mapping[Any, float] | None = None,
    drop: Any = (),
    subjects: Iterable[Any] | str = (),
    duplicates: Any = "error",
    in_python: bool = False,
) -> Any:
    """Read what `read_judgments` reads, votes without queries (see `as_votes`), or counts.

    Errors say whether names of columns can be given, which they cannot `in_python`.
    """
    named, wide = dict(option_mapping("columns", columns)), tuple(several(subjects))
    files = files_of_assessors(path)
    paths: list[Any] = [path] if files is None else [one for _, one in files]
    sources = [Source.of(one) for one in paths]
    if files is None:
        path = sources[0]  # a pipe is read once
        if sources[0].ending in NUMPY_ENDINGS:
            return read_numbers(sources[0].path, columns=columns)
    elif sources[0].ending == ".cla":
        return read_assignments(path)
    own = _answers(column_names(sources[0]), named, wide, has_names=files is not None)
    request = COLUMNS.given(columns, grades=grades, drop=drop, wide=subjects)
    request = replace(request, duplicates=duplicates)
    if not own:
        _check_named(sources[0], request, in_python=in_python)
        return judgments_of_files(path, request, groups=groups)
    sources[1:] = [table_source(one, "votes", ("item", *own)) for one in sources[1:]]
    is_said = "category" in named
    if is_said or (grades is None and not _are_numbers(sources, own, several(drop))):
        named |= {} if wide else {"category": own[0]}
        named.pop("grade", None)  # of words
        how = {"drop": drop, "subjects": subjects, "duplicates": duplicates}
        return _single(read_assignments(path, columns=named, **how))
    named |= {} if wide else {"grade": own[0]}
    return judgments_of_files(path, replace(request, required=("item",), columns=named))


def read_numbers(
    path: str | Path,
    *,
    taxonomy: str | Path | None = None,
    columns: Mapping[str, Any] | None = None,
    items: Iterable[Any] | None = None,
    categories: Iterable[Any] | None = None,
) -> Assignments | Membership | None:
    """Counts of votes, or soft labels, from a file of numbers; None of any other file.

    That is a matrix of items and categories, of whole numbers unless each row adds up to 1; or a
    table item, category, probability. Other arguments are those of `Assignments.from_counts`.
    """
    source, are_counts = Source.of(path), False
    if holds_matrix(source):
        values = read_matrix(source).values
        are_counts = bool((values == np.round(values)).all() and (values.sum(axis=1) != 1).any())
    else:
        names = [*column_names(source), *(columns or {})]
        others = (has_columns(names, (name,)) for name in ("subject", "count", "query"))
        if any(others) or not has_columns(names, ("item", "category", "probability")):
            return None
    tree = None if taxonomy is None else read_taxonomy(taxonomy)
    ids: dict[str, Any] = {"items": items, "categories": categories}
    if are_counts:
        return Assignments.from_counts(path, taxonomy=tree, columns=columns, **ids)
    return Membership.from_probabilities(path, taxonomy=tree, columns=columns, **ids)


def _answers(
    present: Sequence[Any],
    named: Mapping[str, Any],
    wide: tuple[Any, ...] = (),
    *,
    has_names: bool = False,
) -> tuple[Any, ...]:
    """The columns of answers of a table of votes without queries; none of any other."""
    every = [*present, *named]
    has_names |= bool(wide) or any(has_columns(every, (name,)) for name in ("subject", "count"))
    if has_columns(every, ("query",)) or not has_columns(every, ("item",)) or not has_names:
        return ()
    said = [named[name] for name in ("category", "grade") if name in named]
    free = [name for name in present if name not in named.values()]
    found = [best_matches(name, free) for name in ("category", "grade", "score")]
    found.append([name for name in free if normalised(str(name)) == "answer"])
    return wide or tuple((said or next(filter(None, found), []))[:1])


def _check_named(table: Source | NamedColumns, request: ColumnRequest, *, in_python: bool) -> None:
    """Raise if a table without queries lacks the column of items, or of answers.

    Of the columns that may be these, the one with fewest values is the answer.
    """
    present = column_names(table) if isinstance(table, Source) else table.names
    named = request.columns or {}
    if not present or has_columns([*present, *named], ("query",)):
        return
    used = (*named.values(), *request.wide, *spellings.may_name_people(present))
    free = [name for name in present if name not in used and not spellings.is_known(name)]
    columns, origin = table_of(table, ColumnRequest((), (), "category", kept=tuple(free)), "votes")
    texts = [check_text(columns[kept_key(n)], str(n), origin).to_pylist() for n in free]
    values = {name: {*text} - {"", None} for name, text in zip(free, texts, strict=True)}
    last = min(reversed(free), key=lambda name: len(values[name]), default=None)
    either, readers = ("category", "grade"), VOTES.readers
    if last is not None and all(map(_is_number, values[last])):
        either, readers = ("grade", "category"), (None, None) if in_python else ("", "")
    request = replace(request, required=("item",), any_of=either, value=either[0], readers=readers)
    where, note = (f"{table.path}, header", None) if isinstance(table, Source) else ("votes", "")
    request.match(sorted(present, key=lambda name: name is last), where, note)


def _are_numbers(
    tables: Sequence[Source | NamedColumns], own: tuple[Any, ...], drop: Iterable[Any] = ()
) -> bool:
    """Whether the answers are numbers, and not words; a warning says how they are read.

    Raises
    ------
    DataError
        Some are numbers and some are words.
    """
    left_out = {"", *(id_text(answer) for answer in drop)}
    words: dict[str, Callable[[], str]] = {}
    n_numbers = 0
    for table in tables:
        columns, origin = table_of(table, ColumnRequest((), (), "category", kept=own), "votes")
        for name in own:
            texts = check_text(columns[kept_key(name)], str(name), origin).fill_null("")
            for text in {*texts.unique().to_pylist()} - left_out:
                if _is_number(text):
                    n_numbers += 1
                else:
                    row = texts.index(text).as_py()
                    words.setdefault(text, partial(column_at, origin, row, str(name)))
    word, column = min(words, default=""), shown(own[0])
    if words and n_numbers:
        raise DataError(
            f"{words[word]()}: value {shown(word)} is a word, and others are numbers, so that they "
            "are neither grades nor categories; leave out what is no answer: "
            f"drop=[{word!r}]; {_AS_CATEGORIES}"
        )
    read = f"the numbers in {column} are grades of one query; {_AS_CATEGORIES}"
    if words:
        read = f"the words in {column} are votes for categories; if they are grades, say which: "
        read += f"grades={{{word!r}: 1, ...}}"
    where = tables[0].path if isinstance(tables[0], Source) else "votes"
    warn(f"{where}: there are no queries, and {read}", GroupNotice)
    return not words


def _single(votes: Assignments) -> Assignments:
    """The votes; a warning where a few people gave an item several categories, by mistake maybe."""
    sizes = np.diff(votes.sets.offsets)[votes.label_set]
    several = np.flatnonzero(sizes > 1)
    if 0 < len(several) < _FEW_SEVERAL * len(sizes):
        row = votes.rows(slice(several[0], several[0] + 1)).iloc[0]
        warn(
            f"{counted(len(several), 'vote is', 'votes are')} for several categories at once, such "
            f"as that of {shown(row['subject'])} on {shown(row['item'])}, and another answer "
            "therefore; duplicates='last' takes the last one",
            LabelWarning,
        )
    return votes


def _is_number(text: str) -> bool:
    with suppress(ValueError):
        parse_number(text)
        return True
    return False


def votes_for_runs(votes: Any, runs: Runs) -> Any:
    """Votes without queries as a truth for these runs; any other as they are.

    Votes for categories are by item where runs list categories, else by example. Grades of one
    query are of the only one that the runs answer.
    """
    rankings = [*runs.values()]
    if isinstance(votes, Assignments):
        listed = (find_items(votes.taxonomy.nodes, one.item.unique()) for one in rankings)
        of_items = any((found >= 0).any() for found in listed)
        return votes.by_item() if of_items else votes.by_example()
    answered = {query for one in rankings for query in one.queries}
    if isinstance(votes, Judgments) and votes.queries == (ONE_QUERY,) and len(answered) == 1:
        return replace(votes, query=string_array([*answered] * len(votes)))
    return votes

"""Scores on disk: a Parquet table of one row a number, with all else in its metadata."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf, prod
from pathlib import Path
from typing import Any, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pc, pq
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import content
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.errors import DataError, OptionError, first_few, require, shown, warn
from fuzzytruth.evaluation.scores import score_arrays, scores_from_frame
from fuzzytruth.evaluation.scores.replicates import Declared, Replicates
from fuzzytruth.evaluation.scores.score_arrays import NUMBERS, WORLD_NUMBERS, ScoreArrays, tuples_of
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty, WorldValues
from fuzzytruth.io.files import Source, format_of
from fuzzytruth.io.table_files import is_parquet, parquet_file, table_of
from fuzzytruth.io.tables import ColumnRequest
from fuzzytruth.io.writing import write_whole
from fuzzytruth.stats.observations import Pooling

#: keys of the metadata of a Parquet file
ABOUT = b"fuzzytruth.evaluation.scores"  # of the file format, whatever modules are called
CHECKSUM = b"fuzzytruth.checksum"
_OURS = b"fuzzytruth."
#: arrays of `Uncertainty` that have no rows
_ARRAYS = {
    "weight": b"fuzzytruth.world_weight",
    "world_means": b"fuzzytruth.world_means",
    "within": b"fuzzytruth.world_within",
}
_VERSION = 5
_DOUBLE = "<f8"
#: column of each axis, and the field that has its names
_AXES = {"system": "systems", "measure": "measures", "query": "queries", "subject": "subjects"}
_WORLDS = "worlds"  # the column of values in all worlds, where these were kept
_BESIDE = (*list(NUMBERS)[1:], *WORLD_NUMBERS, _WORLDS)
_KNOWN = (*_AXES, "value", *_BESIDE)
_ADVICE = "save the scores again, or read the table alone with Scores.from_frame"


class _DamagedError(Exception):
    """Raised with what is not as it was saved."""


def _require(holds: Any, what: str) -> None:
    if not holds:
        raise _DamagedError(what)


# Entries of the metadata: fields of scores, and of their uncertainty, that JSON can hold.

#: a test of what JSON gives, which may raise TypeError or ValueError, and what this must be
Rule = tuple[Callable[[Any], bool], str]


def _are_names(value: Any) -> bool:
    return _are(str, value) and 0 < len(set(value)) == len(value)


def _are(kind: type | tuple[type, ...], value: Any) -> bool:
    """Whether this is a list of such values; texts that are no UTF-8 raise a ValueError."""
    "".join(each for each in value if isinstance(each, str)).encode()
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 0


_NAMES: Rule = (_are_names, "must be a list of distinct names")
_FLAG: Rule = (lambda value: isinstance(value, bool), "must be true or false")
_OF_SCORES: dict[str, Rule] = {
    "systems": _NAMES,
    "queries": _NAMES,
    "measures": _NAMES,
    "subjects": (
        lambda value: value is None or _are_names(value),
        "must be null or a list of distinct names",
    ),
    "design": (lambda value: value in ("crossed", "nested"), "must be 'crossed' or 'nested'"),
    "higher_is_better": (lambda value: _are(bool, value), "must be a list of true or false"),
}
_OF_SPREAD: dict[str, Rule] = {
    "worlds": (
        lambda value: value in ("independent", "population", "community", "subject"),
        "must be 'independent', 'population', 'community' or 'subject'",
    ),
    "inflation": (
        lambda value: type(value) in (int, float) and 1 <= value < inf,
        "must be a number of 1 or more",
    ),
    "drawn": _FLAG,
    "n_worlds": (_is_whole, "must be a whole number"),
    "entropy": (
        lambda value: isinstance(value, list) and all(map(_is_whole, value)),
        "must be a list of whole numbers",
    ),
    "kept_is_joint": _FLAG,
}
_OF_RUNS: dict[str, Rule] = {
    "system_of": (lambda value: _are(str, value), "must be a list of names"),
    "deterministic": (lambda value: _are(str, value), "must be a list of names"),
    "variance": (
        lambda value: value in get_args(Pooling),
        "must be 'moderated', 'separate' or 'pooled'",
    ),
}
#: fields of scores that are left out where they are empty
_OPTIONAL = ("query_attributes", "ranges")


def _check(name: str, value: Any, rule: Rule) -> None:
    holds, (test, words) = False, rule
    with suppress(TypeError, ValueError):
        holds = test(value)
    if not holds:
        raise _DamagedError(f"{name} is {shown(value)}, and {words}")


def _checked(entries: dict[str, Any], rules: dict[str, Rule]) -> dict[str, Any]:
    """The entries that the rules name, lists as tuples."""
    for name, rule in rules.items():
        _check(f"{name!r}", _entry(entries, name), rule)
    return {name: tuples_of(entries[name]) for name in rules}


def _entry(entries: dict[str, Any], name: str) -> Any:
    _require(name in entries, f"{name!r} is missing")
    return entries[name]


def _object(value: Any, name: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise _DamagedError(f"{name!r} is {shown(value)}, not an object")


def _metadata_of(scores: ScoreArrays, repeated: Replicates | None) -> dict[bytes, bytes]:
    """The metadata to write; without the checksum. Scores are of the runs, if there are any.

    Raises
    ------
    DataError
        The direction of a measure is not given.
    """
    if len(scores.higher_is_better) != len(scores.measures):
        raise DataError(
            f"higher_is_better={shown(scores.higher_is_better)}: must have one value for each of "
            f"the measures {', '.join(scores.measures)}; give it before saving"
        )
    about: dict[str, Any] = {"version": _VERSION}
    about |= {name: getattr(scores, name) for name in _OF_SCORES}
    about |= {name: value for name in _OPTIONAL if (value := getattr(scores, name))}
    if repeated is not None:
        about["replicates"] = {name: getattr(repeated, name) for name in _OF_RUNS}
    about["provenance"] = None if scores.provenance is None else scores.provenance.to_dict()
    out, spread = {}, scores.uncertainty
    if spread is not None:
        about["uncertainty"] = {name: getattr(spread, name) for name in _OF_SPREAD}
        arrays = {key: getattr(spread, name) for name, key in _ARRAYS.items()}
        out = {k: a.astype(_DOUBLE).tobytes() for k, a in arrays.items() if a is not None}
    return {ABOUT: json.dumps(about, default=dict).encode(), **out}


def _read_metadata(
    metadata: Mapping[bytes, bytes], path: Path
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Fields of `ScoreArrays`, and of `Uncertainty` if there is any, from `_metadata_of`.

    Raises
    ------
    DataError
        It is of another version.
    """
    about = _parsed(metadata[ABOUT], path)
    axes = _checked(about, _OF_SCORES)
    n_measures, n_queries = len(axes["measures"]), len(axes["queries"])
    same = len(axes["higher_is_better"]) == n_measures
    _require(same, "'higher_is_better' and 'measures' differ in length")
    attributes = _object(about.get("query_attributes", {}), "query_attributes")
    texts: Rule = (
        lambda value: _are((str, type(None)), value) and len(value) == n_queries,
        f"must be a list of {n_queries:,} texts or null",
    )
    for name, values in attributes.items():
        _check(f"{name!r} of 'query_attributes'", values, texts)
    axes["query_attributes"] = {name: tuple(values) for name, values in attributes.items()}
    pairs: Rule = (
        lambda value: (
            len(value) in (0, n_measures)
            and all(_are((int, float), pair) and len(pair) == 2 for pair in value)
        ),
        "must be a pair of numbers a measure",
    )
    axes |= _checked({"ranges": about.get("ranges", [])}, {"ranges": pairs})
    if "replicates" in about:
        found = _checked(_object(about["replicates"], "replicates"), _OF_RUNS)
        named = len(found["system_of"]) == len(axes["systems"])
        _require(named, "'system_of' and 'systems' differ in length")
        axes["replicates"] = Declared(**found)
    made = _entry(about, "provenance")
    try:
        axes["provenance"] = (
            None if made is None else score_arrays.Provenance.from_dict(_object(made, "provenance"))
        )
    except DataError as error:
        raise _DamagedError(str(error)) from None
    if "uncertainty" not in about:
        return axes, None
    spread = _checked(_object(about["uncertainty"], "uncertainty"), _OF_SPREAD)
    return axes, spread | _arrays(metadata, axes, spread)


def _parsed(text: bytes, path: Path) -> dict[str, Any]:
    """The entries, of this version."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _DamagedError(f"the metadata are not JSON ({error})") from None
    about = _object(given, "metadata")
    version = about.get("version")
    if type(version) is not int:
        raise _DamagedError(f"the version of the format is {shown(version)}, not a number")
    if version != _VERSION:
        todo = "install a newer" if version > _VERSION else "save them again, or use an older"
        raise DataError(
            f"{path}: these scores are in version {version} of the format, and this fuzzytruth "
            f"reads version {_VERSION}; {todo} fuzzytruth"
        )
    return about


def _arrays(
    metadata: Mapping[bytes, bytes], axes: dict[str, Any], spread: dict[str, Any]
) -> dict[str, Any]:
    """Weights of worlds, means over queries in each, and variances of differences over them."""
    found: dict[str, Any] = {}
    for name, key in _ARRAYS.items():
        given = metadata.get(key)
        _require(given is None or len(given) % 8 == 0, f"{key.decode()!r} is cut off")
        found[name] = None if given is None else np.frombuffer(given, _DOUBLE).astype(np.float64)
    weight, means, within = found.values()
    _require(weight is not None, "the weights of the worlds are missing")
    systems, measures, subjects = (axes[name] for name in ("systems", "measures", "subjects"))
    of_means = len(weight), len(systems), len(measures)
    of_pairs = len(measures), len(systems), len(systems)
    alone, n_worlds = spread["worlds"] == "subject", len(weight) or len(subjects or ())
    _require(alone == (subjects is not None), "the kind of worlds does not go with 'subjects'")
    shares = (weight >= 0).all() and abs(weight.sum() - 1) < 1e-6
    whole = not len(weight) if alone else shares
    _require(whole, "the weights of the worlds do not add up to 1")
    if means is not None:
        whole = means.size == prod(of_means)
        _require(whole, "the means in each world are not as many as the worlds")
        found["world_means"] = means.reshape(of_means)
    if within is not None:
        whole = within.size == prod(of_pairs) and not (within < 0).any()
        _require(whole, "the variances over worlds are not one for each pair of systems")
        found["within"] = within.reshape(of_pairs)
    same = spread["n_worlds"] == n_worlds
    _require(same, f"'n_worlds' is {shown(spread['n_worlds'])}, not {n_worlds:,}")
    return found


# Rows, put in their places by the names in them.


def _placed(
    table: Any, axes: dict[str, Any], spread: dict[str, Any] | None
) -> tuple[Cells, dict[str, Any]]:
    """Cells, and numbers by column in their order: (systems, measures, cells[, worlds])."""
    _check_columns(table.column_names, axes, spread)
    names = {axis: axes[field] for axis, field in _AXES.items() if axes[field]}
    codes = {axis: _codes(table[axis], axis, labels) for axis, labels in names.items()}
    cells, order = _places(codes, names)
    shape = len(names["system"]), len(names["measure"]), len(cells)
    out = {}
    for name in set(table.column_names) - set(names):
        if name == _WORLDS and spread is not None:
            rows = _lists(table[name], len(spread["weight"]))
        else:
            rows = _numbers(table[name], name)
        rows = rows.copy() if order is None else rows[order]
        out[name] = rows.reshape(*shape, *rows.shape[1:])
    return cells, out


def _check_columns(present: list[str], axes: dict[str, Any], spread: dict[str, Any] | None) -> None:
    """Those that the metadata call for, once, and no others of ours."""
    bounds = "lower" in present or "upper" in present
    drawn = spread is not None and spread["worlds"] != "subject"
    called = {
        "subject": axes["subjects"] is not None,
        "lower": bounds,
        "upper": bounds,
        "std": drawn,
        "exact": spread is not None,
        "mc_error": spread is not None,
        _WORLDS: drawn and _WORLDS in present,
    }
    twice = [name for name in _KNOWN if present.count(name) > 1]
    lost = [name for name in _KNOWN if called.get(name, True) and name not in present]
    more = [name for name in _KNOWN if not called.get(name, True) and name in present]
    for names, problem in (
        (twice, "is there twice"),
        (lost, "is missing"),
        (more, "is not one that the metadata of these saved scores call for"),
    ):
        if names:
            raise _DamagedError(f": the column {names[0]!r} {problem}")


def _codes(column: Any, axis: str, labels: tuple[str, ...]) -> Ints:
    """Place of each row's name among the labels: (rows,)."""
    encoded = pa.types.is_dictionary(column.type)
    kind = column.type.value_type if encoded else column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    _require(is_text, f": the column {axis!r} holds {column.type}, not text")
    coded = column if encoded else column.dictionary_encode()
    coded = coded.unify_dictionaries().combine_chunks()
    of_entry = pc.index_in(coded.dictionary, pa.array(labels, kind)).fill_null(-1)
    of_row = coded.indices.cast(pa.int32())
    found: Ints = np.asarray(of_row)
    if of_row.null_count or of_entry.to_pylist() != list(range(len(labels))):
        # missing names have the place of an entry after all others
        of_entries = np.append(of_entry, np.int32(-1))
        found = of_entries[np.asarray(of_row.fill_null(len(of_entry)))]
    if (found >= 0).all():
        return found
    row = int(np.argmax(found < 0))
    raise _DamagedError(
        f", row {row + 1:,}: the {axis} {shown(column[row].as_py())} is not among those that the "
        f"metadata list ({first_few(labels)})"
    )


def _places(codes: dict[str, Ints], names: dict[str, tuple[str, ...]]) -> tuple[Cells, Ints | None]:
    """The cells, and which row is the number of each system, measure and cell; None: in order."""
    n_subjects = len(names.get("subject", (None,)))
    n_rows, series = len(codes["system"]), (len(names["system"]), len(names["measure"]))
    n = n_rows // prod(series)

    def pairs_of(rows: slice) -> Ints:
        """One number for each query and subject."""
        subject = codes["subject"][rows] if "subject" in codes else 0
        return codes["query"][rows].astype(np.int64) * n_subjects + subject

    expected = {axis: code[:n] for axis, code in codes.items()}
    expected["system"] = np.arange(series[0])[:, None, None]
    expected["measure"] = np.arange(series[1])[:, None]
    pairs, order = pairs_of(slice(n)), None
    in_order = n_rows == n * prod(series) and all(
        (code.reshape(*series, n) == expected[axis]).all() for axis, code in codes.items()
    )
    if not in_order or (np.diff(pairs) <= 0).any():
        pairs, cell = np.unique(pairs_of(slice(None)), return_inverse=True)
        place = (codes["system"].astype(np.int64) * series[1] + codes["measure"]) * len(
            pairs
        ) + cell
        order = np.argsort(place, kind="stable")
        _check_complete(place[order], order, pairs, names)
    subject = pairs % n_subjects if "subject" in names else None
    cells = Cells(pairs // n_subjects, subject, len(names["query"]), n_subjects)
    for axis, sizes in (("query", cells.sizes), ("subject", cells.subject_sizes)):
        if not sizes.all():
            name = names[axis][int(np.argmin(sizes))]
            raise _DamagedError(f": there is no row of the {axis} {shown(name)}")
    return cells, order


def _check_complete(
    place: Ints, order: Ints, pairs: Ints, names: dict[str, tuple[str, ...]]
) -> None:
    """Raise unless each place has one row; `place` is ascending, and `order` has the rows."""
    shape = len(names["system"]), len(names["measure"]), len(pairs)

    def named(place: int) -> str:
        *series, cell = map(int, np.unravel_index(place, shape))
        index = *series, *divmod(int(pairs[cell]), len(names.get("subject", (None,))))
        found = zip(_AXES, index, strict=True)
        return ", ".join(f"{axis} {shown(names[axis][j])}" for axis, j in found if axis in names)

    double = np.flatnonzero(place[1:] == place[:-1])
    if len(double):
        first = int(double[0])
        raise _DamagedError(
            f": rows {order[first] + 1:,} and {order[first + 1] + 1:,} are both of "
            f"{named(int(place[first]))}"
        )
    if len(place) < prod(shape):
        lost = np.flatnonzero(place != np.arange(len(place)))
        raise _DamagedError(
            f": there is no row of {named(int(lost[0]) if len(lost) else len(place))}"
        )


def _numbers(column: Any, name: str) -> Array:
    """A column of numbers, missing ones NaN, or of truth values."""
    kind = pa.bool_() if name == "exact" else pa.float64()
    _require(column.type == kind, f": the column {name!r} holds {column.type}, not {kind}")
    whole = name != "exact" or not column.null_count
    _require(whole, f": the column {name!r} has missing values")
    return np.asarray(column.to_numpy())


def _lists(column: Any, n_worlds: int) -> Floats:
    """Values in all worlds: (rows, worlds)."""
    kind, column = column.type, column.combine_chunks()
    listed = pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind)
    fits = listed and kind.value_type == pa.float64()
    _require(fits, f": the column {_WORLDS!r} holds {kind}, not lists of double")
    sizes = pc.list_value_length(column).fill_null(-1).to_numpy(zero_copy_only=False)
    whole = (sizes == n_worlds).all()
    _require(whole, f": a value of the column {_WORLDS!r} has not {n_worlds:,} worlds")
    return np.asarray(column.flatten().to_numpy(zero_copy_only=False)).reshape(len(sizes), n_worlds)


# The files.


def write_scores(scores: ScoreArrays, path: Path) -> None:
    """Write all numbers, in the order of the array, and what the axes are."""
    if path.suffix.lower() not in (".parquet", ".pq"):
        raise DataError(
            f"{path}: scores are saved as Parquet, so that the name must end in .parquet; "
            "to_frame() gives a table to write in other formats"
        )
    repeated = scores.replicates
    scores = scores if repeated is None else repeated.runs
    metadata = _metadata_of(scores, repeated)
    metadata[CHECKSUM] = _checksum(scores, metadata)
    shape, cells, spread = scores.values.shape, scores.cells, scores.uncertainty
    series = np.arange(shape[0])[:, None, None], np.arange(shape[1])[:, None]
    columns: dict[str, Any] = {}
    for axis, code in zip(_AXES, (*series, cells.query, cells.subject_codes), strict=True):
        labels = getattr(scores, _AXES[axis])
        if labels is not None:
            columns[axis] = pa.DictionaryArray.from_arrays(
                np.broadcast_to(code.astype(np.int32), shape).ravel(), pa.array(labels, pa.string())
            )
    columns |= {name: values.ravel() for name, values in scores._numbers.items()}
    kept = None if spread is None else spread.kept
    if kept is not None:  # by query; a row holds its query's values in all worlds
        by_row = kept.transpose(1, 2, 3, 0)[:, :, cells.query]
        columns[_WORLDS] = pa.FixedSizeListArray.from_arrays(by_row.ravel(), len(kept))
    table = pa.table(columns).replace_schema_metadata(metadata)
    write_whole(path, lambda file: pq.write_table(table, file, write_page_checksum=True))


def _checksum(scores: ScoreArrays, metadata: Mapping[bytes, bytes]) -> bytes:
    """Checksum of all that a file of scores says, whatever the order of its rows."""
    spread, cells = scores.uncertainty, scores.cells
    arrays = [cells.query, cells.subject, *(getattr(scores, name) for name in NUMBERS.values())]
    if spread is not None:
        arrays += [getattr(spread, name) for name in (*WORLD_NUMBERS, "kept")]
    ours = [key for key in sorted(metadata) if key.startswith(_OURS) and key != CHECKSUM]
    return content(*[text for key in ours for text in (key, metadata[key])], *arrays).encode()


def read_scores(
    path: Path, request: ColumnRequest, replicates: str | None = None
) -> tuple[ScoreArrays, Declared | None]:
    """Read what `write_scores` wrote, or a table of scores in any other format.

    Scores are those of single runs where systems have several.
    """
    kind = format_of(path)
    if kind == "trec" and not is_parquet(Source.of(path)):
        raise DataError(
            f"{path}: holds no scores; give what Scores.save wrote, or a table with named columns "
            f"{', '.join(scores_from_frame.REQUIRED)} as .csv, .tsv, .json, .jsonl or .parquet "
            "(judgments and runs make scores together)"
        )
    if kind not in ("parquet", "trec"):
        return _table_of(path, request, replicates)
    return _read_parquet(path, request, replicates)


def _table_of(
    path: Path, request: ColumnRequest, replicates: str | None
) -> tuple[ScoreArrays, Declared | None]:
    """Scores computed elsewhere, one row a number, with attributes of queries in some columns."""
    table, origin = table_of(Source.of(path), request)
    return scores_from_frame.scores_from_table(table, origin, request.kept, str(path), replicates)


def _read_parquet(
    path: Path, request: ColumnRequest, replicates: str | None
) -> tuple[ScoreArrays, Declared | None]:
    """What `write_scores` wrote; or any Parquet table with the columns of scores."""
    with parquet_file(Source.of(path)) as parquet:
        schema = parquet.schema_arrow
        saved = ABOUT in (schema.metadata or {})
        if saved:
            table = parquet.read(columns=[name for name in schema.names if name in _KNOWN])
            table.validate(full=True)
    if not saved:
        of_table = _table_of(path, request, replicates)
        _warn_of_lost(path, schema.names)
        return of_table
    try:
        axes, spread = _read_metadata(schema.metadata, path)
    except _DamagedError as error:
        raise DataError(
            f"{path}: the metadata of these saved scores are damaged: {error}; {_ADVICE}"
        ) from None
    if request.options:
        raise OptionError(f"{request.options}: {path} has the names of Scores.save; leave it out")
    rule = "what Scores.save wrote has kept its runs; leave it out"
    require("replicates", replicates, replicates is None, rule)
    for name in request.kept:
        scores_from_frame.check_attribute("clusters", name, axes["query_attributes"])
    try:
        cells, numbers = _placed(table, axes, spread)
    except _DamagedError as error:
        raise DataError(f"{path}{error}; the file is not as it was saved: {_ADVICE}") from None
    axes |= {field: numbers.get(name) for name, field in NUMBERS.items()}
    uncertainty = None if spread is None else _uncertainty(spread, numbers)
    found = axes.pop("replicates", None)
    scores = ScoreArrays(cells=cells, uncertainty=uncertainty, **axes)
    if schema.metadata.get(CHECKSUM, given := _checksum(scores, schema.metadata)) != given:
        raise DataError(
            f"{path}: the numbers or the metadata are not those that were saved, as the checksum "
            f"says; {_ADVICE}"
        )
    return scores, found


def _uncertainty(spread: dict[str, Any], numbers: dict[str, Any]) -> Uncertainty:
    means, within, kept = spread.pop("world_means"), spread.pop("within"), numbers.get(_WORLDS)
    if kept is not None:  # (systems, measures, queries, worlds): a cell a query
        kept = np.ascontiguousarray(kept.transpose(3, 0, 1, 2))
    return Uncertainty(
        exact=numbers["exact"],
        mc_error=numbers["mc_error"],
        spread=Lazy.of(numbers.get("std")),
        in_worlds=Lazy.of(WorldValues(means, kept)),
        joint_spread=Lazy.of(within),
        has_means=means is not None,
        has_kept=kept is not None,
        has_within=within is not None,
        **spread,
    )


def _warn_of_lost(path: Path, columns: list[str]) -> None:
    """Say what the metadata told, if this is a table that `write_scores` wrote."""
    beside = [name for name in _BESIDE if name in columns]
    if not beside and columns[:3] != ["system", "measure", "query"]:
        return
    lost = ["which direction of each measure is better (taken from its name)", "the provenance"]
    if "subject" in columns:
        lost.insert(0, "the design (taken as crossed)")
    if beside:
        lost.append(f"how values vary or are bounded (columns {', '.join(beside)})")
    warn(
        f"{path}: another program wrote this table of scores, without the metadata of Scores.save; "
        f"lost are {', '.join(lost)}; load the file that was saved instead",
        errors.MetadataWarning,
    )

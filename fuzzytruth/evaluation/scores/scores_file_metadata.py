"""Metadata of a file of scores: what the rows of its table do not say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, shown
from fuzzytruth.evaluation.scores.provenance import Provenance
from fuzzytruth.evaluation.scores.query_groups import Attributes
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays

#: keys of the metadata of a Parquet file
ABOUT = b"fuzzytruth.evaluation.scores"  # of the file format, whatever modules are called
CHECKSUM = b"fuzzytruth.checksum"
_MEANS = b"fuzzytruth.world_means"
_WEIGHT = b"fuzzytruth.world_weight"
_WITHIN = b"fuzzytruth.world_within"
_VERSION = 5
_DOUBLE = "<f8"

#: a test of a value read from JSON, and what it says the value must be
Rule = tuple[Callable[[Any], bool], str]


def _are_names(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    return 0 < len(set(value)) == len(value) and _is_text("".join(value))


def _are_texts(value: Any, n: int) -> bool:
    """Whether this is a list of `n` texts or None."""
    if not isinstance(value, list) or len(value) != n:
        return False
    texts = [text for text in value if text is not None]
    return all(isinstance(text, str) for text in texts) and _is_text("".join(texts))


def _is_text(text: str) -> bool:
    """Whether it can be written as UTF-8; JSON can escape more."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_NAMES: Rule = (_are_names, "must be a list of distinct names")
_FLAG: Rule = (lambda value: isinstance(value, bool), "must be true or false")
_AXES: dict[str, Rule] = {
    "systems": _NAMES,
    "queries": _NAMES,
    "measures": _NAMES,
    "subjects": (
        lambda value: value is None or _are_names(value),
        "must be null or a list of distinct names",
    ),
    "design": (lambda value: value in ("crossed", "nested"), "must be 'crossed' or 'nested'"),
    "higher_is_better": (
        lambda value: isinstance(value, list) and all(isinstance(each, bool) for each in value),
        "must be a list of true or false",
    ),
}
_SPREAD: dict[str, Rule] = {
    "worlds": (
        lambda value: value in ("independent", "population", "subject"),
        "must be 'independent', 'population' or 'subject'",
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


@dataclass(frozen=True, slots=True, eq=False)
class Metadata:
    """What the metadata say, in the types of `ScoreArrays` and `Uncertainty`.

    Parameters
    ----------
    axes : dict
        Fields of `ScoreArrays`: names, design, directions and attributes of queries.
    spread : dict or None
        Fields of `Uncertainty` that are not arrays; None where values do not vary over worlds.
    provenance : Provenance or None
    weight : (worlds,) float
        Probability of each world.
    world_means : (worlds, systems, measures) float or None
    within : (measures, systems, systems) float or None
    """

    axes: dict[str, Any]
    spread: dict[str, Any] | None
    provenance: Provenance | None
    weight: Floats
    world_means: Floats | None
    within: Floats | None = None


def metadata_of(scores: ScoreArrays) -> dict[bytes, bytes]:
    """The metadata to write; without the checksum.

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
    about |= {name: getattr(scores, name) for name in _AXES}
    if scores.query_attributes:
        about["query_attributes"] = dict(scores.query_attributes)
    if scores.ranges:
        about["ranges"] = scores.ranges
    about["provenance"] = None if scores.provenance is None else scores.provenance.to_dict()
    out, spread = {}, scores.uncertainty
    if spread is not None:
        about["uncertainty"] = {name: getattr(spread, name) for name in _SPREAD}
        out[_WEIGHT] = spread.weight.astype(_DOUBLE).tobytes()
        if spread.world_means is not None:
            out[_MEANS] = spread.world_means.astype(_DOUBLE).tobytes()
        if spread.within is not None:
            out[_WITHIN] = spread.within.astype(_DOUBLE).tobytes()
    return {ABOUT: json.dumps(about).encode(), **out}


def read_metadata(metadata: Mapping[bytes, bytes], path: Path) -> Metadata:
    """What `metadata_of` gave, checked.

    Raises
    ------
    DataError
        It is of another version or damaged; the message names the entry.
    """
    about = _parsed(metadata[ABOUT], path)
    axes = _checked(about, _AXES, path)
    if len(axes["higher_is_better"]) != len(axes["measures"]):
        raise _damaged(path, "'higher_is_better' and 'measures' differ in length")
    axes["query_attributes"] = _attributes(about, len(axes["queries"]), path)
    axes["ranges"] = _ranges(about, len(axes["measures"]), path)
    spread, weight, means, within = None, np.zeros(0), None, None
    if "uncertainty" in about:
        spread = _checked(_mapping(about["uncertainty"], "uncertainty", path), _SPREAD, path)
        if (spread["worlds"] == "subject") != (axes["subjects"] is not None):
            raise _damaged(path, "the kind of worlds does not go with 'subjects'")
        shape = len(axes["systems"]), len(axes["measures"])
        weight, means = _worlds(metadata, shape, spread, path)
        within = _within(metadata, shape, path)
        n_worlds = len(weight) or len(axes["subjects"] or ())
        if spread["n_worlds"] != n_worlds:
            raise _damaged(path, f"'n_worlds' is {shown(spread['n_worlds'])}, not {n_worlds:,}")
    return Metadata(axes, spread, _provenance(about, path), weight, means, within)


def _parsed(text: bytes, path: Path) -> dict[str, Any]:
    """The entries, of this version."""
    try:
        about = _mapping(json.loads(text), "metadata", path)
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise _damaged(path, f"the metadata are not JSON ({error})") from None
    version = about.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise _damaged(path, f"the version of the format is {shown(version)}, not a number")
    if version != _VERSION:
        todo = "install a newer" if version > _VERSION else "save them again, or use an older"
        raise DataError(
            f"{path}: these scores are in version {version} of the format, and this fuzzytruth "
            f"reads version {_VERSION}; {todo} fuzzytruth"
        )
    return about


def _checked(about: dict[str, Any], rules: dict[str, Rule], path: Path) -> dict[str, Any]:
    """The entries that the rules name, lists as tuples."""
    out = {}
    for name, (holds, rule) in rules.items():
        if name not in about:
            raise _damaged(path, f"{name!r} is missing")
        if not holds(about[name]):
            raise _damaged(path, f"{name!r} is {shown(about[name])}, and {rule}")
        out[name] = tuple(about[name]) if isinstance(about[name], list) else about[name]
    return out


def _attributes(about: dict[str, Any], n_queries: int, path: Path) -> Attributes:
    """Attributes of queries; none in files that do not name any."""
    given = _mapping(about.get("query_attributes", {}), "query_attributes", path)
    for name, values in given.items():
        if not _are_texts(values, n_queries) or not _is_text(name):
            raise _damaged(
                path,
                f"{name!r} of 'query_attributes' is {shown(values)}, and must be a list of "
                f"{n_queries:,} texts or null",
            )
    return {name: tuple(values) for name, values in given.items()}


def _ranges(about: dict[str, Any], n: int, path: Path) -> tuple[tuple[float, float], ...]:
    """The range of each measure; none in files that do not name any."""
    given = about.get("ranges", [])
    with suppress(TypeError, ValueError):
        if not given or len(given) == n:
            return tuple((float(least), float(most)) for least, most in given)
    raise _damaged(path, f"'ranges' is {shown(given)}, and must be a pair of numbers a measure")


def _worlds(
    metadata: Mapping[bytes, bytes], shape: tuple[int, int], spread: dict[str, Any], path: Path
) -> tuple[Floats, Floats | None]:
    """Weight of each world, and means over queries in each."""
    weight = _doubles(metadata, _WEIGHT, 1, path)
    if weight is None:
        raise _damaged(path, "the weights of the worlds are missing")
    whole = len(weight) == 0 if spread["worlds"] == "subject" else _are_shares(weight)
    if not whole:
        raise _damaged(path, "the weights of the worlds do not add up to 1")
    means = _doubles(metadata, _MEANS, shape[0] * shape[1], path)
    if means is None:
        return weight, None
    if means.size != len(weight) * shape[0] * shape[1]:
        raise _damaged(path, "the means in each world are not as many as the worlds")
    return weight, means.reshape(len(weight), *shape)


def _within(metadata: Mapping[bytes, bytes], shape: tuple[int, int], path: Path) -> Floats | None:
    """Variances over worlds of differences in single queries; None if they are not there."""
    n_systems, n_measures = shape
    within = _doubles(metadata, _WITHIN, 1, path)
    if within is None:
        return None
    if within.size != n_measures * n_systems**2 or (within < 0).any():
        raise _damaged(path, "the variances over worlds are not one for each pair of systems")
    return within.reshape(n_measures, n_systems, n_systems)


def _are_shares(weight: Floats) -> bool:
    return len(weight) > 0 and bool((weight >= 0).all()) and abs(weight.sum() - 1) < 1e-6


def _doubles(metadata: Mapping[bytes, bytes], key: bytes, unit: int, path: Path) -> Floats | None:
    """Numbers saved as bytes, a multiple of `unit`; None if there are none."""
    if key not in metadata:
        return None
    if len(metadata[key]) % (8 * unit):
        raise _damaged(path, f"{key.decode()!r} is cut off")
    return np.frombuffer(metadata[key], dtype=_DOUBLE).astype(np.float64)


def _provenance(about: dict[str, Any], path: Path) -> Provenance | None:
    if "provenance" not in about:
        raise _damaged(path, "'provenance' is missing")
    if about["provenance"] is None:
        return None
    try:
        return Provenance.from_dict(_mapping(about["provenance"], "provenance", path))
    except DataError as error:
        if str(error).startswith(str(path)):
            raise
        raise _damaged(path, str(error)) from None


def _mapping(value: Any, name: str, path: Path) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise _damaged(path, f"{name!r} is {shown(value)}, not an object")


def _damaged(path: Path, what: str) -> DataError:
    return DataError(
        f"{path}: the metadata of these saved scores are damaged: {what}; save the scores again, "
        "or read the table alone with Scores.from_frame"
    )

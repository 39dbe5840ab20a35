"""Parsing JSON, with errors that name the place."""

from __future__ import annotations

import json
from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.ids import BOM


class _RepeatedKeyError(Exception):
    """An object has a key twice."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return unique


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)  # making one takes as long as a line


def parse_json(text: bytes, where: str, *, is_line: bool = False) -> Any:
    """The value of a JSON text; a `DataError` if it is none, or an object has a key twice.

    Errors count the lines of the text unless it `is_line`.
    """
    if text.lstrip().startswith(BOM.encode()):
        raise DataError(f"{where}: a byte-order mark (U+FEFF) is before the text; remove it")

    try:
        return _DECODER.decode(text.decode())
    except _RepeatedKeyError as error:
        key = shown(error.args[0])
        raise DataError(f"{where}: key {key} occurs twice in one object") from None
    except json.JSONDecodeError as error:
        place = "" if is_line else f"line {error.lineno}, "
        raise DataError(
            f"{where}, {place}character {error.colno}: is not JSON ({error.msg})"
        ) from None
    except UnicodeDecodeError as error:
        place = "" if is_line else f", line {len(text[: error.start + 1].splitlines())}"
        raise DataError(
            f"{where}{place}: byte 0x{text[error.start]:02x} is not UTF-8; convert the file to "
            "UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:  # endless digits, endless brackets
        raise DataError(f"{where}: is not JSON ({error})") from None

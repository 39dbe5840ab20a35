"""Parsing JSON, with errors that name the place."""

from __future__ import annotations

import json
from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.ids import BOM


def parse_json(text: bytes, where: str, *, is_line: bool = False) -> Any:
    """The value of a JSON text; a `DataError` if it is none, or an object has a key twice.

    Errors count the lines of the text unless it `is_line`.
    """
    if text.lstrip().startswith(BOM.encode()):
        raise DataError(f"{where}: a byte-order mark (U+FEFF) is before the text; remove it")

    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        unique = dict(pairs)
        if len(unique) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(f"{where}: key {shown(twice)} occurs twice in one object")
        return unique

    try:
        return json.loads(text.decode(), object_pairs_hook=unique_keys)
    except DataError:
        raise
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

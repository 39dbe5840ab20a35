"""Errors about nested records whose parts have other types than their format says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fuzzytruth.errors import DataError, FuzzytruthError


@contextmanager
def refuse_malformed(where: str, what: str) -> Iterator[None]:
    """Turn what Python raises about a missing key or a wrong type into a `DataError`.

    Examples
    --------
    >>> with refuse_malformed("a.json, record 2", "record of Argilla"):
    ...     {"responses": None}["responses"]["q"]
    Traceback (most recent call last):
    ...
    fuzzytruth.errors.DataError: a.json, record 2: malformed record of Argilla...
    """
    try:
        yield
    except FuzzytruthError:
        raise
    except (TypeError, LookupError, AttributeError, ValueError, OverflowError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise DataError(
            f"{where}: malformed {what} ({reason}); give the file as it was written"
        ) from None

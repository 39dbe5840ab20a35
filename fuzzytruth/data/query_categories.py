"""The categories that queries by example search for, as users give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fuzzytruth.core.validation import ROUNDED_SUM_TOLERANCE, numbers, shares
from fuzzytruth.errors import DataError, OptionError, shown
from fuzzytruth.io.columns import check_id

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy

#: a category, or the probability of each of several, by name
Category = str | Mapping[str, float]


def check_category(
    taxonomy: Taxonomy, category: Any
) -> tuple[str | dict[str, Category] | None, list[str]]:
    """The category for all queries or for each, and all names in it, which must be known."""
    if category is None:
        return None, []
    if isinstance(category, str):
        taxonomy.codes([category])
        return category, [category]
    if not isinstance(category, Mapping):
        raise OptionError(
            f"category={category!r}: give a category, a dict {{query: category}}, or nothing"
        )
    if not category:
        raise OptionError("category: the dict is empty")
    queries = _names(category, "query", "category")
    given = zip(queries, category.values(), strict=True)
    chosen = {query: _of_query(query, value) for query, value in given}
    names = [name for one in chosen.values() for name, _ in chances(one)]
    taxonomy.codes(names)
    return chosen, names


def _names(given: Mapping[Any, Any], what: str, where: str) -> list[str]:
    """The keys of a dict as ids, none of them twice."""
    names = [check_id(key, what, where) for key in given]
    if len(set(names)) < len(names):
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise DataError(f"{where}: {shown(twice)} is listed twice; remove one")
    return names


def _of_query(query: str, given: Any) -> Category:
    """One category, or probabilities above 0 that add up to 1, sorted by name."""
    where = f"category of query {shown(query)}"
    if not isinstance(given, Mapping):
        return check_id(given, "category", "category")
    if not given:
        raise OptionError(f"{where}: the dict is empty; give {{category: share}}")
    names = _names(given, "category", where)
    part = shares(
        where, numbers(where, list(given.values()), finite=True), tolerance=ROUNDED_SUM_TOLERANCE
    )
    kept = sorted((name, p) for name, p in zip(names, part.tolist(), strict=True) if p > 0)
    return kept[0][0] if len(kept) == 1 else dict(kept)


def chances(category: Category) -> list[tuple[str, float]]:
    """Each category that a query may search for, and its probability."""
    return [(category, 1.0)] if isinstance(category, str) else list(category.items())

"""Rows of a comparison as tables show them."""

from types import SimpleNamespace

import fuzzytruth as ft


def shown_pairs(result: ft.results.Comparison) -> list[SimpleNamespace]:
    """Each pair in the order in which its difference is positive; one-sided tests and baselines
    keep theirs.
    """
    kept = bool(result.conditions.baselines) or result.conditions.alternative != "two-sided"
    rows = []
    for given in result.table.to_dict("records"):
        row = SimpleNamespace(**given)
        if row.difference < 0 and not kept:
            row.system_a, row.system_b = row.system_b, row.system_a
            row.lower, row.upper = -row.upper, -row.lower
            row.difference = -row.difference
            row.wins, row.losses = row.losses, row.wins
        rows.append(row)
    return rows

"""`fuzzytruth measures`."""

import fuzzytruth as ft


def test_measures_lists_them_all(printed) -> None:
    out = printed("measures")
    first = {line.split()[0].split("[")[0].split("@")[0] for line in out.splitlines()[2:]}
    assert first == set(ft.measures.names())
    ap = next(line for line in out.splitlines() if line.startswith("AP[@k]"))
    assert " map, average_precision, mean_average_precision " in ap

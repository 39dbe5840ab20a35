from __future__ import annotations

from fuzzytruth.plots.drawing import looks


def test_looks_differ_in_colour_and_line_for_the_first_seven() -> None:
    first = looks(7)
    assert len({look.colour for look in first}) == len({look.marker for look in first}) == 7
    assert len({(look.colour, str(look.line)) for look in looks(42)}) == 42
    assert len({(look.colour, look.marker) for look in looks(56)}) == 56

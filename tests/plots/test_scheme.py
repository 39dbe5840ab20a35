"""The scheme of all figures: apart in grey and for colour-blind readers."""

from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from fuzzytruth.plots import scheme

FOLDER = Path(scheme.__file__).parent
#: Machado et al. (2009): what is seen without one kind of cones, of linear colours
BLIND = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602]],
}
LAST = {
    "protan": [-0.003882, -0.048116, 1.051998],
    "deutan": [-0.011820, 0.042940, 0.968881],
    "tritan": [0.004733, 0.691367, 0.303900],
}


def linear(colour: object) -> np.ndarray:
    parts = np.array(to_rgb(colour))  # type: ignore[arg-type]
    return np.where(parts > 0.04045, ((parts + 0.055) / 1.055) ** 2.4, parts / 12.92)


def lightness(colour: object) -> float:
    """CIE L*, which is what is left in grey."""
    y = float(linear(colour) @ [0.2126, 0.7152, 0.0722])
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of linear colours."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.clip(np.array(to_xyz) @ rgb, 0, None) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", BLIND)
def test_colours_are_apart_without_one_kind_of_cones(kind: str) -> None:
    seen = np.array([*BLIND[kind], LAST[kind]])
    places = [lab(seen @ linear(colour)) for colour in scheme.COLOURS]
    assert min(np.linalg.norm(a - b) for a, b in combinations(places, 2)) > 11


def test_the_first_colours_are_apart_in_grey_and_others_have_other_marks() -> None:
    greys = [lightness(colour) for colour in scheme.COLOURS[:3]]
    assert min(abs(a - b) for a, b in combinations(greys, 2)) > 14
    assert abs(lightness(scheme.MAIN) - lightness(scheme.OTHER)) > 14
    first = scheme.looks(7)
    assert len({look.marker for look in first}) == 7
    assert len({look.colour for look in first}) == 7
    every = scheme.looks(168)
    assert len({(look.colour, look.marker, str(look.line)) for look in every}) == 168


def test_maps_are_ordered_by_lightness() -> None:
    """Sequential from light to dark; diverging from white to dark at both ends, of two hues."""
    steps = np.linspace(0, 1, 65)
    light = [lightness(colour[:3]) for colour in mpl.colormaps[scheme.SEQUENTIAL](steps)]
    assert (np.diff(light) < 0).all()
    colours = mpl.colormaps[scheme.DIVERGING](steps)
    light = [lightness(colour[:3]) for colour in colours]
    assert max(light) == light[32] > 96
    assert (np.diff(light[:33]) > 0).all()
    assert (np.diff(light[32:]) < 0).all()
    assert colours[8, 0] > colours[8, 2]
    assert colours[-8, 0] < colours[-8, 2]


def test_ink_is_the_colour_of_more_contrast() -> None:
    for fill in (*scheme.COLOURS, "white", "0.5"):
        y = float(linear(fill) @ [0.2126, 0.7152, 0.0722])
        white, black = 1.05 / (y + 0.05), (y + 0.05) / 0.05
        if abs(white - black) > 0.2:
            assert scheme.ink(fill) == ("white" if white > black else "black")


def test_no_figure_has_a_colour_of_its_own() -> None:
    for path in FOLDER.glob("*_plot*.py"):
        text = path.read_text("utf-8")
        assert "#0" not in text
        assert not any(f'"tab:{name}' in text for name in ("blue", "orange"))
        assert 'cmap="' not in text

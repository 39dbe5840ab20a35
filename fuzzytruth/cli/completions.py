"""What the shell offers for the values of options."""

from __future__ import annotations

from contextlib import suppress

#: corrections of their own, then methods of statsmodels
CORRECTIONS = (
    "max-t",
    "sign-flips",
    "none",
    "bonferroni",
    "sidak",
    "holm",
    "holm-sidak",
    "simes-hochberg",
    "hommel",
    "fdr_bh",
    "fdr_by",
    "fdr_tsbh",
    "fdr_tsbky",
    "fdr_gbs",
)
AXES = ("query", "subject", "world")


def complete_measures(incomplete: str) -> list[str]:
    """Measures whose names start so; after a comma, of the last one.

    Examples
    --------
    >>> complete_measures("AP,nD")
    ['AP,nDCG', 'AP,nDCG@']
    """
    from fuzzytruth.measures import registry

    before, last = _parts(incomplete)
    names = [name for name in registry.names() if name.startswith(last)]
    return [before + typed for name in sorted(names, key=str.lower) for typed in _spelled(name)]


def _spelled(name: str) -> list[str]:
    """A measure as one may type it, without cut-off and with one, which may be left to the user."""
    from fuzzytruth.errors import MeasureError
    from fuzzytruth.measures import parse_measures, registry

    entry = registry.lookup(name)
    cutoff = "none" if entry is None else entry[0].cutoff_use
    spelled = []
    for text in {"required": [f"{name}@10"], "optional": [name], "none": [name]}[cutoff]:
        with suppress(MeasureError):  # it has parameters that have to be named
            parse_measures([text])
            spelled.append(text)
    return spelled if cutoff == "none" else [*spelled, f"{name}@"]


def complete_corrections(incomplete: str) -> list[str]:
    """Corrections whose names start so."""
    return [name for name in CORRECTIONS if name.startswith(incomplete)]


def complete_axes(incomplete: str) -> list[str]:
    """Axes that start so and are not named yet; after a comma, of the last one.

    Examples
    --------
    >>> complete_axes("query,")
    ['query,subject', 'query,world']
    """
    before, last = _parts(incomplete)
    named = before.split(",")
    return [before + axis for axis in AXES if axis.startswith(last) and axis not in named]


def _parts(incomplete: str) -> tuple[str, str]:
    """What is complete, up to the last comma, and what is not."""
    at = incomplete.rfind(",") + 1
    return incomplete[:at], incomplete[at:]

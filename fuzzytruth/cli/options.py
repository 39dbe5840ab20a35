"""Values of options as typed, and what the shell offers for them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import typer

from fuzzytruth.cli.inputs import split_measures

# What the shell offers for the values of options.


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


def axes_of(text: str) -> list[str]:
    """Axes as typed, separated by commas: ``query,subject``."""
    return [axis.strip() for axis in text.split(",")]


def number_or_auto(text: str | int) -> int | str:
    """A number of worlds as typed, or its default."""
    try:
        return text if text == "auto" else int(text)
    except ValueError:
        raise typer.BadParameter(f"must be a whole number or auto, not {text!r}") from None


def threshold_or_thresholds(text: str) -> float | dict[str, float]:
    """A threshold as typed, or one for each subject: ``3``, ``ann=3,bob=1``."""
    return _by_name(text, text.split(","), "subject", "ann=3,bob=1")


def margin_or_margins(text: str) -> float | dict[str, float]:
    """A margin as typed, or one for each measure.

    Examples
    --------
    >>> margin_or_margins(".01"), margin_or_margins("AP=.01,P(rel=2)@10=.02")
    (0.01, {'AP': 0.01, 'P(rel=2)@10': 0.02})
    """
    return _by_name(text, split_measures([text]), "measure", "AP=.01,P@10=.02")


def _by_name(text: str, parts: Iterable[str], named: str, example: str) -> float | dict[str, float]:
    """A number as typed, or one by each name."""

    def number(typed: str) -> float:
        try:
            return float(typed)
        except ValueError:
            raise typer.BadParameter(
                f"must be a number, or {example} for each {named}, not {typed!r}"
            ) from None

    if "=" not in text:
        return number(text)
    pairs = [part.rpartition("=") for part in parts]
    names = [name.strip() for name, _, _ in pairs]
    if not all(names) or len(set(names)) < len(names):
        raise typer.BadParameter(f"must name each {named} once, {example}, not {text!r}")
    return {name: number(value) for name, (_, _, value) in zip(names, pairs, strict=True)}

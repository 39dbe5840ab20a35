"""The catalogue of measures, written from their own declarations."""

from __future__ import annotations

import inspect
import math
import re
import sys
from pathlib import Path
from typing import Any

import fuzzytruth as ft
from fuzzytruth.measures import registry
from sphinx.application import Sphinx
from worked_example import INTENTS, LISTS, SOURCE, Worked, worked

#: included by reference/measures.md
PART = Path("reference") / "generated" / "catalogue.txt"
LISTS_NOTE = "The worked numbers compare the system's list with this one:"


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the catalogue before pages are read."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write(app: Sphinx) -> None:
    path, text = Path(app.srcdir) / PART, catalogue()
    path.parent.mkdir(exist_ok=True)
    if (
        not path.exists() or path.read_text("utf-8") != text
    ):  # else Sphinx reads it again
        path.write_text(text, encoding="utf-8")


def catalogue() -> str:
    """The example and all measures, in MyST Markdown."""
    families = _families()
    shown = {
        m.name: worked(_example(m))
        for family in families.values()
        for m in family
    }
    parts = [f"```python\n{SOURCE}```\n", _summary(families, shown)]
    for module, family in families.items():
        parts.append(_family_head(module))
        parts += [section(measure, shown[measure.name]) for measure in family]
    return "\n".join(parts)


def _families() -> dict[str, list[type[ft.measures.Measure]]]:
    """Measures of the library by module, in the order in which they were defined."""
    out: dict[str, list[type[ft.measures.Measure]]] = {}
    for name in registry.names():
        entry = registry.lookup(name)
        assert entry is not None
        out.setdefault(entry[0].__module__, []).append(entry[0])
    return dict(sorted(out.items(), key=lambda item: _title(item[0])))


def _title(module: str) -> str:
    """What stands before the colon, if any, in the first line of a module's docstring."""
    return _doc(module).partition("\n")[0].rstrip(".").partition(": ")[0]


def _doc(module: str) -> str:
    return inspect.cleandoc(sys.modules[module].__doc__ or "")


def _example(cls: type[ft.measures.Measure]) -> ft.measures.Measure:
    return ft.measures.parse_measure(cls.example or cls.name)


def _family_head(module: str) -> str:
    first, _, rest = (
        _doc(module).partition("References\n-----")[0].partition("\n")
    )
    after_colon = first.partition(": ")[2]
    text = (
        f"{after_colon[:1].upper()}{after_colon[1:]}\n\n{rest.strip()}".strip()
    )
    extra = ""
    if module.endswith(".diversity"):
        extra = f"The worked numbers are of these judgments:\n\n```python\n{INTENTS}```\n"
    elif module.endswith((".list_similarity", ".weighted_displacement")):
        extra = f"{LISTS_NOTE}\n\n```python\n{LISTS}```\n"
    return f"## {_title(module)}\n\n{_markdown(text)}\n\n{extra}"


def _summary(
    families: dict[str, list[type[ft.measures.Measure]]],
    shown: dict[str, Worked],
) -> str:
    rows = [
        f"| [{m.name}](#measure-{_anchor(m)}) | {m.meaning} | {_range(m)} | "
        f"{'higher' if m.higher_is_better else 'lower'} | {shown[m.name].exact or '–'} |"
        for m in sorted(
            (m for family in families.values() for m in family), key=_sorted_as
        )
    ]
    head = "| measure | meaning | range | better | under uncertain truth |\n|---|---|---|---|---|"
    return "\n".join(["## All measures\n", head, *rows, ""])


def _sorted_as(measure: type[ft.measures.Measure]) -> str:
    return measure.name.lower()


def _anchor(measure: type[ft.measures.Measure]) -> str:
    """Names differ in case only (R, r): anchors do not."""
    return measure.name.replace("_", "-").lower()


def section(measure: type[ft.measures.Measure], shown: Worked) -> str:
    """One measure: formula, docstring, and a table of its number and what its class declares."""
    doc = _markdown(inspect.cleandoc(measure.__doc__ or ""))
    facts = "\n".join(
        f"| {name} | {text} |" for name, text in _facts(measure, shown) if text
    )
    return "\n\n".join(
        (
            f"(measure-{_anchor(measure)})=\n### {measure.name}",
            f"$$\n{measure.formula}\n$$",
            doc,
            f"| Example | {_numbers(shown)} |\n|---|---|\n{facts}\n",
        )
    )


def _facts(
    measure: type[ft.measures.Measure], shown: Worked
) -> list[tuple[str, str]]:
    shared = ft.measures.Measure.parameters()
    own = {
        name: value
        for name, value in measure.parameters().items()
        if name not in shared
    }
    better = "higher" if measure.higher_is_better else "lower"
    bounded = measure.bounds is not ft.measures.Measure.bounds
    return [
        (
            "Other names",
            ", ".join(
                f"`{name}`" for name in registry.spellings_of(measure.name)
            ),
        ),
        (
            "Parameters",
            ", ".join(f"`{name}={value}`" for name, value in own.items()),
        ),
        ("Cut-off", measure.cutoff_use),
        ("Range", f"{_range(measure)}; {better} is better"),
        ("Without relevant items", _undefined(measure)),
        (
            "Tied scores",
            '`ties="expected"` is possible' if measure.expects_ties else "",
        ),
        (
            "Unjudged items",
            '`unjudged="bounds"` is possible' if bounded else "",
        ),
        ("Uncertain truth", shown.exact),
        ("Reference", measure.reference),
        ("Class", f"{{py:obj}}`fuzzytruth.measures.{measure.__name__}`"),
    ]


def _undefined(measure: type[ft.measures.Measure]) -> str:
    if not measure.needs_relevant:
        return ""
    return f'{measure.empty:g}, or left out with `undefined="exclude"`'


def _range(measure: type[ft.measures.Measure]) -> str:
    low, high = (
        f"{end:g}" if math.isfinite(end) else "∞" for end in measure.range
    )
    return f"{'−∞' if low == '∞' else low} to {high}"


def _numbers(shown: Worked) -> str:
    text = f"`{shown.measure}` = {shown.value:.4g}"
    if shown.votes is None:
        return text
    mean, std = shown.votes
    return f"{text}; under three people's votes {mean:.4g}, standard deviation {std:.4g}"


def _markdown(text: str) -> str:
    """A docstring as Markdown: names in double backticks become code, as single ones are."""
    return re.sub(r"``(.+?)``", r"`\1`", text)

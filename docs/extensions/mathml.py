"""Formulas as MathML, which browsers draw by themselves: no script, no fonts, no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def setup(app: Sphinx) -> dict[str, Any]:
    """Make MathML the renderer of formulas."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def converted(tex: str, *, as_block: bool) -> str:
    """MathML of a formula in LaTeX; an error, which ends the build, if it cannot be read."""
    try:
        text: str = tex2mathml(tex, as_block=as_block)
    except MathError as error:
        raise ExtensionError(f"formula {tex!r}: {error}") from error
    return text


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(converted(node.astext(), as_block=False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    formula = converted(node.astext(), as_block=True)
    translator.body.append(translator.starttag(node, "div", CLASS="formula"))
    translator.body.append(f"{formula}</div>\n")
    raise nodes.SkipNode

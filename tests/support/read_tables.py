"""Tables of printed results, LaTeX, Markdown and HTML, read back: a dict a row, by heading."""

import html
import re
from unicodedata import east_asian_width

_RULE = re.compile(r"[─-]{4,}")
_LATEX = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\char34{}": '"',
    r"\char96{}": "`",
    **{"\\" + sign: sign for sign in "&%$#_{}"},
    "{}": "",
    "{[}": "[",
    "{*}": "*",
}
_IN_LATEX = re.compile("|".join(map(re.escape, sorted(_LATEX, key=len, reverse=True))))


def printed_tables(text: str) -> list[list[dict[str, str]]]:
    """Tables of a printed result, in which no name is folded and none has two spaces in a row."""
    lines = ["".join(c + "\0" * (east_asian_width(c) in "WF") for c in x) for x in text.split("\n")]
    tables = []
    for number, line in enumerate(lines):
        if _RULE.fullmatch(line):
            end = next((j for j in range(number, len(lines)) if not lines[j]), len(lines))
            tables.append(_by_blanks(lines[number - 1], lines[number + 1 : end]))
    return tables


def _by_blanks(heading: str, rows: list[str]) -> list[dict[str, str]]:
    """Cells of lines whose columns have two or more blanks between them."""
    width = max(map(len, (heading, *rows)))
    lines = [line.ljust(width) for line in (heading, *rows)]
    blank = "".join(" " if {line[j] for line in lines} == {" "} else "x" for j in range(width))
    starts = [0, *(gap.end() for gap in re.finditer(" {2,}", blank) if 0 < gap.end() < width)]
    ends = [*starts[1:], width]
    cells = [
        [line[a:b].replace("\0", "").strip() for a, b in zip(starts, ends, strict=True)]
        for line in lines
    ]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]


def latex_rows(text: str) -> list[dict[str, str]]:
    """Rows of a table in LaTeX, bold cells as others."""
    body = text.partition("\\toprule\n")[2].partition("\\bottomrule")[0]
    lines = [line for line in body.splitlines() if line.endswith(r" \\")]
    cells = [
        [_of_latex(cell) for cell in re.split(r"(?<!\\)&", line.removesuffix(r" \\"))]
        for line in lines
    ]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]


def _of_latex(cell: str) -> str:
    text = cell.strip()
    bold = re.fullmatch(r"\\textbf\{(.*)\}", text)
    text = bold[1] if bold else text
    text = re.sub(r"(?<!\\)\$(.*?)(?<!\\)\$", lambda math: _of_math(math[1]), text)
    return _IN_LATEX.sub(lambda found: _LATEX[found[0]], text)


def _of_math(code: str) -> str:
    letters = re.fullmatch(r"\^\{([a-z,]+)\}", code)
    if letters:
        return " " + letters[1]
    return code.replace("^{*}", "*").replace(r"\infty", "inf")


def markdown_rows(text: str) -> list[dict[str, str]]:
    """Rows of a table in Markdown; letters of systems stand after a space."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [
        [_of_markdown(cell) for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]]
        for line in (lines[0], *lines[2:])
    ]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]


def _of_markdown(cell: str) -> str:
    text = cell.strip()
    if text.startswith("**"):
        text = text.removeprefix("**").removesuffix("**")
    text = re.sub(r"<sup>(.*?)</sup>", r" \1", text)
    return html.unescape(re.sub(r"\\(.)", r"\1", text))


def html_tables(text: str) -> list[list[dict[str, str]]]:
    """Tables of the HTML of a notebook."""
    tables = []
    for table in re.findall(r"<table>(.*?)</table>", text, re.DOTALL):
        cells = [
            [
                html.unescape(re.sub(r"</?strong>", "", cell))
                for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
            ]
            for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
        ]
        tables.append([dict(zip(cells[0], row, strict=True)) for row in cells[1:]])
    return tables


def name_of(text: str) -> str:
    """A name whose control characters are shown as escapes, and that has no other backslash."""
    units = text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    return units.encode("utf-16", "surrogatepass").decode("utf-16")


def numbers(cell: str) -> tuple[float, ...]:
    """The numbers of a cell, such as value, lower and upper."""
    return tuple(map(float, re.findall(r"[-+]?(?:\d+\.?\d*|inf)", cell)))

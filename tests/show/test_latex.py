"""LaTeX tables, to the letter."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.errors import OptionError
from fuzzytruth.show.answer import Column, Table
from fuzzytruth.show.latex import Raw, check_paper_options, escape, latex_table, of_table


def body(text: str) -> list[str]:
    """Lines between the first and the last rule."""
    lines = text.splitlines()
    return lines[lines.index(r"\toprule") + 1 : lines.index(r"\bottomrule")]


def test_table_with_raw_cells() -> None:
    frame = pd.DataFrame(
        [["a", "run_1 & co", Raw("0.1000")], ["b", "50%", Raw("0.1234$^{a}$")]],
        columns=["", "system", "P(rel=2)@10"],
    )
    text = latex_table(frame, caption="Level 95 %, run_1.", label="tab:comparison", align="lll")
    assert text == (
        "\\begin{table}[t]\n\\centering\n\\caption{Level 95 \\%, run\\_1.}\n"
        "\\label{tab:comparison}\n\\begin{tabular}{lll}\n\\toprule\n"
        " & system & P(rel=2)@10 \\\\\n\\midrule\n"
        "a & run\\_1 \\& co & 0.1000 \\\\\nb & 50\\% & 0.1234$^{a}$ \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def test_numbers_bold_and_missing() -> None:
    frame = pd.DataFrame({"": ["a_b", "q2", "c"], "A_P": [0.75, np.nan, 1 / 3], "n": [1, 2, 3]})
    bold = np.array([[False, True, False], [False] * 3, [False, False, True]])
    text = latex_table(frame, caption=Raw(r"Holds 95\,\%."), bold=bold)
    assert "\\caption{Holds 95\\,\\%.}\n\\begin{tabular}{lrr}\n" in text
    assert body(text) == [
        r" & A\_P & n \\",
        r"\midrule",
        r"a\_b & \textbf{0.7500} & 1 \\",
        r"q2 & -- & 2 \\",
        r"c & 0.3333 & \textbf{3} \\",
    ]
    values = pd.DataFrame({"x": pd.Series([None, pd.NA, np.nan, "a"], dtype=object)})
    lines = body(latex_table(values, caption=""))
    assert lines[2:] == [r"-- \\", r"-- \\", r"-- \\", r"a \\"]


@pytest.mark.parametrize(
    ("given", "escaped"),
    [
        ("\\~^", r"\textbackslash{}\textasciitilde{}\textasciicircum{}"),
        ("&%$#_{}", r"\&\%\$\#\_\{\}"),
        ("a\\ b", r"a\textbackslash{} b"),
        ("é – plain [x] *", "é – plain [x] *"),
        ("<a> |", r"\textless{}a\textgreater{} \textbar{}"),
        ('"b" `c`', r"\char34{}b\char34{} \char96{}c\char96{}"),
        ("a--b---c ,, ''", "a-{}-b-{}-{}-c ,{}, '{}'"),
        ("a\n\nb\x1b", r"a\textbackslash{}n\textbackslash{}nb\textbackslash{}x1b"),
    ],
)
def test_escape_everywhere(given: str, escaped: str) -> None:
    assert escape(given) == escaped
    text = latex_table(pd.DataFrame([[given]], columns=[given]), caption=given)
    assert f"\\caption{{{escaped}}}" in text
    assert body(text) == [f"{escaped} \\\\", "\\midrule", f"{escaped} \\\\"]


def test_a_printed_table() -> None:
    columns = (Column.label("sys_tem", ["a&"]), Column("AP", ("-0.5 [-inf, –]",), bold=(True,)))
    text = of_table(Table(columns, "left out"), caption="50%", label="tab:x")
    assert "\\caption{50\\%}\n\\label{tab:x}\n\\begin{tabular}{lr}\n" in text
    assert body(text) == [
        r"sys\_tem & AP \\",
        r"\midrule",
        r"a\& & \textbf{$-$0.5 [$-\infty$, --]} \\",
    ]


PRINTED = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\char34{}": '"',
    r"\char96{}": "`",
    **{f"\\{character}": character for character in "&%$#_{}"},
    "{}": "",
    "{[}": "[",
    "{*}": "*",
}
TOKEN = re.compile("|".join(map(re.escape, PRINTED)) + r"|[^\\&%$#_{}~^]", re.DOTALL)


def printed(code: str) -> str:
    """What LaTeX prints of a cell; the code must consist of known tokens alone."""
    tokens = TOKEN.findall(code)
    assert "".join(tokens) == code, code
    return "".join(PRINTED.get(token, token) for token in tokens)


def test_any_names_are_printed_as_they_are() -> None:
    """As LaTeX reads a table: rows end with a double backslash, cells with an ampersand."""
    rng = np.random.default_rng(7)
    letters = list("\\~^&%$#_{}<>|\"`[]*-,'ab é\n\r\t\x1b")
    escapes = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\x1b": r"\x1b"}
    for _ in range(60):
        names = ["".join(rng.choice(letters, rng.integers(1, 8))) for _ in range(6)]
        frame = pd.DataFrame([names[2:4], names[4:]], columns=names[:2])
        lines = body(latex_table(frame, caption=""))
        rows = [lines[0], *lines[2:]]
        assert all(row.endswith(r" \\") for row in rows)
        assert not any(row.lstrip(" ").startswith(("[", "*")) for row in rows)
        cells = [re.split(r"(?<!\\)& ", row.removesuffix(r" \\")) for row in rows]
        shown = [printed(cell).strip(" ") for row in cells for cell in row]
        wanted = ["".join(escapes.get(c, c) for c in name).strip(" ") for name in names]
        assert shown == wanted
        assert not re.search(r"--|,,|''|[<>|\"`]", "".join(rows))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"digits": 101}, "digits=101: must be 100 or less"),
        ({"digits": -1}, "digits=-1: must be 0 or more"),
        ({"caption": 3}, "caption=3: must be a text"),
        ({"label": None}, "label=None: must be a text"),
        ({"bold": "yes"}, "bold='yes': must be True or False"),
    ],
)
def test_wrong_options_of_papers_are_named(wrong: dict[str, Any], message: str) -> None:
    right: dict[str, Any] = {"digits": 100, "caption": None, "bold": True, "label": ""}
    check_paper_options(**right)
    check_paper_options(digits=0, caption="x", bold=False, label="y")
    with pytest.raises(OptionError, match=f"^{message}$"):
        check_paper_options(**right | wrong)

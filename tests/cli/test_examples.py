"""Every example in the help of a command runs as printed."""

import itertools
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.command_line import COMMANDS, TREE
from support.example_files import write_example_files
from support.forms_of_words import of_another_form, texts_of_page

from fuzzytruth.comparison import comparison_report

#: votes for categories of a small taxonomy
CAST = "ann,fig1,crowd\nbob,fig1,people\nann,fig2,city\nbob,fig2,scenery\n"
NAMES = ("people", "crowd", "scenery", "city")


def examples(command: str) -> list[str]:
    """The commands in an epilog, each on one line."""
    joined = re.sub(r" *\\\n *", " ", COMMANDS[command].epilog or "")
    return re.findall(r"^  (fuzzytruth .*)$", joined, re.MULTILINE)


def panel(people: str, seed: int, n_items: int = 24) -> pd.DataFrame:
    """Grades from 0 to 3 of items by several people, who often agree."""
    rng = np.random.default_rng(seed)
    base = np.random.default_rng(0).integers(0, 4, n_items)
    rows = [
        (f"q{1 + j % 4}", f"d{j}", who, grade if rng.random() < 0.7 else rng.integers(0, 4))
        for who in people.split()
        for j, grade in enumerate(base)
    ]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


def run_of_panel(seed: int) -> str:
    """Six items for each of four queries of `panel`."""
    rng = np.random.default_rng(seed)
    items = [(q, j) for q in range(4) for j in range(24) if j % 4 == q]
    return "".join(f"q{q + 1} Q0 d{j} 1 {rng.random():.4f} x\n" for q, j in items)


def files_of(command: str, example: str) -> dict[str, str | pd.DataFrame]:
    """What a command means by some names, beside the example files of all."""
    if command == "membership":
        heading = "who,item,kind\n" if " --columns " in example else "subject,item,category\n"
        columns = ["subject", "item", "category"]
        yes = pd.DataFrame([line.split(",") for line in CAST.split()], columns=columns)
        asked = [(s, i, c) for s in ("ann", "bob") for i in ("fig1", "fig2") for c in TREE.split()]
        return {
            "tree.txt": TREE,
            "votes.csv": heading + CAST,
            "yes.parquet": yes,
            "asked.parquet": pd.DataFrame(asked, columns=columns),
            "edges.csv": "parent,child\nall,people\nall,scenery\npeople,crowd\nscenery,city\n",
        }
    if command == "agreement":
        labels = f"subject,item,category\n{CAST}"
        return {"qrels.csv": panel("ann bob", 1), "labels.csv": labels, "tree.txt": TREE}
    if command in ("crowd", "reliability") or (
        command == "annotate-next" and "--limit 50" in example
    ):
        votes = panel("ann bob eve gpt", 2)
        some = votes[np.arange(len(votes)) % 5 > 0]
        labels = some.assign(category=[NAMES[g] for g in some["grade"]])
        experts = votes[votes["subject"] == "ann"][["query", "item", "grade"]]
        return {
            "votes.csv": some,
            "experts.csv": experts,
            "kinds.csv": labels[["subject", "item", "category"]],
        }
    if command in ("gate", "plan", "annotate-next", "analyse"):
        votes = panel("ann bob eve", 2)
        qrels = votes[votes["subject"] == "ann"]
        rng = np.random.default_rng(5)
        scores = [
            (name, f"q{j}", f"t{j % 5}", rng.random() / 2 + k / 8)
            for k, name in enumerate(["a", "bm25", "dense"])
            for j in range(20)
        ]
        names = ("a", "b", "old", "new", "main", "branch", "bm25", "dense")
        runs = {f"{name}.run": run_of_panel(seed) for seed, name in enumerate(names)}
        return {
            **runs,
            **{f"runs/{name}": runs[name] for name in ("bm25.run", "dense.run")},
            "shape.run": "i1 Q0 i2 1 1.0 x\ni2 Q0 i3 1 1.0 x\ni2 Q0 i1 2 .5 x\n",
            "classes2.csv": "item,category\ni1,scenery\ni2,people\n",
            "votes.csv": votes,
            "qrels.txt": "".join(f"{q} 0 {i} {g}\n" for q, i, _, g in qrels.to_numpy()),
            "scores.csv": pd.DataFrame(scores, columns=["system", "query", "topic", "value"]),
        }
    if command == "compare" and "nq=" in example:
        rng = np.random.default_rng(6)
        frames = [
            pd.DataFrame(
                {"system": list("ab") * 9, "query": np.arange(18) // 2, "value": rng.random(18)}
            )
            for _ in range(3)
        ]
        return dict(zip(("nq.parquet", "fiqa.parquet", "trec.csv"), frames, strict=True))
    if command == "displacement":
        lists, run = Path("lists.csv").read_text(), Path("a.run").read_text()
        return {"readers.csv": lists, "runs/d.run": run}
    if command == "judges":
        people, models = panel("ann bob eve", 3, 60), panel("gpt llama", 4, 60)
        if "--taxonomy" in example:
            people, models = (
                votes.assign(category=[NAMES[g] for g in votes["grade"]])[
                    ["subject", "item", "category"]
                ]
                for votes in (people, models)
            )
        own = {f"{name}.csv": rows for name, rows in models.groupby("subject")}
        return {"people.csv": people, "models.csv": models, "tree.txt": TREE, **own}
    if command == "convert":
        runs = "system,query,item,score\na,q1,d1,1\nb,q1,d1,2\n"
        return {"runs.csv": runs, "export.csv": "topic_no,item,grade\nq1,d1,yes\nq1,d2,na\n"}
    return {}


def write(name: str, content: str | pd.DataFrame) -> None:
    if isinstance(content, str):
        Path(name).write_text(content)
    elif name.endswith(".parquet"):
        content.to_parquet(name)
    else:
        content.to_csv(name, index=False)


def contents() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def texts_for_people(words: list[str], out: str) -> list[str]:
    """What a line printed, and what it wrote, but for programs; and for measures, as typed."""
    of_programs = {"csv", "json", "--json"} & {*words} or words[1] in ("demo", "measures")
    texts = [] if of_programs else [out]
    for flag, path in itertools.pairwise(words):
        if flag == "-o" and path.endswith((".tex", ".html")):
            text = Path(path).read_text()
            texts += texts_of_page(text) if path.endswith(".html") else [text]
    return texts


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_run(command: str, run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_report, "MOST_BARS", 0)  # figures take most of the time
    assert COMMANDS[command].epilog.startswith("\b\nExamples")
    lines = examples(command)
    assert any(f"fuzzytruth {command}" in line for line in lines)
    on_samples = any("demo" in line for line in lines)
    assert on_samples == (command not in ("image-text", "measures", "membership", "communities"))
    write_example_files(folder)
    for line in lines:
        if line == "fuzzytruth demo":  # of test_demo
            continue
        for name, content in files_of(command, line).items():
            write(name, content)
        before = contents()
        status, out, err = run(line.removeprefix("fuzzytruth"))
        assert status in ((0, 3, 4) if " gate " in line else (0,)), err
        after = contents()
        changed = {name for name, text in after.items() if before.get(name) != text}
        assert out.strip() or changed
        words = shlex.split(line)
        assert not of_another_form([*texts_for_people(words, out), *err.split("\n")], words[1])
        for flag in {"-o", "--save", "--figure"} & {*words}:
            assert words[words.index(flag) + 1] in changed
        if not ({"--format", "--json"} & {*words} or words[1] in ("measures", "gate")):
            assert max(map(len, out.splitlines()), default=0) <= 80

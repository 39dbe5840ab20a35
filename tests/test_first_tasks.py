"""Five tasks of a newcomer: what is typed is on README, the site and the task's page, and works.

`tests/first_tasks` has what was typed; the files are as other tools and people write them.
"""

import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.pages import public_pages

from fuzzytruth.cli.app import main

HOME = Path(__file__).parent.parent
TYPED = HOME / "tests" / "first_tasks"
FRONT = ("README.md", "docs/index.md")
CATEGORIES = {"bear": "animal", "dog": "animal", "car": "vehicle", "truck": "vehicle"}
RNG = np.random.default_rng


def write_tree_with_votes() -> None:
    """Six people's and two systems' categories for 36 images, and the tree."""
    rng, names = RNG(0), list(CATEGORIES)
    groups = dict.fromkeys(CATEGORIES.values())
    edges = [("all", group) for group in groups] + [(p, c) for c, p in CATEGORIES.items()]
    write_table("tree.csv", "parent,child", edges)
    images = {f"{name}{n}": name for name in names for n in range(1, 10)}

    def said(who: list[str], right: list[float]) -> list[tuple[str, str, str]]:
        return [
            (person, image, name if rng.random() < share else names[rng.integers(4)])
            for person, share in zip(who, right, strict=True)
            for image, name in images.items()
        ]

    people = [f"person-{n}" for n in range(1, 7)]
    write_table("votes.csv", "subject,item,category", said(people, [0.8] * 6))
    write_table("answers.csv", "system,item,category", said(["large", "small"], [0.9, 0.3]))


def write_several_judges() -> None:
    """Three people's qrels of 30 queries, with some pairs skipped, and two runs."""
    rng, relevance = RNG(1), RNG(2).random((30, 12))
    Path("qrels").mkdir()
    for who in ("ann", "bob", "eve"):
        grades = (relevance + rng.normal(0, 0.2, relevance.shape) > 0.6).astype(int)
        write_qrels(f"qrels/{who}.txt", grades, judged=rng.random(relevance.shape) < 0.95)
    Path("runs").mkdir()
    for name, noise in {"bm25": 0.6, "dense": 0.1}.items():
        write_run(f"runs/{name}.run", relevance + rng.normal(0, noise, relevance.shape))


def write_votes_alone() -> None:
    """Five workers' labels of 30 items."""
    rng, labels = RNG(3), ["cat", "dog", "fox"]
    rows = [
        (f"w{worker}", f"item{n}", labels[n % 3 if rng.random() < 0.7 else rng.integers(3)])
        for n in range(30)
        for worker in range(1, 6)
    ]
    write_table("votes.csv", "worker,item,label", rows)


def write_two_runs(*names: str) -> None:
    """Qrels of 50 queries by one person, and two runs of which the second is better."""
    rng, relevance = RNG(4), RNG(5).random((50, 12))
    write_qrels("qrels.txt", (relevance > 0.6).astype(int), judged=relevance >= 0)
    for name, noise in zip(names, (0.4, 0.2), strict=True):
        write_run(f"{name}.run", relevance + rng.normal(0, noise, relevance.shape))


def write_table(path: str, header: str, rows: list[tuple[str, ...]]) -> None:
    """Write a CSV file."""
    Path(path).write_text("\n".join([header, *map(",".join, rows)]) + "\n")


def write_qrels(path: str, grades: np.ndarray, judged: np.ndarray) -> None:
    """Write TREC judgments, (queries, items)."""
    lines = [f"q{q} 0 d{d} {grades[q, d]}\n" for q, d in np.argwhere(judged)]
    Path(path).write_text("".join(lines))


def write_run(path: str, scores: np.ndarray) -> None:
    """Write a TREC run, (queries, items)."""
    lines = [
        f"q{q} Q0 d{d} {rank} {row[d]:.4f} tag\n"
        for q, row in enumerate(scores)
        for rank, d in enumerate(np.argsort(-row), 1)
    ]
    Path(path).write_text("".join(lines))


#: task -> its page, what writes the files of a newcomer, what is printed, what is written
TASKS: dict[str, tuple[str, Callable[[], None], list[str], list[str]]] = {
    "tree_with_votes": (
        "docs/guide/categories.md",
        write_tree_with_votes,
        ["animal 0.833", "large is significantly better than small on P@5"],
        ["santini.html"],
    ),
    "several_judges": (
        "docs/guide/several_annotators.md",
        write_several_judges,
        ["dense is significantly better than bm25 on nDCG@10 over queries", "3 subjects"],
        ["report.html"],
    ),
    "votes_alone": (
        "docs/howto/votes_and_no_systems.md",
        write_votes_alone,
        ["5 subjects, 30 items, 150 votes", "Krippendorff's alpha"],
        ["crowd.html"],
    ),
    "gate": (
        "docs/guide/gate.md",
        lambda: write_two_runs("main", "branch"),
        ["passed: new is not worse than old by 0.02 or more on AP over 50 queries"],
        [],
    ),
    "figure": (
        "docs/guide/figures.md",
        lambda: write_two_runs("a", "b"),
        ["b is significantly better than a on AP"],
        ["differences.pdf"],
    ),
}


def commands(text: str) -> list[str]:
    """Lines that were typed, each with single blanks."""
    return [" ".join(line.split()) for line in text.replace("\\\n", " ").splitlines() if line]


def status_of(arguments: list[str]) -> int | str:
    """Exit status of a command."""
    try:
        main(arguments)
    except SystemExit as stop:
        return stop.code or 0
    return 0


def test_every_task_is_typed() -> None:
    assert {path.stem for path in TYPED.iterdir()} == TASKS.keys()


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_task_is_done_by_what_is_typed(
    task: str, as_printed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, write_files, printed, written = TASKS[task]
    typed = commands((TYPED / f"{task}.sh").read_text("utf-8"))
    assert 1 <= len(typed) <= 2
    for shown in (page, *FRONT):
        text = " ".join((HOME / shown).read_text("utf-8").replace("\\\n", " ").split())
        assert [line for line in typed if line not in text] == [], shown
    write_files()
    for line in typed:
        program, *arguments = shlex.split(line)
        assert program == "fuzzytruth"
        assert status_of(arguments) == 0, line
    out, err = capsys.readouterr()
    assert "error" not in err
    said = " ".join(out.split())
    assert [text for text in printed if text not in said] == []
    assert [name for name in written if not (as_printed / name).stat().st_size > 2_000] == []


@pytest.mark.usefixtures("as_printed")
def test_a_figure_takes_four_lines_of_python() -> None:
    code = (TYPED / "figure.py").read_text("utf-8")
    assert len([line for line in code.splitlines() if line]) <= 5
    assert code in (HOME / "docs/guide/figures.md").read_text("utf-8")
    write_two_runs("a", "b")
    exec(compile(code, "figure.py", "exec"), {})
    assert Path("differences.pdf").read_bytes().startswith(b"%PDF")


def test_code_and_output_fit_the_box_of_the_site() -> None:
    """79 columns of code, 80 of output."""
    wide = []
    for page in public_pages(HOME)[1:]:
        language = None
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            if line.startswith("```"):
                language = line[3:] if language is None else None
            elif language in ("python", "sh", "console", "text"):
                is_code = language in ("python", "sh") or line.startswith("$ ")
                if len(line) > 80 - is_code:
                    wide.append(f"{page.relative_to(HOME)}:{number}: {len(line)}")
    assert wide == []

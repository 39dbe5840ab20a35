"""Small files with the names that examples in help and README use."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

RUN = "q1 Q0 d1 1 2.5 {0}\nq1 Q0 d2 2 1.5 {0}\nq2 Q0 d3 1 1.0 {0}\n"
LISTS = "query,subject,item,grade\nq1,ann,d1,1.0\nq1,ann,d7,0.5\nq2,ann,d3,1.0\n"
LABELS = "subject,item,category\ns,i1,people\ns,i2,people\nt,i1,people\nt,i2,scenery\n"
SEEDS = "system,seed,query,value\nbm25,1,q1,.5\nbm25,1,q2,.3\nbm25,1,q3,.4\n" + "".join(
    f"dpr,{seed},q{q},.{q + seed}\n" for seed in (1, 2, 3) for q in (1, 2, 3)
)


def write_example_files(folder: Path) -> None:
    """Write all of them."""
    (folder / "runs").mkdir()
    texts = {
        "qrels.txt": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n",
        **dict.fromkeys(("a.qrels", "b.qrels"), "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"),
        "votes.csv": "query,item,subject,grade\nq1,d1,ann,3\nq1,d1,bob,0\n",
        "groups.csv": "subject,group\nann,x\nbob,y\n",
        "lists.csv": LISTS,
        "tree.txt": "all\n  people\n  scenery\n",
        "labels.csv": LABELS,
        "like.run": "i1 Q0 i2 1 1.0 like\ni2 Q0 i1 1 1.0 like\n",
        "seeds.csv": SEEDS,
        "scores.csv": "system,query,topic,value\na,q1,t,1\na,q2,u,0\nb,q1,t,0\nb,q2,u,0\n",
    }
    texts |= {f"{name}.run": RUN.format(name) for name in ("a", "b", "x", "y")}
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "runs" / "c.run.gz").write_bytes(gzip.compress(RUN.format("c").encode()))
    write_matrices(folder)
    write_tables(folder)


def write_tables(folder: Path) -> None:
    """Tables with columns of their own, labels of a classifier, and logs of two models."""
    tables = {
        "export.csv": "topic_no,item,who,grade\nq1,d1,ann,1\nq1,d1,bob,na\nq2,d3,bob,1\n",
        "panel.csv": "query,item,subject,grade\n"
        + "".join(
            f"q{1 + j % 4},d{j},{who},{(j * (k + 2) + k) % 3}\n"
            for j in range(1, 25)
            for k, who in enumerate(["ann", "bob", "gpt", "llama"])
        ),
        "crowd.csv": "query,item,subject,grade\n"
        + "".join(
            f"q1,d{j},{who},{(j * (k + 2) + k) % 2}\n"
            for j in range(24)
            for k, who in enumerate(["ann", "bob", "cat", "dan"])
            if (j + k) % 4
        ),
        "teams.csv": "subject,group\nann,x\nbob,x\ngpt,y\nllama,y\n",
        "people.csv": "query,item,subject,grade\n" + "".join(_people(labels=False)),
        "schools.csv": "subject,item,category\n" + "".join(_people(labels=True)),
        "wide.csv": "query,item,ann,bob\nq1,d1,1,0\nq2,d3,1,1\n",
        "a.csv": "query,item,cosine\nq1,d1,0.9\nq1,d2,0.8\nq2,d3,0.7\n",
        "classes.csv": "item,category\ni1,people\ni2,scenery\n",
        "means.csv": "topic,bm25,dense\n1,0.5,0.6\n2,0.1,0.3\n3,0.4,0.3\n",
        "old.jsonl": '{"doc_id": 0, "resps": [], "acc": 1}\n{"doc_id": 1, "resps": [], "acc": 0}\n',
        "new.jsonl": '{"doc_id": 0, "resps": [], "acc": 1}\n{"doc_id": 1, "resps": [], "acc": 1}\n',
    }
    for name, text in tables.items():
        (folder / name).write_text(text)


def _people(*, labels: bool) -> Iterator[str]:
    """Rows of two teams of four who want different items, as grades or as labels."""
    for who in (f"{team}{k}" for team in "xy" for k in range(4)):
        for j in range(120):
            grade = (j * (7 if who[0] == "y" else 3) // 2 + (j == int(who[1]))) % 4
            label = ("people", "scenery")[grade > 1]
            yield f"{who},d{j},{label}\n" if labels else f"q{j % 8 // 2},d{j},{who},{grade}\n"


def write_matrices(folder: Path) -> None:
    """Distances between three models, and similarities of two images and ten texts."""
    (folder / "test.cla").write_text("PSB 1\n1 3\n\ndog 0 3\nm1\nm2\nm3\n")
    near = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    np.save(folder / "d2.npy", near)
    np.savetxt(folder / "shd.txt", near)
    np.save(folder / "sim.npy", -near[:2])
    np.save(folder / "soft.npy", [[0.7, 0.3], [0.2, 0.8]])
    np.save(folder / "net.npy", [[0.9, 0.1], [0.6, 0.4]])
    (folder / "queries.txt").write_text("q1\nq2\n")
    (folder / "items.txt").write_text("d1\nd2\nd3\n")
    similar = np.repeat(np.eye(12), 5, axis=1) + np.arange(12)[:, None] / 9
    for name in ("clip", "vse"):
        np.save(folder / f"{name}.npy", similar)
    np.savetxt(folder / "clip.csv", similar, delimiter=",")
    (folder / "images.txt").write_text("\n".join(str(j // 5) for j in range(60)))

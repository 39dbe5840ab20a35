"""Small files, frames and truths that mistakes are made with."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

import fuzzytruth as ft

EYE = np.array([[1.0, 0.2, 0.1], [0.2, 1.0, 0.3], [0.1, 0.3, 1.0]])
TRUTH = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d3": 0}}
RUNS = {"sys": {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d3": 1.0}}}
TWO = RUNS | {"y": {"q1": {"d2": 2.0}, "q2": {"d3": 1.0}}}
ITEM_RUN = {"sys": {"i1": ["i2", "i3"], "i2": ["i3", "i1"], "i3": ["i2", "i1"]}}
COUNTS = pd.DataFrame({"query": "q1", "item": ["d1", "d2"], "grade": [1, 0], "count": [3, 2]})


def frame(columns: str, *rows: tuple) -> pd.DataFrame:
    index = [f"r{row}" for row in range(1, len(rows) + 1)]
    return pd.DataFrame(list(rows), columns=columns.split(), index=index)


TREE = ft.Taxonomy.from_children(
    {"all": ["people", "scenery"], "people": ["group", "crowd"], "scenery": ["city", "sea"]}
)
LABELS = frame(
    "subject item category",
    *[("ann", "i1", "city"), ("bob", "i1", "city"), ("ann", "i2", "sea"), ("bob", "i2", "city")],
    *[("ann", "i3", "crowd"), ("bob", "i3", "crowd")],
)


def labels() -> ft.Assignments:
    return ft.Assignments.from_frame(LABELS, taxonomy=TREE)


def flat() -> ft.Assignments:
    return ft.Assignments.from_frame(LABELS)


def voted(*names: str) -> ft.Judgments:
    """Each judged two items of four queries."""
    rows = [(f"q{j}", item, name, j % 2) for j in range(4) for item in "ab" for name in names]
    return ft.Judgments.from_frame(frame("query item subject grade", *rows))


def judged(*grades: tuple[str, str, str, float]) -> ft.Judgments:
    return ft.Judgments.from_frame(frame("query item subject grade", *grades))


def table(*systems: str) -> pd.DataFrame:
    rows = [
        (system, f"q{q}", "AP", ((3 * i + 5 * q) % 7) / 7)
        for i, system in enumerate(systems)
        for q in range(1, 7)
    ]
    return frame("system query measure value", *rows)


def scores(*systems: str) -> ft.Scores:
    return ft.Scores.from_frame(table(*systems))


QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\nq2 0 d3 0\n"
RUN = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq2 Q0 d1 1 2.0 t\nq2 Q0 d3 2 1.0 t\n"
INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "gpqa", "model": "gpt-4o", "dataset": {"name": "gpqa", "samples": 1}},
    "samples": [{"id": "s1", "epoch": 1, "target": "A", "scores": {"choice": {"value": "C"}}}],
}

#: text by the name of the file
FILES = {
    "qrels.txt": QRELS,
    "a.run": RUN,
    "old/bm25.run": RUN,
    "new/bm25.run": RUN,
    "clusters.csv": "query,cluster\nq1,t1\nq2,t2\n",
    "coded.csv": "query,item,reviewer_code,grade\nq1,d1,ann,1\nq1,d1,bob,0\n",
    "people.csv": "query,item,subject,grade\nq1,d1,ann,1\nq1,d1,bob,0\nq2,d1,ann,1\nq2,d1,bob,1\n",
    "words.csv": "query,item,rating\nq1,d1,1\nq1,d2,unsure\n",
    "topics.csv": "thema,item,grade\nq1,d1,1\nq2,d1,1\n",
    "wide.csv": "query,item,ann,bob\nq1,d1,1,0\nq1,d2,1,1\n",
    "likely.csv": "query,item,grade,probability\nq1,d1,1,0.9\n",
    "twice.run": "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq1 Q0 d1 3 1 t\n",
    "tree.txt": "all\n  people\n    group\n    crowd\n  scenery\n    city\n    sea\n",
    "roots.txt": "people\n  crowd\nscenery\n  city\n",
    "roots.json": json.dumps({"all": ["people"], "poeple": ["crowd"]}),
    "cycle.csv": "parent,child\nall,pet\npet,cat\ncat,kitten\nkitten,pet\n",
    "votes.csv": "subject,item,category\nann,fig1,city\nbob,fig1,sea\n",
    "typed.csv": "subject,item,category\nann,i1,city\nbob,i1,ctiy\n",
    "joined.csv": "subject,item,category\nann,i1,city\nbob,i2,city;sea\n",
    "port.csv": "subject,item,category\nann,fig1,city\neve,fig1,harbour\n",
    "who.csv": "who,item,category\nann,fig1,city\n",
    "prodigy.jsonl": '{"image": "a.jpg", "label": "city", "answer": "accept"}\n',
    "scores.csv": table("bm25", "dense").to_csv(index=False),
    "three.csv": table("bm25", "dense", "mix").to_csv(index=False),
    "err.csv": "system,query,value\nbm25,q1,0.5\nbm25,q2,err\n",
    "nick.csv": "system,query,crowd_nick,value\na,q1,ann,0.5\na,q1,bob,0.6\nb,q1,ann,0.4\n",
    "logs/mon_gpqa.json": json.dumps(INSPECT),
    "logs/tue_gpqa.json": json.dumps(INSPECT),
    "test.cla": "PSB 1\n2 4\n\npeople 0 2\nm1\nm2\n\nscenery 0 2\nm3\nm4\n",
    "images.txt": "0\n1\n2\n",
    "more_images.txt": "0\n1\n2\n2\n",
    "no_image.txt": "0\n1\n30\n",
    "clip.csv": "0.9,0.1\n0.2,nil\n",
    "clip.pt": "PK",
}


def write_files(folder: Path) -> None:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    np.save(folder / "sims.npy", EYE)
    np.save(folder / "new.npy", EYE.T)
    np.savez(folder / "out.npz", i2t_sims=EYE, caption_lengths=np.arange(3))

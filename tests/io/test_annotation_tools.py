"""Exports of annotation tools: records as their manuals show them, and what they are read as."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from support.exports import locate, with_left_out, write_json, write_lines

import fuzzytruth as ft
from fuzzytruth.errors import DataError
from fuzzytruth.io.annotation_tools import OF_RECORDS, OF_TABLES, Record
from fuzzytruth.io.exports import Export, flatten_export
from fuzzytruth.io.files import counted_reasons

RECORDS, TABLES = ({tool.name: tool for tool in tools} for tools in (OF_RECORDS, OF_TABLES))

# Argilla: "Feedback Data Model" (v1) and "Import and export datasets" (v2)
FIELDS = {"query": "q1", "doc": "d1"}


def response(user: str, grade: Any, status: Any = "submitted") -> Record:
    return {"user_id": user, "values": {"relevance": {"value": grade}}, "status": status}


ARGILLA_1 = {
    "fields": FIELDS,
    "metadata": {"source": "web"},
    "external_id": "e1",
    "responses": [
        *(response("u1", 3), response("u2", 1), response("u3", 1, "discarded")),
        {"user_id": "u4", "values": None, "status": "discarded"},
    ],
}
ARGILLA_2 = {
    "id": "e1",
    "fields": FIELDS,
    "metadata": {"source": "web"},
    "status": "completed",
    "suggestions": {"relevance": {"value": 2, "score": 0.9, "agent": "model"}},
    "responses": {"relevance": [{"value": 3, "user_id": "u1"}, {"value": 1, "user_id": "u2"}]},
}
ARGILLA_FLAT = {
    **FIELDS,
    "id": "e1",
    "status": "completed",
    "relevance.suggestion": 2,
    "relevance.responses": [3, 1, 0],
    "relevance.responses.users": ["u1", "u2", "u3"],
    "relevance.responses.status": ["submitted", "submitted", "draft"],
}
ARGILLA_3 = ARGILLA_2 | {
    "responses": {
        "topic": [{"value": ["a", "b"], "user_id": "u1"}],
        "good": [{"value": "yes", "user_id": "u1"}],
        "spans": [{"value": [{"label": "x", "start": 0, "end": 1}], "user_id": "u1"}],
    }
}


# Label Studio: "Label Studio Task Format"
def result(question: str, kind: str, **value: Any) -> Record:
    return {"from_name": question, "id": "Dx", "to_name": "img", "type": kind, "value": value}


def annotation(who: Any, *results: Record, **more: Any) -> Record:
    about = {"id": 1001, "was_cancelled": False, "ground_truth": False, "lead_time": 4.288}
    return about | {"result": list(results), "completed_by": who} | more


def task(number: int, *annotations: Record, **data: Any) -> Record:
    return {
        "id": number,
        "project": 83,
        "data": data or {"image": f"{number}.jpg", "meta": {"source": "web"}},
        "annotations": list(annotations),
    }


def scene(*names: str) -> Record:
    return result("scene", "choices", choices=list(names))


def rated(kind: str, **value: Any) -> list[Record]:
    return [task(1, annotation(1, result("q", kind, **value)))]


ANN = {"id": 1, "email": "ann"}
BOX = result("tag", "rectanglelabels", x=4.9, y=9.6, rectanglelabels=["Moonwalker"])
TASKS = [
    task(1, annotation(ANN, scene("city")), annotation(2, scene("park"))),
    task(
        2, annotation(ANN, scene("city", "park")), annotation(2, scene("city"), was_cancelled=True)
    ),
]
OF_TASKS = "ann 1.jpg city, 2 1.jpg park, ann 2.jpg city, ann 2.jpg park"
OLD = [{**TASKS[0], "completions": TASKS[0]["annotations"]}]
del OLD[0]["annotations"]
BOXES = task(1, annotation(1, BOX, scene("a"))) | {"drafts": [{}], "predictions": [{}, {}]}
LEFT_OUT_WITH_BOXES = "1 draft, 2 predictions of a model, 1 result without a label"
SPAN = {"start": 0, "end": 2, "labels": ["PER"]}
MINIMAL = {"text": "good", "id": 1, "annotator": 1, "annotation_id": 1, "lead_time": 8.342}


def minimal(mood: Any) -> list[Record]:
    return [MINIMAL | {"mood": mood}]


CELLS = [  # of a table by Label Studio, its columns in alphabetical order
    {"annotation_id": "2", "annotator": who, "class": label, "id": "7", "lead_time": "16.135"}
    for who, label in (("1", "daisy"), ("2", '{"choices":["daisy","rose"]}'))
]


# Prodigy: "Annotation interfaces" (choice, classification) and "Review"
def prodigy(who: str, answer: str = "accept", **more: Any) -> Record:
    about = {"text": "This", "meta": {"source": "web"}, "_input_hash": -15, "_task_hash": -34}
    return about | {"answer": answer, "_annotator_id": who, "_session_id": f"s-{who}"} | more


OPTIONS = [{"id": "SPORT", "text": "Sport"}, {"id": "NEWS", "text": "News"}]
CHOICES = [
    prodigy("ann", options=OPTIONS, accept=["SPORT", "NEWS"], _view_id="choice"),
    prodigy("bob", options=OPTIONS, accept=["NEWS"]),
    prodigy("bob", "ignore", options=OPTIONS, accept=[], _input_hash=2),
]
NAMELESS = prodigy("ann", label="N")
del NAMELESS["_annotator_id"]


def answers(**more: Any) -> list[Record]:
    return [prodigy("ann", **more), prodigy("bob", "reject", **more)]


# Potato: "Export Formats" and "Quick Start"
INSTANCE = {"user_id": "ann", "instance_id": "1", "displayed_text": "a", "span_annotations": []}
STATE = {
    "user_id": "ann",
    "instance_id_to_label_to_value": {
        "i1": {"mood": {"labels": {"happy": True}}},
        "i2": {"mood": {"labels": {"sad": True}}},
    },
    "instance_id_to_span_to_value": {"i1": {"ner": [{"start": 0, "end": 5, "label": "PERSON"}]}},
}


def potato(labels: Any) -> Record:
    return INSTANCE | {"label_annotations": {"mood": labels}}


NOBODYS = {"instance_id": "1", "label_annotations": {"mood": "sad"}}
WIDE = {"user": "ann", "instance_id": "1", "mood:::happy": "1", "mood:::sad": ""}

# doccano: its repository, `data_export/pipeline/examples`
DOCCANO = [{"id": 1, "text": "Bad", "label": ["dog", "cat"]}, {"id": 2, "text": "a", "label": []}]
DOCCANO_SPANS = {"id": 1, "text": "EU", "user": "ann", "entities": [], "cats": ["cat"]}
DOCCANO_MIXED = {"id": 1, "data": "EU", "label": [[0, 2, "ORG"], "cat"]}

# Toloka: "Getting results" and Toloka-Kit's `GetAssignmentsTsvParameters`
HEADER = [
    *("INPUT:image", "OUTPUT:result", "GOLDEN:result", "HINT:text"),
    *("ASSIGNMENT:task_id", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"),
]
TOLOKA = [
    dict(zip(HEADER, row, strict=True))
    for row in (
        ["a.jpg", "cat", "", "", "t1", "w1", "APPROVED"],
        ["a.jpg", "dog", "", "", "t1", "w2", "SUBMITTED"],
        ["b.jpg", "dog", "dog", "", "t2", "w1", "APPROVED"],
        ["c.jpg", "dog", "", "", "t3", "w1", "REJECTED"],
        ["d.jpg", "", "", "", "t4", "w1", "SKIPPED"],
    )
]
TOLOKA_LEFT_OUT = "1 golden task, 1 rejected assignment, 1 skipped assignment"
OTHER_INPUTS = {"INPUT:a": "1", "INPUT:b": "2"} | dict(list(TOLOKA[0].items())[1:])


# Mechanical Turk: batch results; "Crowd HTML Elements Reference"
def mturk(worker: str, status: str = "Approved", **answers: Any) -> Record:
    about = {"HITId": "H1", "AssignmentId": "A1", "WorkerId": worker, "AssignmentStatus": status}
    given = {f"Answer.{name}": value for name, value in answers.items()}
    return about | {"Input.image_url": "a.jpg"} | given


def animal(answer: Any) -> list[Record]:
    return [mturk("w1", taskAnswers=json.dumps([{"animal": answer}]))]


def radio(worker: str, *chosen: str, **more: str) -> Record:
    options = {f"rel.{option}": str(option in chosen).lower() for option in ("0", "1", "2.5")}
    return mturk(worker, **options) | more


BATCH = [mturk("w1", mood="cat"), mturk("w2", "Rejected", mood="dog")]
OF_CHECKED = "w1 a.jpg 1, w2 a.jpg 2.5, w3 a.jpg None, w4 a.jpg 0, w4 a.jpg 1"
CHECKED = [radio("w1", "1"), radio("w2", "2.5"), radio("w3"), radio("w4", "0", "1")]

#: tool, records, column of the answer; subject, item and answer of each; what is left out
FLATTENED = [
    ("Argilla", [ARGILLA_1], "relevance", "u1 d1 3, u2 d1 1", "1 discarded response"),
    ("Argilla", [ARGILLA_2], "relevance", "u1 d1 3, u2 d1 1", ""),
    ("Argilla", [ARGILLA_FLAT], "category", "u1 d1 3, u2 d1 1", "1 draft"),
    ("Argilla", [ARGILLA_3], "topic", "u1 d1 a, u1 d1 b", "1 response of spans or ranks"),
    ("Argilla", [ARGILLA_3], "good", "u1 d1 yes, u1 d1 yes", "1 response of spans or ranks"),
    ("Label Studio", TASKS, "label", OF_TASKS, "1 cancelled annotation"),
    ("Label Studio", OLD, "scene", "ann 1.jpg city, 2 1.jpg park", ""),
    ("Label Studio", rated("rating", rating=4), "q", "1 1.jpg 4", ""),
    ("Label Studio", rated("number", number=2.5), "q", "1 1.jpg 2.5", ""),
    ("Label Studio", rated("textarea", text=["a cat"]), "q", "1 1.jpg a cat", ""),
    ("Label Studio", rated("taxonomy", taxonomy=[["all", "crowd"]]), "q", "1 1.jpg crowd", ""),
    ("Label Studio", rated("pairwise", selected="left"), "q", "1 1.jpg left", ""),
    ("Label Studio", [BOXES], "label", "1 1.jpg a", LEFT_OUT_WITH_BOXES),
    ("Label Studio (JSON-MIN)", minimal("good"), "mood", "1 1 good", ""),
    ("Label Studio (JSON-MIN)", minimal({"choices": ["a", "b"]}), "mood", "1 1 a, 1 1 b", ""),
    ("Label Studio (JSON-MIN)", minimal([{"rating": 4}]), "mood", "1 1 4", ""),
    ("Label Studio (JSON-MIN)", minimal([SPAN]), "mood", "", "1 result without a label"),
    ("Label Studio (JSON-MIN)", CELLS, "class", "1 7 daisy, 2 7 daisy, 2 7 rose", ""),
    ("Label Studio (JSON-MIN)", CELLS[:1], "class", "1 7 daisy", ""),
    ("Prodigy", CHOICES, "label", "ann -15 SPORT, ann -15 NEWS, bob -15 NEWS", "1 ignored task"),
    ("Prodigy", answers(label="N"), "label", "ann -15 N, bob -15 None", ""),
    ("Prodigy", answers(id="t1"), "label", "ann t1 accept, bob t1 reject", ""),
    ("Prodigy", answers(grade=3), "grade", "ann -15 3, bob -15 3", ""),
    ("Prodigy", [NAMELESS], "label", "s-ann -15 N", ""),
    ("Potato", [potato({"happy": True, "sad": False})], "label", "ann 1 happy", ""),
    ("Potato", [potato({"happy": "1", "sad": "2"})], "label", "ann 1 happy, ann 1 sad", ""),
    ("Potato", [potato({"happy": "true", "sad": "false"})], "label", "ann 1 happy", ""),
    ("Potato", [potato({"scale_4": "4"})], "label", "ann 1 4", ""),
    ("Potato", [potato({"text_box": "free text"})], "label", "ann 1 free text", ""),
    ("Potato", [potato("happy")], "label", "ann 1 happy", ""),
    ("Potato", [STATE], "label", "ann i1 happy, ann i2 sad", "1 label of a span"),
    ("Potato", [WIDE], "label", "ann 1 happy", ""),
    ("doccano", [{"filename": "c.png", "label": ["cat"]}], "label", "None c.png cat", ""),
    ("doccano", DOCCANO, "label", "None 1 dog, None 1 cat, None 2 None", ""),
    ("doccano", [DOCCANO_SPANS], "label", "ann 1 cat", ""),
    ("doccano", [DOCCANO_MIXED], "label", "None 1 cat", "1 label of a span"),
    ("Toloka", TOLOKA, "label", "w1 a.jpg cat, w2 a.jpg dog", TOLOKA_LEFT_OUT),
    ("Toloka", [{"INPUT:a": "1"} | TOLOKA[0]], "label", "w1 a.jpg cat", ""),
    ("Toloka", [OTHER_INPUTS], "label", "w1 t1 cat", ""),
    ("Mechanical Turk", BATCH, "label", "w1 a.jpg cat", "1 rejected assignment"),
    ("Mechanical Turk", animal({"label": "cat"}), "animal", "w1 a.jpg cat", ""),
    ("Mechanical Turk", animal({"labels": ["a", "b"]}), "animal", "w1 a.jpg a, w1 a.jpg b", ""),
    ("Mechanical Turk", animal({"cat": True, "dog": False}), "animal", "w1 a.jpg cat", ""),
    ("Mechanical Turk", animal("cat"), "animal", "w1 a.jpg cat", ""),
    ("Mechanical Turk", animal(4), "animal", "w1 a.jpg 4", ""),
    ("Mechanical Turk", CHECKED, "Answer.rel", OF_CHECKED, ""),
]


def flattened(tool: str, records: list[Record]) -> Export:
    if tool in RECORDS and not isinstance(records[0].get("class"), str):
        assert all(map(RECORDS[tool].recognises, records))
        return flatten_export(RECORDS[tool], records, locate)
    assert TABLES[tool].recognises(list(records[0]))
    return flatten_export(TABLES[tool], records, locate)


@pytest.mark.parametrize(("tool", "records", "column", "expected", "left_out"), FLATTENED)
def test_flat_records(
    tool: str, records: list[Record], column: str, expected: str, left_out: str
) -> None:
    export = flattened(tool, records)
    rows = [(r.get("subject"), r.get("item"), r.get(column)) for r in export.records]
    assert ", ".join(" ".join(map(str, row)) for row in rows) == expected
    assert ", ".join(counted_reasons(export.left_out)) == left_out


@pytest.mark.parametrize(
    ("tool", "records", "expected", "place"),
    [
        ("Argilla", [ARGILLA_1], {"task_id": "e1", "metadata.source": "web"}, ", user u1"),
        (
            *("Label Studio", TASKS),
            *({"task_id": 1, "data.image": "1.jpg", "data.meta.source": "web"}, ", annotation 1"),
        ),
        (
            "Label Studio (JSON-MIN)",
            [{"image": "a.jpg", "label": "gold", "mood": "good"} | MINIMAL],
            {"item": "a.jpg", "task_id": 1, "image": "a.jpg", "label": "gold", "mood": "good"},
            "",
        ),
        (
            *("Prodigy", [prodigy("bob", "reject", label="NEWS")]),
            *({"option": "NEWS", "answer": "reject", "meta.source": "web"}, ""),
        ),
        ("Potato", [potato("happy")], {"displayed_text": "a"}, ""),
    ],
)
def test_fields_of_the_task(tool: str, records: list[Record], expected: Record, place: str) -> None:
    export = flattened(tool, records)
    assert export.records[0].items() >= expected.items()
    assert export.place[0] == f"f, record 1{place}"


@pytest.mark.parametrize(
    "record",
    [
        {"item": 1, "subject": 2, "responses": 3},
        {"fields": {}, "id": 1},
        {"text": "a", "label": "cat"},
        {"label": ["cat"]},
        {"id": 1, "data": "x", "annotations": "y"},
        {"item": 1, "subject": 2, "label": "a"},
        {"id": 1, "user": 2, "label": "a"},
        {"labels": {"a": 1}},
        {"item": 1, "subject": 2, "answer": "accept"},
        {"_input_hash": 1, "answer": 3},
        {"HITId": 1, "WorkerId": 2, "label": "a"},
        {"image": 1, "worker_id": 2, "result": "a"},
        {"id": 1, "annotator": 2, "label": "a"},
    ],
)
def test_plain_tables_are_no_exports(record: Record) -> None:
    assert not any(tool.recognises(record) for tool in OF_RECORDS)
    assert not any(tool.recognises(list(record)) for tool in OF_TABLES)


@pytest.mark.parametrize(
    ("tool", "records", "message"),
    [
        (
            *("Argilla", [ARGILLA_FLAT | {"relevance.responses.users": ["u1"]}]),
            r"^f, record 1: 'relevance.responses.users' names 1 user, but there are 3 responses; ",
        ),
        (
            *("Mechanical Turk", [mturk("w1", taskAnswers="[{")]),
            "record 1, column 'Answer.taskAnswers', .* is not JSON",
        ),
    ],
)
def test_damaged_records(tool: str, records: list[Record], message: str) -> None:
    with pytest.raises(DataError, match=message):
        flattened(tool, records)


MOODS = ft.Taxonomy.from_children({"all": ["happy", "sad", "cat", "dog"]})


def write_table(path: Path, rows: list[Record]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize(
    ("name", "records", "subject", "said"),
    [
        ("ann.jsonl", DOCCANO, "ann", ["doccano, 1 annotation without 'label'"]),
        ("bob/annotated_instances.jsonl", [NOBODYS], "bob", []),
        ("user.json", [STATE], "ann", ["Potato, 1 label of a span"]),
        ("a.tsv", [WIDE], "ann", []),
        ("a.csv", BATCH, "w1", ["Mechanical Turk, 1 rejected assignment"]),
        (
            "b.tsv",
            TOLOKA,
            "w1",
            [f"Toloka, {TOLOKA_LEFT_OUT}"],
        ),
    ],
)
def test_files_of_votes(
    name: str, records: list[Record], subject: str, said: list[str], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".json":
        write_json(path, records[0])
    else:
        (write_lines if path.suffix == ".jsonl" else write_table)(path, records)
    votes, messages = with_left_out(lambda: ft.read_assignments(path, taxonomy=MOODS))
    assert votes.subjects.to_pylist()[0] == subject
    assert len(messages) == len(said)
    for message, part in zip(messages, said, strict=True):
        assert message.startswith(f"{path}: of this export of {part}")


@pytest.mark.parametrize("label", [{"label": "RELEVANT"}, {}])
def test_accepted_and_rejected_tasks_are_judgments(label: dict[str, str], tmp_path: Path) -> None:
    about = {"query": "q", **label}
    records = [
        prodigy("ann", doc_id=1, **about),
        prodigy("bob", "reject", doc_id=1, **about),
        prodigy("bob", "ignore", doc_id=2, **about),
    ]
    path = write_lines(tmp_path / "p.jsonl", records)
    judgments, said = with_left_out(lambda: ft.read_judgments(path))
    assert said == [f"{path}: of this export of Prodigy, 1 ignored task left out"]
    assert judgments.to_frame().values.tolist() == [["q", "1", "ann", 1], ["q", "1", "bob", 0]]
    named, _ = with_left_out(lambda: ft.read_judgments(path, columns={"item": "doc_id"}))
    assert named.checksum == judgments.checksum


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([task(1)], r"all\.json: this export of Label Studio holds no answers; "),
        ([task(1, annotation(1, BOX))], r"no answers \(left out: 1 result without a label\); "),
        (TASKS, r"all\.json, record 1, annotation 1.*'city'"),
        (
            [ARGILLA_1, ARGILLA_1 | {"responses": [response("ann", 1, status=["x"])]}],
            r"all\.json, record 2: malformed record of Argilla",
        ),
        ([{"id": 1, "text": "a", "label": ["cat"]}], "no column for 'subject'"),
    ],
)
def test_files_that_are_refused(tasks: list[Record], message: str, tmp_path: Path) -> None:
    path = write_json(tmp_path / "all.json", tasks)
    with pytest.raises(DataError, match=message):
        with_left_out(lambda: ft.read_assignments(path, taxonomy=MOODS))

"""Label Studio: JSON ("Label Studio Task Format") and JSON-MIN ("Export Annotations")."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.exports import locate, reader_of, triples, with_left_out, write_json

import fuzzytruth as ft
from fuzzytruth.errors import DataError, LeftOutWarning

recognise, flatten = reader_of("Label Studio")
recognise_minimal, flatten_minimal = reader_of("Label Studio (JSON-MIN)")


def result(question: str, kind: str, **value: Any) -> dict[str, Any]:
    return {
        "from_name": question,
        "id": "Dx_aB91ISN",
        "to_name": "img",
        "type": kind,
        "value": value,
    }


def annotation(who: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": 1001,
        "result": list(results),
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2021-03-09T22:16:08.728353Z",
        "lead_time": 4.288,
        "completed_by": who,
    } | more


def image(number: int) -> str:
    return f"https://example.com/{number}.jpg"


def task(number: int, *annotations: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": number,
        "created_at": "2021-03-09T21:52:49.513742Z",
        "project": 83,
        "data": {"image": image(number), "meta": {"source": "web"}},
        "annotations": list(annotations),
        "predictions": [],
        "drafts": [],
    }


def scene(*names: str) -> dict[str, Any]:
    return result("scene", "choices", choices=list(names))


TASKS = [
    task(
        1, annotation({"id": 1, "email": "ann@x.org"}, scene("city")), annotation(2, scene("park"))
    ),
    task(
        2,
        annotation({"id": 1, "email": "ann@x.org"}, scene("city", "park")),
        annotation(2, scene("city"), was_cancelled=True),
    ),
]


def test_choices() -> None:
    assert recognise(TASKS)
    export = flatten(TASKS, locate)
    ann = "ann@x.org"
    assert triples(export) == [
        (ann, image(1), "city"),
        (2, image(1), "park"),
        (ann, image(2), "city"),
        (ann, image(2), "park"),
    ]
    assert [record["task_id"] for record in export.records] == [1, 1, 2, 2]
    assert triples(export, "scene") == triples(export)
    assert export.records[0]["data.image"] == image(1)
    assert export.records[0]["data.meta.source"] == "web"
    assert export.place[1] == "f, record 1, annotation 2"
    assert export.left_out["cancelled annotation"] == 1


def test_completions_of_version_0() -> None:
    old = copy.deepcopy(TASKS[:1])
    old[0]["completions"] = old[0].pop("annotations")
    assert recognise(old)
    assert triples(flatten(old, locate)) == triples(flatten(TASKS[:1], locate))


@pytest.mark.parametrize(
    ("given", "label"),
    [
        (result("q", "rating", rating=4), 4),
        (result("q", "number", number=2.5), 2.5),
        (result("q", "textarea", text=["a cat"]), "a cat"),
        (result("q", "taxonomy", taxonomy=[["all", "people", "crowd"]]), "crowd"),
        (result("q", "pairwise", selected="left"), "left"),
    ],
)
def test_kinds_of_answers(given: dict[str, Any], label: Any) -> None:
    assert triples(flatten([task(1, annotation(1, given))], locate)) == [(1, image(1), label)]


def test_regions_drafts_and_predictions_are_counted() -> None:
    box = result("tag", "rectanglelabels", x=4.9, y=9.6, rectanglelabels=["Moonwalker"])
    one = task(1, annotation(1, box, scene("city")))
    one["drafts"], one["predictions"] = [{}], [{"model_version": "model 1"}, {}]
    export = flatten([one], locate)
    assert triples(export) == [(1, image(1), "city")]
    counts = {"draft": 1, "prediction of a model": 2, "result without a label": 1}
    assert {k: v for k, v in export.left_out.items() if v} == counts


def test_several_questions_have_no_label() -> None:
    both = annotation(1, scene("city"), result("quality", "rating", rating=3))
    export = flatten([task(1, both)], locate)
    assert "label" not in export.records[0]
    assert (export.records[0]["scene"], export.records[0]["quality"]) == ("city", 3)


MINIMAL = [
    {
        "text": "good",
        "id": 1,
        "sentiment": "positive",
        "annotator": 1,
        "annotation_id": 1,
        "created_at": "2023-07-13T00:00:00.000000Z",
        "updated_at": "2023-07-13T00:00:00.000000Z",
        "lead_time": 8.342,
    }
]


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("positive", ["positive"]),
        ({"choices": ["a", "b"]}, ["a", "b"]),
        ([{"rating": 4}], [4]),
        ([{"start": 0, "end": 2, "labels": ["PER"]}], []),
    ],
)
def test_json_min(value: Any, labels: list[Any]) -> None:
    records = [MINIMAL[0] | {"sentiment": value}]
    assert recognise_minimal(records)
    export = flatten_minimal(records, locate)
    assert triples(export) == [(1, 1, label) for label in labels]
    assert export.left_out["result without a label"] == (not labels)


def test_fields_of_the_task_name_items_and_labels_first() -> None:
    record = {"image": "a.jpg", "label": "gold"} | MINIMAL[0]
    (flat,) = flatten_minimal([record], locate).records
    assert (flat["item"], flat["task_id"]) == ("a.jpg", 1)
    assert (flat["image"], flat["label"], flat["sentiment"]) == ("a.jpg", "gold", "positive")


def test_plain_tables_are_no_exports() -> None:
    plain = [{"id": 1, "data": "x", "annotations": "y"}, {"item": 1, "subject": 2, "label": "a"}]
    assert not any(recognise([one]) or recognise_minimal([one]) for one in plain)


TAXONOMY = ft.Taxonomy.from_children({"all": ["city", "park"]})


def test_assignments(tmp_path: Path) -> None:
    path = write_json(tmp_path / "label_studio.json", TASKS)
    votes, said = with_left_out(lambda: ft.read_assignments(path, taxonomy=TAXONOMY))
    assert said == [f"{path}: of this export of Label Studio, 1 cancelled annotation left out"]
    assert votes.membership().probability(image(1), "city") == 0.5
    assert votes.subjects.to_pylist() == ["ann@x.org", "2"]
    assert len(votes.label_set) == 3


def test_an_open_question_is_counted(tmp_path: Path) -> None:
    tasks = [task(1, annotation(1, scene("city")), annotation(2))]
    with pytest.warns(LeftOutWarning, match=r"1 annotation without 'label' left out"):
        votes = ft.read_assignments(write_json(tmp_path / "a.json", tasks), taxonomy=TAXONOMY)
    assert len(votes.label_set) == 1


def test_nothing_is_answered(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", [task(1)])
    with pytest.raises(DataError, match=r"a\.json: this export of Label Studio holds no answers; "):
        ft.read_assignments(path, taxonomy=TAXONOMY)
    box = result("tag", "rectanglelabels", x=4.9, rectanglelabels=["Moonwalker"])
    write_json(path, [task(1, annotation(1, box))])
    with pytest.raises(DataError, match=r"no answers \(left out: 1 result without a label\); "):
        ft.read_assignments(path, taxonomy=TAXONOMY)


def test_errors_name_the_annotation(tmp_path: Path) -> None:
    tasks = [task(1, annotation(1, scene("city")), annotation(2, scene("ctiy")))]
    path = write_json(tmp_path / "a.json", tasks)
    with pytest.raises(DataError, match=r"a\.json, record 1, annotation 2.*'ctiy'"):
        ft.read_assignments(path, taxonomy=TAXONOMY)


@pytest.mark.parametrize("question", ["rel", "relevance", "rating"])
def test_grades_are_categories_of_assignments(question: str, tmp_path: Path) -> None:
    tasks = [
        task(n, annotation("ann", result(question, "rating", rating=n)), annotation("bob"))
        for n in (1, 2)
    ]
    for one in tasks:
        one["data"]["query"] = "q"
    path = write_json(tmp_path / "a.json", tasks)
    votes, said = with_left_out(lambda: ft.read_assignments(path))
    assert votes.to_frame()[["item", "category"]].to_numpy().tolist() == [
        [image(1), "1"],
        [image(2), "2"],
    ]
    judgments, _ = with_left_out(lambda: ft.read_judgments(path))
    assert judgments.to_frame()[["item", "grade"]].to_numpy().tolist() == [
        [image(1), 1],
        [image(2), 2],
    ]
    assert "2 annotations without 'category' left out" in said[0]


def test_every_format_of_a_project_has_the_same_items(tmp_path: Path) -> None:
    data = [{"query": q, "doc_id": d} for q, d in [("1", 9), ("1", 2), ("2", 9)]]
    given = result("relevance", "rating", rating=1)
    tasks = [task(n, annotation(5, given)) | {"data": one} for n, one in enumerate(data)]
    minimal = [MINIMAL[0] | {"id": n, "relevance": 1} | one for n, one in enumerate(data)]
    for one in minimal:
        del one["sentiment"], one["text"]
    paths = [write_json(tmp_path / "a.json", tasks), write_json(tmp_path / "b.json", minimal)]
    pd.DataFrame(minimal).to_csv(tmp_path / "c.csv", index=False)
    for path in (*paths, tmp_path / "c.csv"):
        frame = ft.read_judgments(path).to_frame()
        assert sorted(zip(frame["query"], frame["item"], strict=True)) == [
            ("1", "2"),
            ("1", "9"),
            ("2", "9"),
        ]

"""All cells of the study, in rounds: results add up, and an interrupted run continues.

python -m validity.study [--share 1] [--results FILE] [--only KIND] [--report FILE]

in the folder benchmarks; `make validity` also writes docs/evidence/validity.md, from findings.md.
`--share .5` stops at half of the data sets of each cell.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from validity import (
    agreement,
    alternative_annotator,
    clusters,
    clusters_and_subjects,
    collections_of_queries,
    communities,
    components,
    crossed,
    crossed_families,
    directions,
    few_subjects,
    influence,
    judge_agreement,
    margin_tests,
    near_copies,
    pairs_of_subjects,
    people,
    planning,
    prediction_powered,
    proportions,
    query_worlds,
    real_matrices,
    repeated_gates,
    runs_of_systems,
    structure,
    synthetic,
    two_systems,
)
from validity.rates import Counts, merged
from validity.report import write_findings

_SEED = 20190721
_RESULTS = Path(__file__).parent / "results.jsonl"


@dataclass(frozen=True)
class Design:
    """Cells that are simulated alike.

    Parameters
    ----------
    settings : iterable of dict
        Of each cell; the arguments of `simulate`.
    simulate : callable
        (`sets`, `seed`, settings) → counts.
    sets : int
        Data sets of each cell, in all.
    rounds : int
        Parts in which they are simulated.
    """

    settings: Callable[[], Iterable[dict[str, Any]]]
    simulate: Callable[..., Counts]
    sets: int
    rounds: int = 5


DESIGNS = {
    "real matrices": Design(real_matrices.settings, real_matrices.real_matrices, 1000),
    "real, one-sided": Design(real_matrices.one_sided_settings, real_matrices.real_one_sided, 1000),
    "synthetic": Design(synthetic.settings, synthetic.synthetic, 1000),
    "near copies": Design(near_copies.settings, near_copies.near_copies, 400, 2),
    "no near copies": Design(near_copies.unlike_settings, near_copies.unlike, 1000, 1),
    "missing": Design(synthetic.missing_settings, synthetic.with_missing, 1000),
    "one-sided": Design(synthetic.one_sided_settings, synthetic.one_sided, 1000),
    "labels": Design(synthetic.label_settings, synthetic.labels, 1000),
    "proportions": Design(proportions.settings, proportions.one_and_two, 10_000, 1),
    "binary families": Design(proportions.family_settings, proportions.binary_families, 1000),
    "crossed": Design(crossed.settings, crossed.crossed, 2000),
    "crossed families": Design(crossed_families.settings, crossed_families.crossed_families, 1000),
    "few subjects, eight systems": Design(
        few_subjects.three_subjects, few_subjects.few_subjects, 1000, 5
    ),
    "few subjects": Design(few_subjects.settings, few_subjects.few_subjects, 400, 2),
    "runs of two systems": Design(runs_of_systems.settings, runs_of_systems.two_systems, 1000, 1),
    "runs in families": Design(runs_of_systems.family_settings, runs_of_systems.families, 400, 1),
    "runs and subjects": Design(
        runs_of_systems.subject_settings, runs_of_systems.with_subjects, 400, 1
    ),
    "clusters": Design(clusters.settings, clusters.clusters, 10_000, 1),
    "cluster families": Design(clusters.settings, clusters.cluster_families, 1000),
    "clusters and subjects": Design(
        clusters_and_subjects.settings, clusters_and_subjects.clusters_and_subjects, 2000
    ),
    "collections": Design(
        collections_of_queries.settings, collections_of_queries.collections, 2000, 4
    ),
    "counts of collections": Design(
        collections_of_queries.count_settings, collections_of_queries.counts, 10_000, 1
    ),
    "agreement": Design(partial(agreement.settings, "nominal"), agreement.agreement, 500, 1),
    "ordinal agreement": Design(
        partial(agreement.settings, "ordinal"), agreement.agreement, 200, 1
    ),
    "agreement, guessers": Design(agreement.guesser_settings, agreement.agreement, 1000, 1),
    "margins": Design(margin_tests.settings, margin_tests.margin_tests, 4000, 4),
    "margins under skew": Design(margin_tests.skew_settings, margin_tests.under_skew, 20_000, 1),
    "attempts": Design(repeated_gates.attempt_settings, repeated_gates.attempts, 10_000, 1),
    "looks": Design(repeated_gates.look_settings, repeated_gates.looks, 4000, 1),
    "looks, real": Design(repeated_gates.real_look_settings, repeated_gates.real_looks, 4000, 1),
    "query worlds": Design(query_worlds.settings, query_worlds.query_worlds, 200, 2),
    "prediction-powered": Design(
        prediction_powered.settings, prediction_powered.prediction_powered, 10_000, 1
    ),
    "prediction-powered, raters": Design(
        prediction_powered.rater_settings, prediction_powered.raters, 4000, 1
    ),
    "prediction-powered, real": Design(
        prediction_powered.real_settings, prediction_powered.real_queries, 4000, 1
    ),
    "kappa": Design(pairs_of_subjects.kappa_settings, pairs_of_subjects.kappas, 4000, 1),
    "panels": Design(pairs_of_subjects.panel_settings, pairs_of_subjects.panels, 200, 1),
    "alternative annotator": Design(
        alternative_annotator.settings, alternative_annotator.alternative_annotator, 2000, 2
    ),
    "judge agreement": Design(judge_agreement.settings, judge_agreement.judge_agreement, 4000, 2),
    "directions": Design(directions.settings, directions.by_direction, 10_000, 1),
    "directions by example": Design(directions.example_settings, directions.by_example, 2000, 1),
    "no structure": Design(partial(structure.settings, *structure.NONE), structure.structure, 1000),
    "structure": Design(partial(structure.settings, *structure.SOME), structure.structure, 250, 1),
    "no communities": Design(
        partial(communities.settings, *communities.NO_GROUPS), communities.communities, 200, 4
    ),
    "communities": Design(
        partial(communities.settings, *communities.GROUPS), communities.communities, 100, 2
    ),
    "groups compared": Design(communities.compared_settings, communities.groups_compared, 2000, 1),
    "structure given margins": Design(
        lambda: [{"panel": each} for each in ("severity", "severity and groups")],
        structure.given_margins,
        400,
        1,
    ),
    "influence": Design(influence.settings, influence.influence, 2000, 4),
    "people": Design(people.settings, people.people, 200, 10),
    "severities": Design(people.scale_settings, people.severities, 200, 1),
    "components": Design(components.settings, components.components, 400, 1),
    "real components": Design(components.real_settings, components.real_components, 400, 1),
    "planning": Design(planning.settings, planning.planning, 1000, 1),
    "two systems": Design(two_systems.settings, two_systems.two_systems, 10_000, 1),
}


@dataclass(frozen=True)
class Part:
    """One round of one cell."""

    kind: str
    settings: dict[str, Any]
    number: int

    @property
    def key(self) -> str:
        """Its key among the results."""
        return json.dumps([self.kind, self.settings, self.number], sort_keys=True)

    def run(self, sets: int) -> Counts:
        """Its counts, from a seed of its own."""
        seed = np.random.SeedSequence([_SEED, zlib.crc32(self.key.encode())])
        return DESIGNS[self.kind].simulate(**self.settings, sets=sets, seed=seed)


def parts(share: float = 1.0, only: str | None = None) -> Iterator[Part]:
    """All parts: first a round of each cell, and so on."""
    rounds = max(design.rounds for design in DESIGNS.values())
    for number in range(rounds):
        for kind, design in DESIGNS.items():
            if only in (None, kind) and number < math.ceil(share * design.rounds):
                for settings in design.settings():
                    yield Part(kind, settings, number)


def saved(path: Path) -> list[dict[str, Any]]:
    """Results so far: kind, settings, rounds, seconds and counts."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def run(path: Path, *, share: float = 1.0, only: str | None = None) -> None:
    """Simulate the parts that have no result yet, and report progress."""
    wanted = list(parts(share, only))
    rows = saved(path)
    known = {Part(row["kind"], row["settings"], n).key for row in rows for n in row["rounds"]}
    remaining = [part for part in wanted if part.key not in known]
    print(f"{len(wanted) - len(remaining)} of {len(wanted)} parts are done", file=sys.stderr)
    for number, part in enumerate(remaining, start=1):
        start = time.process_time()
        design = DESIGNS[part.kind]
        counts = part.run(design.sets // design.rounds)
        row = {
            "kind": part.kind,
            "settings": part.settings,
            "rounds": [part.number],
            "seconds": round(time.process_time() - start, 1),
            "counts": counts,
        }
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        said = f"{number}/{len(remaining)} {part.key} {row['seconds']} s"
        print(said, file=sys.stderr, flush=True)
    lines = [json.dumps(row) + "\n" for row in cells(saved(path))]
    path.write_text("".join(lines), encoding="utf-8")


def cells(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each cell, its rounds added up."""
    out: dict[str, dict[str, Any]] = {}
    for row in rows:
        key = Part(row["kind"], row["settings"], 0).key
        if key not in out:
            out[key] = dict(row)
            continue
        one = out[key]
        one["rounds"] = one["rounds"] + row["rounds"]
        one["seconds"] = round(one["seconds"] + row["seconds"], 1)
        one["counts"] = merged([one["counts"], row["counts"]])
    return list(out.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--results", type=Path, default=_RESULTS)
    parser.add_argument("--only", choices=list(DESIGNS))
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    run(given.results, share=given.share, only=given.only)
    if given.report is not None:
        write_findings(cells(saved(given.results)), given.report)


if __name__ == "__main__":
    main()

"""The rows of compare.py: each prepares its data and returns the call to be timed.

python benchmarks/rows.py ROW FOLDER

prints the checkout that is imported, the least seconds and CPU seconds of a call, and the megabytes
that calls took at most beside those of the process before. Rows use the
public interface only, and where a name has changed, whichever the imported package has.
"""

from __future__ import annotations

import inspect
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from generated import generate, write
from shapes import Shape

Call = Callable[[], Any]
FILES = Shape("compare", 1000, 1000, 20)  # 1 M rows, 20 k judgments
LONG = 5.0  # seconds of a call that is not repeated
FIVE = ["AP", "nDCG@10", "P@10", "R@100", "RR"]


def write_files(folder: Path) -> None:
    """Write the files that rows read."""
    write(FILES, folder)


def reading(folder: Path) -> Call:
    import fuzzytruth as ft

    qrels, run = FILES.files(folder)
    return lambda: (ft.read_judgments(qrels, groups=False), ft.read_runs(run))


def reading_a_table(ending: str) -> Callable[[Path], Call]:
    """Judgments as a table, whose ids are checked as columns."""

    def row(folder: Path) -> Call:
        import numpy as np
        import pandas as pd

        import fuzzytruth as ft

        number = np.arange(500_000)
        ids = {"query": number // 1000, "item": number}
        frame = pd.DataFrame({name: "id-" + pd.Series(n).astype(str) for name, n in ids.items()})
        path = folder / f"judgments.{ending}"
        ft.Judgments.from_frame(frame.assign(grade=number % 3)).write(path)
        return lambda: ft.read_judgments(path)

    return row


def ids_of_a_frame(folder: Path) -> Call:
    import numpy as np
    import pandas as pd

    import fuzzytruth as ft

    number = np.arange(1_000_000)
    items = pd.Series([f"d{j}" for j in number], dtype=object)
    frame = pd.DataFrame({"query": number // 1000, "item": items, "grade": number % 2})
    return lambda: ft.Judgments.from_frame(frame)


def crisp(folder: Path) -> Call:
    import fuzzytruth as ft

    columns = generate(FILES)
    truth = ft.Judgments.from_columns(columns.judged_query, columns.judged_item, columns.grade)
    runs = ft.Runs.from_columns(columns.query, columns.item, score=columns.score)
    return lambda: ft.evaluate(truth, runs, FIVE)


def votes(n_queries: int, n_items: int, n_subjects: int, *, missing: float = 0.0) -> Any:
    """Binary votes of subjects, some of them missing."""
    import fuzzytruth as ft

    rng = np.random.default_rng(0)
    query, item, subject = (axis.ravel() for axis in np.indices((n_queries, n_items, n_subjects)))
    chance = rng.beta(0.5, 1.5, (n_queries, n_items))[query, item]
    keep = rng.random(len(query)) >= missing
    return ft.Judgments.from_columns(
        query[keep],
        item[keep],
        (rng.random(len(query)) < chance)[keep] * 1.0,
        subject=np.array([f"s{j}" for j in range(n_subjects)])[subject[keep]],
    )


def rankings(n_systems: int, n_queries: int, n_items: int, depth: int) -> Any:
    """Random lists."""
    import fuzzytruth as ft

    rng = np.random.default_rng(1)
    items = np.argsort(rng.random((n_systems, n_queries, n_items)), axis=-1)[..., :depth]
    system, query, rank = (axis.ravel() for axis in np.indices(items.shape))
    names = np.array([f"r{j}" for j in range(n_systems)])
    return ft.Runs.from_columns(query, items.ravel(), score=-rank, system=names[system])


def worlds(kind: str, **options: Any) -> Callable[[Path], Call]:
    """Evaluation over worlds of one kind: 100 queries, 100 judged of 400 items, 5 subjects."""

    def row(folder: Path) -> Call:
        import fuzzytruth as ft

        truth = votes(100, 100, 5, missing=0.3 if kind == "subject" else 0.0)
        runs = rankings(2, 100, 400, 300)
        given = dict(options)
        if kind == "subject":
            known = inspect.signature(ft.evaluate).parameters
            given["missing" if "missing" in known else "unseen"] = "pooled"
        return lambda: ft.evaluate(
            truth, runs, ["AP", "nDCG@10", "P@10"], worlds=kind, rng=0, **given
        )

    return row


def fractions(*, missing: float = 0.0) -> Any:
    """Seven judges give 200 items of 53 queries fractions from 0 to 1."""
    import fuzzytruth as ft

    rng = np.random.default_rng(2)
    query, item, subject = (axis.ravel() for axis in np.indices((53, 200, 7)))
    quality = rng.beta(0.6, 1.4, (53, 200))[query, item]
    grade = np.round(np.clip(quality + rng.normal(0, 0.15, len(query)), 0, 1), 2)
    keep = rng.random(len(query)) >= missing * (subject < 2)  # two judges leave items out
    names = np.array([f"s{j}" for j in range(7)])[subject]
    return ft.Judgments.from_columns(query[keep], item[keep], grade[keep], subject=names[keep])


def fractional(kind: str, n_systems: int, **options: Any) -> Callable[[Path], Call]:
    """Systems that rank items with fractional grades, by nDCG."""

    def row(folder: Path) -> Call:
        import fuzzytruth as ft

        truth = fractions(missing=0.2 if kind == "subject" else 0.0)
        runs = rankings(n_systems, 53, 200, 200)
        measures = ["nDCG@10", "nDCG"]
        return lambda: ft.evaluate(
            truth, runs, measures, worlds=kind, n_worlds=200, rng=0, **options
        )

    return row


def deep_lists(folder: Path) -> Call:
    """A matrix of 400 by 400, of which the first ten of each row matter."""
    import fuzzytruth as ft

    truth, runs = category_votes(400).by_example(), rankings(1, 400, 400, 400)
    return lambda: ft.evaluate(truth, runs, ["P@10"], n_worlds=200, rng=0)


def large_worlds(n_systems: int) -> Callable[[Path], Call]:
    """200 queries of 300 judged items, 2,000 worlds."""

    def row(folder: Path) -> Call:
        import fuzzytruth as ft

        truth, runs = votes(200, 300, 5), rankings(n_systems, 200, 1200, 1000)

        def call() -> Any:
            scores = ft.evaluate(truth, runs, ["AP", "nDCG@10", "P@10"], n_worlds=2000, rng=0)
            return scores.mean_distribution("r0", "AP"), scores.to_frame()  # needs the worlds

        return call

    return row


def judged_by_probability(n_items: int) -> tuple[Any, Any]:
    """One query with very many judged items, all of which a run lists."""
    import fuzzytruth as ft

    chance = np.random.default_rng(0).beta(0.5, 2, n_items)
    query, item = ["q"] * n_items, [f"i{j:06d}" for j in range(n_items)]
    truth = ft.Judgments.from_probabilities(query, item, chance)
    return truth, ft.Runs.from_columns(query, item, score=-np.arange(n_items) * 1.0)


def long_list(folder: Path) -> Call:
    import fuzzytruth as ft

    truth, runs = judged_by_probability(12_000)
    return lambda: ft.evaluate(truth, runs, ["R@10"], n_worlds=2, rng=0)


def long_lists(folder: Path) -> Call:
    import fuzzytruth as ft

    truth, runs = judged_by_probability(4000)
    texts = ["F@10", "FT", "Rprec", "nDCG@10", "AP"]
    return lambda: ft.evaluate(truth, runs, texts, n_worlds=2, rng=0)


def long_distribution(folder: Path) -> Call:
    import fuzzytruth as ft

    truth, runs = judged_by_probability(12_000)
    exact = ft.evaluate(truth, runs, "R@10", n_worlds=2, rng=0)
    return lambda: exact.distribution(exact.systems[0], "q", "R@10")


def large_population(folder: Path) -> Call:
    import fuzzytruth as ft

    truth, runs = votes(200, 300, 8), rankings(1, 200, 1200, 1000)
    return lambda: ft.evaluate(truth, runs, ["AP"], worlds="population", n_worlds=2000, rng=0)


def population_of_systems(measure: str, n_worlds: int) -> Callable[[Path], Call]:
    """Resamples of 8 subjects for 30 systems, 50 queries and 50 judged of 200 items."""

    def row(folder: Path) -> Call:
        import fuzzytruth as ft

        truth, runs = votes(50, 50, 8), rankings(30, 50, 200, 100)
        return lambda: ft.evaluate(
            truth, runs, [measure], worlds="population", n_worlds=n_worlds, rng=0
        )

    return row


def many_tiny_queries(folder: Path) -> Call:
    import fuzzytruth as ft

    columns = generate(Shape("tiny", 50_000, 20, 2))
    truth = ft.Judgments.from_columns(columns.judged_query, columns.judged_item, columns.grade)
    runs = ft.Runs.from_columns(columns.query, columns.item, score=columns.score)
    return lambda: ft.evaluate(truth, runs, FIVE)


def category_votes(n_items: int) -> Any:
    """Votes of five subjects for nine categories."""
    import pandas as pd

    import fuzzytruth as ft

    rng = np.random.default_rng(0)
    taxonomy = ft.Taxonomy.from_children({"all": [f"c{i}" for i in range(9)]})
    hidden = rng.integers(1, 10, n_items)
    given = np.where(rng.random((5, n_items)) < 0.7, hidden, rng.integers(1, 10, (5, n_items)))
    subject, item = (axis.ravel() for axis in np.indices(given.shape))
    frame = pd.DataFrame(
        {"subject": subject, "item": item, "category": np.array(taxonomy.nodes)[given.ravel()]}
    )
    return ft.Assignments.from_frame(frame.astype({"subject": str, "item": str}), taxonomy=taxonomy)


def by_example(folder: Path) -> Call:
    import fuzzytruth as ft

    truth, runs = category_votes(1000).by_example(), rankings(1, 1000, 1000, 100)
    return lambda: ft.evaluate(truth, runs, ["P@10", "AP"], n_worlds=200, rng=0)


def by_rank(folder: Path) -> Call:
    import fuzzytruth as ft

    truth, runs = category_votes(2000).by_example(), rankings(1, 2000, 2000, 50)
    return lambda: ft.by_rank(truth, runs, depth=50).to_frame()


def membership(folder: Path) -> Call:
    assignments = category_votes(50_000)
    return lambda: assignments.membership().to_frame(tidy=True)


def taxonomy(folder: Path) -> Call:
    import fuzzytruth as ft

    rng = np.random.default_rng(0)
    child = np.arange(1, 20_000)
    parent = (rng.random(len(child)) * child).astype(np.int64)
    edges = [(f"n{a}", f"n{b}") for a, b in zip(parent, child, strict=True)]
    return lambda: ft.Taxonomy.from_edges(edges).ancestors("n19999")


def scores(n_systems: int, n_queries: int, n_subjects: int, *, missing: float = 0.1) -> Any:
    """Scores of systems, some of the subjects' missing."""
    import pandas as pd

    import fuzzytruth as ft

    rng = np.random.default_rng(0)
    shape = (n_systems, n_queries, n_subjects)
    system, query, subject = (axis.ravel() for axis in np.indices(shape))
    value = rng.beta(1, 2, shape) + 0.1 * rng.random((n_systems, 1, 1))
    frame = pd.DataFrame({"system": system, "query": query, "value": value.ravel()})
    if n_subjects > 1:
        frame = frame.assign(subject=subject)[rng.random(len(frame)) >= missing]
    return ft.Scores.from_frame(frame)


def compare_63(folder: Path) -> Call:
    import fuzzytruth as ft

    values = scores(63, 53, 1)
    return lambda: ft.compare(values)


def summary_over_both(folder: Path) -> Call:
    values = scores(60, 200, 30)
    return lambda: values.summary(over=("query", "subject"))


def bootstrap(folder: Path) -> Call:
    values = scores(100, 250, 1)
    return lambda: values.summary(method="bca")


def pairwise_agreement(folder: Path) -> Call:
    import fuzzytruth as ft

    votes = ft.datasets.load_llmjudge_dl23()
    judges = votes.select(subjects=[s for s in votes.subjects if s != "human"])
    return lambda: ft.pairwise_agreement(judges)


def annotate_next(folder: Path) -> Call:
    """AP of two systems on 300 queries × 200 items, by three people with four grades."""
    import numpy as np
    import pandas as pd

    import fuzzytruth as ft

    rng = np.random.default_rng(0)
    query, item = (axis.ravel() for axis in np.indices((300, 200)))
    pairs = pd.DataFrame({"query": query, "item": item})
    votes = [
        pairs.assign(subject=name, grade=np.minimum(rng.poisson(0.4, len(pairs)), 3))
        for name in "abc"
    ]
    lists = [pairs.assign(system=name, score=rng.random(len(pairs))) for name in "xy"]
    truth = ft.Judgments.from_frame(pd.concat(votes))
    runs = ft.Runs.from_frame(pd.concat(lists))
    return lambda: ft.annotate_next(truth, runs, "AP")


def rank_stability(folder: Path) -> Call:
    import fuzzytruth as ft

    values = scores(30, 100, 1)
    return lambda: ft.rank_stability(values, n_resamples=2000)


def rank_stability_over_both(folder: Path) -> Call:
    import fuzzytruth as ft

    values = scores(63, 53, 10, missing=0.0)
    return lambda: ft.rank_stability(values, over=("query", "subject"))


def to_frame(folder: Path) -> Call:
    return scores(60, 10_000, 5, missing=0.0).to_frame


def loading(folder: Path) -> Call:
    import fuzzytruth as ft

    path = folder / "scores.parquet"
    scores(60, 10_000, 5, missing=0.0).save(path)
    return lambda: ft.Scores.load(path)


def displacement(folder: Path) -> Call:
    import fuzzytruth as ft

    n_queries, n_subjects, length = 100, 10, 100
    rng = np.random.default_rng(0)
    items = np.argsort(rng.random((n_queries, n_subjects, 1500)), axis=-1)[..., :length]
    query, subject, _ = (axis.ravel() for axis in np.indices(items.shape))
    grade = -np.sort(-rng.random(items.shape), axis=-1)
    lists = ft.Judgments.from_columns(query, items.ravel(), grade.ravel(), subject=subject)
    runs = rankings(1, n_queries, 1500, 1000)
    measures = [
        "WD(unseen=optimist)",
        "WDQ(g=rational,power=1)",
        "WD(unseen=worst,N=5000,normalised=True)",
        "RBO",
        "Kendall",
        "Footrule",
    ]
    return lambda: ft.evaluate(lists, runs, measures)


def curves(folder: Path) -> Call:
    import fuzzytruth as ft

    truth, runs = votes(200, 100, 1), rankings(5, 200, 400, 300)
    return lambda: ft.curves(truth, runs, "CG").to_frame()


ROWS: dict[str, Callable[[Path], Call]] = {
    "reading 1 M rows": reading,
    "reading 500,000 judgments, CSV": reading_a_table("csv"),
    "reading 500,000 judgments, Parquet": reading_a_table("parquet"),
    "1 M ids of a frame": ids_of_a_frame,
    "crisp evaluation, 1 M rows": crisp,
    "crisp evaluation, 50,000 tiny queries": many_tiny_queries,
    "independent worlds": worlds("independent", n_worlds=2000),
    "population worlds": worlds("population", n_worlds=30),
    "population, 2,000 resamples": large_population,
    "population, 30 systems, AP": population_of_systems("AP", 500),
    "population, 30 systems, ERR": population_of_systems("ERR", 200),
    "population, 30 systems, P@10": population_of_systems("P@10", 500),
    "R@10 of 12,000 probabilities": long_list,
    "R@10 of 12,000 probabilities, distribution": long_distribution,
    "F, FT, Rprec, nDCG, AP of 4,000 probabilities": long_lists,
    "subject worlds, missing judgments": worlds("subject", n_worlds=200),
    "worlds, 200 x 300 judged": large_worlds(1),
    "worlds, 200 x 300 judged, ten systems": large_worlds(10),
    "fractional grades, 63 systems": fractional("independent", 63),
    "fractional grades, missing judgments": fractional("subject", 8, missing="pooled"),
    "deep lists, P@10": deep_lists,
    "by example": by_example,
    "by_rank": by_rank,
    "curves": curves,
    "membership": membership,
    "taxonomy": taxonomy,
    "displacement measures": displacement,
    "compare 63 systems": compare_63,
    "summary over both": summary_over_both,
    "bootstrap": bootstrap,
    "pairwise agreement, 33 judges x 4,423": pairwise_agreement,
    "annotate next, 60,000 pairs": annotate_next,
    "rank stability": rank_stability,
    "rank stability over both": rank_stability_over_both,
    "scores to a frame, 3 M rows": to_frame,
    "loading scores, 3 M rows": loading,
}


def main() -> None:
    row, folder = sys.argv[1:]
    warnings.simplefilter("ignore")
    call = ROWS[row](Path(folder))
    times: list[float] = []
    cpu_times: list[float] = []
    before = start_of_peak()
    # The first call also imports; short calls are repeated, long ones not.
    while len(times) < 2 or (len(times) < 50 and sum(times) < 0.5):
        start, cpu_start = time.perf_counter(), time.process_time()
        call()
        times.append(time.perf_counter() - start)
        cpu_times.append(time.process_time() - cpu_start)
        if times[0] > LONG:
            break
    peak = kilobytes("VmHWM") - before
    import fuzzytruth

    print(Path(fuzzytruth.__file__).parent.parent)
    print(min(times), min(cpu_times), peak / 1024)


def start_of_peak() -> int:
    """Forget the largest memory so far; what the process has now (Linux only)."""
    Path("/proc/self/clear_refs").write_text("5")
    return kilobytes("VmRSS")


def kilobytes(field: str) -> int:
    """A field of what the kernel says of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


if __name__ == "__main__":
    main()

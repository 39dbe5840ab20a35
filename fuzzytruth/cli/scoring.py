"""`fuzzytruth evaluate`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from fuzzytruth.cli import options
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import DataError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.aggregation import Aggregation
    from fuzzytruth.data.by_example import ByExample
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.ranking import Ranking
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.measures import Measure

EXAMPLE = """\b
Examples:
  fuzzytruth evaluate qrels.txt a.run b.run -m AP -m nDCG@10
  fuzzytruth evaluate votes.csv new=a.run 'runs/*.run.gz' --format latex -o table.tex
  fuzzytruth evaluate qrels.txt a.run -m 'P(rel=2)@10,RR' --per-query -o scores.csv
  fuzzytruth evaluate votes.csv a.run --worlds independent --n-worlds 2000 --seed 0
  fuzzytruth evaluate qrels.txt a.run b.run -m P@10 -m AP --unjudged bounds
  fuzzytruth evaluate labels.csv like.run --taxonomy tree.txt -m P@10

Exit status: 0, or 1 if the data or a measure's name are wrong, or 2 if the command is.
"""
DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "RR")


def evaluate(
    judgments: options.JudgmentsFile,
    runs: options.RunFiles,
    measure: options.MeasureNames = None,
    per_query: options.PerQuery = False,
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    ties: options.Ties = "trec",
    undefined: options.Undefined = "zero",
    unseen: options.Unseen = "error",
    unjudged: options.Unjudged = "nonrelevant",
    worlds: options.Worlds = None,
    n_worlds: options.NWorlds = 1000,
    seed: options.Seed = None,
    n_jobs: options.Jobs = 1,
    aggregate: options.Aggregate = None,
    taxonomy: options.OptionalTaxonomyFile = None,
    category: options.AskedCategory = None,
    asked: options.AskedFile = None,
    groups: options.Groups = None,
    layout: options.LayoutChoice = None,
    output: options.Output = None,
    save: options.Save = None,
) -> None:
    """Score systems against judgments.

    Shows the mean of each measure, or every query's value. Where several subjects judged, scores
    are expected values with an interval that holds 95 % of the worlds; --worlds subject shows each
    subject's truth, --aggregate merges them.
    """
    from fuzzytruth.cli.tables import layout_of, show
    from fuzzytruth.measures import parse_measures

    wanted = parse_measures(split_measures(measure or DEFAULT_MEASURES))
    layout = layout_of(output) if layout is None else layout
    if unseen != "error" and worlds != "subject":
        raise OptionError("--unseen: is about each subject's own truth; add --worlds subject")
    if aggregate is not None and worlds not in (None, "crisp"):
        raise OptionError(f"--aggregate: leaves one truth, and no --worlds {worlds}; choose one")
    trees = [path for path in (taxonomy, asked) if path is not None]
    spare_inputs([judgments, *trees, *runs], output, save)
    scores = score_files(
        judgments,
        runs,
        wanted,
        order_by=order_by,
        duplicates=duplicates,
        groups=groups,
        aggregate=aggregate,
        categories=Categories.of(taxonomy, category, asked),
        save=save,
        worlds=worlds,
        ties=ties,
        undefined=undefined,
        missing=unseen,
        unjudged=unjudged,
        n_worlds=n_worlds,
        rng=seed,
        n_jobs=n_jobs,
    )
    show(scores, layout=layout, per_query=per_query, output=output)


def score_files(
    judgments: str | Path,
    runs: list[str],
    measures: Iterable[Measure],
    *,
    order_by: str,
    duplicates: str,
    groups: bool | None,
    aggregate: Aggregation | None,
    categories: Categories | None = None,
    save: Path | None,
    **evaluation: Any,
) -> Scores:
    """Read what the command names and evaluate it, with a bar on the terminal."""
    from fuzzytruth.evaluation.evaluate import evaluate as score

    with Bar() as bar:
        bar.stage("reading")
        truth: Judgments | ByExample
        if categories is None:
            truth = read_truth(judgments, groups=groups, aggregate=aggregate)
        elif aggregate is not None or groups is not None:
            raise OptionError("--aggregate, --groups: are for judgments; leave out --taxonomy")
        else:
            truth = categories.truth(judgments)
        systems = read_systems(runs, order_by=order_by, duplicates=duplicates)
        bar.stage("scoring", len(systems))
        scores = score(truth, systems, measures, progress=bar.step, **evaluation)
        if save is not None:
            scores.save(save)
    return scores


@dataclass(frozen=True, slots=True)
class Categories:
    """How votes for categories are read.

    Parameters
    ----------
    taxonomy : Path
    category : str or None
        What all queries ask for.
    asked : Path or None
    """

    taxonomy: Path
    category: str | None
    asked: Path | None

    @classmethod
    def of(cls, taxonomy: Path | None, category: str | None, asked: Path | None) -> Self | None:
        """What the options say; None without a taxonomy."""
        if taxonomy is not None:
            return cls(taxonomy, category, asked)
        if category is not None or asked is not None:
            raise OptionError("--category, --asked: belong to votes; add --taxonomy TREE")
        return None

    def truth(self, path: str | Path) -> ByExample:
        """Votes for categories, as the truth of query by example."""
        from fuzzytruth.data.assignment_files import read_assignments

        votes = read_assignments(path, taxonomy=self.taxonomy, asked=self.asked)
        return votes.by_example(category=self.category)


def read_truth(
    path: str | Path, *, groups: bool | None, aggregate: Aggregation | None
) -> Judgments:
    """Judgments of a file, merged if asked."""
    from fuzzytruth.data.reading import read_judgments

    truth = read_judgments(path, groups=groups)
    return truth if aggregate is None else truth.aggregate(aggregate)


def spare_inputs(inputs: list[str | Path], *outputs: Path | None) -> None:
    """Refuse to write over what is read, or two outputs to one file."""
    wanted = [path.resolve() for path in outputs if path is not None]
    if len(set(wanted)) < len(wanted):
        raise OptionError(f"{wanted[0]}: is named by -o and by --save; give each its own file")
    for text in map(str, inputs):
        for name in {text, text.partition("=")[2]} - {""}:
            for path in wanted:  # a pattern is matched against what is written
                if Path(name).resolve() == path or path.match(str(Path(name).absolute())):
                    raise OptionError(f"{path}: is read, and must not be written over")


def split_measures(texts: list[str] | tuple[str, ...]) -> list[str]:
    """Part at the commas that are not between parentheses.

    Examples
    --------
    >>> split_measures(["AP,P(rel=2,)@5", "RR"])
    ['AP', 'P(rel=2,)@5', 'RR']
    """
    parts = [part.strip() for text in texts for part in re.split(r",(?![^()]*\))", text)]
    return [part for part in parts if part]


def read_systems(texts: list[str], *, order_by: str, duplicates: str) -> Runs:
    """Read what the command names as runs: files, patterns and NAME=FILE."""
    from fuzzytruth.data.reading import read_runs
    from fuzzytruth.data.runs import Runs

    named: dict[str, str | Path] = {}
    unnamed: list[str] = []
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            unnamed.append(text)
        elif not name or not path:
            raise OptionError(f"run {text!r}: write NAME=FILE")
        elif name in named:
            raise OptionError(f"run {text!r}: the name {name!r} is given twice")
        else:
            named[name] = path
    rankings: dict[str, Ranking] = {}
    if unnamed:
        rankings.update(read_runs(unnamed, order_by=order_by, duplicates=duplicates))
    if named:
        explicit = read_runs(named, order_by=order_by, duplicates=duplicates)
        twice = [system for system in explicit if system in rankings]
        if twice:
            raise DataError(f"two runs are called {twice[0]!r}; name one with NAME=FILE")
        rankings.update(explicit)
    return Runs(rankings)

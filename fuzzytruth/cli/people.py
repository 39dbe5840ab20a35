"""Commands on people's votes: crowd, communities, reliability, structure, santini, membership."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import CATEGORIES, COMPUTATION, INPUT, OUTPUT, Option
from fuzzytruth.cli.inputs import command_line, measures_of, read_truth, runs_of
from fuzzytruth.cli.options import TableOptions, files_of
from fuzzytruth.cli.output import (
    Bar,
    check_page,
    emit_answer,
    print_line,
    write_figure,
    write_report,
)
from fuzzytruth.cli.typed_words import naming
from fuzzytruth.errors import OptionError, nearest, shown

if TYPE_CHECKING:
    from fuzzytruth.show.page import Page

#: what differs in options of votes for categories
LABELS: dict[str, Any] = {
    "duplicates": derived.DUPLICATE_VOTES,
    "taxonomy": Option(
        "The categories: CSV or Parquet (parent, child), JSON, indented text or .cla.  "
        "[default: the labels that occur, in no order]"
    ),
}
COMMUNITIES = derived.Source("communities")
CROWD = derived.Source(
    "crowd",
    without="gold",
    n_permutations=Option(panel=COMPUTATION),
    rng=Option("Random seed of all."),
)
RELIABILITY = derived.Source(
    "reliability",
    without="gold",
    n_simulated=Option(panel=COMPUTATION),
    max_iterations=Option(panel=COMPUTATION),
    rng=Option("Random seed of folds and simulations."),
)
STRUCTURE = derived.Source("structure", without="measures")
SANTINI = derived.Source(
    "santini",
    without="votes runs taxonomy lists list_measures",
    k=Option("Rank at which precision and recall are taken.", "-k", metavar="N"),
)


@derived.with_options(
    CROWD,
    *derived.VOTES,
    output=Option(panel=OUTPUT, metavar="FILE.html", settings={"callback": check_page}),
)
def crowd(
    context: typer.Context, votes: Path, *, gold: Path | None = None, output: Path | None = None
) -> None:
    r"""Show what votes alone tell: agreement, people, items, what to ask next, how many to ask.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), votes without a query (worker, item, label), or,
        with --taxonomy, --by-example or --by-item, who put which item in which category. One file,
        or one for each subject: ann=a.csv,bob=b.csv, a folder, or a quoted pattern.
    gold : path
        Known answers of 50 to 100 items: a table with columns item (and query) and grade or
        category.
    output : path
        Write a page with all of it, too.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth crowd sample/judgments.parquet --no-structure
    On files of your own:
      fuzzytruth crowd votes.csv -o crowd.html
      fuzzytruth crowd votes.csv --names hide -o to_show.html
      fuzzytruth crowd votes.csv --gold experts.csv --no-structure
      fuzzytruth crowd kinds.csv --by-item
    """
    from fuzzytruth.analysis.crowd import crowd as compute
    from fuzzytruth.analysis.crowd_page import crowd_page

    def result(bar: Bar) -> Any:
        truth = read_truth(votes, context.params, votes=True)
        bar.stage("analysing")
        how: Any = {"gold": gold, "progress": bar.advance, **CROWD.given(context)}
        with naming(columns=""):  # of gold
            return compute(getattr(truth, "votes", truth), **how)

    _show_with_page(context, result, crowd_page, output)


def _show_with_page(
    context: typer.Context,
    compute: Callable[[Bar], Any],
    page: Callable[..., Page],
    output: Path | None,
) -> None:
    """Print what this function reads and computes, and write it as a page, too, if asked for."""
    from fuzzytruth.io.writing import check_target

    if output is not None:
        check_target(output)
    with Bar() as bar:
        bar.stage("reading")
        result = compute(bar)
        bar.stage("drawing")
        again = "" if getattr(result, "pseudonyms", None) else command_line(context)
        if output is not None:
            write_report(lambda: page(result, None, again), output)
    emit_answer(result, None)
    if output is not None:
        print_line(f"wrote {output}", sys.stderr)


@derived.with_options(COMMUNITIES, *derived.VOTES, derived.TABLES, derived.FIGURES)
def communities(context: typer.Context, votes: Path) -> None:
    r"""Find groups of people who vote alike.

    Groups are made of one half of the items and proved on the other; a panel of experts and
    guessers, or of severe and lenient people, has none. Tables for programs have one row a subject,
    with its group, which evaluate --worlds community and compare read as --communities FILE.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), or, with --taxonomy or --by-example, who put which
        item in which category (subject, item, category).

    Examples
    --------
    On files of your own:
      fuzzytruth communities people.csv --n-permutations 19
      fuzzytruth communities people.csv --rel 2 -o groups.csv
      fuzzytruth communities schools.csv --taxonomy tree.txt --figure who.png
    """
    from fuzzytruth.annotators.structure.communities import communities as compute
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    format_of(context, votes, given["taxonomy"], given["asked"])
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, given, votes=True)
        bar.stage("finding groups")
        result = compute(truth, progress=bar.advance, **COMMUNITIES.given(context))
    write_figure(result.plot, given["figure"])
    show_answer(context, result, "Communities.")
    if given["output"] is not None:
        emit_answer(result, None)
        print_line(f"wrote {given['output']}", sys.stderr)


@derived.with_options(RELIABILITY, *derived.VOTES, derived.TABLES, derived.FIGURES)
def reliability(
    context: typer.Context, votes: Path, *, gold: Path | None = None, method: str = "auto"
) -> None:
    r"""Say who gives the panel's answer how often, and how far to believe that answer.

    Tables for programs have one row a subject. What a model of votes finds is what these people
    would agree on; how far that is true, known answers (--gold) tell.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), or, with --taxonomy, --by-example or --by-item, who
        put which item in which category (subject, item, category).
    gold : path
        Known answers of 50 to 100 items: a table with columns item (and query) and grade or
        category.
    method : str
        A model: pooled, one-coin, dawid-skene, glad, clarity, or rating-scale; or shares, majority
        or mace. By default the model that predicts held-out votes best.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth reliability sample/judgments.parquet
    On files of your own:
      fuzzytruth reliability votes.csv --gold experts.csv -o people.csv
      fuzzytruth reliability votes.csv --method one-coin --figure people.png
      fuzzytruth reliability kinds.csv --by-item --copies once
    """
    from fuzzytruth.annotators.influences.reliability import reliability as compute
    from fuzzytruth.cli.tables import chosen_format, format_of, show_answer

    given = context.params
    format_of(context, votes, given["taxonomy"], given["asked"], gold)
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, given, votes=True)
        bar.stage("fitting")
        options: Any = {"method": method, "gold": gold, **RELIABILITY.given(context)}
        with naming(columns=""):  # of gold
            result = compute(getattr(truth, "votes", truth), **options)
    write_figure(result.plot, given["figure"])
    shown = result if chosen_format(given) == "table" else result.subjects
    show_answer(context, shown, "Reliability of subjects.")


@derived.with_options(STRUCTURE, derived.MEASURES, *derived.VOTES, *derived.RUNS, derived.TABLES)
def structure(context: typer.Context, votes: Path, runs: list[str] | None = None) -> None:
    r"""Tell whether it matters who gave which vote.

    If not, people differ by chance alone, and memberships say what a person gets. If it does, some
    may be severe, or expert, or form communities; with runs, how far scores by people's own truths
    are from those of exchanged votes.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), or, with --taxonomy or --by-example, who put which
        item in which category (subject, item, category).
    runs : list of str
        Run files, patterns such as 'runs/*.run', or NAME=FILE.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth structure sample/judgments.parquet --n-permutations 199
    On files of your own:
      fuzzytruth structure labels.csv --taxonomy tree.txt
      fuzzytruth structure labels.csv like.run --taxonomy tree.txt -m P@1
      fuzzytruth structure panel.csv --rel 2
    """
    from fuzzytruth.annotators.structure.structure import structure as compute
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    format_of(context, votes, given["taxonomy"], given["asked"], *(runs or ()))
    with Bar() as bar:
        bar.stage("reading")
        truth = read_truth(votes, given, votes=True)
        lists = runs_of(given, runs) if runs else None
        measures = measures_of(given["measure"], by_item=given["by_item"]) if runs else None
        bar.stage("permuting")
        how = STRUCTURE.given(context)
        result = compute(truth, lists, measures, progress=bar.advance, **how)
    show_answer(context, result, "Structure of disagreement.")


@derived.with_options(
    SANTINI,
    derived.Source("read_assignments", CATEGORIES, **LABELS),
    *derived.RUNS,
    lists=Option(panel=INPUT, metavar="FILE"),
    output=Option(panel=OUTPUT, metavar="FILE.html", settings={"callback": check_page}),
)
def santini(
    context: typer.Context,
    votes: Path,
    runs: list[str],
    *,
    lists: Path | None = None,
    output: Path | None = None,
) -> None:
    r"""Evaluate systems when people disagree about categories, as Santini's paper does.

    Shows precision and recall by one truth, as distributions over what each item may be, and by
    each person's own truth; for whose truths a system is better; and whether people form groups.

    Parameters
    ----------
    votes : path
        Who put which item in which category: columns subject, item, category. CSV, TSV, JSON, JSON
        lines or Parquet; .gz of each.
    runs : list of str
        Lists of items like each item: run files, patterns such as 'runs/*.run', or NAME=FILE; or
        tables of the categories that systems gave (columns system, item, category).
    lists : path
        People's own ranked lists for the same queries, for weighted displacement.
    output : path
        Write a page with all of it, too.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth santini sample/votes.csv --taxonomy sample/tree.csv \
        sample/vit.run sample/regnety.run -k 5
    On files of your own:
      fuzzytruth santini labels.csv --taxonomy tree.txt like.run -k 1 \
        -o santini.html
    """
    from fuzzytruth.analysis.analysis_report import santini_page
    from fuzzytruth.analysis.santini import santini as compute
    from fuzzytruth.data.reading import read_judgments

    given = context.params

    def result(bar: Bar) -> Any:
        table = TableOptions.of(given)
        read = table.assignments(votes, given["taxonomy"], given["asked"])
        systems = runs_of(given, runs)
        own = None if lists is None else read_judgments(files_of(lists))
        bar.stage("analysing")
        how = SANTINI.given(context)
        return compute(read, systems, lists=own, progress=bar.advance, **how)

    _show_with_page(context, result, santini_page, output)


_MAX_COLUMNS = 10  # categories side by side on a screen


@derived.with_options(
    derived.Source("read_assignments", INPUT, **LABELS),
    derived.TABLES,
    derived.FIGURES,
    item=Option(panel=OUTPUT),
    category=Option(panel=OUTPUT),
    seed=Option(panel=COMPUTATION),
)
def membership(
    context: typer.Context,
    votes: Path,
    *,
    item: str | None = None,
    category: list[str] | None = None,
    resample: bool = False,
    seed: int = 0,
) -> None:
    r"""Show how probable each category is for each item.

    The probability is the share of the item's votes for the category or one below it. Files, and
    large taxonomies, get one row for each probability above 0.

    Parameters
    ----------
    votes : path
        Who put which item in which category: columns subject, item, category and, optionally,
        weight. CSV, TSV, JSON, JSON lines or Parquet; .gz of each.
    item : str
        Show one item as a tree of its categories with probabilities.
    category : list of str
        Only this category; may be repeated.
    resample : bool
        Add standard errors and 95 % intervals over subjects.
    seed : int
        Random seed of --resample.

    Examples
    --------
      fuzzytruth membership votes.csv --taxonomy tree.txt
      fuzzytruth membership votes.csv --taxonomy tree.txt --item fig1 \
        --figure fig1.png
      fuzzytruth membership votes.csv --columns subject=who,category=kind \
        --drop 'no idea'
      fuzzytruth membership yes.parquet --taxonomy edges.csv \
        --asked asked.parquet -o membership.csv
      fuzzytruth membership votes.csv --taxonomy tree.txt --category people \
        --resample --seed 0
    """
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    taxonomy, asked, figure = given["taxonomy"], given["asked"], given["figure"]
    as_table = format_of(context, votes, taxonomy, asked) == "table"
    on_screen = as_table and given["output"] is None
    if item is not None and (resample or category or not on_screen):
        raise OptionError("--item: draws a tree, without --format, -o, --resample, --category")
    if derived.typed(context, "seed") and not resample:
        raise OptionError("--seed: is for resampled subjects; add --resample")
    with Bar() as bar:
        bar.stage("reading")
        read = TableOptions.of(given).assignments(votes, taxonomy, asked)
        table = read.membership() if hasattr(read, "membership") else read
    known = table.taxonomy.nodes
    _require_known("--item", [] if item is None else [item], table.items)
    _require_known("--category", category or [], known)
    if figure is not None:
        if item is None and len(table.items) > 1:
            raise OptionError(
                f"--figure: draws one item, and there are {len(table.items):,}; name it: --item "
                f"{shown(table.items[0])}"
            )
        write_figure(table.plot, figure, item=item or table.items[0])
    if item is not None:
        print_line(table.to_text(item))
        return
    names = [known[code] for code in table.taxonomy.codes(category or list(known))]
    if on_screen and len(names) <= _MAX_COLUMNS and not resample:
        frame = table.to_frame()[names].reset_index()
    else:
        frame = table.resampled(rng=seed) if resample else table.to_frame(tidy=True)
        frame = frame[frame["category"].isin(names)].reset_index(drop=True)
    show_answer(context, frame, "Membership of items in categories.")
    violations, pairs = table.violations() if asked else (0, 0)
    if violations:
        print_line(
            f"note: in {violations:,} of {pairs:,} cases an item is less probably in a category "
            "than in one below it, as other subjects were asked",
            sys.stderr,
        )


def _require_known(flag: str, given: list[str], known: tuple[str, ...]) -> None:
    """Refuse a name that is not in the data."""
    for name in set(given) - set(known):
        raise OptionError(f"{flag} {shown(name)}: is not in these votes{nearest(name, known)}")

"""`fuzzytruth gate`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli.compared_scores import read_compared
from fuzzytruth.cli.derive import METHOD, OUTPUT, Option
from fuzzytruth.cli.derived import COMPARED, WORLDS_BY_SUBJECT, Source, with_options
from fuzzytruth.cli.inputs import split_names
from fuzzytruth.cli.options import margin_or_margins, whole_numbers
from fuzzytruth.cli.output import emit, emit_text, print_line, working
from fuzzytruth.cli.typed_words import text_typed
from fuzzytruth.errors import FuzzytruthWarning, OptionError, counted, first_few, shown, warn

if TYPE_CHECKING:
    from fuzzytruth.comparison.gate import Gate

#: exit status of a gate that is not passed, or not yet
NOT_PASSED = 3
GATE = Source(
    "gate",
    METHOD,
    margin=Option(
        metavar="LOSS|MEASURE=LOSS,...", kind=Any, settings={"parser": margin_or_margins}
    ),
    over=Option(
        "What is random, for the only test: query, subject, world, or several separated by commas. "
        " [default: query, and subject where there are several]"
    ),
    level=Option("Level of the one-sided bound."),
    looks=Option(metavar="N,N,...", kind=Any, settings={"parser": whole_numbers}),
)


@with_options(
    GATE,
    WORLDS_BY_SUBJECT,
    *COMPARED,
    measure=Option(metavar="MEASURE"),
    json_object=Option(panel=OUTPUT, flags="--json"),
    output=Option(panel=OUTPUT, metavar="FILE"),
    new=Option(metavar="NAME"),
    old=Option(metavar="NAME|MEAN"),
)
def gate(
    context: typer.Context,
    inputs: list[str],
    *,
    measure: list[str] | None = None,
    new: str | None = None,
    old: str | None = None,
    json_object: bool = False,
    output: Path | None = None,
) -> int:
    r"""Say whether a new system is not worse than an old one by a margin, or better.

    One line with the verdict, and an exit status for pipelines.

    Parameters
    ----------
    measure : list of str
        A measure, or several separated by commas, which all have to pass; may be repeated. By
        default all of the scores.
    new : str
        The system that is to pass. By default new, else the second one.
    old : str
        The system that it is held against, or a published mean, a number. By default old, else the
        first one.
    json_object : bool
        Write one JSON object.
    output : path
        Write to a file, not to the screen.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth gate sample/judgments.parquet sample/runs.parquet \
        --order-by rank --old amc.run --new waterloo.B-rank-normal \
        -m AP --margin .02
    On files of your own:
      fuzzytruth gate qrels.txt old=main.run new=branch.run -m nDCG@10 \
        --margin .01
      fuzzytruth gate votes.csv old=main.run new=branch.run -m RR,AP \
        --margin RR=.02,AP=.01
      fuzzytruth gate qrels.txt old=main.run new=branch.run -m AP --better \
        --json
      fuzzytruth gate votes.csv old=a.run new=b.run -m P@10 --margin .02 \
        --worlds population
      fuzzytruth gate scores.csv --old bm25 --new dense --margin .01 \
        --clusters topic
      fuzzytruth gate qrels.txt new.run -m AP --old .412 --margin .02
      fuzzytruth gate qrels.txt old=a.run new=b.run -m AP --margin .02 \
        --attempts 10
      fuzzytruth gate scores.csv --old bm25 --new dense --margin .01 \
        --looks 20,40,60

    Where several subjects judged, the test over queries and subjects decides, under
    --worlds subject if nothing else is said. Several measures all have to pass.

    Exit status: 0 if the gate is passed, 3 if not, or not yet (--looks); 1 if the data
    are wrong, 2 if an option is.
    """
    from fuzzytruth.comparison.gate import gate as gate_of

    options = GATE.given(context)
    if "margin" not in options and not options["better"]:
        raise OptionError(
            "--margin: name the loss that is too much, in units of the measure, such as --margin "
            ".01; or ask for --better"
        )
    compared = read_compared(context, inputs, several="subject", defaults=False)
    systems = compared.scores.systems
    typed = inputs if compared.were_scores else inputs[1:]
    names = names_of_gate(systems, typed, new, old, table=compared.were_scores)
    others = [] if compared.were_scores else [name for name in systems if name not in names]
    with working("comparing"):
        result = gate_of(compared.scores, *names, compared.measures, **options | compared.groups)
    if others:  # once the names are known to be right
        unused = counted(len(others), "system is", "systems are")
        warn(f"{unused} neither new nor old, and left out: {first_few(others)}", FuzzytruthWarning)
    show_gate(result, json_object=json_object, output=output)
    return 0 if result.passed else NOT_PASSED


def names_of_gate(
    systems: Sequence[str],
    typed: Sequence[str],
    new: str | None,
    old: str | None,
    *,
    table: bool = False,
) -> tuple[str, str | float]:
    """Names of the new system and of the old one, or the old mean.

    Those given; else "new" and "old"; else, of two systems, the other one, or the order in which
    their files were `typed`, the old one first. The order within one table of scores is reported.

    Raises
    ------
    OptionError
        It is not clear which is which.
    """
    mean = published_mean(old, systems)
    if mean is not None and new is None and len(systems) == 1:
        new = systems[0]
    new = new or ("new" if "new" in systems and old != "new" else None)
    old = old or ("old" if "old" in systems and new != "old" else None)
    if new is not None and old is not None:
        return new, old if mean is None else mean
    if mean is not None:
        raise OptionError(
            f"--new: name the system that is held against {mean:g}; there are "
            f"{first_few(systems, show=shown)}"
        )
    if len(systems) < 2:
        raise OptionError(
            f"--new, --old: name the two systems; there is 1 system, {shown(systems[0])}: give the "
            "runs of the old and the new one, or scores of both"
        )
    if len(systems) != 2:
        raise OptionError(
            f"--new, --old: name the two systems; there are "
            f"{counted(len(systems), 'system')}, {first_few(systems, show=shown)}"
        )
    if new is None and old is None:
        old, new = _by_order(systems, typed, table=table)
    first, second = systems
    new = new or (second if old == first else first)
    return new, old or (second if new == first else first)


def published_mean(old: str | None, systems: Sequence[str]) -> float | None:
    """The old mean, if a number was typed that is no system's name."""
    try:
        return None if old is None or old in systems else float(old)
    except ValueError:
        return None


def _by_order(systems: Sequence[str], typed: Sequence[str], *, table: bool) -> tuple[str, str]:
    """The old system and the new one of two, by the order of their files."""
    named, unnamed = split_names(typed)
    old, new = systems
    if len(typed) == 2 and not (named and unnamed):
        return old, new
    if table and len(typed) == 1:
        warn(
            f"{typed[0]}: {shown(old)} comes first and is taken as old, {shown(new)} as new; say "
            "--old, --new",
            FuzzytruthWarning,
        )
        return old, new
    raise OptionError(
        f"--new, --old: which is which? The systems are {shown(old)} and {shown(new)}; name their "
        "files old=FILE new=FILE, or say --old, --new"
    )


def show_gate(result: Gate, *, json_object: bool, output: Path | None) -> None:
    """Print the verdict, and write it to a file; JSON if asked for, or its name ends so."""
    said = text_typed("\n".join(result.lines()))
    if output is not None:
        print_line(said)
    if json_object or (output is not None and output.suffix.lower() == ".json"):
        emit_text(json.dumps(result.to_dict(), ensure_ascii=False) + "\n", output)
    else:
        emit(lambda file: print_line(said, file), output)

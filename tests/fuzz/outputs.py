"""Outputs of all verbs on drawn cases, written to a file, and two such files compared.

To see that a rearrangement changes no number: write the outputs of both versions, then compare.

    cd tests && python -m fuzz.outputs write old.pickle --seeds 150  # PYTHONPATH: the old version
    cd tests && python -m fuzz.outputs write new.pickle --seeds 150  # PYTHONPATH: the new version
    cd tests && python -m fuzz.outputs compare old.pickle new.pickle
"""

import argparse
import pickle
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft
from fuzz.cases import Case, verbs

RTOL = 1e-9
_TABLES = ("to_frame", "mean", "summary", "by_subject", "tiers", "by_category", "curve")
#: place of an output -> array of numbers or list of texts
Outputs = dict[str, Any]


def parts_of(result: Any) -> Iterator[tuple[str, Any]]:
    """Numbers and texts of a result, as (name, array or list)."""
    if isinstance(result, pd.DataFrame):
        for name, column in result.reset_index().items():
            numeric = column.dtype.kind in "biuf"
            yield str(name), column.to_numpy() if numeric else [str(value) for value in column]
        return
    yield "text", [str(result)]
    for name in _TABLES:
        with suppress(ft.FuzzytruthError, TypeError, AttributeError):
            table = getattr(result, name)()
            if isinstance(table, pd.DataFrame):
                yield from ((f"{name}.{part}", value) for part, value in parts_of(table))


def outputs_of(seed: int, names: Iterable[str] = ()) -> Outputs:
    """What all verbs give on the case of a seed; of errors and warnings, their classes."""
    out: Outputs = {}
    for name in names or verbs():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                parts = list(parts_of(verbs()[name](Case(seed))))
            except Exception as error:
                parts = [("error", [type(error).__name__])]
        kinds = sorted({one.category.__name__ for one in caught})
        for part, value in [*parts, ("warnings", kinds)]:
            out[f"{seed}/{name}/{part}"] = value
    return out


def differs(old: Any, new: Any) -> bool:
    if not (isinstance(old, np.ndarray) and isinstance(new, np.ndarray)):
        return type(old) is not type(new) or old != new
    return old.shape != new.shape or not np.allclose(old, new, RTOL, 1e-12, equal_nan=True)


def compare(old: Outputs, new: Outputs) -> int:
    """Print what differs; texts apart, as their wording may change on purpose."""
    missing = sorted(set(old) - set(new))
    other = [key for key in old if key in new and differs(old[key], new[key])]
    texts = [key for key in other if key.endswith("/text")]
    numbers = [key for key in other if key not in texts]
    print(f"{len(old):,} outputs, {len(missing)} missing, {len(numbers)} numbers or names differ")
    print(f"{len(texts)} printed texts differ")
    for key in [*missing, *numbers][:40]:
        print("-", key)
    for key in texts[:8]:
        was, now = old[key][0].splitlines(), new[key][0].splitlines()
        lines = [f"  - {line}" for line in was if line not in now]
        lines += [f"  + {line}" for line in now if line not in was]
        print(f"= {key}", *lines, sep="\n")
    return 1 if missing or numbers else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write")
    writing.add_argument("path", type=Path)
    writing.add_argument("--seeds", type=int, default=150)
    writing.add_argument("--first", type=int, default=0)
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    given = parser.parse_args()
    if given.command == "compare":
        return compare(*(pickle.loads(path.read_bytes()) for path in (given.old, given.new)))
    out: Outputs = {}
    for seed in range(given.first, given.first + given.seeds):
        out |= outputs_of(seed)
        print(f"seed {seed}: {len(out):,} outputs", file=sys.stderr, flush=True)
    given.path.write_bytes(pickle.dumps(out))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Make the sample clef_tar2017 from the runs and judgments of CLEF TAR 2017.

python benchmarks/make_clef_tar2017.py SOURCE TARGET

SOURCE holds `runs_top1000.parquet` and `qrels.parquet` as described in the sample's README.md;
TARGET receives `runs.parquet` and `judgments.parquet`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

DEPTH = 200
SYSTEMS = [
    "amc.run",
    "ecnu.run2",
    "ecnu.run3",
    "iiit.run1",
    "qut.result_bool_es_test",
    "qut.result_pico_es_test",
    "waterloo.A-rank-normal",
    "waterloo.B-rank-normal",
]
#: screening stage -> lowest rel_level of an included document
STAGES = {"abstract": 1, "content": 2}


def cut_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """The first DEPTH documents of each list of the chosen systems, in rank order."""
    kept = runs[runs["run"].isin(SYSTEMS) & (runs["rank"] <= DEPTH)]
    kept = kept.astype({"run": str, "topic": str}).sort_values(["run", "topic", "rank"])
    return pd.DataFrame(
        {
            "system": kept["run"],
            "query": kept["topic"],
            "item": kept["pmid"],
            "rank": kept["rank"],
        }
    )


def cut_judgments(qrels: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """All relevant documents, and others that are retrieved; one subject a stage."""
    qrels = qrels.astype({"topic": str})
    retrieved = pd.MultiIndex.from_frame(runs[["query", "item"]])
    judged = pd.MultiIndex.from_frame(qrels[["topic", "pmid"]])
    kept = qrels[(qrels["rel_level"] > 0) | judged.isin(retrieved)]
    kept = kept.sort_values(["topic", "pmid"])
    stages = [
        pd.DataFrame(
            {
                "query": kept["topic"],
                "item": kept["pmid"],
                "subject": stage,
                "grade": (kept["rel_level"] >= level).astype("int8"),
            }
        )
        for stage, level in STAGES.items()
    ]
    return pd.concat(stages)


def write_small(frame: pd.DataFrame, path: Path) -> None:
    """Write a Parquet file with encodings that suit sorted ids."""
    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
    whole = [f.name for f in table.schema if pa.types.is_integer(f.type)]
    wide = [name for name in whole if name != "grade"]
    pq.write_table(
        table,
        path,
        compression="zstd",
        compression_level=19,
        use_dictionary=[name for name in table.column_names if name not in wide],
        column_encoding=dict.fromkeys(wide, "DELTA_BINARY_PACKED"),
        write_statistics=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    paths = parser.parse_args()
    runs = cut_runs(pd.read_parquet(paths.source / "runs_top1000.parquet"))
    judgments = cut_judgments(pd.read_parquet(paths.source / "qrels.parquet"), runs)
    write_small(runs, paths.target / "runs.parquet")
    write_small(judgments, paths.target / "judgments.parquet")
    print(f"{len(runs):,} retrieved documents, {len(judgments):,} judgments")


if __name__ == "__main__":
    main()

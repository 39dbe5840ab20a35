"""Make the sample dermatology_ddx, differential diagnoses, from the released table.

python benchmarks/make_dermatology_ddx.py SOURCE TARGET

SOURCE holds `rankings_long.csv.gz`, one row a reader and diagnosis (case, reader_pos, rank_group,
condition); TARGET receives `rankings.parquet`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    table = pd.read_csv(given.source / "rankings_long.csv.gz")
    out = pd.DataFrame(
        {
            "case": table["case"].astype("int16"),
            "reader": table["reader_pos"].astype("int8") + 1,
            "condition": table["condition"].astype("category"),
            "group": table["rank_group"].astype("int8"),
        }
    )
    out.to_parquet(given.target / "rankings.parquet", index=False, compression="zstd")


if __name__ == "__main__":
    main()

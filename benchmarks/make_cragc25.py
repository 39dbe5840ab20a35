"""Make the sample cragc25, workers' preferences, from the released tables.

python benchmarks/make_cragc25.py SOURCE TARGET

SOURCE holds pairs.csv.gz, responses.csv.gz and votes_long.parquet; TARGET receives shares.parquet.
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
    responses = pd.read_csv(given.source / "responses.csv.gz").set_index("response")
    system = responses["kind"] + "-" + responses["style"]
    pairs = pd.read_csv(given.source / "pairs.csv.gz")[
        ["pair", "query", "response_a", "response_b"]
    ]
    votes = pd.read_parquet(given.source / "votes_long.parquet")
    votes = votes[votes["dimension"] == "quality_overall"].merge(pairs, on="pair")
    won = votes["vote"].astype(str).map({"a": 1.0, "n": 0.5, "b": 0.0})
    sides = []
    for side, value in (("response_a", won), ("response_b", 1 - won)):
        columns = {"system": votes[side].map(system), "query": votes["query"]}
        sides.append(
            pd.DataFrame({**columns, "subject": votes["worker"].astype(str), "value": value})
        )
    keys = ["system", "query", "subject"]
    out = pd.concat(sides).groupby(keys, as_index=False)["value"].mean()
    out = out.astype(dict.fromkeys(keys, "category")).astype({"value": "float32"})
    out.to_parquet(
        given.target / "shares.parquet", index=False, compression="zstd", compression_level=19
    )


if __name__ == "__main__":
    main()

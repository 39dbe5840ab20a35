"""Make the sample llmjudge_dl23 from the released table.

python benchmarks/make_llmjudge_dl23.py SOURCE TARGET

SOURCE holds `judgments_wide.parquet` as described in the sample's README.md; TARGET receives
`judgments.parquet`.
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
    table = pd.read_parquet(given.source / "judgments_wide.parquet")
    grades = table.drop(columns=["qid", "pid", "trec_qid", "trec_docid"]).astype("int8")
    out = pd.DataFrame({"query": table["qid"], "item": table["pid"]}).join(grades)
    out.to_parquet(
        given.target / "judgments.parquet", index=False, compression="zstd", compression_level=19
    )


if __name__ == "__main__":
    main()

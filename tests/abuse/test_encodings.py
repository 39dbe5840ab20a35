"""Screens that lack characters, in processes whose streams Python makes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import QRELS, A

NAME = "Żółw–\u2028é\U0001f600→"
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    ("environment", "file"),
    [(PLAIN, "ok"), (PLAIN, "bad"), ({"PYTHONIOENCODING": "cp1252"}, "ok")],
)
def test_names_in_results_warnings_and_errors(
    tmp_path: Path, environment: dict[str, str], file: str
) -> None:
    (tmp_path / "qrels.txt").write_text(QRELS.replace("q1", NAME), encoding="utf-8")
    run = "".join(line for line in A.splitlines(keepends=True) if line.startswith("q1"))
    (tmp_path / "ok.run").write_text(run.replace("q1", NAME), encoding="utf-8")
    (tmp_path / "bad.run").write_text(f"q1 Q0 {NAME} 1 x {NAME}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "fuzzytruth", "evaluate", "qrels.txt", f"{file}.run", "--per-query"],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, **environment},
    )
    assert done.returncode == (file != "ok")
    assert not re.search(b"Traceback|defect", done.stderr)
    encoding = environment.get("PYTHONIOENCODING", "ascii")
    shown = (done.stdout if file == "ok" else done.stderr).decode(encoding)
    if file == "ok":
        assert "\\ud83d\\ude00->" in shown
        assert "\\u2028" in shown
    else:
        assert shown.count("\n") == 1
        assert "'x'" in shown

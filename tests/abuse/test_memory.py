"""Too little memory is said in one line, whatever it is that does not fit."""

import errno
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from fuzzytruth.cli.messages import no_memory

ARROW = "Unknown error: Failed to launch worker thread: Resource temporarily unavailable"
LOADED = "libscipy.so: failed to map segment from shared object"


def chained() -> ImportError:
    """NumPy's error: advice first, and then what happened."""
    try:
        raise ImportError(LOADED)
    except ImportError as cause:
        error = ImportError("Importing the numpy C-extensions failed.")
        error.__cause__ = cause
        return error


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (MemoryError(), "of the system"),
        (MemoryError("Unable to allocate\n8. GiB"), "Unable to allocate 8. GiB"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "[Errno 12] Cannot allocate memory"),
        (RuntimeError("can't start new thread"), "can't start new thread"),
        (ImportError(f"READ THIS\n  {LOADED}\nBye"), LOADED),
        (chained(), LOADED),
        (pa.ArrowException(ARROW), ARROW),
        (pa.ArrowInvalid("no such column"), None),
        (ImportError("No module named 'x'"), None),
        (OSError(errno.ENOSPC, "No space left on device"), None),
        (ValueError("cannot allocate memory"), None),
    ],
)
def test_what_memory_is_too_short_for(error: Exception, what: str | None) -> None:
    assert no_memory(error) == what


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of address space")
def test_libraries_that_cannot_be_loaded(tmp_path: Path) -> None:
    import resource

    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "fuzzytruth", "evaluate", "qrels.txt", "qrels.txt"],
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (60_000_000, 60_000_000)),
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"error: not enough memory (")
    assert done.stderr.count(b"\n") == 1

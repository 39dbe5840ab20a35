"""Execute the notebooks of this folder, and compare what they print with what they hold.

    python notebooks/execute.py                        # all; exit status 1 if one fails or differs
    python notebooks/execute.py 01_first_look          # one of them
    python notebooks/execute.py --update               # keep the new outputs
    python notebooks/execute.py --to docs/notebooks    # write executed copies, links adapted

Needs nbformat, nbclient and ipykernel (the extra `notebooks`).
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import copy
import difflib
import html
import io
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
HOME = FOLDER.parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
TIMEOUT = 120  # seconds a cell
LINK = re.compile(r"(\]\()((?!https?://|#|mailto:)[^)\s]+)\)")  # relative ones


def main(argv: list[str] | None = None) -> int:
    """Run as a command; 0 if all went well and nothing differs."""
    options = _options(argv)
    paths = chosen(options.names)
    results = asyncio.run(_execute_all(paths, options.jobs))
    failed = False
    for path in paths:
        book, error, seconds = results[path]
        failed |= not _settle(path, book, error, seconds, options)
    return int(failed)


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="notebooks, by default all")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="write executed copies there")
    parser.add_argument("--update", action="store_true", help="keep the new outputs in place")
    parser.add_argument("--jobs", type=int, default=2, choices=(1, 2), help="at a time (2)")
    return parser.parse_args(argv)


def chosen(names: list[str]) -> list[Path]:
    """The notebooks of these names or paths, or all."""
    if not names:
        return sorted(FOLDER.glob("*.ipynb"))
    paths = [FOLDER / (Path(name).stem + ".ipynb") for name in names]
    if unknown := [path.stem for path in paths if not path.exists()]:
        sys.exit(f"no such notebook: {', '.join(unknown)}")
    return paths


async def _execute_all(paths: list[Path], jobs: int) -> dict[Path, tuple[Any, str, float]]:
    """Each notebook as executed, its error or "", and the seconds that it took."""
    free = asyncio.Semaphore(jobs)

    async def one(path: Path) -> tuple[Any, str, float]:
        async with free:
            start = time.perf_counter()
            book, error = await execute(path)
            return book, error, time.perf_counter() - start

    done = await asyncio.gather(*(one(path) for path in paths))
    return dict(zip(paths, done, strict=True))


async def execute(path: Path) -> tuple[Any, str]:
    """A notebook run in a fresh kernel, cleaned, and the error that ended it, or ""."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    book = nbformat.read(path, as_version=4)
    client = NotebookClient(
        book,
        timeout=TIMEOUT,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--log-level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    error = ""
    try:
        await client.async_execute(env=environment())
    except CellExecutionError as failure:
        error = re.sub(r"\x1b\[[\d;]*m", "", str(failure))
    return cleaned(book), error


def environment() -> dict[str, str]:
    """Variables of the kernels: this package, lines of 80 characters, figures in the notebook."""
    inherited = {name: text for name, text in os.environ.items() if name != "MPLBACKEND"}
    paths = [str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
    return inherited | {
        "PYTHONPATH": os.pathsep.join(paths),
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def cleaned(book: Any) -> Any:
    """The notebook without what depends on the machine or the moment."""
    import nbformat

    book.metadata = nbformat.from_dict(METADATA)
    for cell in book.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
            for output in cell.outputs:
                output.get("metadata", {}).clear()
                if "image/png" in output.get("data", {}):
                    output.data["image/png"] = smaller(output.data["image/png"])
    return book


def smaller(png: str) -> str:
    """A figure with a palette of 64 colours, which takes a third of the room."""
    from PIL import Image

    inside, out = io.BytesIO(base64.b64decode(png)), io.BytesIO()
    Image.open(inside).convert("RGB").quantize(64).save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode() + "\n"


def _joined(outputs: list[Any]) -> list[Any]:
    """Outputs with neighbouring pieces of one stream as one."""
    kept: list[Any] = []
    for output in outputs:
        before = kept[-1] if kept else {}
        if output["output_type"] == "stream" and before.get("name") == output["name"]:
            before["text"] += output["text"]
        else:
            kept.append(output)
    return kept


def _settle(path: Path, book: Any, error: str, seconds: float, options: argparse.Namespace) -> bool:
    """Say how a notebook went, and write what is asked for; whether all is well."""
    import nbformat

    problem = error or red(book)
    if problem:
        print(f"{path.name}: failed after {seconds:.1f} s\n{problem}", file=sys.stderr)
        return False
    stored = nbformat.read(path, as_version=4)
    found = difference(stored, book)
    if options.to is not None:
        options.to.mkdir(parents=True, exist_ok=True)
        nbformat.write(with_links(book, options.to.resolve()), options.to / path.name)
    if options.update and (found or stored != book):
        nbformat.write(book, path)
        print(f"{path.name}: {seconds:.1f} s, updated")
    elif found:
        accept = f"python notebooks/execute.py --update {path.stem}"
        print(f"{path.name}: {seconds:.1f} s, prints something else than it holds", file=sys.stderr)
        print(f"{found}\nTo accept: {accept}", file=sys.stderr)
        return False
    else:
        print(f"{path.name}: {seconds:.1f} s")
    return True


def red(book: Any) -> str:
    """What the cells wrote to stderr, which notebooks show in red."""
    return "\n".join(
        f"cell {cell['id']} wrote to stderr: {output['text']}"
        for cell in book["cells"]
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream" and output["name"] == "stderr"
    )


def difference(stored: Any, fresh: Any) -> str:
    """The lines that differ between the outputs of two notebooks; "" if none does."""
    lines = difflib.unified_diff(
        printed(stored), printed(fresh), "stored", "executed", lineterm="", n=2
    )
    return "\n".join(lines)


def printed(book: Any) -> list[str]:
    """What a notebook shows, line by line: its texts, and where its figures are."""
    lines = []
    for cell in book["cells"]:
        for output in cell.get("outputs", ()):
            lines.append(f"cell {cell['id']}:")
            data = output.get("data", {})
            lines += text_of(output).splitlines()
            lines += [f"[figure: {kind}]" for kind in sorted(data) if kind.startswith("image/")]
    return lines


def text_of(output: Any) -> str:
    """The text of an output; of HTML, whose tables are complete, without its tags."""
    data = output.get("data", {})
    if any(kind.startswith("image/") for kind in data):
        return ""  # such as its size
    if "text/html" not in data:
        return str(output.get("text", data.get("text/plain", "")))
    body = re.sub(r"<style.*?</style>|\s*\n\s*", "", data["text/html"], flags=re.S)
    rows = re.sub(r"</(tr|p|div|caption|table)>|<br>", "\n", body)
    text = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"</t[dh]>", "  ", rows)))
    return re.sub(r"\s*\n+", "\n", text).strip("\n")


def with_links(book: Any, folder: Path) -> Any:
    """A copy whose relative links lead from `folder` to the same files."""

    def moved(match: re.Match[str]) -> str:
        path, mark, anchor = match[2].partition("#")
        target = (FOLDER / path).resolve()
        if target.parent == FOLDER and target.suffix == ".ipynb":  # copied, too
            return match[0]
        return f"]({Path(os.path.relpath(target, folder)).as_posix()}{mark}{anchor})"

    out = copy.deepcopy(book)
    for cell in out["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = LINK.sub(moved, cell["source"])
    return out


if __name__ == "__main__":
    sys.exit(main())

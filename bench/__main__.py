"""python -m bench: measure, print the table, exit 1 if a limit is missed."""

import argparse
import os
import platform
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench import commands, engines, evaluators, giants, readers
from bench.table import Row, as_markdown, as_text
from corefkit import __version__


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=(), help="only these parts")
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="corefkit-bench-") as folder:
        rows = list(_measure(Path(folder), arguments.only))
    print((as_markdown if arguments.markdown else as_text)(rows))
    print(f"\n{_environment()}; times are the fastest of several interleaved runs, those of giants")
    print("and of engines of one")
    missing = [row for row in rows if row.missing]
    failed = [row for row in rows if row.ok is False]
    if missing:
        _tell(f"WARNING: {len(missing)} of {len(rows)} rows were NOT MEASURED, see the table")
    if failed:
        _tell(f"FAILED: {len(failed)} of {len(rows)} rows miss their limit")
    return 1 if failed else 0


SECTIONS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "commands": commands.rows,
    "readers": readers.rows,
    "evaluators": evaluators.rows,
    "giants": giants.rows,
    "engines": engines.rows,
}
"""The parts of the benchmark, in the order of the table."""


def _measure(scratch: Path, only: Sequence[str]) -> Iterator[Row]:
    for name, rows in SECTIONS.items():
        if not only or name in only:
            _tell(f"measuring {name} …")
            try:
                for row in rows(scratch):
                    _tell("  " + " | ".join(cell for cell in row.cells if cell))
                    yield row
            except Exception as error:  # the other parts are still worth measuring
                traceback.print_exc()
                yield Row(name, f"broke off: {type(error).__name__}: {error}", ok=False)


def _environment() -> str:
    return (
        f"corefkit {__version__}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"{platform.machine()}, {os.cpu_count()} processors"
    )


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

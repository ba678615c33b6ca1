"""Counting on engines: time, memory and spill. `python -m bench.engines 100000000` for more.

The Parquet files are made by DuckDB itself: entities of all sizes, a few very large, and a
response that finds nine in ten mentions and moves a fifth of them.
"""

import argparse
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import corefkit, environment, usage
from bench.table import Row, as_text, seconds

MEMORY = "4GB"
_TIMEOUT = 3600.0
_IN_DOCUMENTS = 20
"""Mentions of a document where there are documents."""

_ENTITIES = "CAST(floor(pow(hash({block}) % 1000003 / 1000003.0, 3) * {entities}) AS BIGINT)"


def write_parquet(mentions: int, folder: Path, *, documents: bool = False) -> tuple[Path, Path]:
    """Key and response of so many mentions, as one document or as documents of twenty."""
    import duckdb

    files = folder / f"key-{mentions}.parquet", folder / f"response-{mentions}.parquet"
    for file, kept, moved in zip(files, (95, 90), ("0", "(hash(i) % 5 = 0)::BIGINT"), strict=True):
        block = f"i // 7 + {moved} * {mentions}"
        entity = _ENTITIES.format(block=block, entities=max(mentions // 5, 1))
        columns = "i AS mention, " + entity + " AS entity"
        if documents:
            columns = (
                f"'d' || (i // {_IN_DOCUMENTS}) AS document, i % {_IN_DOCUMENTS} AS mention, "
                f"hash({block}) % 6 AS entity"
            )
        with duckdb.connect() as connection:
            connection.execute(
                f"COPY (SELECT {columns} FROM range({mentions}) t(i) "
                f"WHERE hash(i + {kept}) % 100 < {kept}) TO '{file}' (FORMAT parquet)"
            )
    return files


class Watch(threading.Thread):
    """Looks at a folder and at our processes now and then: how large both were at most.

    The Java process of Spark is a child of a child, of which the system keeps no account.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.most, self.memory, self.going = folder, 0, 0, True

    def run(self) -> None:
        while self.going:
            self.most = max(self.most, _size(self.folder))
            self.memory = max(self.memory, _memory_of_children(os.getpid()))
            time.sleep(0.2)


def _memory_of_children(parent: int) -> int:
    """The resident memory of all processes below one, in bytes; 0 where there is no /proc."""
    parents, sizes = {}, {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except (OSError, ValueError):  # gone meanwhile
            continue
        process = int(status.parent.name)
        parents[process] = int(lines["PPid"])
        sizes[process] = int(lines.get("VmRSS", "0").split()[0]) * 1024
    below, total = {parent}, 0
    while more := {p for p, above in parents.items() if above in below} - below:
        below |= more
        total += sum(sizes[process] for process in more)
    return total


def _size(folder: Path) -> int:
    total = 0
    for place, _, files in os.walk(folder):
        for file in files:
            try:
                total += os.stat(os.path.join(place, file)).st_size  # noqa: PTH116, PTH118
            except OSError:  # removed meanwhile
                continue
    return total


def measure(mentions: int, scratch: Path, engine: str, *, documents: bool = False) -> Row:
    """One whole process on one pair of files."""
    key, response = write_parquet(mentions, scratch, documents=documents)
    spill = scratch / "spill"
    spill.mkdir(exist_ok=True)
    watch = Watch(spill)
    watch.start()
    options = ["--engine", engine, "--memory", MEMORY, "--threads", "2", "--spill", str(spill)]
    if documents:
        options += ["--counts", str(scratch / "counts.parquet")]
    used = usage(corefkit("score", key, response, *options), environment(scratch), _TIMEOUT)
    watch.going = False
    what = f"corefkit score --engine {engine} --memory {MEMORY}, {mentions:,} mentions"
    what += f" in documents of {_IN_DOCUMENTS}, --counts" if documents else ", one document"
    for file in (key, response):
        file.unlink()
    if not used.finished:
        return Row(what, f"not finished after {seconds(_TIMEOUT)}", "", False)
    memory = max(used.peak_bytes, watch.memory)
    peak = f"peak {memory / 2**30:.2f} GiB, spill {watch.most / 2**30:.2f} GiB"
    return Row(what, f"{seconds(used.seconds)}; {peak}")


def rows(scratch: Path, *, quick: bool) -> Iterator[Row]:
    """DuckDB with a million and ten million mentions, and with a million documents."""
    for mentions in (1_000_000,) if quick else (1_000_000, 10_000_000):
        yield measure(mentions, scratch, "duckdb")
    if not quick:
        yield measure(20_000_000, scratch, "duckdb", documents=True)


def main() -> None:
    """Measure the sizes that are named."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines", description=__doc__)
    parser.add_argument("mentions", type=int, nargs="+", help="how many mentions")
    parser.add_argument("--engine", default="duckdb", choices=("duckdb", "spark"))
    parser.add_argument("--documents", action="store_true", help="in documents of twenty")
    arguments = parser.parse_args()
    for mentions in arguments.mentions:
        with TemporaryDirectory(prefix="corefkit-bench-") as folder:
            row = measure(mentions, Path(folder), arguments.engine, documents=arguments.documents)
            print(as_text([row]), flush=True)


if __name__ == "__main__":
    main()

"""Counting on engines: time, memory and spill. `python -m bench.engines 100000000` for more.

The Parquet files are made by DuckDB itself, in several shapes: SHAPES says which. Ratios are of
processor time: DuckDB to memory, and skewed data to regular data.
"""

import argparse
import os
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.measure import Usage, corefkit, environment, usage
from bench.table import Row, as_text, at_most, seconds

MEMORY = "4GB"
_TIMEOUT = 3600.0
_IN_DOCUMENTS = 20
"""Mentions of a document where there are documents."""

_MEMORY_LIMIT = 1.3
_SKEW_LIMIT = 4.0
_SPARK_LIMIT = 600.0

_ENTITIES = "CAST(floor(pow(hash({block}) % 1000003 / 1000003.0, 3) * {entities}) AS BIGINT)"

SHAPES = {
    "regular": "one document",
    "documents": f"in documents of {_IN_DOCUMENTS}",
    "half": "one document with half of them, the others in documents of five",
    "one": "the key is one entity, the response entities of three",
    "pairs": "random pairs on both sides",
}
"""How the mentions of key and response are arranged. Regular: entities of all sizes, a few very
large, and a response that finds nine in ten mentions and moves a fifth of them."""


def write_parquet(mentions: int, folder: Path, shape: str = "regular") -> tuple[Path, Path]:
    """Key and response of about so many mentions, in one of SHAPES."""
    import duckdb

    files = folder / f"key-{mentions}.parquet", folder / f"response-{mentions}.parquet"
    for file, query in zip(files, _queries(mentions, shape), strict=True):
        with duckdb.connect() as connection:
            connection.execute(f"COPY ({query}) TO '{file}' (FORMAT parquet)")
    return files


def _queries(mentions: int, shape: str) -> tuple[str, str]:
    """The rows of key and response."""
    source = f"FROM range({mentions}) t(i)"
    if shape == "one":
        key, response = (f"SELECT i AS mention, {entity} AS entity" for entity in ("0", "i // 3"))
        return f"{key} {source}", f"{response} {source}"
    if shape == "pairs":
        key, response = (
            f"SELECT i AS mention, (row_number() OVER (ORDER BY hash(i * 2 + {side})) - 1) // 2 "
            f"AS entity {source}"
            for side in (0, 1)
        )
        return key, response
    key, response = (
        f"SELECT {_columns(mentions, shape, moved)} {source} WHERE hash(i + {kept}) % 100 < {kept}"
        for kept, moved in ((95, "0"), (90, "(hash(i) % 5 = 0)::BIGINT"))
    )
    return key, response


def _columns(mentions: int, shape: str, moved: str) -> str:
    """Document, mention and entity of a side that keeps to blocks of seven mentions."""
    block = f"i // 7 + {moved} * {mentions}"
    if shape == "documents":
        return (
            f"'d' || (i // {_IN_DOCUMENTS}) AS document, i % {_IN_DOCUMENTS} AS mention, "
            f"hash({block}) % 6 AS entity"
        )
    if shape == "half":
        half = mentions // 2
        large = _ENTITIES.format(block=block, entities=max(half // 5, 1))
        return (
            f"CASE WHEN i < {half} THEN 'large' ELSE 'd' || (i // 5) END AS document, "
            f"i AS mention, CASE WHEN i < {half} THEN {large} ELSE CAST(hash({block}) % 3 AS "
            "BIGINT) END AS entity"
        )
    return (
        "i AS mention, "
        + _ENTITIES.format(block=block, entities=max(mentions // 5, 1))
        + (" AS entity")
    )


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


def run_once(
    mentions: int, scratch: Path, engine: str, shape: str, *, counts: bool = False
) -> tuple[Usage, str]:
    """One whole process on one pair of files; what it took, and its memory and spill for people."""
    key, response = write_parquet(mentions, scratch, shape)
    spill = scratch / "spill"
    spill.mkdir(exist_ok=True)
    limits = "" if engine == "memory" else f":memory={MEMORY},threads=2,spill={spill}"
    options = ["--engine", engine + limits]
    if counts:
        options += ["--counts", str(scratch / "counts.parquet")]
    watch = Watch(spill)
    watch.start()
    used = usage(corefkit("score", key, response, *options), environment(scratch), _TIMEOUT)
    watch.going = False
    for file in (key, response):
        file.unlink()
    memory = max(used.peak_bytes, watch.memory)
    return used, f"peak {memory / 2**30:.2f} GiB, spill {watch.most / 2**30:.2f} GiB"


def measure(mentions: int, scratch: Path, engine: str, shape: str) -> Row:
    """Time and memory of one process."""
    counts = shape == "documents" and engine != "memory"
    used, taken = run_once(mentions, scratch, engine, shape, counts=counts)
    what = f"corefkit score --engine {engine}:memory={MEMORY}, {mentions:,} mentions, "
    what += SHAPES[shape] + ", --counts" * counts
    if not used.finished:
        return Row(what, f"not finished after {seconds(_TIMEOUT)}", "", False)
    limit, ok = "", None
    if engine == "spark" and mentions <= 10_000_000:
        limit, ok = f"≤ {_SPARK_LIMIT:g} s", used.seconds <= _SPARK_LIMIT
    return Row(what, f"{seconds(used.seconds)}; {taken}", limit, ok)


def ratios(
    mentions: int,
    scratch: Path,
    engine: str = "duckdb",
    shapes: Sequence[str] = ("half", "one", "pairs"),
) -> Iterator[Row]:
    """Processor time of an engine: regular data to memory, skewed data to regular data."""
    of_memory, _ = run_once(mentions, scratch, "memory", "regular")
    regular, taken = run_once(mentions, scratch, engine, "regular")
    what = f"processor time, --engine {engine}, {mentions:,} mentions"
    detail = f"{seconds(regular.processor)} / {seconds(of_memory.processor)}; {taken}"
    yield at_most(
        f"{what} / --engine memory",
        regular.processor / of_memory.processor,
        _MEMORY_LIMIT,
        detail=detail,
    )
    for shape in shapes:
        skewed, taken = run_once(mentions, scratch, engine, shape)
        detail = f"{seconds(skewed.processor)} / {seconds(regular.processor)}; {taken}"
        ratio = skewed.processor / regular.processor
        yield at_most(f"{what}, {SHAPES[shape]} / regular", ratio, _SKEW_LIMIT, detail=detail)


def count_shuffles(mentions: int, scratch: Path, shape: str) -> Row:
    """What Spark writes between its stages, by its own account, in a session of two threads."""
    from pyspark.sql import SparkSession

    from corefkit import score

    files = write_parquet(mentions, scratch, shape)
    builder = SparkSession.builder.master("local[2]").config("spark.local.dir", str(scratch))
    for name, value in _SESSION.items():
        builder = builder.config(name, value)
    session: Any = builder.getOrCreate()
    try:
        begun = time.perf_counter()
        score(*files, engine=session)
        taken = time.perf_counter() - begun
        context = session.sparkContext
        quantiles = context._gateway.new_array(session._jvm.double, 0)
        listed = context._jsc.sc().statusStore().stageList(None, False, False, quantiles, None)
        stages = [listed.apply(place) for place in range(listed.size())]
        written = sorted(stage.shuffleWriteBytes() for stage in stages)[::-1]
        cores = sum(stage.executorRunTime() for stage in stages) / 1000
    finally:
        session.stop()
    shuffles = [size / mentions for size in written if size]
    largest = ", ".join(f"{size:.1f}" for size in shuffles[:6])
    return Row(
        f"shuffles of Spark, {mentions:,} mentions, {SHAPES[shape]}",
        f"{len(shuffles)} in {len(stages)} stages, {sum(shuffles):.1f} bytes per mention, the "
        f"largest {largest}; {seconds(taken)}, tasks {seconds(cores)}",
    )


_SESSION = {
    "spark.driver.memory": "4g",
    "spark.driver.host": "localhost",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "16",
    "spark.ui.enabled": "false",
    "spark.ui.retainedStages": "10000",
    "spark.ui.showConsoleProgress": "false",
}
"""Of the session in which shuffles are counted."""


def rows(scratch: Path) -> Iterator[Row]:
    """DuckDB against memory on ten million mentions."""
    yield from ratios(10_000_000, scratch, shapes=())


def main() -> None:
    """Measure the sizes that are named."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines", description=__doc__)
    parser.add_argument("mentions", type=int, nargs="+", help="how many mentions")
    parser.add_argument("--engine", default="duckdb", choices=("memory", "duckdb", "spark"))
    parser.add_argument("--shape", default="regular", choices=SHAPES, help="how they are arranged")
    parser.add_argument("--ratios", action="store_true", help="to memory, and of skewed data")
    parser.add_argument("--shuffles", action="store_true", help="what Spark writes between stages")
    arguments = parser.parse_args()
    for mentions in arguments.mentions:
        with TemporaryDirectory(prefix="corefkit-bench-") as folder:
            found: Iterator[Row]
            if arguments.ratios:
                found = ratios(mentions, Path(folder), arguments.engine)
            elif arguments.shuffles:
                found = iter([count_shuffles(mentions, Path(folder), arguments.shape)])
            else:
                found = iter([measure(mentions, Path(folder), arguments.engine, arguments.shape)])
            for row in found:
                print(as_text([row]), flush=True)


if __name__ == "__main__":
    main()
